import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText, countText, momentText, roundText, shareText, timeText } from '../../src/word/units';

test('bytes, times and counts have three digits', () => {
	assert.equal(bytesText(0), '0 B');
	assert.equal(bytesText(999), '999 B');
	assert.equal(bytesText(999_600), '1.00 MB');
	assert.equal(bytesText(214e9), '214 GB');
	assert.equal(timeText(0.0123), '12.3 ms');
	assert.equal(timeText(92.4), '92.4 s');
	assert.equal(momentText(65), '1:05');
	assert.equal(momentText(3723), '1:02:03');
	assert.equal(countText(41932), '41\u202f932');
	assert.equal(bytesText(NaN), '?');
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
