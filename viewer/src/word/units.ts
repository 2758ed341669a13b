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

/* Of seconds. */
export function timeText(seconds: number): string {
	if (!Number.isFinite(seconds))
		return '?';
	if (seconds >= 3600)
		return `${digits(seconds / 3600)} h`;
	if (seconds >= 120)
		return `${digits(seconds / 60)} min`;
	if (seconds >= 1)
		return `${digits(seconds)} s`;
	return seconds >= 1e-3 ? `${digits(seconds * 1e3)} ms` : `${digits(seconds * 1e6)} µs`;
}

/* A moment of the recording: 12.3 s, 4:05, 1:02:03. */
export function momentText(seconds: number): string {
	if (seconds < 60)
		return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
	const whole = Math.round(seconds), two = (x: number): string => String(x).padStart(2, '0');
	const minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
	return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

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
