import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataError, fromBase64, inflate, openContainer } from '../../src/data/container';
import { traceOf } from '../../src/data/trace';
import { encode, toBase64 } from '../support/encode';
import { makeData, makeRaw } from '../support/make_data';
import { Random } from '../support/random';

const small = makeData({ samples: 300, dust: 3 });

test('what is packed is what is unpacked', async () => {
	assert.deepEqual(await inflate(fromBase64(toBase64(small))), new Uint8Array(small));
});

test('damage is told in a sentence', async () => {
	assert.throws(() => fromBase64('äöü'), DataError);
	await assert.rejects(inflate(fromBase64('AAAA')), DataError);
	const packed = fromBase64(toBase64(small));
	await assert.rejects(inflate(packed.slice(0, packed.length / 2)), DataError);
	assert.throws(() => openContainer(new Uint8Array(3)), DataError);
	assert.throws(() => openContainer(new Uint8Array(99)), /not mayfly/);
	const other = small.slice();
	other[8] = 2;
	assert.throws(() => openContainer(other), /version 2/);
	other[8] = 1;
	other.fill(0xff, 12, 16);
	assert.throws(() => openContainer(other), /cut short/);
});

test('numbers are those that were written', () => {
	const raw = makeRaw({ samples: 300, dust: 3 }), { samples, gcs, frames, span } = traceOf(openContainer(encode(raw)));
	const same = (got: ArrayLike<number>, name: string): void =>
		assert.deepEqual(Array.from(got), Array.from(raw.columns[name]), name);
	same(samples.time, 'sample.time');
	same(samples.alloc, 'sample.alloc');
	same(samples.site, 'sample.site');
	same(samples.byAlloc, 'sample.by_alloc');
	same(gcs.pause, 'gc.pause');
	same(frames.parent, 'frame.parent');
	assert.ok(Math.abs(span - 92.4e6) < 1);
	samples.weight.forEach((w, i) => assert.equal(w, Math.fround(raw.columns['sample.weight'][i])));
});

test('columns that are missing, too long or of another length are refused', () => {
	for (const spoil of [
		(c: Record<string, unknown>) => { delete c['sample.size']; },
		(c: Record<string, unknown>) => { c['sample.size'] = null; },
		(c: Record<string, unknown>) => { c['sample.size'] = { type: 'u8', count: 1e12, offset: 0 }; },
		(c: Record<string, unknown>) => { c['sample.size'] = { type: 'u8', count: 10, offset: -1 }; },
		(c: Record<string, unknown>) => { c['sample.size'] = { type: 'toString', count: 1, offset: 0 }; },
		(c: Record<string, unknown>) => { c['sample.size'] = { type: 'u8', count: 10, offset: 0 }; },
	]) {
		const container = openContainer(small);
		spoil(container.document.columns as Record<string, unknown>);
		assert.throws(() => traceOf(container), DataError);
	}
});

test('whatever the bytes say, indices stay inside their tables and callers form no loop', () => {
	const r = new Random(3);
	for (let round = 0; round < 40; round++) {
		const container = openContainer(small.slice());
		for (let i = 0; i < 4000; i++)
			container.bytes[r.below(container.bytes.length)] = r.below(256);
		const t = traceOf(container), within = (x: ArrayLike<number>, n: number): void => {
			for (let i = 0; i < x.length; i++)
				assert.ok(x[i] >= 0 && x[i] < Math.max(n, 1));
		};
		within(t.samples.site, t.sites.cls.length);
		within(t.sites.frame, t.frames.method.length);
		within(t.sites.row, t.rows.site.length);
		within(t.frames.method, t.methods.cls.length);
		within(t.classes, t.texts.length);
		t.frames.parent.forEach((parent, i) => assert.ok(parent < i || parent === 0));
	}
});
