import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histBin, histLow } from '../../src/stat/hist';

test('bins hold their values, rise, and are at most an eighth wide', () => {
	let before = -1;
	for (let bin = 0; bin < 350; bin++) {
		const low = histLow(bin), next = histLow(bin + 1);
		assert.ok(low > before && next > low);
		assert.ok(next - low <= Math.max(1, low / 8));
		assert.equal(histBin(low), bin);
		assert.equal(histBin(next - 1), bin);
		before = low;
	}
});
