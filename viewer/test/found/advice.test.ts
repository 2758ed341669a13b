import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advisedOf } from '../../src/found/advice';
import { churnOf } from '../../src/found/churn';
import { adviceDocument, churnDocument, EVIL } from '../support/documents';

const advised = advisedOf(adviceDocument(), 1000, 90)!;

test('a finding has title, worth, how sure, where, what to do and what would come of it', () => {
	const [run, mid, growth] = advised.list;
	assert.equal(run.title, 'Objects are copied more often than it helps');
	assert.equal(run.cost, '1.2 % of the time in GC');
	assert.equal(run.sure, 'likely');
	assert.equal(run.spot, null);
	assert.deepEqual(run.texts.map(([label]) => label), ['is', 'do', 'option', 'then']);
	assert.equal(run.texts[2][1], '-XX:MaxTenuringThreshold=4');
	assert.equal(mid.cost, 'at most 0.6 % of the time in GC');
	assert.deepEqual(mid.texts.map(([label]) => label), ['is', 'do', 'then']);
	assert.equal(mid.spot!.at, 'o.s.cart.Sessions.open:41');
	assert.equal(mid.callers, '← o.s.http.Router.dispatch:88 ← o.s.http.Worker.handle:143');
	assert.equal(growth.cost, '57.3 MB/s');
});

test('the summary counts those left out, and says what pauses took', () => {
	assert.equal(advised.summary, '8 findings, the costliest first; they overlap. GC pauses took 2.1 % of the time.');
	assert.match(advised.left, /^2 more: .* Left out: 1 finding worth too little/);
});

test('nothing to fix is said as such, and why', () => {
	const none = { findings: [], run: { pause_ms_per_s: 5.6 }, notes: ['n'] };
	assert.equal(advisedOf(none, 10, 5)!.summary, 'Nothing to fix: no place stands out by what it costs. GC pauses took 0.6 % of the time.');
	assert.match(advisedOf(none, 0, 5)!.summary, /nothing was sampled/);
	assert.match(advisedOf(none, 10, 0)!.summary, /no collection ran/);
	assert.deepEqual(advisedOf(none, 10, 5)!.notes, ['n']);
	for (const x of [undefined, null, 3, 'x', {}, { findings: 'all' }])
		assert.equal(advisedOf(x, 1, 1), null);
});

test('what makes no sense is left out', () => {
	const { list } = advisedOf({ findings: [null, 7, {}, { frames: 3, class: 4, is: [], gc_ms_per_s: 'x', path: {} }] }, 1, 1)!;
	for (const advice of list)
		assert.deepEqual(advice, { title: 'A finding', cost: '', sure: '', spot: null, callers: '', texts: [], window: null });
});

test('no text has what could steer a screen', () => {
	const evil = advised.list.find((advice) => advice.title.includes('script'))!, long = advised.list.find((advice) => advice.title.startsWith('<b>'))!;
	assert.ok(long.title.length < 500 && long.spot!.at.length < 1000 && long.texts.every(([, text]) => text.length < 2100));
	assert.ok(evil.texts.length === 4 && evil.spot);
	for (const text of [evil.title, evil.sure, ...evil.texts.map(([, t]) => t), evil.spot.at, evil.spot.title, ...advised.notes])
		assert.ok(!/[\u0000-\u001f\u2028\u202e]/.test(text), text);
	assert.ok(evil.texts[0][1].startsWith(EVIL.sentence.slice(0, 40)), 'and says what it says');
});

test('a finding that has a time tells it', () => {
	const { list } = advisedOf({ findings: [{ title: 'x', from_ms: 1500, to_ms: 2500 }, { title: 'y', from_ms: 3, to_ms: null }] }, 1, 1)!;
	assert.deepEqual(list.map(({ window }) => window), [{ from: 1.5, to: 2.5 }, null]);
});

test('a window of churn, and one that is none', () => {
	const [window] = churnDocument(100).windows as Record<string, unknown>[], churn = churnOf(window);
	assert.deepEqual(churn.window, { from: 42, to: 55 });
	assert.match(churn.title, /^42\.0 s – 55\.0 s: 2\.40 GB\/s of garbage, 2\.1 × the average$/);
	assert.equal(churn.lines[0], '94.0 % had survived 0, 5.0 % had survived 1, 1.0 % had survived 16 or more GCs');
	assert.deepEqual(churn.places.map(({ share }) => share), ['31.0 %', '3.0 %', '1.0 %']);
	assert.equal(churnOf({ from_ms: 5, to_ms: 5 }).window, null);
	assert.equal(churnOf({}).window, null);
});
