/* What the time line draws: allocation and live bytes over time, from samples. */

import type { Trace } from '../data/trace';
import type { Lives } from '../pick/lives';
import { CHOSEN, type Pick } from '../pick/pick';
import type { Range } from '../query/query';

export interface Bins {
	from: number; /* µs */
	width: number; /* µs */
	rate: Float64Array; /* bytes a second, in each bin */
	live: Float64Array; /* bytes proven alive, at the beginning of each bin and at the last end */
}

/* So many that a bin has 20 samples on average, and that each is a few pixels wide. */
export const binCount = (samples: number): number => Math.max(24, Math.min(360, Math.floor(samples / 20)));

/* Of the samples chosen, or of all. */
export function binsOf(
	trace: Trace, lives: Lives, pick: Pick | null, range: Range, count: number): Bins {
	const { from } = range, width = Math.max((range.to - from) / count, 1e-3);
	const rate = new Float64Array(count), change = new Float64Array(count + 2);
	const { time } = trace.samples;
	/* The first edge at or after a moment. */
	const edge = (t: number): number => Math.min(Math.max(Math.ceil((t - from) / width), 0), count + 1);
	for (let i = 0; i < time.length; i++) {
		if (pick && pick.state[i] !== CHOSEN)
			continue;
		const bin = Math.floor((time[i] - from) / width);
		if (bin >= 0 && bin < count)
			rate[bin] += pick?.byFate ? lives.bytes[i] : lives.allocated[i];
		if (lives.bytes[i] && lives.aliveUntil[i] > time[i]) {
			change[edge(time[i])] += lives.bytes[i];
			change[edge(lives.aliveUntil[i])] -= lives.bytes[i];
		}
	}
	const live = new Float64Array(count + 1);
	let sum = 0;
	for (let k = 0; k <= count; k++)
		live[k] = sum = Math.max(0, sum + change[k]);
	return { from, width, rate: rate.map((bytes) => bytes / (width * trace.told) * 1e6), live };
}

/* The heap used, as collections and ticks tell it: before and after each collection, and between. */
export function heapOf(trace: Trace): { time: number[]; used: number[]; committed: number[] } {
	const { gcs, ticks } = trace, points: [number, number, number][] = [];
	for (let i = 0; i < ticks.count; i++)
		points.push([ticks.time[i], ticks.used[i], ticks.committed[i]]);
	for (let i = 0; i < gcs.count; i++)
		if (gcs.before[i] || gcs.after[i])
			points.push([gcs.start[i], gcs.before[i], gcs.committed[i]],
				[gcs.end[i], gcs.after[i], gcs.committed[i]]);
	points.sort((a, b) => a[0] - b[0]);
	const rising = points.filter(([t], i) => !i || t > points[i - 1][0]);
	return {
		time: rising.map(([t]) => t / 1e6),
		used: rising.map(([, used]) => used * 1000),
		committed: rising.map(([, , committed]) => committed * 1000),
	};
}
