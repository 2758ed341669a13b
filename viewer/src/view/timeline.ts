/* The recording over time: allocation rate, the heap, collections; on them the windows of the query. */

import uPlot from 'uplot';
import type { Answer, Loaded } from '../app/loaded';
import { GC_KINDS, type Trace } from '../data/trace';
import { isFiltered, type Query, type Range } from '../query/query';
import { type Bins, binCount, binsOf, heapOf } from '../sum/series';
import { bytesText, momentText, rateText, roundText, TIME_STEPS, timeText } from '../word/units';
import { Brush } from './brush';
import { button, choice, type Choice, el, onWidth, renew } from './dom';
import { axis, AXIS_WIDTH, makePlot, RIGHT, veil } from './plot';
import { color } from './theme';
import { Tip } from './tip';

export interface Mark {
	from: number;
	to: number;
	text: string;
}

export interface TimelineEvents {
	change: (change: Partial<Query>, lasting: boolean) => void;
}

const HEIGHTS = { rate: 76, heap: 88, gcs: 58 };
const WINDOW = 'Times at which objects were ';

/* Columns that rise and are one for all plots: uPlot wants aligned data. */
type Aligned = (number | null)[][];

export class Timeline {
	readonly node: HTMLElement;
	private readonly lanes = { rate: el('div', { class: 'lane' }), heap: el('div', { class: 'lane' }),
		gcs: el('div', { class: 'lane' }) };
	private readonly bands = el('div', { class: 'bands', attrs: { 'aria-hidden': 'true' } });
	private readonly flags = el('div', { class: 'flags' });
	private readonly readout = el('span', { class: 'readout' });
	private readonly whose = el('b');
	private readonly zoom: HTMLButtonElement;
	private readonly mode: Choice<Query['brush']>;
	private readonly brush: Brush;
	private readonly tip = new Tip();
	private plots: uPlot[] = [];
	private query?: Query;
	private trace?: Trace;
	private all?: Bins;
	private heap?: ReturnType<typeof heapOf>;
	private shown: { loaded?: Loaded; near?: string } = {};

	constructor(private readonly events: TimelineEvents) {
		this.brush = new Brush({
			drag: (from, to, done) => this.dragged(from, to, done),
			click: (at) => this.clicked(at),
			hover: (at, x) => this.hovered(at, x),
		});
		this.mode = choice('What the window selects', [
			['born', 'Allocated in', `${WINDOW}allocated`],
			['died', 'Died in', `${WINDOW}found dead`],
			['at', 'Alive at', 'The moment at which objects were alive'],
		], (brush) => this.events.change({ brush }, true));
		this.zoom = button('Zoom', () => this.turnZoom(), { class: 'quiet', title: 'Fill the time line with the window (z)' });
		const over = el('div', { class: 'over' }, this.bands, this.brush.node, this.flags);
		over.style.left = `${AXIS_WIDTH}px`;
		over.style.right = `${RIGHT}px`;
		this.node = el('section', { class: 'card timeline', attrs: { 'aria-label': 'Time line' } },
			el('div', { class: 'card-head' }, this.whose, this.mode.node, this.readout, this.zoom, legend()),
			el('div', { class: 'lanes' }, this.lanes.rate, this.lanes.heap, this.lanes.gcs, over), this.tip.node);
		onWidth(this.lanes.rate, (width) => this.plots.forEach((plot) =>
			plot.setSize({ width, height: plot.height })));
	}

	update(answer: Answer, marks: Mark[], whose: string): void {
		this.whose.textContent = whose;
		this.whose.hidden = whose === '';
		const { loaded, query } = answer, near = JSON.stringify(query.near);
		this.query = query;
		this.trace = loaded.trace;
		if (this.shown.loaded !== loaded || this.shown.near !== near) {
			this.shown = { loaded, near };
			this.all = binsOf(loaded.trace, loaded.lives, null, this.range(), this.bins());
			this.heap = heapOf(loaded.trace);
		}
		const chosen = isFiltered({ ...query, born: null }) || query.born
			? binsOf(loaded.trace, loaded.lives, answer.pick, this.range(), this.bins()) : null;
		this.draw(this.data(chosen));
		this.mode.show(query.brush);
		this.drawBands(marks);
	}

	redraw(): void {
		this.plots.forEach((plot) => plot.redraw());
	}

	turnZoom(): void {
		const q = this.query;
		if (q)
			this.events.change({ near: q.near ? null : q.born ?? q.died }, true);
	}

	private bins(): number {
		return binCount(this.trace!.samples.count);
	}

	/* What is in view, µs. */
	private range(): Range {
		const near = this.query?.near;
		return near ? { from: near.from * 1e6, to: Math.min(near.to * 1e6, this.trace!.span) }
			: { from: 0, to: this.trace!.span };
	}

