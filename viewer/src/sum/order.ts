/* Which rows a table shows, and in which order. */

import type { Query, Sort } from '../query/query';
import { curveAt, lifetimeQuantile } from '../stat/curve';
import type { Answer } from '../app/loaded';
import { amountOf, changeOf } from './change';

const SHARE_MIN = 0.005;
export const ROWS_MAX = 2000; /* more than anybody reads, and what a browser lays out at once */

export interface Order {
	rows: number[]; /* groups */
	hidden: number; /* rows under half a per cent that are not shown … */
	hiddenShare: number; /* … and their share together */
}

/* What a column sorts by; NaN (not known) goes last. */
function keyOf(answer: Answer, sort: Sort, base?: Answer): (group: number) => number {
	const { sums, query } = answer, { clock } = answer.loaded.trace.info;
	const quantile = (q: number) => (group: number): number => {
		const l = lifetimeQuantile(answer.survival(group).curve(answer.clock, 'none'), q);
		return Number.isNaN(l.value) ? l.lo : l.value;
	};
	switch (sort) {
	case 'rate':
		return (group) => sums.measures.alloc[group];
	case 'dies':
		return (group) => known(answer, group, answer.diesInGc0(group));
	case 'one':
		return (group) => known(answer, group, 1 - answer.diesInGc0(group));
	case 'many':
		return (group) => known(answer, group,
			curveAt(answer.survival(group).curve(clock, 'none'), 15).p);
	case 'p50':
		return quantile(0.5);
	case 'p90':
		return quantile(0.9);
	case 'p99':
		return quantile(0.99);
	case 'change':
		return (group) => Math.abs(base ? changeOf(base, answer, group) : amountOf(answer, group));
	default:
		return (group) => sums.measures[query.measure][group];
	}
}

const known = (answer: Answer, group: number, value: number): number =>
	answer.survival(group).evidence().tooFew ? NaN : value;

function sorted(rows: number[], key: (group: number) => number, up: boolean): number[] {
	const keys = new Map(rows.map((row) => [row, key(row)]));
	const sign = up ? 1 : -1;
	return rows.sort((a, b) => {
		const x = keys.get(a)!, y = keys.get(b)!;
		if (Number.isNaN(x) || Number.isNaN(y))
			return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
		return sign * (x - y) || a - b;
	});
}

/* Bytes that decide which rows are shown: of both traces together. */
function valuesOf(answer: Answer, q: Query, base?: Answer): { value: Float64Array; total: number } {
	const value = answer.sums.measures[q.measure], total = answer.sums.total[q.measure];
	if (!base)
		return { value, total };
	const other = base.sums.measures[q.measure];
	return { value: value.map((x, i) => x + other[i]), total: total + base.sums.total[q.measure] };
}

function byName(answer: Answer, rows: number[], up: boolean): number[] {
	const names = new Map(rows.map((row) => {
		const { cls, place } = answer.groups.label(row);
		return [row, `${cls} ${place}`];
	}));
	const sign = up ? -1 : 1; /* names rise unless turned round */
	return rows.sort((a, b) => sign * names.get(a)!.localeCompare(names.get(b)!));
}

/* `base`: the answer of the other trace; what is only there counts too. */
export function orderOf(answer: Answer, query: Query, base?: Answer): Order {
	const { sums } = answer, { value, total } = valuesOf(answer, query, base);
	const there: number[] = [];
	for (let group = 0; group < sums.count; group++)
		if (value[group] > 0)
			there.push(group);
	const least = query.all ? 0 : SHARE_MIN * total;
	const shown = there.filter((group) => value[group] >= least);
	const rows = query.sort === 'name'
		? byName(answer, shown, query.up)
		: sorted(shown, keyOf(answer, base && query.sort === 'measure' ? 'change' : query.sort, base), query.up);
	const cut = rows.slice(0, ROWS_MAX);
	const shownSum = cut.reduce((sum, group) => sum + value[group], 0);
	return {
		rows: cut,
		hidden: there.length - cut.length,
		hiddenShare: total > 0 ? Math.max(0, 1 - shownSum / total) : 0,
	};
}
