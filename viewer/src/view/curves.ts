/* Survival curves of the picked rows with their 95 % intervals, on the clock of the view. */

import uPlot from 'uplot';
import type { Answer } from '../app/loaded';
import type { Clock, Query } from '../query/query';
import { type Curve, curveAt, lifetimeQuantile } from '../stat/curve';
import { isFlow } from '../sum/survival';
import { evidenceText, largeText } from '../word/evidence';
import { quantileText } from '../word/quantile';
import { bytesText, roundText, shareText, timeText } from '../word/units';
import { choice, type Choice, el, onWidth } from './dom';
import { axis, makePlot, RIGHT, veil } from './plot';
import { color, DASHES } from './theme';

export const PICKED_MAX = 6;
export const CLOCK_NAMES: Record<Clock, string> = {
	young: 'young GCs', full: 'old GCs', mb: 'MB allocated', ms: 'time',
};

const HEIGHT = 220;

interface Line {
	curve: Curve;
	index: number; /* of the colour */
	dashed: boolean;
}

const scaleOf = (clock: Clock): number => clock === 'mb' || clock === 'ms' ? 1e6 : 1;

/* Times at which any curve steps, on the scale of the plot; on flowing clocks from the first edge that matters. */
function timesOf(lines: Line[], clock: Clock, upto: number): number[] {
	const scale = scaleOf(clock), times = new Set<number>(isFlow(clock) ? [] : [0]);
	for (const { curve } of lines)
		for (const { t } of curve.points)
			if (t / scale <= upto)
				times.add(t / scale);
	if (!isFlow(clock))
		for (let t = 1; t <= Math.min(upto, 64); t++)
			times.add(t);
	times.add(upto);
	return [...times].filter((t) => !isFlow(clock) || t >= 0.01).sort((a, b) => a - b);
}

const p1 = (p: number): string => p === 0 ? 's' : '';

function powersOfTen(min: number, max: number): number[] {
	const list: number[] = [];
	for (let t = 10 ** Math.ceil(Math.log10(min)); t <= max; t *= 10)
		list.push(t);
	return list;
}

const orNull = (x: number): number | null => Number.isNaN(x) ? null : x;

function dataOf(lines: Line[], clock: Clock, upto: number): uPlot.AlignedData {
	const times = timesOf(lines, clock, upto), scale = scaleOf(clock), columns: (number | null)[][] = [times];
	for (const { curve } of lines) {
		const points = times.map((t) => curveAt(curve, t * scale));
		const known = (p: { p: number }): boolean => !Number.isNaN(p.p);
		columns.push(points.map((p) => orNull(p.p)),
			points.map((p) => known(p) ? p.lo : null), points.map((p) => known(p) ? p.hi : null));
	}
	return columns as uPlot.AlignedData;
}

export class Curves {
	readonly node: HTMLElement;
	private readonly plotNode = el('div', { class: 'curves' });
	private readonly list = el('ol', { class: 'picked' });
	private readonly reach: Choice<'near' | 'far'>;
	private readonly title = el('p', { class: 'muted caption' });
	private plot?: uPlot;
	private made = ''; /* what the plot was made for */
	private lines: Line[] = [];
	private clock: Clock = 'young';
	private upto = 16;
	private width?: number;

	constructor(private readonly change: (change: Partial<Query>) => void) {
		this.reach = choice('Reach', [['near', 'to 16 GCs'], ['far', 'all']],
			(reach) => this.change({ far: reach === 'far' }));
		this.node = el('div', { class: 'lives' }, el('div', { class: 'curve-head' }, this.title, this.reach.node),
			this.plotNode, this.list);
		onWidth(this.plotNode, (width) => {
			this.width = width;
			this.plot?.setSize({ width, height: HEIGHT });
		});
	}

	update(answer: Answer, base: Answer | undefined, picked: number[]): void {
		this.clock = answer.clock;
		this.lines = picked.flatMap((group, index) => [
			...base ? [{ curve: base.survival(group).curve(this.clock, 'both'), index, dashed: true }] : [],
			{ curve: answer.survival(group).curve(this.clock, 'both'), index, dashed: false },
		]).filter((line) => line.curve.points.length > 0);
		this.upto = this.far(answer.query);
		this.reach.show(answer.query.far ? 'far' : 'near');
		this.reach.node.hidden = isFlow(this.clock);
		this.title.textContent = `Share ${isFlow(this.clock) ? 'of objects' : 'of bytes'} still alive, by ` +
			`${CLOCK_NAMES[this.clock]} since birth${base ? '; A dashed' : ''}`;
		this.draw();
		this.list.replaceChildren(...picked.map((group, index) => this.item(answer, group, index)));
	}

