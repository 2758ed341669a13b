/* Dark or light: as the system has it, until told otherwise. Colours for canvases, from the style sheet. */

const KEY = 'mayfly-theme';

/* A page from a file may be denied any memory. */
function remembered(): string | null {
	try {
		return localStorage.getItem(KEY);
	} catch {
		return null;
	}
}

function remember(theme: string): void {
	try {
		localStorage.setItem(KEY, theme);
	} catch {
		/* then not */
	}
}

const system = (): string => matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

export const isDark = (): boolean => document.documentElement.dataset.theme === 'dark';

export function startTheme(changed: () => void): void {
	setTheme(remembered() ?? system());
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
		setTheme(remembered() ?? system());
		changed();
	});
}

export function turnTheme(): void {
	const theme = isDark() ? 'light' : 'dark';
	setTheme(theme);
	remember(theme);
}

let before = '';

/* Paper is white, and printers leave backgrounds out. */
export function themeForPaper(on: boolean): void {
	if (on)
		before = document.documentElement.dataset.theme!;
	setTheme(on ? 'light' : before);
}

/* Of the theme in force: asking the browser makes it lay the page out, and plots ask often. */
const known = new Map<string, string>();

/* A colour of the style sheet by its name, such as `text`. */
export function color(name: string): string {
	const had = known.get(name);
	if (had !== undefined)
		return had;
	const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
	known.set(name, value);
	return value;
}

function setTheme(theme: string): void {
	document.documentElement.dataset.theme = theme;
	known.clear();
}

/*
 * Of Okabe and Ito (2008), distinct for all common kinds of colour vision; lines also differ by dash.
 * The yellow is left out: it does not show on white.
 */
export const SERIES = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'] as const;
export const DASHES: readonly number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 3], [4, 2, 1, 2]];

type Rgb = [number, number, number];

/* From dies young (pale) to outlives (strong), one way in lightness as well as in hue. */
const LIGHT: Rgb[] = [[205, 222, 238], [233, 214, 170], [235, 164, 92], [204, 91, 20], [140, 45, 4]];
const DARK: Rgb[] = [[52, 74, 98], [104, 96, 74], [160, 110, 52], [222, 122, 40], [255, 176, 102]];

/* From a quarter to four times: blue is less, orange more, grey the same. */
const LESS_LIGHT: Rgb[] = [[70, 130, 190], [160, 196, 226], [221, 224, 228], [240, 180, 110], [213, 94, 0]];
const LESS_DARK: Rgb[] = [[70, 140, 205], [58, 92, 126], [62, 70, 80], [140, 92, 44], [222, 122, 40]];

export const changeColor = (times: number): string =>
	mixed(isDark() ? LESS_DARK : LESS_LIGHT, Number.isNaN(times) ? 0.5 : 0.5 + Math.log2(times) / 4);

export const survivalColor = (share: number): string =>
	Number.isNaN(share) ? color('unknown') : mixed(isDark() ? DARK : LIGHT, share);

function mixed(stops: Rgb[], share: number): string {
	const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
	const mix = stops[i].map((c, k) => Math.round(c + (stops[i + 1][k] - c) * (at - i)));
	return `rgb(${mix.join(',')})`;
}
