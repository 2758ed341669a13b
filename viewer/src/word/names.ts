/* Java names on the screen: doc/metrics.md, "Names on the screen"; src/model/names.c, src/report/short.c. */

/*
 * Control characters and marks that change the direction of reading would let a name draw itself; with what shows nothing
 * two names would look like one. As src/report/text.c.
 */
const UNSAFE = new RegExp('[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f' +
	'\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffd\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}' +
	'\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}]', 'gu');
const LENGTH_MAX = 400;

/* A name as it may be shown: harmless characters, and not longer than a person reads. */
export function cleaned(name: string, most = LENGTH_MAX): string {
	const short = name.length > most ? `${name.slice(0, most)}…` : name;
	return short.replace(UNSAFE, '?');
}

/* The same of a sentence, which may hold several names. */
export const cleanedSentence = (text: string): string => cleaned(text, 5 * LENGTH_MAX);

/* A dot after a $ or a / belongs to a generated name, not to the package. */
function packageLength(name: string): number {
	const end = name.search(/[$/]/);
	const dot = name.lastIndexOf('.', end < 0 ? undefined : end);
	return Math.max(dot, 0);
}

export const packageOf = (name: string): string => name.slice(0, packageLength(name));

export function simpleOf(name: string): string {
	const length = packageLength(name);
	return length ? name.slice(length + 1) : name;
}

const JDK = ['java.', 'javax.', 'jdk.', 'sun.', 'com.sun.'];

export const isJdk = (name: string): boolean => JDK.some((root) => name.startsWith(root));

/* "o.a.l.util.ByteBlockPool"; those of the JDK wholly: "j.u.Arrays". */
export function shortClass(name: string): string {
	const parts = packageOf(name).split('.').filter((part) => part !== '');
	const whole = isJdk(name) ? parts.length : parts.length - 1;
	const initials = parts.map((part, i) => i < whole ? [...part][0] : part);
	return [...initials, simpleOf(name)].join('.');
}
