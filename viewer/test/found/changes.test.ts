import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedOf, changesOf } from '../../src/found/changes';
import { changeOf, changeText } from '../../src/word/change';
import { diffDocument, LONG } from '../support/documents';

const words = (ratio: number | null, lo: number | null = null, hi: number | null = null, a = 1, b = 2): string => {
	const text = changeText(changeOf({ a, b, ratio, lo, hi }));
	return text ? `${text.text} ${text.spread}`.trim() : '–';
};

test('changes read as on the screen of mayfly diff', () => {
	assert.equal(words(0.53, 0.51, 0.55), '−47 % ±2');
	assert.equal(words(1.057, 0.987, 1.127), '+5.7 % ±7');
	assert.equal(words(1.002, 0.982, 1.022), '+0.2 % ±2');
	assert.equal(words(1.0004, 0.9964, 1.0044), '±0 % ±0.4');
	assert.equal(words(3.2, 3, 3.4), '×3.2');
	assert.equal(words(12.4), '×12');
	assert.equal(words(2.5, 1, 4), '+150 % ±>100');
	assert.equal(words(2.5, 1, null), '+150 % ±>100');
	assert.equal(words(0.928), '−7.2 %');
	assert.equal(words(0), 'gone');
	assert.equal(words(null, null, null, 0, 5), 'new');
	assert.equal(words(null, null, null, 0, 0), '–');
});

const changes = changesOf(diffDocument())!;

test('figures: those that are known, by the second where they grow with the run', () => {
	assert.deepEqual(changes.figures.map(({ name }) => name), ['allocated a second', 'young GCs a second', 'time in GC pauses a second',
		'mean GC pause', 'longest GC pause', 'heap in use after a GC, on average', 'run time']);
	const [alloc, young, pause] = changes.figures;
	assert.deepEqual(alloc, { name: 'allocated a second', a: '1.10 GB', b: '980 MB', change: { text: '−11 %', spread: '±2' }, chance: true });
	assert.deepEqual([young.a, young.b, young.chance], ['4.1', '3.4', false]);
	assert.deepEqual([pause.a, pause.b, pause.change.text], ['25.0 ms', '20.0 ms', '−20 %']);
});

test('figures that one side does not know are shown all the same', () => {
	const shown = (heap: unknown): unknown => changesOf({ by: 'site', rows: [], figures: { heap } })!.figures.map(
		({ a, b, change, chance }) => [a, b, change.text, chance]);
	assert.deepEqual(shown({ a: null, b: 2e6, ratio: null, lo: null, hi: null, p: null }), [['?', '2.00 MB', '–', false]]);
	assert.deepEqual(shown({ a: 2e6, b: null, ratio: null, lo: null, hi: null, p: null }), [['2.00 MB', '?', '–', false]]);
	assert.deepEqual(shown({ a: 0, b: 0, ratio: null, lo: null, hi: null, p: null }), []);
	assert.deepEqual(shown({ a: null, b: null, ratio: null, lo: null, hi: null, p: null }), []);
});

test('rows are divided by what the document says of them, in its order', () => {
	assert.deepEqual(changes.changed.map((row) => row.class), ['java.lang.StringBuilder', 'org.apache.lucene.index.Term[]',
		'<script>alert("x")</script>', 'org.shop.Nowhere']);
	assert.deepEqual(changes.same.map((row) => row.class), [LONG, 'byte[]', 'org.shop.cart.Session']);
	/* p says nothing here: the document does. */
	const odd = changesOf({ by: 'site', rows: [{ alloc: { a: 1, b: 9, ratio: 9, p: 1e-9 } }, { alloc: { p: 1 }, changed: true }] })!;
	assert.equal(odd.changed.length, 1);
	assert.equal(changedOf(odd.changed[0], false).p, 'p 1.0');
});

test('a row that changed, and one whose lives did', () => {
	const gone = changedOf(changes.changed[0], changes.perSecond), term = changedOf(changes.changed[1], changes.perSecond);
	assert.deepEqual([gone.more, gone.change.text, gone.a, gone.b, gone.p], ['−160 MB/s', 'gone', '160 MB/s', '0 B/s', 'p < 0.001']);
	assert.equal(gone.lives, '', 'lives are known in one only');
	assert.deepEqual([term.changed, term.livesChanged, term.lives, term.livesP], [false, true, '97.4 % → 4.1 %', 'p < 0.001']);
	assert.deepEqual([term.more, `${term.change.text} ${term.change.spread}`], ['+3.90 MB/s', '+6.1 % ±7']);
	assert.equal(changedOf(changes.same[1], false).lives, '');
	assert.ok(changedOf(changes.same[0], false).spot.at.length < 1000);
	assert.equal(changedOf(changes.changed[2], true).p, 'p 0.012');
});

test('what is no diff by site is none', () => {
	for (const x of [undefined, null, [], {}, { by: 'site' }, { by: 'class', rows: [] }])
		assert.equal(changesOf(x), null);
	const { figures, changed, same, notes } = changesOf({ by: 'site', rows: [null, 4], figures: [], notes: {} })!;
	assert.deepEqual([figures, changed.length, same.length, notes], [[], 0, 2, []]);
	assert.equal(changedOf({}, false).more, '?');
});
