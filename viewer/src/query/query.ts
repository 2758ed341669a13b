/* What the page is asked: filters, grouping, order, what is open. All of it is in the URL's hash. */

export const BYS = ['site', 'class', 'method', 'package', 'thread'] as const;
export const MEASURES = ['alloc', 'died', 'died0', 'survived', 'live'] as const;
export const CLOCKS = ['young', 'full', 'mb', 'ms'] as const;
export const SORTS = ['measure', 'rate', 'dies', 'one', 'many', 'p50', 'p90', 'p99', 'change', 'name'] as const;
export const BRUSHES = ['born', 'died', 'at'] as const;
export const PANELS = ['diff', 'lives', 'advice', 'churn', 'notes'] as const;
export const VIEWS = ['ab', 'a', 'b'] as const;

export type By = typeof BYS[number];
export type Measure = typeof MEASURES[number];
export type Clock = typeof CLOCKS[number];
export type Sort = typeof SORTS[number];
export type Brush = typeof BRUSHES[number];
export type Panel = typeof PANELS[number];
export type View = typeof VIEWS[number];

export interface Range {
	from: number;
	to: number; /* Infinity: open */
}

export interface Life extends Range {
	clock: Clock; /* collections, MB or ms */
}

export interface Query {
	view: View; /* of two traces: both, or one; nothing where there is one */
	born: Range | null; /* seconds since recording began */
	died: Range | null;
	at: number | null;
	life: Life | 'never' | null;
	cls: string;
	pkg: string;
	thread: string;
	text: string;
	by: By;
	measure: Measure;
	clock: Clock | null; /* null: the trace's own */
	sort: Sort;
	up: boolean; /* smallest first */
	picked: number[]; /* groups whose curves are shown; none: the first rows */
	all: boolean; /* rows under half a per cent too */
	far: boolean; /* curves as far as they are known */
	inverted: boolean;
	zoom: number[]; /* names from the root of the flame graph down */
	near: Range | null; /* the part of the time line that fills it */
	brush: Brush;
	panel: Panel | null; /* null: what the page begins with */
}

export const emptyQuery = (): Query => ({
	view: 'ab', born: null, died: null, at: null, life: null, cls: '', pkg: '', thread: '', text: '',
	by: 'site', measure: 'alloc', clock: null, sort: 'measure', up: false, picked: [], all: false,
	far: false, inverted: false, zoom: [], near: null, brush: 'born', panel: null,
});

/* Whether samples are chosen by what became of them. */
export const byFate = (q: Query): boolean => q.died !== null || q.at !== null || q.life !== null;

/* Whether anything is filtered. */
export const isFiltered = (q: Query): boolean =>
	byFate(q) || q.born !== null || q.cls + q.pkg + q.thread + q.text.trim() !== '';

/* The query without its filters. */
export function unfiltered(q: Query): Query {
	const { born, died, at, life, cls, pkg, thread, text } = emptyQuery();
	return { ...q, born, died, at, life, cls, pkg, thread, text };
}