	redraw(): void {
		this.plot?.redraw();
	}

	private far(q: Query): number {
		const last = Math.max(1, ...this.lines.map(({ curve }) => {
			const end = curve.points[curve.points.length - 1].t;
			return Math.max(end, Number.isFinite(curve.known) ? curve.known : 0) / scaleOf(this.clock);
		}));
		return isFlow(this.clock) || q.far ? last : 16;
	}

	private draw(): void {
		const data = dataOf(this.lines, this.clock, this.upto);
		const made = JSON.stringify([isFlow(this.clock), this.lines.map(({ index, dashed }) => [index, dashed])]);
		if (this.plot && this.made === made) {
			this.plot.setData(data);
			return;
		}
		this.made = made;
		this.plot?.destroy();
		const stepped = uPlot.paths.stepped!({ align: 1 });
		const hidden = (): uPlot.Series => ({ width: 0, points: { show: false }, paths: stepped });
		this.plot = makePlot(this.plotNode, {
			...this.width ? { width: this.width } : {},
			height: HEIGHT,
			padding: [10, RIGHT + 4, 0, 0],
			scales: {
				x: { time: false, distr: isFlow(this.clock) ? 3 : 1,
					range: (_, min) => [isFlow(this.clock) ? min || 0.01 : 0, this.upto] },
				y: { range: [0, 1] },
			},
			axes: [
				axis({ size: 26, space: 34, ...this.ticks(), values: (_, ticks) => ticks.map((t) => t === null ? '' : this.tick(t)) }),
				axis({ size: 46, values: (_, ticks) => ticks.map((p) => `${Math.round(100 * p)} %`) }),
			],
			series: [{}, ...this.lines.flatMap(({ index, dashed }): uPlot.Series[] => [
				{ stroke: () => color(`series-${index + 1}`), width: 2, dash: dashed ? [4, 4] : DASHES[index],
					paths: stepped, points: { show: false } },
				hidden(), hidden(),
			])],
			bands: this.lines.map(({ index }, i): uPlot.Band => ({
				series: [3 * i + 3, 3 * i + 2], fill: () => veil(`series-${index + 1}`, 0.16),
			})),
		}, data);
	}

	/* Whole collections; on flowing clocks powers of ten. */
	private ticks(): Partial<uPlot.Axis> {
		return isFlow(this.clock) ? { splits: (_, __, min, max) => powersOfTen(min, max) }
			: { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000] };
	}

	private tick(t: number): string {
		if (this.clock === 'mb')
			return roundText(bytesText(t * 1e6));
		return this.clock === 'ms' ? roundText(timeText(t / 1e3)) : String(t);
	}

	private item(answer: Answer, group: number, index: number): HTMLElement {
		const { cls, place, full } = answer.groups.label(group), survival = answer.survival(group);
		const evidence = survival.evidence(), dot = el('i', { class: 'dot' });
		dot.style.setProperty('--c', `var(--series-${index + 1})`);
		const total = survival.allocated().estimate(), spread = (total.hi - total.lo) / 2 / total.value;
		const facts = [
			`${bytesText(total.value)}${spread > 0 && Number.isFinite(spread) ? ` ±${shareText(spread)}` : ''}`,
			`${evidence.followed} followed`,
			...evidence.tooFew ? [evidenceText(evidence, answer.loaded.trace.info.clock)]
				: [this.halfDead(answer, group), largeText(evidence)],
		];
		return el('li', { title: full }, dot, el('div', {},
			el('div', { class: 'first' }, el('b', {}, cls || place), cls ? ` ${place}` : ''),
			el('div', { class: 'muted' }, facts.filter((fact) => fact !== '').join(' · '))));
	}

	/* In words, on the clock of the view. */
	private halfDead(answer: Answer, group: number): string {
		const curve = answer.survival(group).curve(this.clock, 'both');
		if (isFlow(this.clock))
			return `half dead by ${quantileText(lifetimeQuantile(curve, 0.5), this.clock)}`;
		const one = curveAt(curve, 1), many = curveAt(curve, 15);
		const text = (p: number): string => p === 0 ? 'none' : shareText(p);
		return `${text(one.p)} outlive${p1(one.p)} 1 GC` +
			(Number.isNaN(many.p) || one.p === 0 ? '' : `, ${text(many.p)} 15`);
	}
}
