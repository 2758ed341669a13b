/*
 * Kaplan and Meier's product with the beta product interval in its mid-p form: doc/metrics.md,
 * "survival"; src/stat/product.c and walk.c. Nobody comes late here: the page has no entries.
 */

import type { AgesRow } from './ages';
import type { Curve, CurvePoint } from './curve';
import { type Mass, massAdd, massEffective, massSub, massZero } from './mass';
import { betaCdf, logBeta, rootFind } from './special';

const TAIL = 0.025;
/* A variance below this, relative, is rounding: the value is exact. */
const EXACT = 1e-13;

/* Which limits are wanted: they are what costs time. */
export type Limits = 'none' | 'lo' | 'hi' | 'both';

interface Product {
	p: number;
	mean: number; /* of the product of betas … */
	cv: number; /* … log(1 + its squared coefficient of variation) */
	share: number; /* still followed, of those who outlived all before; 0: endless population */
	heaviest: number; /* least weight of what may have been missed */
	kept: number; /* after the last step: the living … */
	kept2: number; /* … their variance … */
	next: number; /* … and the weight of the next death */
	lo: number;
	hi: number;
}

/* A sum of weights and its variance. */
interface Sum {
	w: number;
	variance: number;
}

/* Multiplies by the share of `kept` in the sum of both: of gammas a beta, with these moments. */
function timesShare(p: Product, kept: Sum, gone: Sum): void {
	const total = kept.w + gone.w, mean = kept.w / total, rest = gone.w / total;
	const v = (rest * rest * kept.variance + mean * mean * gone.variance) / (total * total);
	p.mean *= mean;
	if (!(v > 0 && mean > 0))
		return;
	const size = mean * rest / v; /* both parameters of the beta together */
	p.cv += Math.log1p(rest / (mean * (size + 1)));
}

function step(p: Product, risk: Mass, died: Mass, lost: Mass): void {
	p.share *= risk.n ? risk.w / (risk.w + lost.w) : 0;
	if (!risk.n)
		return;
	const rest = { ...risk }, left = 1 - p.share;
	massSub(rest, died);
	/* Of the death, or survivor, that chance left out: half way from the mean by weight to the heaviest. */
	const usual = risk.w2 / risk.w;
	p.next = left * Math.max(usual, (usual + p.heaviest) / 2);
	p.kept = rest.w;
	p.kept2 = left * rest.w2;
	if (!died.n)
		return;
	p.p *= rest.n ? Math.max(1 - died.w / risk.w, 0) : 0;
	timesShare(p, { w: rest.w + p.next, variance: p.kept2 + p.next * p.next },
		{ w: died.w, variance: left * died.w2 });
}

/* A beta, or all mass at b where a is Infinity. */
interface Beta {
	a: number;
	b: number;
	scale: number; /* logBeta of them */
}

/* The beta with the moments of p. */
function match(p: Product): Beta {
	const variance = p.mean * p.mean * Math.expm1(p.cv);
	const size = p.mean * (1 - p.mean) / variance - 1;
	if (!(variance > EXACT * p.mean * p.mean) || !(p.mean < 1) || !(size > 0))
		return { a: Infinity, b: p.mean, scale: 0 };
	const a = p.mean * size, b = (1 - p.mean) * size;
	return { a, b, scale: logBeta(a, b) };
}

const cdf = (m: Beta, x: number): number =>
	m.a === Infinity ? x >= m.b ? 1 : 0 : betaCdf(m.a, m.b, x, m.scale);

function limit(l: Beta, u: Beta, tail: number, from: number, to: number): number {
	if (l.a === Infinity && u.a === Infinity && l.b === u.b)
		return Math.min(Math.max(l.b, from), to);
	return rootFind((x) => (cdf(l, x) + cdf(u, x)) / 2, tail, from, to, 1e-7);
}

