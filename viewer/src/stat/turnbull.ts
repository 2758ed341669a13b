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

function sumUp(fit: Turnbull, mass: Float64Array): void {
	const sum = mass.reduce((a, b) => a + b, 0);
	for (let j = 0; j < mass.length; j++) {
		mass[j] /= sum;
		fit.before[j + 1] = fit.before[j] + mass[j];
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

/* One round; the gap from before it. */
function improve(pull: Pull, fit: Turnbull, mass: Float64Array, gradient: Float64Array): number {
	gradient.fill(0);
	for (let i = 0; i < pull.weight.length; i++) {
		const inside = fit.before[pull.to[i]] - fit.before[pull.from[i]];
		if (!(inside > 0))
			continue;
		gradient[pull.from[i]] += pull.weight[i] / inside;
		gradient[pull.to[i]] -= pull.weight[i] / inside;
	}
	let sum = 0, gap = 0;
	for (let j = 0; j < mass.length; j++) {
		sum += gradient[j];
		const mean = sum / pull.total;
		if (mass[j] > 0)
			gap = Math.max(gap, mean - 1);
		mass[j] *= Math.max(mean, 0);
	}
	sumUp(fit, mass);
	return gap;
}

export function turnbullFit(s: Spans): Turnbull {
	const { fit, mass } = start(s);
	if (!s.rows.length)
		return fit;
	sumUp(fit, mass);
	const pull = pullOf(s, fit), gradient = new Float64Array(mass.length + 1);
	for (let round = 0; round <= ROUNDS; round++)
		if (!(improve(pull, fit, mass, gradient) > GAP))
			break;
	return fit;
}
