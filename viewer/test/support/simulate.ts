/*
 * Runs the made-up program on a made-up heap: a young collection every `eden` MB, promotion after
 * `tenuring` of them, old collections now and then. What it tells is what a trace would tell.
 */

import type { Place } from './program';
import type { RawColumns } from './encode';
import type { Random } from './random';

export interface Plan {
	samples: number;
	seconds: number;
	interval: number; /* bytes */
	eden: number; /* MB */
	tenuring: number;
	oldEvery: number; /* young collections between old ones */
}

export interface Moment {
	alloc: number; /* MB */
	time: number; /* s */
	old: boolean; /* finds dead objects of the old generation */
	kind: number;
	full: number; /* the full clock after it */
}

/* The program's speed over its time: a start, a lull, a burst, and a change of phase. */
function speed(x: number): number {
	const burst = x > 0.42 && x < 0.55 ? 1.5 : 0, lull = x > 0.3 && x < 0.36 ? -0.6 : 0;
	return 0.8 + burst + lull + (x > 0.75 ? 0.35 : 0) + 0.15 * Math.sin(x * 90);
}

/* The time at which each of n + 1 equal parts of all allocation is done. */
export function pace(plan: Plan, n = 4000): Float64Array {
	const done = new Float64Array(n + 1), times = new Float64Array(n + 1);
	for (let i = 0; i < n; i++)
		done[i + 1] = done[i] + speed(i / n);
	let at = 0;
	for (let i = 0; i <= n; i++) {
		while (at < n && done[at + 1] < done[n] * i / n)
			at++;
		const within = (done[n] * i / n - done[at]) / Math.max(done[at + 1] - done[at], 1e-9);
		times[i] = (at + Math.min(within, 1)) / n * plan.seconds;
	}
	return times;
}

export class World {
	readonly total: number; /* MB */
	readonly gcs: Moment[] = [];
	private readonly times: Float64Array;

	constructor(readonly plan: Plan, r: Random) {
		this.total = plan.samples * plan.interval / 1e6;
		this.times = pace(plan);
		let full = 0;
		for (let alloc = plan.eden, i = 1; alloc < this.total; alloc += plan.eden * (0.9 + r.next() / 5), i++) {
			const last = i === Math.floor(this.total / plan.eden / 1.6), old = last || i % plan.oldEvery === 0;
			full += old ? 1 : 0;
			const kind = last ? 2 : old ? 3 : i % plan.oldEvery < 4 && i > plan.oldEvery ? 1 : 0;
			this.gcs.push({ alloc, time: this.timeOf(alloc), old, kind, full });
		}
	}

	timeOf(alloc: number): number {
		const x = Math.min(alloc / this.total, 1) * (this.times.length - 1), i = Math.floor(x);
		const next = this.times[Math.min(i + 1, this.times.length - 1)];
		return this.times[i] + (next - this.times[i]) * (x - i);
	}

	/* The number of collections before that much was allocated. */
	gcsBefore(alloc: number): number {
		let lo = 0, hi = this.gcs.length;
		while (lo < hi) {
			const middle = (lo + hi) >> 1;
			if (this.gcs[middle].alloc <= alloc)
				lo = middle + 1;
			else
				hi = middle;
		}
		return lo;
	}
}

interface Fate {
	died: boolean;
	young: number;
	full: number;
	fullFound: boolean;
	after: number; /* MB since recording began */
	by: number;
}

/* What the collections see of an object born and dead at these points of the allocation clock. */
export function fateOf(world: World, born: number, dead: number): Fate {
	const { gcs, plan } = world, first = world.gcsBefore(born), T = plan.tenuring;
	let finder = world.gcsBefore(dead);
	if (finder - first >= T)
		while (finder < gcs.length && !gcs[finder].old)
			finder++;
	const died = finder < gcs.length, old = finder - first >= T;
	let look = finder - 1; /* the last that would have found it */
	if (old || !died)
		while (look >= first + T && !gcs[look].old)
			look--;
	const fullAt = (i: number): number => i >= 0 ? gcs[Math.min(i, gcs.length - 1)].full : 0;
	const found = died && gcs[finder].old;
	return {
		died,
		young: finder - first,
		full: (died ? fullAt(finder) - (found ? 1 : 0) : fullAt(gcs.length - 1)) - fullAt(first - 1),
		fullFound: found,
		after: look >= first ? gcs[look].alloc : born,
		by: died ? gcs[finder].alloc : born,
	};
}

const push = (columns: Record<string, number[]>, row: Record<string, number>): void => {
	for (const [name, value] of Object.entries(row))
		(columns[name] ??= []).push(value);
};

