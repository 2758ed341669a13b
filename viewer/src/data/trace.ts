/*
 * A trace as the page has it: tables of definitions, collections, ticks, and the samples as columns.
 * Times in µs since recording began, amounts in kB, sizes in bytes, as in doc/page-data.md.
 */

import { WEIGHT_MIN } from '../stat/mass';
import { Columns } from './columns';
import type { Container } from './container';
import { type Info, infoOf, type Json, jsonList, jsonText } from './info';

export const FATES = { unfollowed: 0, died: 1, alive: 2, letGo: 3 } as const;
export const GC_KINDS = ['young', 'mixed', 'full', 'concurrent'] as const;

export interface Gcs {
	count: number;
	start: Float64Array;
	end: Float64Array;
	pause: Float64Array;
	kind: Uint8Array;
	cause: Int32Array;
	collector: Int32Array;
	young: Float64Array;
	full: Float64Array;
	alloc: Float64Array;
	before: Float64Array;
	after: Float64Array;
	committed: Float64Array;
	tenuring: Float64Array;
}

export interface Ticks {
	count: number;
	time: Float64Array;
	alloc: Float64Array;
	used: Float64Array;
	committed: Float64Array;
}

export interface Samples {
	count: number;
	time: Float64Array;
	alloc: Float64Array;
	site: Int32Array;
	thread: Int32Array;
	size: Float64Array;
	weight: Float64Array;
	fate: Uint8Array;
	lives: Float64Array;
	bornFull: Float64Array;
	young: Float64Array;
	full: Float64Array;
	fullFound: Uint8Array;
	afterTime: Float64Array;
	byTime: Float64Array;
	afterAlloc: Float64Array;
	byAlloc: Float64Array;
}

export interface Trace {
	info: Info;
	document: Json;
	texts: string[];
	classes: Int32Array; /* names */
	methods: { cls: Int32Array; name: Int32Array };
	frames: { parent: Int32Array; method: Int32Array; line: Float64Array };
	sites: { cls: Int32Array; frame: Int32Array; row: Int32Array };
	rows: { site: Int32Array; frames: Float64Array; callers: Float64Array; caller: Int32Array /* frame; 0: none */ };
	threads: Int32Array; /* names */
	gcs: Gcs;
	ticks: Ticks;
	samples: Samples;
	span: number; /* from the beginning of recording to the last moment, µs */
	told: number; /* the share of it that amounts are of: rates are over as much of the time */
}

function gcsOf(c: Columns, texts: number): Gcs {
	const start = c.read('gc.start'), n = start.length;
	return {
		count: n,
		start,
		end: c.read('gc.end', n),
		pause: c.read('gc.pause', n),
		kind: new Uint8Array(c.index('gc.kind', GC_KINDS.length, n)),
		cause: c.index('gc.cause', texts, n),
		collector: c.index('gc.collector', texts, n),
		young: c.read('gc.young', n),
		full: c.read('gc.full', n),
		alloc: c.read('gc.alloc', n),
		before: c.read('gc.before', n),
		after: c.read('gc.after', n),
		committed: c.read('gc.committed', n),
		tenuring: c.read('gc.tenuring', n),
	};
}

function ticksOf(c: Columns): Ticks {
	const time = c.read('tick.time'), n = time.length;
	return {
		count: n,
		time,
		alloc: c.read('tick.alloc', n),
		used: c.read('tick.used', n),
		committed: c.read('tick.committed', n),
	};
}

function samplesOf(c: Columns, sites: number, threads: number): Samples {
	const time = c.read('sample.time'), n = time.length;
	return {
		count: n,
		time,
		alloc: c.read('sample.alloc', n),
		site: c.index('sample.site', sites, n),
		thread: c.index('sample.thread', threads, n),
		size: c.read('sample.size', n),
		weight: c.read('sample.weight', n),
		fate: new Uint8Array(c.index('sample.fate', 4, n)),
		lives: c.read('sample.lives', n),
		bornFull: c.read('sample.born_full', n),
		young: c.read('sample.young', n),
		full: c.read('sample.full', n),
		fullFound: new Uint8Array(c.index('sample.full_found', 2, n)),
		afterTime: c.read('sample.after_time', n),
		byTime: c.read('sample.by_time', n),
		afterAlloc: c.read('sample.after_alloc', n),
		byAlloc: c.read('sample.by_alloc', n),
	};
}

/* A caller has a smaller index than what it calls: no loops, whatever the file says. */
function parentsOf(c: Columns, count: number): Int32Array {
	return c.index('frame.parent', count, count).map((parent, i) => parent < i ? parent : 0);
}

/*
 * Ages and spans of those that died must be ordered, weights not negative: else they count nothing. Below 1 are those that
 * were scaled to what was counted.
 */
function mend(s: Samples): void {
	for (let i = 0; i < s.count; i++) {
		if (!(s.lives[i] >= WEIGHT_MIN))
			s.fate[i] = FATES.unfollowed;
		if (!(s.weight[i] >= 0))
			s.weight[i] = 0;
		if (!s.fate[i])
			s.lives[i] = 0;
		s.byTime[i] = Math.max(s.byTime[i], s.afterTime[i]);
		s.byAlloc[i] = Math.max(s.byAlloc[i], s.afterAlloc[i]);
	}
}

const lastOf = (x: Float64Array): number => x.length ? x[x.length - 1] : 0;

export function traceOf(container: Container): Trace {
	const c = new Columns(container), { document } = container;
	const info = infoOf(document), texts = jsonList(document.texts).map(jsonText);
	const classes = c.index('class.name', texts.length);
	const methods = c.index('method.class', texts.length);
	const frameCount = c.read('frame.method').length;
	const siteCount = c.read('site.class').length;
	const rowSites = c.index('row.site', siteCount), threads = c.index('thread.name', texts.length);
	const samples = samplesOf(c, siteCount, threads.length);
	const gcs = gcsOf(c, texts.length), ticks = ticksOf(c);
	const span = Math.max(info.seconds * 1e6, lastOf(samples.time), lastOf(gcs.end), lastOf(ticks.time), 1);
	mend(samples);
	return {
		info,
		document,
		texts,
		classes,
		methods: { cls: methods, name: c.index('method.name', texts.length, methods.length) },
		frames: {
			parent: parentsOf(c, frameCount),
			method: c.index('frame.method', methods.length, frameCount),
			line: c.read('frame.line', frameCount),
		},
		sites: {
			cls: c.index('site.class', classes.length, siteCount),
			frame: c.index('site.frame', frameCount, siteCount),
			row: c.index('site.row', rowSites.length, siteCount),
		},
		rows: {
			site: rowSites,
			frames: c.read('row.frames', rowSites.length),
			callers: c.read('row.callers', rowSites.length),
			caller: c.index('row.caller', frameCount, rowSites.length),
		},
		threads,
		gcs,
		ticks,
		samples,
		span,
		told: info.told ? Math.min((info.told.to - info.told.from) * 1e6 / span, 1) : 1,
	};
}
