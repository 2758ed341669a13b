/* A trace with what is derived from it once, and what a query makes of it. */

import type { Trace } from '../data/trace';
import { Places, type Spot } from '../found/places';
import { Lives } from '../pick/lives';
import { type Pick, pick } from '../pick/pick';
import { Haystack } from '../pick/text';
import type { By, Clock, Query } from '../query/query';
import { type Groups, groupsOf } from '../sum/groups';
import { type Sums, groupOfSample, sumsOf } from '../sum/sums';
import { type Members, membersOf, Survival } from '../sum/survival';
import { type Stacks, stacksDown, stacksUp } from '../tree/stacks';

/* Rows of a grouping. */
export interface Target {
	by: By;
	groups: number[];
}

export class Loaded {
	readonly lives: Lives;
	readonly haystack: Haystack;
	private readonly groupings = new Map<By, { groups: Groups; ofSample: Int32Array }>();
	private readonly trees: { up?: Stacks; down?: Stacks } = {};
	private places?: Places;

	constructor(readonly trace: Trace) {
		this.lives = new Lives(trace);
		this.haystack = new Haystack(trace);
	}

	grouping(by: By): { groups: Groups; ofSample: Int32Array } {
		const known = this.groupings.get(by);
		if (known)
			return known;
		const groups = groupsOf(this.trace, by);
		const made = { groups, ofSample: groupOfSample(this.trace, groups) };
		this.groupings.set(by, made);
		return made;
	}

	/* Where in the table a place is; null: nowhere. */
	target(spot: Spot): Target | null {
		if (spot.method) {
			const groups = (this.places ??= new Places(this.trace)).find(spot);
			return groups.length ? { by: 'site', groups } : null;
		}
		const { groups: { count, name } } = this.grouping('class');
		for (let group = 0; group < count && spot.cls; group++)
			if (name(group) === spot.cls)
				return { by: 'class', groups: [group] };
		return null;
	}

	stacks(inverted: boolean): Stacks {
		return inverted
			? this.trees.up ??= stacksUp(this.trace)
			: this.trees.down ??= stacksDown(this.trace);
	}
}

/* The answer to a query, of one trace. */
export class Answer {
	readonly pick: Pick;
	readonly groups: Groups;
	readonly sums: Sums;
	readonly seconds: number; /* that rates are over */
	readonly exposure: number; /* what amounts are divided by where two recordings are compared */
	private readonly ofSample: Int32Array;
	private readonly survivals = new Map<number, Survival>();
	private members?: Members;

	/* `perRun`: whole runs are compared, and not what they do in a second. */
	constructor(readonly loaded: Loaded, readonly query: Query, readonly perRun = false) {
		const { trace, lives, haystack } = loaded, { groups, ofSample } = loaded.grouping(query.by);
		this.pick = pick(trace, lives, haystack, query);
		this.groups = groups;
		this.ofSample = ofSample;
		this.sums = sumsOf(trace, lives, this.pick, ofSample, groups.count);
		const from = query.born?.from ?? 0, to = Math.min(query.born?.to ?? Infinity, trace.span / 1e6);
		this.seconds = Math.max((to - from) * trace.told, 1e-6);
		this.exposure = perRun ? 1 : this.seconds;
	}

	get clock(): Clock {
		return this.query.clock ?? this.loaded.trace.info.clock;
	}

	survival(group: number): Survival {
		const { trace, lives } = this.loaded;
		this.members ??= membersOf(this.pick, this.ofSample, this.groups.count);
		const { order, from } = this.members;
		const known = this.survivals.get(group) ??
			new Survival(trace, lives, order.subarray(from[group], from[group + 1]));
		this.survivals.set(group, known);
		return known;
	}

	/* The share that died in GC 0, of the cohort's bytes that met a collection. */
	diesInGc0(group: number): number {
		return this.sums.fell[group] / this.sums.seen[group];
	}
}
