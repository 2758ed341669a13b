/* The query as the hash of a URL, and back. What is at its default is left out; what can't be read is ignored. */

import {
	BRUSHES, BYS, CLOCKS, type Clock, emptyQuery, type Life, MEASURES, PANELS, type Query, type Range,
	SORTS, VIEWS,
} from './query';

interface Field<T> {
	put: (value: T) => string; /* '' is the default */
	get: (text: string) => T | undefined;
}

const LIST_MAX = 200;

const numberOf = (text: string): number | undefined => {
	const x = text === '' ? NaN : Number(text);
	return Number.isFinite(x) && x >= 0 ? x : undefined;
};

const short = (x: number): string => String(Number(x.toPrecision(9)));

function rangeOf(text: string): Range | undefined {
	const [first, last, ...rest] = text.split('~');
	const from = numberOf(first), to = last === '' ? Infinity : numberOf(last ?? 'none');
	if (from === undefined || to === undefined || rest.length || to < from)
		return undefined;
	return { from, to };
}

const rangeText = (r: Range): string => `${short(r.from)}~${r.to === Infinity ? '' : short(r.to)}`;

const range: Field<Range | null> = { put: (r) => r ? rangeText(r) : '', get: rangeOf };

const text: Field<string> = { put: (s) => s, get: (s) => s };

const flag: Field<boolean> = { put: (b) => b ? '1' : '', get: (s) => s === '1' };

const moment: Field<number | null> = { put: (x) => x === null ? '' : short(x), get: numberOf };

const life: Field<Life | 'never' | null> = {
	put: (l) => l === null || l === 'never' ? l ?? '' : `${l.clock}:${rangeText(l)}`,
	get: (s) => {
		if (s === 'never')
			return s;
		const [clock, rest] = s.split(':'), r = rangeOf(rest ?? '');
		return r && CLOCKS.includes(clock as Clock) ? { ...r, clock: clock as Clock } : undefined;
	},
};

const list: Field<number[]> = {
	put: (l) => l.join('.'),
	get: (s) => {
		const all = s.split('.').map(numberOf);
		return all.every((x) => Number.isInteger(x)) ? (all as number[]).slice(0, LIST_MAX) : undefined;
	},
};

function one<T extends string>(known: readonly T[], usual: T | null): Field<T> {
	return {
		put: (value) => value === usual ? '' : value,
		get: (s) => known.find((k) => k === s),
	};
}

const usual = emptyQuery();

/* Each key in the hash, and the field of the query that it carries. */
const FIELDS: { [K in keyof Query]: [key: string, field: Field<Query[K]>] } = {
	view: ['view', one(VIEWS, usual.view)],
	born: ['born', range],
	died: ['died', range],
	at: ['at', moment],
	life: ['life', life],
	cls: ['class', text],
	pkg: ['package', text],
	thread: ['thread', text],
	text: ['q', text],
	by: ['by', one(BYS, usual.by)],
	measure: ['measure', one(MEASURES, usual.measure)],
	clock: ['clock', one(CLOCKS, null) as Field<Query['clock']>],
	sort: ['sort', one(SORTS, usual.sort)],
	up: ['up', flag],
	picked: ['rows', list],
	all: ['all', flag],
	far: ['far', flag],
	inverted: ['inverted', flag],
	zoom: ['zoom', list],
	near: ['near', range],
	brush: ['brush', one(BRUSHES, usual.brush)],
	panel: ['panel', one(PANELS, null) as Field<Query['panel']>],
};

const KEYS = Object.keys(FIELDS) as (keyof Query)[];

export function toHash(q: Query): string {
	const parts = KEYS.map((name) => {
		const [key, field] = FIELDS[name] as [string, Field<unknown>];
		const value = q[name] === null ? '' : field.put(q[name]);
		return value === '' ? '' : `${key}=${encodeURIComponent(value)}`;
	});
	return parts.filter((part) => part !== '').join('&');
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return '';
	}
}

export function fromHash(hash: string): Query {
	const q = emptyQuery() as unknown as Record<string, unknown>;
	const given = new Map(hash.replace(/^#/, '').split('&').map((part) => {
		const at = part.indexOf('=');
		return [part.slice(0, Math.max(at, 0)), decoded(part.slice(at + 1))] as const;
	}));
	for (const name of KEYS) {
		const [key, field] = FIELDS[name] as [string, Field<unknown>];
		const value = given.get(key), read = value ? field.get(value) : undefined;
		if (read !== undefined)
			q[name] = read;
	}
	return q as unknown as Query;
}
