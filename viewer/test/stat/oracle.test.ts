/*
 * The same lives as src/stat was given in C (survival_curve, interval_curve, shape_of, total_bytes), and what it answered:
 * oracle.json. Both sides draw the lives from the same generator, so that the numbers here are C's own.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { AgesMaker } from '../../src/stat/ages';
import type { Curve } from '../../src/stat/curve';
import { intervalCurve } from '../../src/stat/interval';
import { productCurve } from '../../src/stat/product';
import { shapeOf } from '../../src/stat/shape';
import { SpansMaker } from '../../src/stat/spans';
import { Total } from '../../src/stat/total';
import told from './oracle.json';

/* Within the build, what C answers now (oracle.c); else what it answered when oracle.json was made. */
const { MAYFLY_ORACLE } = process.env;
const oracle = MAYFLY_ORACLE
	? JSON.parse(execFileSync(MAYFLY_ORACLE, { encoding: 'utf8' })) as typeof told : told;

interface Told {
	known: number | null;
	nEff: number;
	points: number[][];
}

function livesOf(seed: number): { ages: AgesMaker; spans: SpansMaker; total: Total } {
	let state = seed;
	const below = (n: number): number => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return (state >>> 8) % n;
	};
	const coarse = { 1: { odds: 8, interval: 524288 }, 5: { odds: 1, interval: 65536 } }[seed];
	const ages = new AgesMaker(), spans = new SpansMaker(), total = new Total(coarse);
	const n = 15 + below(150), span = 1 + below(seed % 2 ? 6 : 400), most = seed % 3 ? 1 + below(40) : 1;
	const lost = below(60);
	for (let i = 0; i < n; i++) {
		const age = below(span), died = below(100) >= lost, weight = 1 + below(most), size = 16 + below(5000);
		const after = below(1000000), by = after + 1 + below(800000);
		ages.add(died, age, size, weight);
		spans.add(died, after, by, weight);
		total.add(size, weight + 0.5);
	}
	return { ages, spans, total };
}

function near(got: number, want: number, what: string, slack = 2e-6): void {
	assert.ok(Math.abs(got - want) <= slack * Math.max(1, Math.abs(want)), `${what}: ${got} instead of ${want}`);
}

function same(got: Curve, want: Told): void {
	assert.equal(got.known, want.known ?? Infinity);
	near(got.nEff, want.nEff, 'nEff');
	assert.equal(got.points.length, want.points.length);
	want.points.forEach(([t, p, lo, hi, risk], i) => {
		const point = got.points[i];
		assert.equal(point.t, t);
		near(point.p, p, `p(${t})`);
		near(point.lo, lo, `lo(${t})`);
		near(point.hi, hi, `hi(${t})`);
		near(point.risk, risk, `risk(${t})`);
	});
}

for (const answer of oracle) {
	test(`seed ${answer.seed}: the curves, shape and total are those of src/stat`, () => {
		const { ages, spans, total } = livesOf(answer.seed), seen = ages.finish();
		same(productCurve(seen, 'both'), answer.counted as Told);
		same(intervalCurve(spans.finish(), true), answer.flowing as Told);
		assert.equal(shapeOf(productCurve(seen, 'none'), 15), answer.shape);
		const e = total.estimate(), [value, lo, hi] = answer.total;
		near(e.value, value, 'total');
		near(e.lo, lo, 'total lo');
		near(e.hi, hi, 'total hi');
	});
}

test('limits up to some t are those of the whole curve', () => {
	const seen = livesOf(2).ages.finish();
	const whole = productCurve(seen, 'both'), part = productCurve(seen, 'both', 15);
	part.points.forEach((point, i) => {
		assert.equal(point.p, whole.points[i].p);
		if (point.t <= 15)
			assert.deepEqual(point, whole.points[i]);
	});
});
