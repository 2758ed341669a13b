/* The survival curve on a clock that flows: doc/metrics.md, "survival on a clock"; src/stat/interval.c. */

import type { AgesRow } from './ages';
import { type Curve, type CurvePoint, curveAt, levelOf, type Lifetime } from './curve';
import { histLow } from './hist';
import { massAdd, massZero } from './mass';
import { productCurve, productReach, type Seen } from './product';
import { SPAN_OPEN, type Spans } from './spans';
import { type Turnbull, turnbullEnd, turnbullFit } from './turnbull';

/* Lives over cells, each death in the first (or the last) cell of its span. */
function boundSeen(s: Spans, fit: Turnbull, limits: 'lo' | 'hi'): Seen {
	const rows = fit.edge.map((_, age): AgesRow => ({ age, died: massZero(), lost: massZero() }));
	for (const row of s.rows) {
		const after = fit.index.get(row.after)!;
		if (row.by === SPAN_OPEN)
			massAdd(rows[after].lost, row.mass);
		else
			massAdd(rows[limits === 'hi' ? turnbullEnd(fit, row) - 1 : after].died, row.mass);
	}
	return { rows, all: s.all, heaviest: s.heaviest };
}

/* What is left at edge j. */
function leftAt(fit: Turnbull, j: number): number {
	const left = 1 - fit.before[j];
	return left > 1e-12 ? left : 0;
}

/* `bands` false leaves the interval out (lo and hi are p): much faster. */
export function intervalCurve(s: Spans, bands: boolean, fit = turnbullFit(s)): Curve {
	const early = bands ? productCurve(boundSeen(s, fit, 'lo'), 'lo') : undefined;
	const late = bands ? productCurve(boundSeen(s, fit, 'hi'), 'hi') : undefined;
	const points: CurvePoint[] = [];
	let known = 0;
	for (let j = 1; j < fit.edge.length; j++) {
		const p = leftAt(fit, j), t = histLow(fit.edge[j]);
		const low = early && curveAt(early, j);
		points.push({
			t,
			p,
			lo: Math.min(low?.lo ?? p, p),
			hi: Math.max(late ? curveAt(late, j).hi : p, p),
			risk: low?.risk ?? 0,
		});
		known = p > 0 ? t : Infinity;
	}
	const nEff = s.all.w2 > 0 ? s.all.w * s.all.w / s.all.w2 : 0;
	return { points, known, nEff, counts: false };
}

/* Quantiles of the lifetime, `shares` rising: what lifetimeQuantile says of intervalCurve with bands, in a fraction of its time. */
export function intervalLifetimes(s: Spans, shares: readonly number[], fit = turnbullFit(s)): Lifetime[] {
	const levels = shares.map(levelOf), end = fit.edge.length;
	const time = (j: number): number => histLow(fit.edge[j]);
	const early = productReach(boundSeen(s, fit, 'lo'), 'lo', levels);
	const late = productReach(boundSeen(s, fit, 'hi'), 'hi', levels);
	const known = end < 2 ? 0 : leftAt(fit, end - 1) > 0 ? time(end - 1) : Infinity;
	return levels.map((level, i) => {
		let at = 1;
		while (at < end && leftAt(fit, at) > level)
			at++;
		const lo = Math.min(at, early.reached[i], early.known + 1), hi = Math.max(at, late.reached[i]);
		return {
			value: at < end ? time(at) : NaN,
			lo: lo >= end ? known : lo > 1 ? time(lo - 1) : 0,
			hi: hi < end ? time(hi) : NaN,
		};
	});
}
