/*
 * The stacks of a trace as one tree of names, made once; the weights are another array, made for
 * each query. Node 0 is the root. A node's parent has a smaller index.
 */

import type { Trace } from '../data/trace';

export interface Stacks {
	parent: Int32Array;
	name: Int32Array; /* a method, or -1 - a class */
	ofSite: Int32Array; /* the node where a stack ends */
	path: (node: number) => number[]; /* names from the root down */
}

class Grower {
	readonly parent: number[] = [-1];
	readonly name: number[] = [0];
	private readonly children = new Map<number, number>();

	constructor(private readonly names: number) {
	}

	/* Names are from -names … names - 1. */
	child(of: number, name: number): number {
		const key = of * 2 * this.names + name + this.names;
		const known = this.children.get(key);
		if (known !== undefined)
			return known;
		this.children.set(key, this.parent.length);
		this.name.push(name);
		return this.parent.push(of) - 1;
	}
}

function finish(grower: Grower, ofSite: Int32Array): Stacks {
	const parent = Int32Array.from(grower.parent), name = Int32Array.from(grower.name);
	return {
		parent,
		name,
		ofSite,
		path: (node) => {
			const names: number[] = [];
			for (let at = node; at > 0; at = parent[at])
				names.unshift(name[at]);
			return names;
		},
	};
}

const growerFor = (trace: Trace): Grower =>
	new Grower(Math.max(trace.methods.cls.length, trace.classes.length) + 1);

/* Callers above what they call; the allocated class last. */
export function stacksDown(trace: Trace): Stacks {
	const grower = growerFor(trace), { frames, sites } = trace;
	const nodes = new Int32Array(frames.method.length);
	for (let frame = 1; frame < nodes.length; frame++)
		nodes[frame] = grower.child(nodes[frames.parent[frame]], frames.method[frame]);
	return finish(grower, sites.cls.map((cls, i) => grower.child(nodes[sites.frame[i]], -1 - cls)));
}

const DEPTH_MAX = 64; /* of callers, inverted: beyond it they say little, and there are many */

/* The allocated class first, then who allocated it, then its callers. */
export function stacksUp(trace: Trace): Stacks {
	const grower = growerFor(trace), { frames, sites } = trace;
	return finish(grower, sites.cls.map((cls, i) => {
		let node = grower.child(0, -1 - cls);
		let frame = sites.frame[i];
		for (let depth = 0; frame && depth < DEPTH_MAX; depth++) {
			node = grower.child(node, frames.method[frame]);
			frame = frames.parent[frame];
		}
		return node;
	}));
}
