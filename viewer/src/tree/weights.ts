/* What the stacks weigh for a query: bytes of each node with all below it. */

import { FATES, type Trace } from '../data/trace';
import type { Lives } from '../pick/lives';
import { CHOSEN, type Pick } from '../pick/pick';
import type { Measure } from '../query/query';
import type { Stacks } from './stacks';

export interface Weights {
	value: Float64Array; /* by the measure */
	died0: Float64Array; /* lives that died at age 0 … */
	survived: Float64Array; /* … and that outlived a collection */
}

/* Bytes of each site. */
function ofSites(trace: Trace, lives: Lives, pick: Pick, measure: Measure): Weights {
	const n = trace.sites.cls.length, { site, fate } = trace.samples, { age } = lives.gc;
	const value = new Float64Array(n), died0 = new Float64Array(n), survived = new Float64Array(n);
	for (let i = 0; i < site.length; i++) {
		if (pick.state[i] !== CHOSEN)
			continue;
		const at = site[i], bytes = lives.bytes[i], dead = fate[i] === FATES.died;
		const old = age[i] > 0, infant = dead && !old;
		if (old)
			survived[at] += bytes;
		else if (infant)
			died0[at] += bytes;
		if (measure === 'alloc')
			value[at] += pick.byFate ? bytes : lives.allocated[i];
		else if (measure === 'died' ? dead : measure === 'died0' ? infant
			: measure === 'survived' ? old : fate[i] === FATES.alive)
			value[at] += bytes;
	}
	return { value, died0, survived };
}

function upTheTree(stacks: Stacks, sites: Float64Array): Float64Array {
	const nodes = new Float64Array(stacks.parent.length);
	for (let i = 0; i < sites.length; i++)
		nodes[stacks.ofSite[i]] += sites[i];
	for (let i = nodes.length - 1; i > 0; i--)
		nodes[stacks.parent[i]] += nodes[i];
	return nodes;
}

export function weightsOf(
	trace: Trace, lives: Lives, pick: Pick, stacks: Stacks, measure: Measure): Weights {
	const sites = ofSites(trace, lives, pick, measure);
	return {
		value: upTheTree(stacks, sites.value),
		died0: upTheTree(stacks, sites.died0),
		survived: upTheTree(stacks, sites.survived),
	};
}

/* The share of a node's lives that outlived a collection; NaN where none met one. */
export const survivedShare = (w: Weights, node: number): number =>
	w.survived[node] / (w.died0[node] + w.survived[node]);
