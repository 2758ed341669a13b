import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openContainer } from '../../src/data/container';
import { traceOf } from '../../src/data/trace';
import { groupsOf } from '../../src/sum/groups';
import { encode, type Raw } from '../support/encode';
import { makeRaw } from '../support/make_data';

const raw = (): Raw => makeRaw({ samples: 300, dust: 3 });

function placesOf(r: Raw): string[] {
	const { count, label } = groupsOf(traceOf(openContainer(encode(r))), 'site');
	return Array.from({ length: count }, (_, row) => label(row).place);
}

test('a row names the application caller that it was given', () => {
	const names = placesOf(raw()).filter((place) => place.startsWith('j.u.Arrays.copyOf:3541'));
	assert.deepEqual(names, ['j.u.Arrays.copyOf:3541 ← … o.s.http.Json.write:57']);
});

test('and none where no caller stands for enough of it, whatever its site has', () => {
	const r = raw();
	r.columns['row.caller'] = Array.from(r.columns['row.caller'], () => 0);
	assert.ok(placesOf(r).includes('j.u.Arrays.copyOf:3541'));
	assert.ok(placesOf(r).every((place) => !place.includes('← … ')));
});

test('a caller that is no frame is none', () => {
	const r = raw();
	r.columns['row.caller'] = Array.from(r.columns['row.caller'], () => 1e6);
	assert.ok(placesOf(r).every((place) => !place.includes('← … ')));
});
