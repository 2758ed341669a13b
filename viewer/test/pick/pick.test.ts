/* Each filter against a plain reading of its definition (doc/metrics.md, "Filters of the page"). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHOSEN, COHORT, OUT } from '../../src/pick/pick';
import type { Query } from '../../src/query/query';
import { packageOf } from '../../src/word/names';
import { ask, sample } from '../support/small';

const { trace, lives } = sample(), s = trace.samples;
const text = (i: number): string => trace.texts[i];

function stackOf(i: number): string[] {
	const lines: string[] = [];
	for (let f = trace.sites.frame[s.site[i]]; f; f = trace.frames.parent[f]) {
		const m = trace.frames.method[f];
		lines.push(`${text(trace.methods.cls[m])}.${text(trace.methods.name[m])}:${trace.frames.line[f]}`);
	}
	return lines;
}

function check(query: Partial<Query>, cohort: (i: number) => boolean, fate?: (i: number) => boolean): void {
	const { state } = ask(query).pick;
	let chosen = 0;
	for (let i = 0; i < s.count; i++) {
		const want = !cohort(i) ? OUT : !fate || (s.fate[i] > 0 && fate(i)) ? CHOSEN : COHORT;
		assert.equal(state[i], want, `sample ${i}`);
		chosen += want === CHOSEN ? 1 : 0;
	}
	assert.ok(chosen > 0 && chosen < s.count, 'the filter divides the samples');
}

const all = (): boolean => true;

test('allocated in', () =>
	check({ born: { from: 10, to: 20 } }, (i) => s.time[i] >= 10e6 && s.time[i] <= 20e6));

test('died in', () => check({ died: { from: 10, to: 20 } }, all, (i) =>
	s.fate[i] === 1 && s.time[i] + s.byTime[i] >= 10e6 && s.time[i] + s.byTime[i] <= 20e6));

test('alive at', () => check({ at: 30 }, all, (i) => s.time[i] <= 30e6 &&
	(s.time[i] + s.afterTime[i] > 30e6 || (s.fate[i] === 2 && s.afterTime[i] > 0))));

test('class, package, thread', () => {
	check({ cls: 'byte[]' }, (i) => text(trace.classes[trace.sites.cls[s.site[i]]]) === 'byte[]');
	check({ thread: 'http-1' }, (i) => text(trace.threads[s.thread[i]]) === 'http-1');
	check({ pkg: 'org.apache' }, (i) => {
		const method = trace.frames.method[trace.sites.frame[s.site[i]]];
		return `${packageOf(text(trace.methods.cls[method]))}.`.startsWith('org.apache.');
	});
});

test('text: all words, in the class or a frame; a minus takes away', () => {
	const has = (i: number, word: string): boolean =>
		[text(trace.classes[trace.sites.cls[s.site[i]]]), ...stackOf(i)].some((x) => x.toLowerCase().includes(word));
	check({ text: 'JSON arrays' }, (i) => has(i, 'json') && has(i, 'arrays'));
	check({ text: 'http -json' }, (i) => has(i, 'http') && !has(i, 'json'));
	check({ text: 'sessions.open:41' }, (i) => stackOf(i).some((x) => x.toLowerCase().endsWith('sessions.open:41')));
});

test('lifetimes: collections', () => {
	check({ life: { clock: 'young', from: 0, to: 0 } }, all, (i) => s.fate[i] === 1 && s.young[i] === 0);
	check({ life: { clock: 'young', from: 3, to: 9 } }, all, (i) => s.fate[i] === 1 && s.young[i] >= 3 && s.young[i] <= 9);
	check({ life: { clock: 'young', from: 15, to: Infinity } }, all, (i) => s.young[i] >= 15);
	check({ life: { clock: 'full', from: 1, to: Infinity } }, all, (i) => s.full[i] >= 1);
	check({ life: 'never' }, all, (i) => s.fate[i] === 2);
});

test('lifetimes: a range of MB or ms holds only those known to lie in it', () => {
	check({ life: { clock: 'mb', from: 5, to: 500 } }, all, (i) =>
		s.fate[i] === 1 && s.afterAlloc[i] >= 5000 && s.byAlloc[i] <= 500_000);
	check({ life: { clock: 'ms', from: 1000, to: Infinity } }, all, (i) => s.afterTime[i] >= 1e6);
});

test('filters work together', () =>
	check({ born: { from: 5, to: 60 }, cls: 'byte[]', life: { clock: 'young', from: 0, to: 0 } },
		(i) => s.time[i] >= 5e6 && s.time[i] <= 60e6 && text(trace.classes[trace.sites.cls[s.site[i]]]) === 'byte[]',
		(i) => s.fate[i] === 1 && lives.gc.age[i] === 0));
