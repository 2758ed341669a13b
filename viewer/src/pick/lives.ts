/* What became of each sample, as the filters and curves ask for it; computed once for a trace. */

import { FATES, type Trace } from '../data/trace';
import type { Clock, Life } from '../query/query';
import { Cells } from '../stat/cells';

/* Lives on a clock that counts collections. Where `died` is 0, it was seen to reach `age`. */
export interface GcLives {
	age: Float64Array;
	died: Uint8Array;
}

export class Lives {
	readonly young: GcLives;
	readonly full: GcLives;
	readonly gc: GcLives; /* on the GC clock of the trace */
	readonly aliveUntil: Float64Array; /* µs: proven alive up to there; its birth where nothing proves it */
	readonly foundDead: Float64Array; /* µs: found dead there, or Infinity */
	readonly bytes: Float64Array; /* that its life stands for */
	readonly allocated: Float64Array; /* bytes that it stands for */
	readonly allocatedSum: number;
	private readonly known: Partial<Record<Clock, Cells>> = {};

	constructor(private readonly trace: Trace) {
		const s = trace.samples;
		const died = s.fate.map((fate) => fate === FATES.died ? 1 : 0);
		this.young = { age: s.young, died };
		this.full = { age: s.full, died: diedByFull(trace) };
		this.gc = trace.info.clock === 'full' ? this.full : this.young;
		this.aliveUntil = s.time.map((time, i) => {
			const seen = s.afterTime[i] > 0;
			return s.fate[i] === FATES.alive && seen ? Infinity : time + (seen ? s.afterTime[i] : 0);
		});
		this.foundDead = s.time.map((time, i) => died[i] ? time + s.byTime[i] : Infinity);
		this.bytes = s.size.map((size, i) => size * s.lives[i]);
		this.allocated = s.size.map((size, i) => size * s.weight[i]);
		this.allocatedSum = this.allocated.reduce((a, b) => a + b, 0);
	}

	/* On a clock that flows; made when it is first asked for. */
	cells(clock: 'mb' | 'ms'): Cells {
		const { fate, afterTime, byTime, afterAlloc, byAlloc } = this.trace.samples;
		const [after, by] = clock === 'ms' ? [afterTime, byTime] : [afterAlloc, byAlloc];
		return this.known[clock] ??= new Cells({
			followed: (i) => fate[i] !== FATES.unfollowed, died: (i) => fate[i] === FATES.died, after, by, unit: 1000,
		});
	}

	/* Whether its life is known to lie within the range: doc/metrics.md, "Filters of the page". */
	within(life: Life): (i: number) => boolean {
		const { from, to } = life, s = this.trace.samples, scale = SCALES[life.clock];
		if (life.clock === 'young' || life.clock === 'full') {
			const { age } = this[life.clock];
			return (i) => age[i] >= from && (s.fate[i] === FATES.died ? age[i] <= to : to === Infinity);
		}
		const [after, by] = life.clock === 'ms' ? [s.afterTime, s.byTime] : [s.afterAlloc, s.byAlloc];
		return (i) => after[i] >= from * scale &&
			(s.fate[i] === FATES.died ? by[i] <= to * scale : to === Infinity);
	}
}

/* From the unit of the query (MB, ms) to that of the columns (kB, µs). */
const SCALES: Record<Clock, number> = { young: 1, full: 1, mb: 1000, ms: 1000 };

/*
 * On the full clock a death that another collection found counts once a full one has come since; else
 * it is no more than seen alive (doc/metrics.md, "Age at death").
 */
function diedByFull(trace: Trace): Uint8Array {
	const s = trace.samples;
	const now = Math.max(trace.gcs.full.reduce((a, b) => Math.max(a, b), 0),
		s.bornFull.reduce((a, b) => Math.max(a, b), 0));
	return s.fate.map((fate, i) =>
		fate === FATES.died && (s.fullFound[i] || s.bornFull[i] + s.full[i] < now) ? 1 : 0);
}
