/* The table: a row for each site, class, method, package or thread. */

import type { Answer } from '../app/loaded';
import { ROWS_MAX, type Order } from '../sum/order';
import { isFlow, SHARES } from '../sum/survival';
import type { By, Measure, Query, Sort } from '../query/query';
import { amountOf, changeOf } from '../sum/change';
import { evidenceText } from '../word/evidence';
import { countText, digits, shareParts, shareText } from '../word/units';
import { curveAt } from '../stat/curve';
import { quantileText } from '../word/quantile';
import { button, type Child, el, renew } from './dom';
import { spark } from './spark';

export const MEASURE_NAMES: Record<Measure, string> = {
	alloc: 'Allocated', died: 'Died', died0: 'Died in GC 0', survived: 'Survived a GC', live: 'Alive at the end',
};

/* The same within a sentence. */
export const MEASURE_WORDS: Record<Measure, string> = {
	alloc: 'allocated', died: 'died', died0: 'died in GC 0', survived: 'survived a GC', live: 'alive at the end',
};

export const BY_NAMES: Record<By, string> = {
	site: 'Site', class: 'Class', method: 'Method', package: 'Package', thread: 'Thread',
};

interface Column {
	sort: Sort | null;
	head: string;
	title: string;
	class: string;
	cell: (row: Row) => Child[];
}

interface Row {
	group: number;
	answer: Answer;
	base?: Answer; /* of the first trace, where two are compared */
	most: number; /* the largest share of a row */
	judged: Set<number> | null; /* rows that changed by more than chance explains; null: nothing is said of these */
}

export interface TableEvents {
	change: (change: Partial<Query>) => void;
}

function share(row: Row): Child[] {
	const { sums, query } = row.answer;
	const part = sums.measures[query.measure][row.group] / sums.total[query.measure];
	const bar = el('i', { class: 'bar' });
	bar.style.setProperty('--share', String(Number.isNaN(part) ? 0 : part / row.most));
	return [bar, el('span', {}, shareText(part))];
}

const megabytes = (answer: Answer, group: number): number => amountOf(answer, group) / 1e6;

const tooFew = (row: Row): boolean => row.answer.survival(row.group).evidence().tooFew;

/* The share and its ±, dim. */
function withSpread(p: number, half: number): Child[] {
	const { text, spread } = shareParts(p, half);
	const unit = text === '–' || text === '?' ? '' : ' %';
	return [text, spread ? el('small', { class: 'muted' }, ` ${spread}`) : null, unit];
}

/* p(t) with its interval, of the GC clock of the view. */
function survivalCell(row: Row, t: number, died: boolean): Child[] {
	const { answer, group } = row, clock = answer.clock;
	if (tooFew(row))
		return ['?'];
	const curve = answer.survival(group).curve(clock, 'both', 15), p = curveAt(curve, t);
	const half = Math.max(p.hi - p.p, p.p - p.lo);
	if (Number.isNaN(p.p))
		return ['?'];
	if (died)
		return withSpread(1 - p.p, half);
	return t === 1 ? [shareText(p.p)] : withSpread(p.p, curveAt(curve, 1).p > 0 ? half : 0);
}

function quantileCell(row: Row, q: typeof SHARES[number]): Child[] {
	const { answer: { clock }, group } = row, survival = row.answer.survival(group);
	return [tooFew(row) || !isFlow(clock) ? '?' : quantileText(survival.lifetimes(clock)[SHARES.indexOf(q)], clock)];
}

function sparkCell(row: Row): Child[] {
	const { answer, base, group } = row, { clock } = answer.loaded.trace.info;
	if (base && !answer.sums.measures.alloc[group])
		return [el('small', { class: 'muted' }, 'not in B')];
	if (tooFew(row))
		return [el('small', { class: 'muted' }, evidenceText(answer.survival(group).evidence(), clock))];
	const other = base && !base.survival(group).evidence().tooFew
		? base.survival(group).curve(clock, 'none') : undefined;
	return [spark(answer.survival(group).curve(clock, 'none'), other)];
}

function placeCell(row: Row): Child[] {
	const { cls, place, full } = row.answer.groups.label(row.group);
	const shape = row.answer.survival(row.group).shape();
	const tag = shape === 'unknown' || shape === 'churn' ? null
		: el('span', { class: `shape ${shape}` }, shape);
	return [el('div', { class: 'place', title: full },
		el('div', { class: 'first' }, el('b', {}, cls || place), tag),
		cls && place ? el('div', { class: 'second' }, place) : null)];
}

