import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Total } from '../../src/stat/total';

test('what was scaled below 1 is as certain as what it stands for, once', () => {
	const scaled = new Total(), plain = new Total();
	scaled.add(1000, 0.25);
	plain.add(250, 1);
	for (const total of [scaled, plain])
		total.add(10, 3);
	assert.deepEqual(scaled.estimate(), plain.estimate());
	assert.ok(plain.estimate().lo < 280 && plain.estimate().hi > 280);
});