/* What the upper limit is of, and the lower one: the same, had one more died now. */
function betasOf(p: Product): { upper: Beta; lower: Beta } {
	const next = { ...p };
	if (p.next > 0)
		timesShare(next, { w: p.kept, variance: p.kept2 }, { w: p.next, variance: p.next * p.next });
	return { upper: match(p), lower: match(next) };
}

function pointOf(p: Product, t: number, limits: Limits): CurvePoint {
	if (limits === 'none')
		return { t, p: p.p, lo: 0, hi: 1, risk: 0 };
	const { upper, lower } = betasOf(p);
	p.lo = limits === 'hi' ? 0 : limit(lower, upper, TAIL, 0, Math.min(p.lo, p.p));
	p.hi = limits === 'lo' ? 1 : limit(lower, upper, 1 - TAIL, p.p, p.hi);
	return { t, p: p.p, lo: p.lo, hi: p.hi, risk: 0 };
}

/* What is known of lives, by rising age. `heaviest`: the greatest sampling error of one; 0: a census. */
export interface Seen {
	rows: AgesRow[];
	all: Mass;
	heaviest: number;
}

/* Goes through the ages and tells of each t at which the curve has a point. Gives the largest that is known. */
function walk({ rows, all, heaviest }: Seen, tell: (product: Product, t: number, risk: Mass) => void): number {
	const risk = { ...all };
	const product: Product = {
		p: 1, mean: 1, cv: 0, share: heaviest > 0 ? 0 : 1, heaviest, kept: 0, kept2: 0, next: 0, lo: 1, hi: 1,
	};
	let done = 0, known = 0;
	for (const row of rows) {
		if (row.age > done) {
			if (!risk.n)
				break;
			known = row.age;
			if (!done) { /* nobody died at first, but the curve needs its first point */
				done = 1;
				step(product, risk, massZero(), massZero());
				tell(product, 1, risk);
			}
		}
		if (risk.n === row.lost.n)
			break;
		massSub(risk, row.lost);
		step(product, risk, row.died, row.lost);
		massSub(risk, row.died);
		done = known = row.age + 1;
		tell(product, done, risk);
	}
	return done && !(product.p > 0) ? Infinity : known;
}

/* The curve, with limits only up to t = `upto` (all unless told). */
export function productCurve(seen: Seen, limits: Limits, upto = Infinity): Curve {
	const points: CurvePoint[] = [];
	const known = walk(seen, (product, t, risk) => {
		points.push({ ...pointOf(product, t, t > upto ? 'none' : limits), risk: massEffective(risk) });
	});
	return { points, known, nEff: massEffective(seen.all), counts: true };
}

/* Whether a limit is at x or below: what the limit solves for is only looked at in x. */
function limitTest(p: Product, which: 'lo' | 'hi'): (x: number) => boolean {
	let betas: ReturnType<typeof betasOf> | undefined;
	return (x) => {
		const isLow = which === 'lo';
		if (isLow === (p.p <= x))
			return isLow;
		const { upper, lower } = betas ??= betasOf(p);
		return (cdf(lower, x) + cdf(upper, x)) / 2 >= (isLow ? TAIL : 1 - TAIL);
	};
}

/*
 * Where a limit of productCurve first is at or below each of the levels, which fall; Infinity: nowhere. Much faster than
 * the curve, which has to solve for each of its limits.
 */
export function productReach(
	seen: Seen, which: 'lo' | 'hi', levels: readonly number[]): { reached: number[]; known: number } {
	const reached: number[] = [];
	const known = walk(seen, (product, t) => {
		const isUnder = limitTest(product, which);
		while (reached.length < levels.length && isUnder(levels[reached.length]))
			reached.push(t);
	});
	return { reached: levels.map((_, i) => reached[i] ?? Infinity), known };
}

/* Of those lost from sight before their first collection nothing is known: who was seen. */
export function seenOf({ rows, all }: Seen): Mass {
	const seen = massZero();
	massAdd(seen, all);
	if (rows.length && rows[0].age === 0)
		massSub(seen, rows[0].lost);
	return seen;
}
