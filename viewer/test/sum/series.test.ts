import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binCount, binsOf, heapOf } from '../../src/sum/series';
import { ask, sample } from '../support/small';

const { trace, lives } = sample(), s = trace.samples;

test('rates sum up to what was allocated, live bytes to those alive at each edge', () => {
	const range = { from: 10e6, to: 70e6 }, bins = binsOf(trace, lives, null, range, 90);
	const sum = bins.rate.reduce((a, b) => a + b, 0) * bins.width / 1e6;
	let want = 0;
	for (let i = 0; i < s.count; i++)
		want += s.time[i] >= range.from && s.time[i] < range.to ? lives.allocated[i] : 0;
	assert.ok(Math.abs(sum - want) < 1e-6 * want);
	for (const k of [0, 17, 45, 90]) {
		const edge = range.from + k * bins.width;
		let live = 0;
		for (let i = 0; i < s.count; i++)
			live += s.time[i] <= edge && lives.aliveUntil[i] > edge ? lives.bytes[i] : 0;
		assert.ok(Math.abs(bins.live[k] - live) <= 1e-6 * live + 1, `at ${edge}: ${bins.live[k]}, ${live}`);
	}
});

test('a filter’s series are part of the whole', () => {
	const { pick } = ask({ cls: 'byte[]' }), range = { from: 0, to: trace.span };
	const all = binsOf(trace, lives, null, range, 50), some = binsOf(trace, lives, pick, range, 50);
	some.rate.forEach((rate, i) => assert.ok(rate <= all.rate[i] + 1e-6));
	assert.ok(some.rate.some((rate) => rate > 0));
	const never = ask({ life: 'never' }), dead = binsOf(trace, lives, never.pick, range, 50);
	const sum = dead.rate.reduce((a, b) => a + b, 0) * dead.width / 1e6;
	assert.ok(Math.abs(sum / never.sums.total.alloc - 1) < 1e-6);
});

test('few samples make few bins; heap points rise in time', () => {
	assert.equal(binCount(10), 24);
	assert.equal(binCount(2e5), 360);
	const { time } = heapOf(trace);
	time.forEach((t, i) => assert.ok(!i || t > time[i - 1]));
});
