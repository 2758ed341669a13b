/* The page: one query, the views that show its answer, and the hash that carries it. */

import type { Trace } from '../data/trace';
import { fromHash, toHash } from '../query/hash';
import { type Changes, changesOf, spotOfRow } from '../found/changes';
import { isFiltered, type Query, unfiltered } from '../query/query';
import { type Order, orderOf } from '../sum/order';
import { el, lookAtWidths } from '../view/dom';
import { Filters } from '../view/filters';
import { Flame } from '../view/flame';
import { PICKED_MAX } from '../view/curves';
import { Head } from '../view/head';
import { Help } from '../view/help';
import { panelOf, Side } from '../view/side';
import { Table } from '../view/table';
import { startTheme, themeForPaper, turnTheme } from '../view/theme';
import { Timeline } from '../view/timeline';
import { type Findings, findingsOf } from './findings';
import { listenToKeys } from './keys';
import { Answer, Loaded, type Target } from './loaded';

const FIRST_ROWS = 3; /* whose curves are shown where none is picked */

/* Of the rows shown, those that most bytes survive in: what a person came to see. */
function longestLived(answer: Answer, order: Order): number[] {
	const { survived } = answer.sums.measures;
	const most = order.rows.filter((g) => survived[g] > 0).sort((a, b) => survived[b] - survived[a]);
	return (most.length ? most : order.rows.slice()).slice(0, FIRST_ROWS);
}

export class App {
	readonly loaded: Loaded[];
	query: Query;
	private readonly findings: Findings[];
	private readonly changes: Changes | null;
	private changedRows?: Set<number>;
	private readonly head: Head;
	private readonly timeline: Timeline;
	private readonly filters: Filters;
	private readonly table: Table;
	private readonly side: Side;
	private readonly flame: Flame;
	private readonly help = new Help();
	private answer!: Answer;
	private frame = 0;

	constructor(private readonly root: HTMLElement, traces: Trace[]) {
		this.loaded = traces.map((trace) => new Loaded(trace));
		this.findings = traces.map(findingsOf);
		this.changes = traces.length > 1 ? changesOf(traces[0].document.diff) : null;
		this.query = fromHash(location.hash);
		const change = (c: Partial<Query>, lasting = true): void => this.change(c, lasting);
		startTheme(() => this.redraw());
		this.head = new Head(this.loaded, {
			theme: () => this.turnTheme(), help: () => this.help.turn(),
			view: (view) => change({ view, near: null }),
		});
		this.timeline = new Timeline({ change });
		this.filters = new Filters(change);
		this.table = new Table({ change });
		this.side = new Side({
			change, show: (target) => this.showRows(target), select: (window) => change({ born: window, brush: 'born' }),
		});
		this.flame = new Flame(change);
		this.table.node.addEventListener('pick', (e) => this.turnRow((e as CustomEvent<number>).detail));
	}

