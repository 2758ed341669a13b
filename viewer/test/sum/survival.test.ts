/* Lives whose weights were scaled to what the exact engine counted: they may stand for less than one object. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loaded } from '../../src/app/loaded';
import { openContainer } from '../../src/data/container';
import { FATES, traceOf } from '../../src/data/trace';
import type { Curve } from '../../src/stat/curve';
import { encode, type Raw } from '../support/encode';
import { makeRaw } from '../support/make_data';
import { ask } from '../support/small';

const raw = (): Raw => makeRaw({ samples: 3000, dust: 5 });

/* All samples of one weight, as those of objects so large that none is missed. */
function weighing(weight: number): Loaded {
	const r = raw(), fate = r.columns['sample.fate'];
	r.columns['sample.weight'] = Array.from(fate, () => weight);
	r.columns['sample.lives'] = Array.from(fate, (f) => f ? weight : 0);
	return new Loaded(traceOf(openContainer(encode(r))));
}

const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) <= 1e-6 * Math.max(1e-9, Math.abs(b)), `${a} ${b}`);

function alike(got: Curve, want: Curve): void {
	assert.equal(got.points.length, want.points.length);
	near(got.nEff, want.nEff);
	got.points.forEach(({ t, p, lo, hi }, i) => {
		assert.equal(t, want.points[i].t);
		assert.ok(Math.abs(p - want.points[i].p) < 1e-6, `${p} ${want.points[i].p}`);
		assert.ok(0 <= lo && lo <= p && p <= hi && hi <= 1, `${lo} ${p} ${hi}`);
	});
	/* A census it is not: nobody knows what was missed. */
	assert.ok(got.points.some(({ lo, hi }) => hi - lo > 0.01));
}

test('samples that were scaled below 1 count for what they stand for', () => {
	const whole = ask({ by: 'class' }, weighing(1));
	for (const weight of [0.99992, 0.5, 1e-3]) {
		const scaled = ask({ by: 'class' }, weighing(weight));
		near(scaled.sums.total.alloc / weight, whole.sums.total.alloc);
		near(scaled.sums.total.live / weight, whole.sums.total.live);
		near(scaled.sums.total.died / weight, whole.sums.total.died);
		for (let g = 0; g < whole.groups.count; g++) {
			const s = scaled.survival(g), w = whole.survival(g);
			assert.deepEqual(s.evidence(), w.evidence());
			if (w.evidence().tooFew)
				continue;
			assert.equal(s.shape(), w.shape());
			near(scaled.diesInGc0(g), whole.diesInGc0(g));
			alike(s.curve('young', 'both'), w.curve('young', 'both'));
			alike(s.curve('mb', 'both'), w.curve('mb', 'both'));
		}
	}
});

test('bytes allocated are those of samples below 1 too, without an error of their own', () => {
	const answer = ask({ by: 'class' }, weighing(0.5));
	for (let g = 0; g < answer.groups.count; g++) {
		if (!answer.sums.samples[g])
			continue;
		const { value, lo, hi } = answer.survival(g).allocated().estimate();
		near(value, answer.sums.measures.alloc[g]);
		assert.ok(lo === value && hi === value);
	}
});

test('weights that can’t be count nothing', () => {
	for (const lives of [NaN, -1, -Infinity, 0, -0.5]) {
		const r = raw();
		r.columns['sample.lives'] = Array.from(r.columns['sample.lives'], () => lives);
		r.columns['sample.weight'] = Array.from(r.columns['sample.weight'], () => lives);
		const { samples } = traceOf(openContainer(encode(r)));
		assert.ok(samples.fate.every((fate) => fate === FATES.unfollowed));
		assert.ok(samples.lives.every((x) => x === 0));
		assert.ok(samples.weight.every((x) => x === 0));
	}
});
