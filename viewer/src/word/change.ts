/* How much something is in B compared with A, in words: src/report/diff_screen.c. */

import { jsonNumber, jsonObject } from '../data/info';

/* As the documents have it; NaN: not known. */
export interface Change {
	a: number;
	b: number;
	ratio: number;
	lo: number;
	hi: number;
	p: number;
}

export interface ChangeText {
	text: string; /* "+34 %", "×3.2", "new" */
	spread: string; /* "±5", or empty */
}

export function changeOf(x: unknown): Change {
	const o = jsonObject(x), at = (name: string): number => jsonNumber(o[name], NaN);
	return { a: at('a'), b: at('b'), ratio: at('ratio'), lo: at('lo'), hi: at('hi'), p: at('p') };
}

const FACTOR = 3; /* larger ratios are told as factors */

function ratioText(ratio: number): string {
	const percent = 100 * (ratio - 1), size = Math.abs(percent);
	if (ratio >= FACTOR)
		return `×${ratio.toFixed(ratio < 9.95 ? 1 : 0)}`;
	if (size < 0.05)
		return '±0 %';
	return `${percent < 0 ? '−' : '+'}${size.toFixed(size < 9.95 ? 1 : 0)} %`;
}

function spreadText({ ratio, lo, hi }: Change): string {
	if (Number.isNaN(lo) || ratio >= FACTOR)
		return '';
	const half = 100 * Math.max(Number.isNaN(hi) ? Infinity : hi - ratio, ratio - lo);
	if (half > 100)
		return '±>100';
	return `±${half < 0.95 ? (Math.ceil(10 * half - 1e-6) / 10).toFixed(1) : Math.ceil(half - 1e-6)}`;
}

/* undefined where nothing was in either. */
export function changeText(c: Change): ChangeText | undefined {
	if (Number.isNaN(c.ratio))
		return c.b > 0 && c.a === 0 ? { text: 'new', spread: '' } : undefined;
	if (c.ratio <= 0)
		return { text: 'gone', spread: '' };
	return { text: ratioText(c.ratio), spread: spreadText(c) };
}