	start(): void {
		const grid = el('div', { class: 'grid' }, this.table.node, this.side.node);
		this.root.replaceChildren(this.head.node, this.timeline.node, this.filters.node, grid, this.flame.node, this.help.node);
		this.root.removeAttribute('aria-busy');
		const { file } = this.loaded[0].trace.info;
		document.title = file ? `${file.replace(/^.*\//, '')} – mayfly` : 'mayfly';
		window.addEventListener('beforeprint', () => this.lieOnPaper(true));
		window.addEventListener('afterprint', () => this.lieOnPaper(false));
		window.addEventListener('hashchange', () => {
			if (toHash(this.query) !== location.hash.replace(/^#/, '')) {
				this.query = fromHash(location.hash);
				this.render();
			}
		});
		listenToKeys({
			change: (c) => this.change(c), query: () => this.query, clear: () => this.change(unfiltered(this.query)),
			search: this.filters.search, theme: () => this.turnTheme(), help: () => this.help.turn(),
			zoom: () => this.timeline.turnZoom(), step: (by) => this.table.step(by),
			pick: () => this.turnFocused(), clock: () => this.answer.clock,
			deaths: () => this.answer.loaded.trace.info.clock,
		});
		this.render();
		this.prepare();
	}

	/* `lasting` changes are steps that the browser's Back takes back; others replace the last one. */
	change(change: Partial<Query>, lasting = true): void {
		this.query = { ...this.query, ...change };
		const hash = `#${toHash(this.query)}`;
		if (hash !== (location.hash || '#'))
			history[lasting ? 'pushState' : 'replaceState'](null, '', hash);
		this.render();
	}

	private render(): void {
		const q = this.query, last = this.loaded.length - 1, which = q.view === 'a' ? 0 : last;
		const compared = last > 0 && q.view === 'ab';
		const changes = compared ? this.changes : null, perRun = changes !== null && !changes.perSecond;
		this.answer = new Answer(this.loaded[which], q, perRun);
		const base = compared ? new Answer(this.loaded[0], q, perRun) : undefined;
		const { answer } = this, findings = this.findings[which];
		this.head.update(answer, base);
		this.timeline.update(answer, (findings.churn ?? []).flatMap((f) =>
			f.window ? [{ ...f.window, text: 'churn' }] : []), compared ? 'B' : '');
		this.filters.update(answer);
		const order = orderOf(answer, q, base), own = this.picked();
		const picked = own.length || panelOf(q, changes) !== 'lives' ? own : longestLived(answer, order);
		this.table.update(answer, base, order, picked, compared ? this.judged() : null);
		this.later(() => {
			this.side.update(answer, base, picked, { findings, changes });
			this.flame.update(answer, base);
		});
	}

	/* In the next frame, unless another answer has come by then. */
	private later(then: () => void): void {
		cancelAnimationFrame(this.frame);
		this.frame = requestAnimationFrame(then);
	}

	private picked(): number[] {
		return this.query.picked.filter((group) => group < this.answer.groups.count).slice(0, PICKED_MAX);
	}

	private turnRow(group: number): void {
		const picked = this.picked(), has = picked.includes(group);
		this.change({
			picked: has ? picked.filter((g) => g !== group) : [...picked, group].slice(-PICKED_MAX), panel: 'lives',
		});
		this.table.focus(group);
	}

	private turnFocused(): void {
		const group = this.table.focused();
		if (group !== null)
			this.turnRow(group);
	}

	/* The rows that a finding speaks of, whatever has to be let go for them to be seen. */
	private showRows({ by, groups }: Target): void {
		const picked = groups.slice(0, PICKED_MAX), isSeen = (): boolean => picked.some((g) => this.table.order.rows.includes(g));
		this.change({ by, picked });
		if (!isSeen())
			this.change({ all: true }, false);
		if (!isSeen())
			this.change({ ...unfiltered(this.query), measure: 'alloc' }, false);
		const first = this.table.order.rows.find((g) => picked.includes(g));
		if (first !== undefined)
			this.table.focus(first);
	}

	/* Rows of the whole runs that the diff calls changed; null: it says nothing of what is shown. */
	private judged(): Set<number> | null {
		const { changes, query } = this;
		if (!changes || query.by !== 'site' || isFiltered(query))
			return null;
		return this.changedRows ??= new Set(changes.changed.filter((row) => row.changed === true)
			.flatMap((row) => this.answer.loaded.target(spotOfRow(row))?.groups ?? []));
	}

	/* What a choice of another clock needs: made while nobody waits. */
	private prepare(): void {
		const later = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 200));
		for (const loaded of this.loaded)
			for (const clock of ['mb', 'ms'] as const)
				later(() => loaded.lives.cells(clock));
	}

	private turnTheme(): void {
		turnTheme();
		this.redraw();
	}

	/* Pictures are drawn anew, as wide as a page: as they stand, paper would cut them off. */
	private lieOnPaper(on: boolean): void {
		this.root.classList.toggle('paper', on);
		themeForPaper(on);
		lookAtWidths();
		this.redraw();
	}

	private redraw(): void {
		this.timeline.redraw();
		this.side.curves.redraw();
		this.flame.redraw();
	}
}
