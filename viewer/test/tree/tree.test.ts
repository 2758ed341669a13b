import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPath, layout } from '../../src/tree/layout';
import { weightsOf } from '../../src/tree/weights';
import { ask, sample } from '../support/small';

const loaded = sample(), { trace, lives } = loaded;

for (const inverted of [false, true]) {
	const stacks = loaded.stacks(inverted), answer = ask({});
	const weights = weightsOf(trace, lives, answer.pick, stacks, 'alloc');

	test(`inverted ${inverted}: the root weighs all, no child more than its parent`, () => {
		assert.ok(Math.abs(weights.value[0] / answer.sums.total.alloc - 1) < 1e-9);
		const children = new Float64Array(stacks.parent.length);
		for (let node = 1; node < stacks.parent.length; node++) {
			assert.ok(stacks.parent[node] < node);
			children[stacks.parent[node]] += weights.value[node];
		}
		children.forEach((sum, node) => assert.ok(sum <= weights.value[node] * (1 + 1e-9) + 1e-6));
	});

	test(`inverted ${inverted}: one path of names, one node`, () => {
		const paths = new Set<string>();
		for (let node = 1; node < stacks.parent.length; node += 7) {
			const path = stacks.path(node);
			assert.equal(findPath(stacks, path), node);
			assert.ok(!paths.has(path.join(' ')));
			paths.add(path.join(' '));
		}
	});

	test(`inverted ${inverted}: boxes are as wide as their bytes, inside their parents, and don't overlap`, () => {
		const boxes = layout(stacks, weights.value, 0, 1 / 1200), by = new Map(boxes.map((b) => [b.node, b]));
		assert.ok(boxes.length > 20);
		for (const box of boxes) {
			assert.ok(Math.abs((box.x1 - box.x0) - weights.value[box.node] / weights.value[0]) < 1e-6);
			assert.ok(box.x1 - box.x0 >= 1 / 1200 - 1e-9);
			const parent = by.get(stacks.parent[box.node]);
			assert.ok(!parent || (parent.depth === box.depth - 1 && parent.x0 <= box.x0 + 1e-9 && parent.x1 >= box.x1 - 1e-9));
		}
		for (const a of boxes)
			for (const b of boxes)
				assert.ok(a === b || a.depth !== b.depth || a.x1 <= b.x0 + 1e-9 || b.x1 <= a.x0 + 1e-9);
	});

	test(`inverted ${inverted}: a zoom fills the width, with all above it`, () => {
		const boxes = layout(stacks, weights.value, 0, 1 / 1200), some = boxes.find((b) => b.depth === 3)!;
		const zoomed = layout(stacks, weights.value, some.node, 1 / 1200);
		assert.deepEqual(zoomed.slice(0, 3).map((b) => [b.faded, b.x0, b.x1]), Array(3).fill([true, 0, 1]));
		assert.deepEqual([zoomed[3].node, zoomed[3].x0, zoomed[3].x1, zoomed[3].faded], [some.node, 0, 1, false]);
	});
}
