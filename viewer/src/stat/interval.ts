/* The survival curve on a clock that flows: doc/metrics.md, "survival on a clock"; src/stat/interval.c. */

import type { AgesRow } from './ages';
import { type Curve, type CurvePoint, curveAt } from './curve';
import { histLow } from './hist';
import { massAdd, massZero } from './mass';
import { type Limits, productCurve } from './product';
import { SPAN_OPEN, type Spans } from './spans';
import { type Turnbull, turnbullEnd, turnbullFit } from './turnbull';

/* The Kaplan–Meier curve over cells, each death in the first (or the last) cell of its span. */
function boundCurve(s: Spans, fit: Turnbull, limits: Limits): Curve {
	const rows = fit.edge.map((_, age): AgesRow => ({ age, died: massZero(), lost: massZero() }));
	for (const row of s.rows) {
		const after = fit.index.get(row.after)!;
		if (row.by === SPAN_OPEN)
			massAdd(rows[after].lost, row.mass);
		else
			massAdd(rows[limits === 'hi' ? turnbullEnd(fit, row) - 1 : after].died, row.mass);
	}
	return productCurve({ rows, all: s.all, heaviest: s.heaviest }, limits);
}

/* `bands` false leaves the interval out (lo and hi are p): much faster. */
export function intervalCurve(s: Spans, bands: boolean): Curve {
	const fit = turnbullFit(s);
	const early = bands ? boundCurve(s, fit, 'lo') : undefined;
	const late = bands ? boundCurve(s, fit, 'hi') : undefined;
	const points: CurvePoint[] = [];
	let known = 0;
	for (let j = 1; j < fit.edge.length; j++) {
		const left = 1 - fit.before[j];
		const p = left > 1e-12 ? left : 0, t = histLow(fit.edge[j]);
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
