/* A survival curve: p(t), the probability that an object outlives t, with its interval. */

export interface CurvePoint {
	t: number;
	p: number;
	lo: number;
	hi: number;
	risk: number; /* effective samples known to have outlived t */
}

export interface Curve {
	points: CurvePoint[];
	known: number; /* the largest t with p known; Infinity where p reached 0 */
	nEff: number;
	counts: boolean; /* t counts collections */
}

/* The point of any t; NaN past `known` (src/stat/curve.h). */
export function curveAt(c: Curve, t: number): CurvePoint {
	let lo = 0, hi = c.points.length;
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (c.points[middle].t <= t)
			lo = middle + 1;
		else
			hi = middle;
	}
	const at = lo ? { ...c.points[lo - 1] } : { t: 0, p: 1, lo: 1, hi: 1, risk: c.nEff };
	/* Between edges a flowing clock may already have lost what the next edge has. */
	if (!c.counts && at.t < t && lo < c.points.length)
		at.lo = c.points[lo].lo;
	at.t = t;
	if (t > c.known) {
		at.p = NaN;
		at.lo = at.risk = 0;
	}
	return at;
}

/* Quantile q of a lifetime with its interval: src/stat/lifetime.h. NaN: not known. */
export interface Lifetime {
	value: number;
	lo: number;
	hi: number;
}

/* The share that is left when a share q is dead. */
export const levelOf = (q: number): number => 1 - q + 1e-12;

export function lifetimeQuantile(c: Curve, q: number): Lifetime {
	const left = levelOf(q);
	const first = (of: (p: CurvePoint) => number): number => {
		const i = c.points.findIndex((p) => !(of(p) > left));
		return i < 0 ? c.points.length : i;
	};
	const at = (i: number): number =>
		i < c.points.length ? c.points[i].t - (c.counts ? 1 : 0) : NaN;
	const after = (i: number): number => {
		if (i >= c.points.length)
			return c.known;
		return c.counts ? at(i) : i ? c.points[i - 1].t : 0;
	};
	return { value: at(first((p) => p.p)), lo: after(first((p) => p.lo)), hi: at(first((p) => p.hi)) };
}
