/* The word for a life, from its curve by bytes: doc/metrics.md, "shape"; src/stat/shape.c. */

import { type Curve, curveAt } from './curve';

export type Shape = 'unknown' | 'churn' | 'immortal' | 'bimodal' | 'long-lived' | 'mid-life';

const SAMPLES_MIN = 10;
const RISK_MIN = 5;
const WATCHED_MIN = 3;
const NEARLY_ALL = 0.95;
const MASS_MIN = 0.15;
const GAP_MAX = 0.05;
const GAP_LEAST = 2;
const MOST = 0.5;

/* Effective samples that the collection of point i found in sight, the dead included. */
function exposed(c: Curve, i: number): number {
	const at = c.points[i];
	const p = i ? c.points[i - 1].p : 1;
	if (at.p > 0)
		return at.risk * p / at.p;
	return i ? c.points[i - 1].risk : c.nEff;
}

/* The last t up to which enough samples were followed. */
function watchedUpto(c: Curve): number {
	let upto = 0;
	for (let i = 0; i < c.points.length && exposed(c, i) >= RISK_MIN; i++) {
		if (c.points[i].risk < RISK_MIN)
			return c.points[i].t;
		upto = i + 1 === c.points.length ? c.known : c.points[i + 1].t - 1;
	}
	return upto;
}

function splitsAt(c: Curve, t: number, end: number): boolean {
	const gap = Math.max(t, GAP_LEAST);
	if (t + gap > end)
		return false;
	const before = curveAt(c, t).p, after = curveAt(c, t + gap).p;
	return 1 - before >= MASS_MIN && after >= MASS_MIN && before - after <= GAP_MAX;
}

/* However few of them outlive one: most of these reach the end. */
function restStays(c: Curve, end: number): boolean {
	const one = curveAt(c, 1).p;
	return end > GAP_LEAST && one <= MOST && curveAt(c, end).p >= MOST * one;
}

function isBimodal(c: Curve, end: number): boolean {
	if (restStays(c, end))
		return true;
	for (let t = 1; t < end; t++)
		if (splitsAt(c, t, end))
			return true;
	return false;
}

export function shapeOf(c: Curve, tenuring: number): Shape {
	const threshold = tenuring || 1;
	const end = Math.min(c.known, threshold);
	const churn = curveAt(c, 1).p <= 1 - NEARLY_ALL;
	if (c.nEff < SAMPLES_MIN || !c.points.length || (c.known < WATCHED_MIN && !churn))
		return 'unknown';
	if (churn)
		return 'churn';
	const watched = watchedUpto(c);
	if (watched >= threshold && watched >= WATCHED_MIN && curveAt(c, watched).p >= NEARLY_ALL)
		return 'immortal';
	if (isBimodal(c, end))
		return 'bimodal';
	return curveAt(c, end).p >= MOST ? 'long-lived' : 'mid-life';
}
