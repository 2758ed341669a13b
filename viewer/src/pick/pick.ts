/* Which samples a query takes: doc/metrics.md, "Filters of the page". */

import { FATES, type Trace } from '../data/trace';
import { byFate, type Query } from '../query/query';
import { packageOf } from '../word/names';
import type { Lives } from './lives';
import type { Haystack } from './text';

/*
 * A sample is of the cohort where it is born within the selection: place, thread and time of birth fit.
 * It is chosen where in addition its fate fits. Curves are of the cohort, sums of the chosen.
 */
export const OUT = 0;
export const COHORT = 1;
export const CHOSEN = 2;

export interface Pick {
	state: Uint8Array; /* of each sample */
	byFate: boolean; /* else all of the cohort are chosen, those whose life wasn't followed too */
}

/* 1 for each site that class, package and text allow. */
export function sitesOf(trace: Trace, haystack: Haystack, q: Query): Uint8Array {
	const { texts, sites, frames, methods } = trace;
	const allowed = q.text.trim() ? haystack.find(q.text) : new Uint8Array(sites.cls.length).fill(1);
	const inPackage = q.pkg
		? Array.from(methods.cls, (name) => isWithin(packageOf(texts[name] ?? ''), q.pkg))
		: [];
	for (let i = 0; i < allowed.length; i++) {
		if (q.cls && texts[trace.classes[sites.cls[i]]] !== q.cls)
			allowed[i] = 0;
		if (q.pkg && !inPackage[frames.method[sites.frame[i]]])
			allowed[i] = 0;
	}
	return allowed;
}

/* A package is within itself and within those above it. */
const isWithin = (name: string, of: string): boolean => name === of || name.startsWith(`${of}.`);

function fateOf(trace: Trace, lives: Lives, q: Query): (i: number) => boolean {
	const { fate, time } = trace.samples, tests: ((i: number) => boolean)[] = [];
	if (q.died) {
		const from = q.died.from * 1e6, to = q.died.to * 1e6;
		tests.push((i) => lives.foundDead[i] >= from && lives.foundDead[i] <= to && fate[i] === FATES.died);
	}
	if (q.at !== null) {
		const at = q.at * 1e6;
		tests.push((i) => time[i] <= at && lives.aliveUntil[i] > at);
	}
	if (q.life === 'never')
		tests.push((i) => fate[i] === FATES.alive);
	else if (q.life)
		tests.push(lives.within(q.life));
	const [first = (): boolean => true, ...others] = tests; /* nearly always there is one: asked of each sample */
	return (i) => fate[i] !== FATES.unfollowed && first(i) && others.every((test) => test(i));
}

export function pick(trace: Trace, lives: Lives, haystack: Haystack, q: Query): Pick {
	const { count, site, thread, time } = trace.samples;
	const sites = sitesOf(trace, haystack, q);
	const threads = Uint8Array.from(trace.threads, (name) =>
		!q.thread || trace.texts[name] === q.thread ? 1 : 0);
	const from = q.born ? q.born.from * 1e6 : 0, to = q.born ? q.born.to * 1e6 : Infinity;
	const fates = byFate(q), fits = fateOf(trace, lives, q);
	const state = new Uint8Array(count);
	for (let i = 0; i < count; i++) {
		if (!sites[site[i]] || !threads[thread[i]] || time[i] < from || time[i] > to)
			continue;
		state[i] = !fates || fits(i) ? CHOSEN : COHORT;
	}
	return { state, byFate: fates };
}
