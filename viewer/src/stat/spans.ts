/* Lives on a clock that flows, as spans between bin edges: src/stat/spans.h. */

import { histBin, histLow } from './hist';
import { type Mass, massAdd, massPut, massZero, weightError } from './mass';

export const SPAN_OPEN = 0xffff;
export const SPANS_MAX = 4096;
const BINS = (64 - 3) * 8 + 8;

export interface SpansRow {
	after: number; /* alive at this edge */
	by: number; /* dead at this edge, or SPAN_OPEN */
	mass: Mass;
}

export interface Spans {
	rows: SpansRow[];
	all: Mass;
	heaviest: number;
}

/* The lowest edge that is not below v. */
function edgeAbove(v: number): number {
	const bin = histBin(v);
	return histLow(bin) < v ? bin + 1 : bin;
}

/* The edges of a life, in the unit of the clock: alive at this one … */
export const spanFrom = (after: number): number => histBin(Math.max(0, Math.floor(after)));

/* … and dead at that one. */
export const spanTo = (from: number, died: boolean, by: number): number =>
	died ? Math.max(edgeAbove(Math.floor(by)), from + 1) : SPAN_OPEN;

export class SpansMaker {
	private rows = new Map<number, SpansRow>();
	private coarse = 0;
	private readonly all = massZero();
	private heaviest = 0;

	/* In the unit of the clock: bytes or ns. */
	add(died: boolean, after: number, by: number, weight: number): void {
		const from = spanFrom(after);
		this.put(from, spanTo(from, died, by), weight);
	}

	/* Between edges. */
	put(from: number, to: number, weight: number): void {
		while (this.rows.size >= SPANS_MAX)
			this.coarsen();
		massPut(this.row(from, to).mass, weight);
		massPut(this.all, weight);
		this.heaviest = Math.max(this.heaviest, weightError(1, weight));
	}

	finish(): Spans {
		const rows = [...this.rows.values()].sort((a, b) => a.after - b.after || a.by - b.by);
		return { rows, all: this.all, heaviest: this.heaviest };
	}

	/* The row of a span, made if it isn't there. */
	private row(from: number, to: number): SpansRow {
		const after = from >> this.coarse << this.coarse;
		const up = (to + (1 << this.coarse) - 1) >> this.coarse << this.coarse;
		const by = to === SPAN_OPEN ? SPAN_OPEN : Math.min(up, BINS), key = after * 65536 + by;
		const known = this.rows.get(key);
		if (known)
			return known;
		const made = { after, by, mass: massZero() };
		this.rows.set(key, made);
		return made;
	}

	private coarsen(): void {
		const rows = this.rows;
		this.rows = new Map();
		this.coarse++;
		for (const row of rows.values())
			massAdd(this.row(row.after, row.by).mass, row.mass);
	}
}
