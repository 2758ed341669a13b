/* What the document tells of a trace. All of it may be missing or odd: it is read with care. */

import type { Coarse } from '../stat/total';

export interface Info {
	file: string;
	engine: string;
	jdk: string;
	gc: string;
	seconds: number; /* 0: not known */
	wall: number; /* when recording began, ms since the epoch; 0: not known */
	allocBytes: number;
	objects: number; /* counted by the exact engine; 0: it did not count */
	told: { from: number; to: number } | null; /* seconds: what was counted was born between these, where it was counted */
	outlived: { share: number; lo: number; hi: number } | null; /* of all bytes, one collection, where that was counted; NaN: not known */
	known: number; /* the share of all bytes of which that is known, counted or not */
	samples: number;
	lost: number;
	complete: boolean;
	gcs: { young: number; mixed: number; full: number; concurrent: number; pauses: number }; /* pauses: of unknown kind, and then no kind is known */
	notes: string[];
	lives: 'each' | 'old' | 'none';
	clock: 'young' | 'full';
	thinned: number; /* 1 in how many samples is here */
	coarse?: Coarse; /* what some samples of the page stood for, where others stood for less */
	tenuring: number; /* collections until promotion, at most */
	large: number; /* objects of more bytes were not followed */
}

export type Json = Record<string, unknown>;

export const jsonObject = (x: unknown): Json =>
	typeof x === 'object' && x !== null && !Array.isArray(x) ? x as Json : {};

export const jsonText = (x: unknown): string => typeof x === 'string' ? x : '';

export const jsonNumber = (x: unknown, or = 0): number =>
	typeof x === 'number' && Number.isFinite(x) ? x : or;

export const jsonList = (x: unknown): unknown[] => Array.isArray(x) ? x : [];

const oneOf = <T extends string>(x: unknown, known: readonly T[]): T =>
	known.find((k) => k === x) ?? known[0];

function outlivedOf(document: Json): Info['outlived'] {
	const o = jsonObject(document.outlived);
	return 'share' in o ? { share: jsonNumber(o.share, NaN), lo: jsonNumber(o.lo, NaN), hi: jsonNumber(o.hi, NaN) } : null;
}

function toldOf(document: Json): Info['told'] {
	const o = jsonObject(document.told), from = jsonNumber(o.from_ms, NaN) / 1000, to = jsonNumber(o.to_ms, NaN) / 1000;
	return 0 <= from && from < to ? { from, to } : null;
}

function coarseOf(document: Json): Coarse | undefined {
	const o = jsonObject(document.coarse), odds = jsonNumber(o.odds), interval = jsonNumber(o.interval);
	return odds >= 1 && interval >= 0 ? { odds, interval } : undefined;
}

export function infoOf(document: Json): Info {
	const trace = jsonObject(document.trace), gcs = jsonObject(trace.gcs);
	return {
		file: jsonText(trace.file),
		engine: jsonText(trace.engine),
		jdk: jsonText(trace.jdk),
		gc: jsonText(trace.gc),
		seconds: Math.max(0, jsonNumber(trace.duration_ms) / 1000),
		wall: jsonNumber(trace.wall_ms),
		allocBytes: jsonNumber(trace.alloc_bytes),
		objects: jsonNumber(jsonObject(jsonObject(document.exact).births).objects),
		told: toldOf(document),
		outlived: outlivedOf(document),
		known: jsonNumber(document.known, 1),
		samples: jsonNumber(trace.samples),
		lost: jsonNumber(trace.lost),
		complete: trace.complete !== false,
		gcs: {
			young: jsonNumber(gcs.young),
			mixed: jsonNumber(gcs.mixed),
			full: jsonNumber(gcs.full),
			concurrent: jsonNumber(gcs.concurrent),
			pauses: jsonNumber(gcs.pauses),
		},
		notes: jsonList(document.notes).map(jsonText).filter((note) => note !== ''),
		lives: oneOf(document.lives, ['each', 'old', 'none'] as const),
		clock: oneOf(document.clock, ['young', 'full'] as const),
		thinned: Math.max(1, jsonNumber(document.thinned, 1)),
		coarse: coarseOf(document),
		tenuring: jsonNumber(document.tenuring, 15) || 15,
		large: jsonNumber(document.large, Infinity) || Infinity,
	};
}
