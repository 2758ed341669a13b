/* Numbers for people: three digits, one unit. */

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/* Three significant digits, never in the form 1e21. */
export function digits(x: number): string {
	if (!Number.isFinite(x))
		return '?';
	const size = Math.abs(x);
	if (size >= 99.95)
		return x.toFixed(0);
	return x.toFixed(size >= 9.995 ? 1 : 2);
}

export function bytesText(bytes: number): string {
	if (!Number.isFinite(bytes))
		return '?';
	let unit = 0, x = bytes;
	while (Math.abs(x) >= 999.5 && unit + 1 < BYTES.length) {
		x /= 1000;
		unit++;
	}
	return `${unit ? digits(x) : Math.round(x)} ${BYTES[unit]}`;
}

/* Without the zeros behind the point: for round numbers on axes. */
export const roundText = (text: string): string => text.replace(/(\.\d*?)0+(?=[^\d]|$)/, '$1').replace(/\.(?=\D|$)/, '');

export const rateText = (bytesPerSecond: number): string => `${bytesText(bytesPerSecond)}/s`;

const DAY = 86400;

/* Of seconds. */
export function timeText(seconds: number): string {
	if (!Number.isFinite(seconds))
		return '?';
	if (seconds >= 2 * DAY)
		return `${digits(seconds / DAY)} d`;
	if (seconds >= 3600)
		return `${digits(seconds / 3600)} h`;
	if (seconds >= 120)
		return `${digits(seconds / 60)} min`;
	if (seconds >= 1)
		return `${digits(seconds)} s`;
	return seconds >= 1e-3 ? `${digits(seconds * 1e3)} ms` : `${digits(seconds * 1e6)} µs`;
}

/* So many digits behind the point that moments that far apart differ. */
const decimalsOf = (step: number): number => Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));

/* As a reader wants to have it who is told of one moment. */
const usualStep = (seconds: number): number => seconds < 9.995 ? 0.01 : seconds < 59.95 ? 0.1 : 1;

const two = (text: string): string => text.replace(/^\d(?!\d)/, '0$&');

/* 1:02:03 of 3723. */
function clockText(seconds: number, decimals: number, withHours = seconds >= 3600): string {
	const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
	const head = withHours ? `${hours}:${two(String(minutes % 60))}` : String(minutes);
	return `${head}:${two((seconds - 60 * minutes).toFixed(decimals))}`;
}

/* A moment of the recording: 12.3 s, 4:05, 1:02:03, 3 d 1:02:03; one of many that are `step` seconds apart says no more
 * than it must to differ from the next. */
export function momentText(seconds: number, step = usualStep(seconds)): string {
	const decimals = decimalsOf(step), round = Number(seconds.toFixed(decimals));
	if (step >= DAY)
		return `${Math.round(round / DAY)} d`;
	if (round < 60)
		return `${round.toFixed(decimals)} s`;
	const days = round >= 2 * DAY ? Math.floor(round / DAY) : 0;
	return days ? `${days} d ${clockText(round - days * DAY, decimals, true)}` : clockText(round, decimals);
}

/* What a time axis may step by, in seconds, so that the moments at its ticks are round. */
export const TIME_STEPS = [
	...[-6, -5, -4, -3, -2, -1, 0].flatMap((e) => [1, 2, 5].map((m) => Number(`${m}e${e}`))),
	...[10, 15, 30], ...[1, 2, 5, 10, 15, 30].map((m) => m * 60), ...[1, 2, 3, 6, 12].map((h) => h * 3600),
	...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((d) => d * DAY),
];

const THIN = '\u202f';

/* 41 932 */
export const countText = (n: number): string =>
	Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, THIN);

export const plural = (n: number, one: string, many: string): string => `${countText(n)} ${n === 1 ? one : many}`;

export const samplesText = (n: number): string => plural(n, 'sample', 'samples');

/* Shares as the report's screen has them: doc/metrics.md, "What is shown when little is known". */
export interface Share {
	text: string;
	spread: string; /* "±2 %", or empty */
}

export function shareParts(share: number, half: number): Share {
	if (Number.isNaN(share))
		return { text: '?', spread: '' };
	const percent = 100 * share, spread = Math.ceil(1000 * half - 1e-6) / 10, wide = spread >= 1;
	const width = spread > 0 ? `±${wide ? Math.ceil(100 * half - 1e-6) : spread.toFixed(1)}` : '';
	let text = percent.toFixed(wide || percent >= 99.95 ? 0 : 1);
	if (percent <= 0)
		text = spread > 0 ? '0' : '–';
	else if (percent < 0.05 && !wide)
		text = '<0.1';
	return { text, spread: width };
}

export function shareText(share: number, half = 0): string {
	const { text, spread } = shareParts(share, half);
	const unit = text === '–' || text === '?' ? '' : ' %';
	return spread ? `${text} ${spread} %` : text + unit;
}
