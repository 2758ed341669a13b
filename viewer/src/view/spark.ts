/* A survival curve as a drawing of one line's height: what is left after 1, 2, … 15 collections. */

import { type Curve, curveAt } from '../stat/curve';
import { svg } from './dom';

export const STEPS = 16;

/* Shares left at t = 0 … 15; NaN where not known. */
export const stepsOf = (curve: Curve): number[] =>
	Array.from({ length: STEPS }, (_, t) => curveAt(curve, t).p);

/* The area under the steps, as a path in a box of w × h. */
export function stepPath(steps: number[], w: number, h: number): string {
	const width = w / steps.length, known = steps.findIndex(Number.isNaN);
	const n = known < 0 ? steps.length : known;
	if (!n)
		return '';
	const parts = [`M0 ${h}`];
	for (let i = 0; i < n; i++) {
		const y = (h * (1 - steps[i])).toFixed(2);
		parts.push(`L${(i * width).toFixed(2)} ${y}`, `L${((i + 1) * width).toFixed(2)} ${y}`);
	}
	return `${parts.join('')}L${(n * width).toFixed(2)} ${h}Z`;
}

const W = 96, H = 22;

export function spark(curve: Curve, other?: Curve): SVGElement {
	const steps = stepsOf(curve), known = steps.filter((p) => !Number.isNaN(p)).length;
	const nodes = [
		svg('path', { d: stepPath(steps, W, H), class: 'spark-area' }),
		svg('line', { x1: 0, x2: known / STEPS * W, y1: H - 0.5, y2: H - 0.5, class: 'spark-base' }),
	];
	if (known < STEPS)
		nodes.push(svg('line', {
			x1: known / STEPS * W, x2: W, y1: H - 0.5, y2: H - 0.5, class: 'spark-unknown',
		}));
	if (other)
		nodes.push(svg('path', { d: stepPath(stepsOf(other), W, H), class: 'spark-other' }));
	const text = `left after 1 collection ${percent(steps[1])}, after 15 ${percent(steps[STEPS - 1])}`;
	return svg('svg', { class: 'spark', viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: 'img',
		'aria-label': text }, ...nodes);
}

const percent = (p: number): string => Number.isNaN(p) ? 'not known' : `${(100 * p).toFixed(0)} %`;