export function samplesOf(world: World, places: Place[], r: Random): RawColumns {
	const { plan, total } = world, columns: Record<string, number[]> = {};
	for (let i = 0; i < plan.samples; i++) {
		const born = total * (i + r.next()) / plan.samples;
		const time = world.timeOf(born), clock = time / plan.seconds;
		const shares = places.map((p) =>
			p.phase && (clock < p.phase[0] || clock > p.phase[1]) ? 0 : p.share);
		const site = r.weighted(shares), place = places[site];
		const size = place.size(r), fate = fateOf(world, born, born + place.life(r));
		const weight = 1 / -Math.expm1(-size / plan.interval), before = world.gcsBefore(born);
		const followed = r.next() < 0.98;
		const span = (to: number, of: (mb: number) => number): number => Math.round((of(to) - of(born)));
		const kb = (mb: number): number => mb * 1000, us = (mb: number): number => world.timeOf(mb) * 1e6;
		push(columns, {
			'sample.time': Math.round(time * 1e6),
			'sample.alloc': Math.round(kb(born)),
			'sample.site': site + 1,
			'sample.thread': site + 1,
			'sample.size': size,
			'sample.weight': weight,
			'sample.fate': !followed ? 0 : fate.died ? 1 : r.next() < 0.02 ? 3 : 2,
			'sample.lives': followed ? weight / 0.98 : 0,
			'sample.born_young': before,
			'sample.born_full': before ? world.gcs[before - 1].full : 0,
			'sample.young': fate.young,
			'sample.full': fate.full,
			'sample.full_found': fate.fullFound ? 1 : 0,
			'sample.after_time': span(fate.after, us),
			'sample.by_time': fate.died ? span(fate.by, us) : span(fate.after, us),
			'sample.after_alloc': span(fate.after, kb),
			'sample.by_alloc': fate.died ? span(fate.by, kb) : span(fate.after, kb),
		});
	}
	return columns;
}

/* MB alive after each collection, by what the samples stand for. */
export function retained(world: World, samples: RawColumns): number[] {
	const change = new Float64Array(world.gcs.length + 1), at = (name: string, i: number): number =>
		samples[`sample.${name}`][i];
	for (let i = 0; i < world.plan.samples; i++) {
		const born = at('alloc', i) / 1000, dead = at('fate', i) === 1;
		const first = world.gcsBefore(born), last = dead ? world.gcsBefore(born + at('by_alloc', i) / 1000 - 0.001)
			: world.gcs.length;
		change[first] += at('size', i) * at('lives', i) / 1e6;
		change[last] -= at('size', i) * at('lives', i) / 1e6;
	}
	let sum = 0;
	return world.gcs.map((_, k) => sum += change[k]);
}

export function gcColumns(world: World, r: Random, live: number[]): RawColumns {
	const columns: Record<string, number[]> = {}, KB = 1000, top = Math.max(...live);
	world.gcs.forEach((gc, i) => {
		const old = live[i] * 0.9, before = i ? live[i - 1] : 0;
		const pause = [4, 9, 180, 2][gc.kind] * (0.6 + r.next());
		push(columns, {
			'gc.start': Math.round(gc.time * 1e6 - pause * 1000),
			'gc.end': Math.round(gc.time * 1e6),
			'gc.pause': Math.round(pause * 1000),
			'gc.kind': gc.kind,
			'gc.cause': gc.kind === 2 ? 2 : 1,
			'gc.collector': 3,
			'gc.young': i + 1,
			'gc.full': gc.full,
			'gc.alloc': Math.round(gc.alloc * KB),
			'gc.before': Math.round((before + world.plan.eden) * KB),
			'gc.after': Math.round(live[i] * KB),
			'gc.committed': committed(world, gc.time, top) * KB,
			'gc.old': Math.round(old * KB),
			'gc.tenuring': world.plan.tenuring,
		});
	});
	return columns;
}

/* The heap grows once. */
const committed = (world: World, time: number, top: number): number =>
	Math.round((time < world.plan.seconds * 0.4 ? 0.8 : 1.15) * (top + world.plan.eden));

export function tickColumns(world: World, live: number[]): RawColumns {
	const columns: Record<string, number[]> = {}, steps = 4000;
	let next = 1;
	for (let i = 0; i <= steps; i++) {
		const alloc = world.total * i / steps, time = world.timeOf(alloc);
		if (time < next)
			continue;
		next = Math.floor(time) + 1;
		const before = world.gcsBefore(alloc), since = alloc - (before ? world.gcs[before - 1].alloc : 0);
		push(columns, {
			'tick.time': Math.round(time * 1e6),
			'tick.alloc': Math.round(alloc * 1000),
			'tick.used': Math.round(((before ? live[before - 1] : 0) + since) * 1000),
			'tick.committed': committed(world, time, Math.max(...live)) * 1000,
		});
	}
	return columns;
}