const COLUMNS: Record<string, Column> = {
	share: { sort: 'measure', head: '', title: 'Share of what the filter takes', class: 'num share', cell: share },
	rate: { sort: 'rate', head: 'MB/s', title: 'Allocation rate', class: 'num rate',
		cell: (row) => [digits(row.answer.sums.measures.alloc[row.group] / row.answer.seconds / 1e6)] },
	dies: { sort: 'dies', head: 'Dies in\nGC 0', title: 'Share of its bytes that the first GC after their birth found dead, ± at 95 %',
		class: 'num dies', cell: (row) => survivalCell(row, 1, true) },
	one: { sort: 'one', head: 'Survives\n1 GC', title: 'Share of its bytes that outlives one GC', class: 'num one',
		cell: (row) => survivalCell(row, 1, false) },
	many: { sort: 'many', head: 'Survives\n15 GCs', title: 'Share of its bytes that outlives 15 GCs, ± at 95 %',
		class: 'num many', cell: (row) => survivalCell(row, 15, false) },
	p50: { sort: 'p50', head: 'Half\ndead by', title: 'When half of its objects were dead', class: 'num',
		cell: (row) => quantileCell(row, 0.5) },
	p90: { sort: 'p90', head: '90 %\ndead by', title: 'When 90 % of its objects were dead', class: 'num',
		cell: (row) => quantileCell(row, 0.9) },
	p99: { sort: 'p99', head: '99 %\ndead by', title: 'When 99 % of its objects were dead', class: 'num one',
		cell: (row) => quantileCell(row, 0.99) },
	spark: { sort: null, head: 'Survival\n0 … 15 GCs', title: 'What is left of it after 1, 2, … 15 GCs', class: 'spark-cell', cell: sparkCell },
	place: { sort: 'name', head: '', title: 'Where it is allocated', class: 'site', cell: placeCell },
	before: { sort: null, head: 'MB/s\nA', title: 'Allocated in A', class: 'num amount',
		cell: (row) => [row.base ? digits(megabytes(row.base, row.group)) : '–'] },
	after: { sort: 'rate', head: 'MB/s\nB', title: 'Allocated in B', class: 'num amount',
		cell: (row) => [digits(megabytes(row.answer, row.group))] },
	change: { sort: 'change', head: 'Change\nMB/s', class: 'num change',
		title: 'From A to B. Bold: by more than chance explains, as mayfly diff says of the whole runs; dim: not', cell: changeCell },
	oneBefore: { sort: null, head: 'Survives 1\nA', title: 'Share of its bytes that outlives one GC in A', class: 'num one',
		cell: (row) => row.base ? survivalCell({ ...row, answer: row.base }, 1, false) : [] },
	oneAfter: { sort: 'one', head: 'Survives 1\nB', title: 'Share of its bytes that outlives one GC in B', class: 'num one',
		cell: (row) => survivalCell(row, 1, false) },
};

function changeCell({ base, answer, group, judged }: Row): Child[] {
	const change = base ? changeOf(base, answer, group) / 1e6 : 0, sign = change > 0 ? '+' : change < 0 ? '−' : '±';
	return [el('span', { class: !judged ? '' : judged.has(group) ? 'sure' : 'muted' }, `${sign}${digits(Math.abs(change))}`)];
}

function columnsOf(answer: Answer, compared: boolean): Column[] {
	const names = compared ? ['before', 'after', 'change', 'oneBefore', 'oneAfter', 'spark', 'place']
		: isFlow(answer.clock) ? ['share', 'rate', 'p50', 'p90', 'p99', 'spark', 'place']
			: ['share', 'rate', 'dies', 'one', 'many', 'spark', 'place'];
	const columns = names.map((name) => COLUMNS[name]);
	return answer.perRun ? columns.map((column) => ({ ...column, head: column.head.replace('MB/s', 'MB') })) : columns;
}

export class Table {
	readonly node: HTMLElement;
	order: Order = { rows: [], hidden: 0, hiddenShare: 0 };
	private by?: By; /* what groups are of */
	private readonly head = el('thead');
	private readonly body = el('tbody');
	private readonly foot = el('div', { class: 'table-foot' });
	private readonly summary = el('span', { class: 'summary' });

	constructor(private readonly events: TableEvents) {
		this.body.addEventListener('click', (e) => this.clicked(e));
		this.node = el('section', { class: 'card table', attrs: { 'aria-label': 'Where objects come from' } },
			el('table', { attrs: { 'role': 'grid', 'aria-multiselectable': 'true', 'aria-label': 'Where objects come from' } },
				this.head, this.body), this.foot);
	}