	private data(chosen: Bins | null): Aligned[] {
		const { from, width, rate, live } = this.all!, heap = this.heap!, gcs = this.trace!.gcs;
		const middles = Array.from(rate, (_, i) => (from + (i + 0.5) * width) / 1e6);
		const edges = Array.from(live, (_, i) => (from + i * width) / 1e6);
		const join = uPlot.join([
			[heap.time, heap.used, heap.committed],
			[edges, Array.from(live), chosen ? Array.from(chosen.live) : edges.map(() => null)],
		] as uPlot.AlignedData[]) as unknown as Aligned;
		/* A concurrent cycle is told at its end, after collections that began later. */
		const order = Array.from(gcs.start, (_, i) => i).sort((a, b) => gcs.start[a] - gcs.start[b]);
		const starts = order.map((i) => gcs.start[i] / 1e6);
		const pauses = GC_KINDS.map((_, kind) => order.map((i) =>
			gcs.kind[i] === kind ? Math.max(gcs.pause[i] / 1000, 0.1) : null));
		return [
			[middles, Array.from(rate), chosen ? Array.from(chosen.rate) : middles.map(() => null)],
			join,
			[starts, ...pauses],
		];
	}

	private draw(data: Aligned[]): void {
		if (!this.plots.length)
			this.plots = [
				makePlot(this.lanes.rate, this.rateOptions(), data[0] as uPlot.AlignedData),
				makePlot(this.lanes.heap, this.heapOptions(), data[1] as uPlot.AlignedData),
				makePlot(this.lanes.gcs, this.gcOptions(), data[2] as uPlot.AlignedData),
			];
		else
			this.plots.forEach((plot, i) => plot.setData(data[i] as uPlot.AlignedData));
	}

	private x(): uPlot.Scale {
		return { time: false, range: () => {
			const { from, to } = this.range();
			return [from / 1e6, to / 1e6];
		} };
	}

	private rateOptions(): Partial<uPlot.Options> & { height: number } {
		return {
			height: HEIGHTS.rate,
			scales: { x: this.x(), y: { range: (_, __, max) => [0, (max || 1) * 1.08] } },
			axes: [axis({ show: false }), bytesAxis(true)],
			series: [{}, area('rate', 0.22), area('chosen', 0.55)],
		};
	}

	private heapOptions(): Partial<uPlot.Options> & { height: number } {
		const line = (name: string, dash: number[]): uPlot.Series =>
			({ stroke: () => color(name), width: 1.2, dash, spanGaps: true, points: { show: false } });
		return {
			height: HEIGHTS.heap,
			scales: { x: this.x(), y: { range: (_, __, max) => [0, (max || 1) * 1.08] } },
			axes: [axis({ show: false }), bytesAxis(false)],
			series: [{}, line('used', []), line('committed', [5, 3]), { ...area('live', 0.3), spanGaps: true },
				{ ...area('chosen', 0.55), spanGaps: true }],
		};
	}

	private gcOptions(): Partial<uPlot.Options> & { height: number } {
		const bars = uPlot.paths.bars!({ size: [0.6, 3, 2] });
		return {
			height: HEIGHTS.gcs,
			padding: [6, RIGHT, 0, 0],
			scales: { x: this.x(), y: { distr: 3, range: (_, __, max) =>
				[0.1, 10 ** Math.ceil(Math.log10(Math.max(max || 1, 10)))] } },
			axes: [
				axis({ size: 22, space: 80, incrs: TIME_STEPS,
					values: (_, ticks, __, ___, step) => ticks.map((t) => roundText(momentText(t, step))) }),
				axis({ size: AXIS_WIDTH, splits: (_, __, min, max) => powers(min, max),
					values: (_, ticks) => ticks.map((ms) => roundText(timeText(ms / 1000))), filter: (_, splits) => splits }),
			],
			series: [{}, ...GC_KINDS.map((kind): uPlot.Series => ({
				stroke: () => color(`gc-${kind}`), fill: () => color(`gc-${kind}`), width: 0, paths: bars,
				points: { show: false },
			}))],
		};
	}

	/* What stands over the plots: windows of the query, and marks with flags to click. */
	private drawBands(marks: Mark[]): void {
		const q = this.query!, { from, to } = this.range();
		const scale = { from: from / 1e6, to: to / 1e6 };
		this.brush.show(scale, q.brush === 'at' ? null : q[q.brush]);
		const place = (node: HTMLElement, a: number, b: number): HTMLElement => {
			const left = Math.max(0, this.brush.share(a)), right = Math.min(1, this.brush.share(b));
			node.style.left = `${100 * left}%`;
			node.style.width = `${100 * Math.max(0, right - left)}%`;
			node.hidden = right < 0 || left > 1;
			return node;
		};
		const windows = (['born', 'died'] as const).filter((name) => q[name]).map((name) =>
			place(el('div', { class: `band ${name}` }), q[name]!.from, q[name]!.to));
		if (q.at !== null)
			windows.push(place(el('div', { class: 'band at' }), q.at, q.at));
		this.bands.replaceChildren(
			...marks.map((mark) => place(el('div', { class: 'band churn' }), mark.from, mark.to)), ...windows);
		renew(this.flags, this.brush.node, ...marks.map((mark) => place(button(mark.text, () => {
			this.events.change({ born: { from: mark.from, to: mark.to }, brush: 'born', panel: 'churn' }, true);
		}, { class: 'flag', title: 'Select this window' }), mark.from, mark.to)));
		const window = q.near ?? q.born ?? q.died;
		this.zoom.hidden = !window;
		this.zoom.textContent = q.near ? 'Zoom out' : 'Zoom';
		this.tellWindow();
	}

