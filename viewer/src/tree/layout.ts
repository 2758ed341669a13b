/* Where the boxes of a flame graph lie: d3-hierarchy's partition of what is wide enough to see. */

import { hierarchy, partition } from 'd3-hierarchy';
import type { Stacks } from './stacks';

export interface Box {
	node: number;
	depth: number;
	x0: number; /* 0 … 1 of the width */
	x1: number;
	faded: boolean; /* above what is zoomed to */
}

interface Seed {
	node: number;
	self: number;
	children: Seed[];
}

/* The tree without what is under `least`, below `top`. */
function seedOf(stacks: Stacks, value: Float64Array, top: number, least: number): Seed {
	const seeds = new Map<number, Seed>();
	const root: Seed = { node: top, self: value[top], children: [] };
	seeds.set(top, root);
	for (let node = top + 1; node < value.length; node++) {
		const parent = value[node] >= least && value[node] > 0 && seeds.get(stacks.parent[node]);
		if (!parent)
			continue;
		const seed = { node, self: value[node], children: [] };
		seeds.set(node, seed);
		parent.children.push(seed);
		parent.self -= value[node];
	}
	return root;
}

/* The node that the names lead to, as far as they lead. */
export function findPath(stacks: Stacks, names: number[]): number {
	let at = 0;
	for (const name of names) {
		let next = -1;
		for (let i = at + 1; i < stacks.parent.length && next < 0; i++)
			if (stacks.parent[i] === at && stacks.name[i] === name)
				next = i;
		if (next < 0)
			return at;
		at = next;
	}
	return at;
}

/* Boxes at least `least` of the width wide, by rising depth. */
export function layout(stacks: Stacks, value: Float64Array, zoom: number, least: number): Box[] {
	const above: Box[] = [];
	for (let at = stacks.parent[zoom]; at >= 0; at = stacks.parent[at])
		above.unshift({ node: at, depth: 0, x0: 0, x1: 1, faded: true });
	above.forEach((box, i) => { box.depth = i; });
	if (!(value[zoom] > 0))
		return above;
	const root = hierarchy(seedOf(stacks, value, zoom, least * value[zoom]))
		.sum((seed) => Math.max(seed.self, 0))
		.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
	const boxes = partition<Seed>()(root).descendants().map((box): Box => ({
		node: box.data.node,
		depth: above.length + box.depth,
		x0: box.x0,
		x1: box.x1,
		faded: false,
	}));
	return [...above, ...boxes];
}