	/* `picked`: groups with a curve; the place in the list is its colour. */
	update(answer: Answer, base: Answer | undefined, order: Order, picked: number[], judged: Set<number> | null): void {
		this.order = order;
		this.node.classList.toggle('compared', base !== undefined);
		const columns = columnsOf(answer, base !== undefined), { measure } = answer.query;
		const value = answer.sums.measures[measure];
		const most = order.rows.reduce((x, g) => Math.max(x, value[g]), 0) / answer.sums.total[measure] || 1;
		renew(this.head, this.node, el('tr', {}, ...columns.map((column) => this.headCell(column, answer.query, base !== undefined))));
		this.drawRows(this.order.rows.map((group) => this.row({ group, answer, base, most, judged }, columns, picked)), answer.query.by);
		this.drawFoot(answer);
	}

	/* The focus stays on the row of the same group, else it is on the first. */
	private drawRows(rows: HTMLElement[], by: By): void {
		const had = this.focused(), same = by === this.by;
		this.by = by;
		this.body.replaceChildren(...rows);
		if (had !== null)
			((same ? this.rowOf(had) : null) ?? rows[0])?.focus({ preventScroll: true });
	}

	/* Moves the focus by so many rows, from the focused one or the top. */
	step(by: number): void {
		const rows = [...this.body.rows], at = rows.indexOf(document.activeElement as HTMLTableRowElement);
		const next = rows[Math.min(Math.max(at < 0 ? 0 : at + by, 0), rows.length - 1)];
		next?.focus();
		next?.scrollIntoView({ block: 'nearest' });
	}

	focus(group: number): void {
		const row = this.rowOf(group);
		row?.focus({ preventScroll: true });
		row?.scrollIntoView({ block: 'nearest' });
	}

	private rowOf(group: number): HTMLElement | null {
		return this.body.querySelector<HTMLElement>(`tr[data-group="${group}"]`);
	}

	/* The group of the focused row, if there is one. */
	focused(): number | null {
		const row = document.activeElement?.closest('tr[data-group]');
		return row ? Number((row as HTMLElement).dataset.group) : null;
	}

	private headCell(column: Column, q: Query, compared: boolean): HTMLElement {
		const name = column.class.includes('share') ? MEASURE_NAMES[q.measure]
			: column.class === 'site' ? BY_NAMES[q.by] : column.head;
		const order = q.sort === 'measure' && compared ? 'change' : q.sort;
		const sorted = column.sort !== null && order === column.sort;
		const { sort } = column;
		const label = sort
			? button(name, () => this.events.change({ sort, up: sorted ? !q.up : false }), { title: column.title })
			: el('span', { title: column.title }, name);
		return el('th', { class: column.class, attrs: {
			scope: 'col', 'aria-sort': !sorted ? 'none' : q.up ? 'ascending' : 'descending',
		} }, label);
	}

	private row(row: Row, columns: Column[], picked: number[]): HTMLElement {
		const at = picked.indexOf(row.group);
		const tr = el('tr', { attrs: { 'data-group': row.group, tabindex: 0, 'aria-selected': String(at >= 0) } },
			...columns.map((column) => el('td', { class: column.class }, ...column.cell(row))));
		if (at >= 0)
			tr.style.setProperty('--c', `var(--series-${at + 1})`);
		return tr;
	}

	private drawFoot(answer: Answer): void {
		const { order } = this, q = answer.query;
		const less = button('Show fewer', () => this.events.change({ all: false }), { class: 'quiet' });
		const more = button('Show them', () => this.events.change({ all: true }), { class: 'quiet' });
		const hidden = order.hidden > 0
			? `${countText(order.hidden)} more, each under 0.5 %, together ${shareText(order.hiddenShare)}` : '';
		const text = q.all && order.hidden ? `the first ${countText(ROWS_MAX)} rows` : hidden;
		renew(this.foot, this.node, this.summary,
			order.rows.length ? text : !answer.loaded.trace.samples.count ? 'No allocation was sampled.'
				: 'Nothing matches: widen a filter, or clear them all with Esc.',
			q.all ? less : order.hidden > 0 ? more : '');
	}

	private clicked(e: Event): void {
		const row = (e.target as Element).closest('tr[data-group]');
		if (row)
			this.node.dispatchEvent(new CustomEvent('pick', { detail: Number((row as HTMLElement).dataset.group) }));
	}
}
