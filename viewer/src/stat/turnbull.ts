/* Where the mass of interval-censored deaths lies, by self-consistency: src/stat/turnbull.c. */

import { SPAN_OPEN, type Spans, type SpansRow } from './spans';

const GAP = 1e-3;
const ROUNDS = 1000;

export interface Turnbull {
	edge: number[]; /* edges that occur, rising; the first is 0 */
	index: Map<number, number>; /* of an edge among those that occur */
	before: Float64Array; /* mass of all cells below j */
}

export const turnbullEnd = (fit: Turnbull, row: SpansRow): number =>
	row.by === SPAN_OPEN ? fit.edge.length : fit.index.get(row.by)!;

function start(s: Spans): { fit: Turnbull; mass: Float64Array } {
	const after = new Set(s.rows.map((row) => row.after));
	const by = new Set(s.rows.filter((row) => row.by !== SPAN_OPEN).map((row) => row.by));
	const edge = [...new Set([0, ...after, ...by])].sort((a, b) => a - b);
	const index = new Map(edge.map((e, i) => [e, i]));
	/* Mass can only be where a span begins and the next edge ends one. */
	const mass = Float64Array.from(edge, (e, j) =>
		after.has(e) && (j + 1 === edge.length || by.has(edge[j + 1])) ? 1 : 0);
	return { fit: { edge, index, before: new Float64Array(edge.length + 1) }, mass };
}

/* `sum` of the mass. */
function sumUp(before: Float64Array, mass: Float64Array, sum: number): void {
	for (let j = 0; j < mass.length; j++) {
		mass[j] /= sum;
		before[j + 1] = before[j] + mass[j];
	}
}

interface Pull {
	from: Int32Array;
	to: Int32Array;
	weight: Float64Array;
	total: number;
}

function pullOf(s: Spans, fit: Turnbull): Pull {
	return {
		from: Int32Array.from(s.rows, (row) => fit.index.get(row.after)!),
		to: Int32Array.from(s.rows, (row) => turnbullEnd(fit, row)),
		weight: Float64Array.from(s.rows, (row) => row.mass.w),
		total: s.rows.reduce((sum, row) => sum + row.mass.w, 0),
	};
}

/* One round; the gap from before it. There are many, of many rows: plain loops over plain arrays. */
function improve({ from, to, weight, total }: Pull, before: Float64Array, mass: Float64Array, gradient: Float64Array): number {
	gradient.fill(0);
	for (let i = 0; i < weight.length; i++) {
		const inside = before[to[i]] - before[from[i]];
		if (!(inside > 0))
			continue;
		const part = weight[i] / inside;
		gradient[from[i]] += part;
		gradient[to[i]] -= part;
	}
	let sum = 0, gap = 0, all = 0;
	for (let j = 0; j < mass.length; j++) {
		sum += gradient[j];
		const mean = sum / total;
		if (mass[j] > 0 && mean - 1 > gap)
			gap = mean - 1;
		mass[j] *= mean > 0 ? mean : 0;
		all += mass[j];
	}
	sumUp(before, mass, all);
	return gap;
}

export function turnbullFit(s: Spans): Turnbull {
	const { fit, mass } = start(s);
	if (!s.rows.length)
		return fit;
	sumUp(fit.before, mass, mass.reduce((a, b) => a + b, 0));
	const pull = pullOf(s, fit), gradient = new Float64Array(mass.length + 1);
	for (let round = 0; round <= ROUNDS; round++)
		if (!(improve(pull, fit.before, mass, gradient) > GAP))
			break;
	return fit;
}
