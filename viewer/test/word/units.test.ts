import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText, countText, momentText, roundText, shareText, TIME_STEPS, timeText } from '../../src/word/units';

test('bytes, times and counts have three digits', () => {
	assert.equal(bytesText(0), '0 B');
	assert.equal(bytesText(999), '999 B');
	assert.equal(bytesText(999_600), '1.00 MB');
	assert.equal(bytesText(214e9), '214 GB');
	assert.equal(timeText(0.0123), '12.3 ms');
	assert.equal(timeText(92.4), '92.4 s');
	assert.equal(momentText(65), '1:05');
	assert.equal(timeText(36 * 3600), '36.0 h');
	assert.equal(timeText(1063 * 3600), '44.3 d');
	assert.equal(countText(41932), '41\u202f932');
	assert.equal(bytesText(NaN), '?');
});

test('a moment is told as far as a reader wants it', () => {
	assert.deepEqual([0, 3.14159, 12.34, 59.97, 65, 3723, 47 * 3600].map((t) => momentText(t)),
		['0.00 s', '3.14 s', '12.3 s', '1:00', '1:05', '1:02:03', '47:00:00']);
	assert.equal(momentText(3 * 86400 + 3723), '3 d 1:02:03');
	assert.equal(momentText(3 * 86400 + 63), '3 d 0:01:03');
});

test('moments at the ticks of an axis differ, and are short', () => {
	const ticks = (from: number, step: number): string[] =>
		[0, 1, 2].map((i) => roundText(momentText(from + i * step, step)));
	assert.deepEqual(ticks(0, 0.001), ['0 s', '0.001 s', '0.002 s']);
	assert.deepEqual(ticks(100, 0.05), ['1:40', '1:40.05', '1:40.1']);
	assert.deepEqual(ticks(59.9995, 0.0005), ['59.9995 s', '1:00', '1:00.0005']);
	assert.deepEqual(ticks(0, 30), ['0 s', '30 s', '1:00']);
	assert.deepEqual(ticks(86400, 43200), ['24:00:00', '36:00:00', '2 d 0:00:00']);
	assert.deepEqual(ticks(0, 5 * 86400), ['0 d', '5 d', '10 d']);
	for (const [i, step] of TIME_STEPS.entries())
		assert.ok(i === 0 || step > TIME_STEPS[i - 1]!);
});

test('round numbers on axes have no zeros behind the point', () => {
	assert.deepEqual(['1.50 GB', '2.00 GB', '10.0 s', '100 ms', '1:10', '5.00 s'].map(roundText),
		['1.5 GB', '2 GB', '10 s', '100 ms', '1:10', '5 s']);
});

test('shares are as on the report’s screen', () => {
	assert.equal(shareText(0.998, 0.0005), '99.8 ±0.1 %');
	assert.equal(shareText(0, 0.004), '0 ±0.4 %');
	assert.equal(shareText(0, 0), '–');
	assert.equal(shareText(0.0002), '<0.1 %');
	assert.equal(shareText(0.1, 0.02), '10 ±2 %');
	assert.equal(shareText(NaN, 1), '?');
	assert.equal(shareText(1), '100 %');
});
