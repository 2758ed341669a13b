/*
 * The spans (spans.ts) of a trace's lives on one clock. Which bins a life falls into is found once, so that the lives of any
 * group are gathered without looking at a time again.
 */

import { massZero, weightError } from './mass';
import { SPAN_OPEN, spanFrom, type Spans, SPANS_MAX, SpansMaker, spanTo } from './spans';

const WIDTH = 512; /* more than there are bins; the last one is the open end */

export interface FlowingLives {
	followed: (i: number) => boolean;
	died: (i: number) => boolean;
	after: Float64Array;
	by: Float64Array;
	unit: number; /* of these, in the clock's: bytes or ns */
}

export class Cells {
	private readonly of: Int32Array; /* the cell of a life; -1: not followed */
	private readonly from: Uint16Array; /* by cell, in order */
	private readonly to: Uint16Array;

	constructor({ followed, died, after, by, unit }: FlowingLives) {
		const number = new Int32Array(WIDTH * WIDTH), of = new Int32Array(after.length).fill(-1);
		for (let i = 0; i < of.length; i++) {
			if (!followed(i))
				continue;
			const from = spanFrom(after[i] * unit), to = spanTo(from, died(i), by[i] * unit);
			of[i] = from * WIDTH + Math.min(to, WIDTH - 1);
			number[of[i]] = 1;
		}
		const places: number[] = [];
		for (let place = 0; place < number.length; place++)
			if (number[place])
				number[place] = places.push(place) - 1;
		this.of = of.map((place) => place < 0 ? -1 : number[place]);
		this.from = Uint16Array.from(places, (place) => Math.floor(place / WIDTH));
		this.to = Uint16Array.from(places, (place) => place % WIDTH === WIDTH - 1 ? SPAN_OPEN : place % WIDTH);
	}

	/* As a SpansMaker gathers them; `weight` by life. */
	gather(members: Int32Array, weight: Float64Array): Spans {
		const n = new Float64Array(this.from.length), w = new Float64Array(n.length), w2 = new Float64Array(n.length);
		const all = massZero(), rows: Spans['rows'] = [];
		let heaviest = 0;
		for (const i of members) {
			const cell = this.of[i], x = weight[i];
			if (cell < 0)
				continue;
			n[cell]++;
			w[cell] += x;
			w2[cell] += x * x;
			heaviest = Math.max(heaviest, weightError(1, x));
		}
		for (let cell = 0; cell < n.length; cell++) {
			if (!n[cell])
				continue;
			rows.push({ after: this.from[cell], by: this.to[cell], mass: { n: n[cell], w: w[cell], w2: w2[cell] } });
			all.n += n[cell];
			all.w += w[cell];
			all.w2 += w2[cell];
		}
		return rows.length < SPANS_MAX ? { rows, all, heaviest }
			: this.coarsely(members, weight);
	}

	/* So many that they have to be joined. */
	private coarsely(members: Int32Array, weight: Float64Array): Spans {
		const maker = new SpansMaker();
		for (const i of members)
			if (this.of[i] >= 0)
				maker.put(this.from[this.of[i]], this.to[this.of[i]], weight[i]);
		return maker.finish();
	}
}
