/* A weighted count: samples, the sum of their weights and of the squares: src/stat/mass.h. */

export interface Mass {
	n: number;
	w: number;
	w2: number;
}

/* No sample stands for more: src/stat/weight.h … */
export const WEIGHT_MAX = 2 ** 52;
/* … nor for less. Below 1 are those that were scaled to what was counted (doc/page-data.md). */
export const WEIGHT_MIN = 2 ** -52;

/*
 * The standard deviation that one sample of x adds to a Horvitz–Thompson sum of x; 0: of a census. A weight that was
 * scaled below 1 doesn't tell of one: it errs as one that is as much above.
 */
export const weightError = (x: number, weight: number): number =>
	Math.min(x * Math.sqrt(weight * Math.abs(weight - 1)), WEIGHT_MAX);

export const massZero = (): Mass => ({ n: 0, w: 0, w2: 0 });

export const massOf = (weight: number): Mass => ({ n: 1, w: weight, w2: weight * weight });

/* One more sample. */
export function massPut(m: Mass, weight: number): void {
	m.n++;
	m.w += weight;
	m.w2 += weight * weight;
}

export function massAdd(m: Mass, more: Mass): void {
	m.n += more.n;
	m.w += more.w;
	m.w2 += more.w2;
}

/* Takes out what was put in before; rounding may not feign what can't be: a rest without weight. */
export function massSub(m: Mass, part: Mass): void {
	m.n -= part.n;
	m.w = m.n ? Math.max(m.w - part.w, m.n * WEIGHT_MIN) : 0;
	m.w2 = m.n ? Math.max(m.w2 - part.w2, m.w * m.w / m.n) : 0;
}

/* Kish's effective sample size; 0 of nothing. */
export const massEffective = (m: Mass): number => m.w2 > 0 ? m.w * m.w / m.w2 : 0;
