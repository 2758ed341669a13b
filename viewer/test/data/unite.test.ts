import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loaded } from '../../src/app/loaded';
import type { Trace } from '../../src/data/trace';
import { unite } from '../../src/data/unite';
import { ask, makeTrace } from '../support/small';

const a = makeTrace({ samples: 800, dust: 12 });
const b = makeTrace({ samples: 900, dust: 12, seed: 5, change: (places) => places.slice(2).reverse() });
const [ua, ub] = unite(a, b);

function storyOf(t: Trace, i: number): string {
	const text = (x: number): string => t.texts[x], lines: string[] = [];
	const site = t.samples.site[i];
	for (let f = t.sites.frame[site]; f; f = t.frames.parent[f]) {
		const m = t.frames.method[f];
		lines.push(`${text(t.methods.cls[m])}.${text(t.methods.name[m])}:${t.frames.line[f]}`);
	}
	return [text(t.classes[t.sites.cls[site]]), text(t.threads[t.samples.thread[i]]), ...lines].join('\n');
}

test('every sample tells the same story as before', () => {
	for (const [before, after] of [[a, ua], [b, ub]])
		for (let i = 0; i < before.samples.count; i++)
			assert.equal(storyOf(after, i), storyOf(before, i));
});

test('both speak of the same tables, and the same places have the same rows', () => {
	assert.equal(ua.texts, ub.texts);
	assert.equal(ua.sites, ub.sites);
	const answers = [ua, ub].map((t) => ask({}, new Loaded(t)));
	assert.equal(answers[0].groups.count, answers[1].groups.count);
	for (let row = 1; row < answers[0].groups.count; row++)
		assert.deepEqual(answers[0].groups.label(row), answers[1].groups.label(row));
	const both = [...answers[0].sums.measures.alloc.keys()]
		.filter((row) => answers.every((answer) => answer.sums.measures.alloc[row] > 0));
	assert.ok(both.length >= 8, `${both.length} rows in both`);
});

test('callers of united frames still have smaller indices', () => {
	ua.frames.parent.forEach((parent, i) => assert.ok(parent < i || i === 0));
});

test('a row has the application caller that it has in both', () => {
	const places = (of: Trace): string[] => {
		const { groups } = ask({}, new Loaded(of));
		return Array.from({ length: groups.count }, (_, row) => groups.label(row).place).filter((place) => place.includes('… '));
	};
	const none = { ...a, rows: { ...a.rows, caller: a.rows.caller.map(() => 0) } };
	assert.ok(places(a).length > 0);
	assert.deepEqual(places(unite(a, a)[0]), places(a));
	assert.deepEqual(places(unite(a, none)[0]), []);
	assert.deepEqual(places(unite(none, a)[0]), []);
});
