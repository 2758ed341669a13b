import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loaded, type Target } from '../../src/app/loaded';
import { unite } from '../../src/data/unite';
import { spotOf, spotOfSite } from '../../src/found/places';
import { rowFrames } from '../../src/sum/groups';
import { EVIL } from '../support/documents';
import { makeTrace, sample } from '../support/small';

const { trace } = sample(), text = (i: number): string => trace.texts[i];

const framesOf = (row: number): Record<string, unknown>[] => rowFrames(trace, row).map((frame) => {
	const method = trace.frames.method[frame];
	return { class: text(trace.methods.cls[method]), method: text(trace.methods.name[method]), line: trace.frames.line[frame] };
});

const classOf = (row: number): string => text(trace.classes[trace.sites.cls[trace.rows.site[row]]]);

test('every row is found by its class and frames, and no other is', () => {
	for (let row = 1; row < trace.rows.site.length; row++) {
		const spot = spotOf({ class: classOf(row), frames: framesOf(row) })!, target = sample().target(spot);
		assert.equal(target?.by, 'site');
		assert.deepEqual(target?.groups, [row]);
	}
});

test('a site of the diff leads to all rows of its class, method and line', () => {
	const target = (method: string, line: number): Target | null => sample().target(spotOfSite('java.util.HashMap$Node', method, 0, line));
	const rows = target('java.util.HashMap.newNode', 1901)!.groups;
	assert.equal(rows.length, 2, 'callers are told apart in rows, not in the diff');
	for (const row of rows)
		assert.equal(classOf(row), 'java.util.HashMap$Node');
	assert.equal(target('java.util.HashMap.newNode', 1902), null);
	assert.equal(target('java.util.HashMap.old', 1901), null);
});

test('a class without frames is the row of the class', () => {
	const target = sample().target(spotOf({ class: 'java.util.HashMap$Node', frames: [] })!)!;
	assert.equal(target.by, 'class');
	assert.equal(sample().grouping('class').groups.name(target.groups[0]), 'java.util.HashMap$Node');
	assert.equal(sample().target(spotOf({ class: 'none.Such' })!), null);
	assert.equal(spotOf({ rule: 'threshold' }), null);
});

test('names that agree only in their first 400 characters, or hold separators, are other places', () => {
	const long = 'x'.repeat(500);
	for (const name of [`${long}a`, 'a","b', 'java.util.HashMap$Node\n'])
		assert.equal(sample().target(spotOf({ class: name, frames: [{ class: 'a', method: 'b', line: 1 }] })!), null);
	const evil = sample().target(spotOf({ class: EVIL.cls, frames: [{ class: EVIL.of, method: EVIL.method, line: 1 }] })!);
	assert.equal(classOf(evil!.groups[0]), EVIL.cls);
});

test('in two traces a place is found by the lines of either', () => {
	const moved = makeTrace({ samples: 500, dust: 5, seed: 9, change: (places) => places.map((p) => p.cls !== 'org.shop.cart.Session' ? p
		: { ...p, stack: ['org.shop.cart.Sessions#open:47', ...p.stack.slice(1)] }) });
	const [, b] = unite(makeTrace({ samples: 500, dust: 5 }), moved), loaded = new Loaded(b);
	const at = (line: number): number[] | undefined =>
		loaded.target(spotOf({ class: 'org.shop.cart.Session', frames: [{ class: 'org.shop.cart.Sessions', method: 'open', line }] })!)?.groups;
	assert.equal(at(41)?.length, 1);
	assert.deepEqual(at(47), at(41));
	assert.deepEqual(loaded.target(spotOfSite('org.shop.cart.Session', 'org.shop.cart.Sessions.open', 41, 47))?.groups, at(41));
});

test('what is shown of a place is short and harmless', () => {
	const spot = spotOf({ class: 'a.b.C', frames: [{ class: 'java.util.Arrays', method: 'copyOf', line: 3 }, { class: 'a.b.D', method: 'x', line: null }],
		caller: { class: 'a.E', method: 'y', line: 9 }, callers: 12 })!;
	assert.equal(spot.title, 'C');
	assert.equal(spot.at, 'j.u.Arrays.copyOf:3 ← a.b.D.x ← … a.E.y:9 ← 12 callers');
	const moved = spotOfSite('a.b.C', 'a.b.D.x', 5, 8);
	assert.equal(moved.at, 'a.b.D.x:8 (was :5)');
	const evil = spotOfSite('C', `a\u2028\u202e.${'y'.repeat(65000)}`, 0, 0);
	assert.ok(evil.at.length < 1000 && !/[\u2028\u202e]/.test(evil.at + evil.full));
});
