/* Why nothing is said of a row's lives. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loaded } from '../../src/app/loaded';
import { openContainer } from '../../src/data/container';
import { FATES, traceOf } from '../../src/data/trace';
import { evidenceText, largeText } from '../../src/word/evidence';
import { encode } from '../support/encode';
import { makeRaw } from '../support/make_data';
import { ask } from '../support/small';

/* One class for each count of bytes that its objects have: those of more than `most` were not followed. */
function texts(most: number, document: Record<string, unknown>): string[] {
	const r = makeRaw({ samples: 3000, dust: 5, document });
	const { 'sample.size': size, 'sample.fate': fate } = r.columns;
	r.columns['sample.fate'] = Array.from(fate, (f, i) => size[i] > most ? FATES.unfollowed : f);
	r.columns['sample.lives'] = Array.from(r.columns['sample.lives'], (x, i) => size[i] > most ? 0 : x);
	const answer = ask({ by: 'class' }, new Loaded(traceOf(openContainer(encode(r)))));
	return Array.from({ length: answer.groups.count }, (_, g) => answer.survival(g).evidence())
		.filter((e) => e.tooFew && !e.followed).map((e) => evidenceText(e, 'young'));
}

test('of what is too large to be followed no number of samples would tell', () => {
	const large = texts(1000, { large: 1000 });
	assert.ok(large.includes('too large to be followed'));
	for (const document of [{}, { large: 1e9 }, { large: null }])
		assert.ok(!texts(1000, document).includes('too large to be followed'));
	assert.ok(texts(1000, {}).includes('0 samples, too few to say'));
});

test('one sample is one', () => {
	const e = { followed: 1, seen: 0, tooFew: true, large: 0 };
	assert.equal(evidenceText(e, 'young'), '1 sample, too few to say');
	assert.equal(evidenceText({ ...e, followed: 1200 }, 'full'), '1\u202f200 samples, 0 of them seen by an old GC');
});

test('beside a curve stands how much of the row is too large to be followed, where it is not little', () => {
	const e = { followed: 100, seen: 100, tooFew: false };
	assert.equal(largeText({ ...e, large: 0.39 }), '39.0 % too large to be followed');
	assert.equal(largeText({ ...e, large: 0.05 }), '');
	assert.equal(largeText({ ...e, large: 0 }), '');
});
