/* Bytes of each group, and of all: doc/metrics.md, "Rows and grouping" and "Filters of the page". */

import { FATES, type Trace } from '../data/trace';
import type { Lives } from '../pick/lives';
import { CHOSEN, COHORT, type Pick } from '../pick/pick';
import type { Measure } from '../query/query';
import type { Groups } from './groups';

/* One number for each group. `chosen` and the measures are bytes; counts are samples. */
export interface Sums {
	count: number;
	measures: Record<Measure, Float64Array>;
	samples: Uint32Array; /* chosen */
	seen: Float64Array; /* of the cohort: bytes whose life met a collection … */
	fell: Float64Array; /* … and of them those that died in GC 0 */
	total: Record<Measure, number>; /* of all chosen */
	totalSamples: number;
	totalSeen: number;
	totalFell: number;
}

export function groupOfSample(trace: Trace, groups: Groups): Int32Array {
	const { site, thread } = trace.samples;
	const { bySite, byThread } = groups;
	return bySite ? site.map((s) => bySite[s]) : thread.map((t) => byThread![t]);
}

const measures = (count: number): Record<Measure, Float64Array> => ({
	alloc: new Float64Array(count),
	died: new Float64Array(count),
	died0: new Float64Array(count),
	survived: new Float64Array(count),
	live: new Float64Array(count),
});

const sum = (x: Float64Array): number => x.reduce((a, b) => a + b, 0);

export function sumsOf(trace: Trace, lives: Lives, pick: Pick, group: Int32Array, count: number): Sums {
	const m = measures(count), samples = new Uint32Array(count);
	const seen = new Float64Array(count), fell = new Float64Array(count);
	const { fate } = trace.samples, { age, died } = lives.gc;
	for (let i = 0; i < fate.length; i++) {
		const state = pick.state[i], g = group[i];
		if (state < COHORT)
			continue;
		const bytes = lives.bytes[i], dead = fate[i] === FATES.died;
		if (fate[i] && (age[i] > 0 || died[i])) {
			seen[g] += bytes;
			fell[g] += age[i] > 0 ? 0 : bytes;
		}
		if (state < CHOSEN)
			continue;
		samples[g]++;
		m.alloc[g] += pick.byFate ? bytes : lives.allocated[i];
		if (dead)
			m.died[g] += bytes;
		if (age[i] > 0)
			m.survived[g] += bytes;
		else if (dead)
			m.died0[g] += bytes;
		if (fate[i] === FATES.alive)
			m.live[g] += bytes;
	}
	return {
		count,
		measures: m,
		samples,
		seen,
		fell,
		total: {
			alloc: sum(m.alloc),
			died: sum(m.died),
			died0: sum(m.died0),
			survived: sum(m.survived),
			live: sum(m.live),
		},
		totalSamples: samples.reduce((a, b) => a + b, 0),
		totalSeen: sum(seen),
		totalFell: sum(fell),
	};
}
