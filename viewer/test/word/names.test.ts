import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleaned, packageOf, shortClass, simpleOf } from '../../src/word/names';

test('packages to initials but the last; those of the JDK wholly', () => {
	assert.equal(shortClass('org.apache.lucene.util.ByteBlockPool'), 'o.a.l.util.ByteBlockPool');
	assert.equal(shortClass('java.util.Arrays'), 'j.u.Arrays');
	assert.equal(shortClass('byte[]'), 'byte[]');
	assert.equal(shortClass('a.B$C.d'), 'a.B$C.d');
});

test('a dot behind $ or / is no package', () => {
	assert.equal(packageOf('a.b.C$$Lambda/0x1.2'), 'a.b');
	assert.equal(simpleOf('a.b.C$$Lambda/0x1.2'), 'C$$Lambda/0x1.2');
	assert.equal(packageOf('.'), '');
});

test('nothing that draws over the page, nor more than a person reads', () => {
	assert.equal(cleaned('a\u202eb\u0000c\nd\u2066e\ufffd'), 'a?b?c?d?e?');
	assert.equal(cleaned('a\u00adb\u3164c\u{e0041}d\u034fe\ufff9f\u1160'), 'a?b?c?d?e?f?');
	assert.equal(cleaned('\u{1f680}\u2764\ufe0f\ud800'), '\u{1f680}\u2764\ufe0f\ud800');
	assert.equal(cleaned('x'.repeat(65536)).length, 401);
	assert.equal(cleaned('größe<i>"&'), 'größe<i>"&');
});
