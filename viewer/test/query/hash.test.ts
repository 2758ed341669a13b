import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHash, toHash } from '../../src/query/hash';
import { emptyQuery, type Query } from '../../src/query/query';
import { Random } from '../support/random';

test('an empty query is an empty hash', () => {
	assert.equal(toHash(emptyQuery()), '');
	assert.deepEqual(fromHash(''), emptyQuery());
	assert.deepEqual(fromHash('#'), emptyQuery());
});

const full: Query = {
	view: 'a', born: { from: 1.25, to: 30 }, died: { from: 3, to: Infinity }, at: 12.5,
	life: { clock: 'mb', from: 0.5, to: Infinity }, cls: '<script>alert("x")&=#', pkg: 'org.größe', thread: 'a b%c',
	text: 'ByteBlockPool -json', by: 'class', measure: 'survived', clock: 'ms', sort: 'many', up: true, picked: [3, 1, 12],
	all: true, far: true, inverted: true, zoom: [4, 9], near: { from: 0, to: 40 }, brush: 'at', panel: 'churn',
};

test('everything in a query comes back from its hash', () => {
	assert.deepEqual(fromHash(toHash(full)), full);
	assert.deepEqual(fromHash(`#${toHash({ ...full, life: 'never' })}`), { ...full, life: 'never' });
});

test('each field alone comes back', () => {
	for (const name of Object.keys(full) as (keyof Query)[]) {
		const q = { ...emptyQuery(), [name]: full[name] };
		assert.deepEqual(fromHash(toHash(q)), q, name);
	}
});

test('what makes no sense is ignored', () => {
	for (const hash of ['born=5~1', 'born=x~2', 'born=1~2~3', 'born=-1~4', 'at=NaN', 'at=', 'life=eons:1~2', 'by=planet',
		'rows=1.x', 'zoom=1.5~', '%E0%A4%A=1', 'q=%E0%A4%A', '=', '&&&', '__proto__=1', 'constructor=2'])
		assert.deepEqual(fromHash(hash), emptyQuery(), hash);
});

test('noise never throws, and reading what was written is stable', () => {
	const r = new Random(7), alphabet = 'abornlifeq=&~:.%0123456789#"\'<>é\u0000';
	for (let i = 0; i < 3000; i++) {
		const text = Array.from({ length: r.below(40) }, () => alphabet[r.below(alphabet.length)]).join('');
		const q = fromHash(text);
		assert.deepEqual(fromHash(toHash(q)), q, text);
	}
});