	private tellWindow(): void {
		const q = this.query!, chips: HTMLElement[] = [];
		const chip = (text: string, without: Partial<Query>): unknown => chips.push(button(`${text} ×`, () =>
			this.events.change(without, true), { class: 'chip', title: 'Take this filter away' }));
		const text = (x: Range): string =>
			`${momentText(x.from)} – ${momentText(Math.min(x.to, this.trace!.span / 1e6))}`;
		if (q.born)
			chip(`allocated in ${text(q.born)}`, { born: null });
		if (q.died)
			chip(`died in ${text(q.died)}`, { died: null });
		if (q.at !== null)
			chip(`alive at ${momentText(q.at)}`, { at: null });
		if (!chips.length)
			chips.push(el('span', {}, q.brush === 'at' ? 'click a moment' : 'drag to select a window'));
		renew(this.readout, this.brush.node, ...chips);
	}

	private dragged(from: number, to: number, done: boolean): void {
		const brush = this.query?.brush ?? 'born';
		const change: Partial<Query> = brush === 'at' ? { at: to } : { [brush]: { from, to } };
		this.events.change(change, done);
	}

	/* A click outside lets go of the window. */
	private clicked(at: number): void {
		const brush = this.query?.brush ?? 'born';
		this.events.change(brush === 'at' ? { at } : { [brush]: null }, true);
	}

	private hovered(at: number | null, x: number): void {
		if (at === null || !this.trace || !this.all) {
			this.tip.hide();
			return;
		}
		const { from, width, rate, live } = this.all;
		const bin = Math.min(Math.max(Math.floor((at * 1e6 - from) / width), 0), rate.length - 1);
		const gc = this.gcNear(at * 1e6, x);
		this.tip.show(x + AXIS_WIDTH, 40, [
			['', momentText(at)],
			['allocating', rateText(rate[bin])],
			['heap used', bytesText(this.heapAt(at))],
			['live, at least', bytesText(live[bin])],
			...gc,
		]);
	}

	private heapAt(at: number): number {
		const { time, used } = this.heap!;
		let i = time.findIndex((t) => t > at);
		i = i < 0 ? time.length - 1 : Math.max(i - 1, 0);
		return used[i] ?? NaN;
	}

	/* The collection nearest to the pointer, within a few pixels. */
	private gcNear(at: number, _x: number): [string, string][] {
		const { gcs, texts } = this.trace!, { from, to } = this.range();
		const reach = (to - from) / Math.max(this.brush.node.clientWidth, 1) * 5;
		let best = -1;
		for (let i = 0; i < gcs.count; i++)
			if (Math.abs(gcs.start[i] - at) < reach && (best < 0 || gcs.pause[i] > gcs.pause[best]))
				best = i;
		if (best < 0)
			return [];
		const pause = timeText(gcs.pause[best] / 1e6), cause = texts[gcs.cause[best]] ?? '';
		return [[`${GC_KINDS[gcs.kind[best]]} GC`, `${pause} pause${cause ? ` · ${cause}` : ''}`]];
	}
}

const powers = (min: number, max: number): number[] => {
	const list: number[] = [];
	for (let x = 10 ** Math.ceil(Math.log10(min)); x <= max; x *= 10)
		list.push(x);
	return list.filter((_, i) => list.length < 4 || i % 2 === 1);
};

function bytesAxis(perSecond: boolean): uPlot.Axis {
	return axis({
		size: AXIS_WIDTH,
		space: 26,
		values: (_, ticks) => ticks.map((x) => x ? axisText(x) + (perSecond ? '/s' : '') : '0'),
	});
}

/* A round number of bytes: 1.5 GB, not 1.50 GB. */
const axisText = (x: number): string => roundText(bytesText(x));

function area(name: string, alpha: number): uPlot.Series {
	return { stroke: () => color(name), fill: () => veil(name, alpha), width: 1.2, points: { show: false } };
}

function legend(): HTMLElement {
	const item = (name: string, text: string, kind: string): HTMLElement =>
		el('span', { class: `key as-${kind}` }, swatch(name), text);
	return el('span', { class: 'legend' },
		item('rate', 'allocation rate', 'area'), item('used', 'heap used', 'line'),
		item('committed', 'committed', 'dash'), item('live', 'live, at least', 'area'),
		...GC_KINDS.map((kind) => item(`gc-${kind}`, `${kind} GC`, 'bar')));
}

function swatch(name: string): HTMLElement {
	const node = el('i', { class: 'swatch' });
	node.style.setProperty('--c', `var(--${name})`);
	return node;
}
