/* Writes what the page reads: doc/page-data.md. What src/page does, for tests. */

import { deflateSync } from 'node:zlib';

export type RawColumns = Record<string, ArrayLike<number>>;

export interface Raw {
	document: Record<string, unknown>; /* without `columns` */
	columns: RawColumns;
	delta?: string[]; /* which columns are told as differences */
}

interface Stored {
	type: string;
	bytes: Uint8Array;
}

function stored(name: string, values: number[]): Stored {
	const top = values.reduce((a, b) => Math.max(a, b), 0);
	const whole = values.every((x) => Number.isInteger(x) && x >= 0);
	let array: ArrayBufferView = new Float64Array(values), type = 'f64';
	if (/weight|lives$/.test(name))
		[array, type] = [new Float32Array(values), 'f32'];
	else if (whole && top < 256)
		[array, type] = [new Uint8Array(values), 'u8'];
	else if (whole && top < 65536)
		[array, type] = [new Uint16Array(values), 'u16'];
	else if (whole && top < 2 ** 32)
		[array, type] = [new Uint32Array(values), 'u32'];
	return { type, bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength) };
}

const differences = (x: ArrayLike<number>): number[] =>
	Array.from(x, (value, i) => i ? value - x[i - 1] : value);

const padded = (n: number): number => Math.ceil(n / 8) * 8;

/* The data, not packed. */
export function encode(raw: Raw): Uint8Array {
	const places: Record<string, unknown> = {}, chunks: Stored[] = [];
	let offset = 0;
	for (const [name, values] of Object.entries(raw.columns)) {
		const delta = raw.delta?.includes(name) ?? false;
		const chunk = stored(name, delta ? differences(values) : Array.from(values));
		places[name] = { type: chunk.type, count: values.length, offset, ...delta ? { delta } : {} };
		offset += padded(chunk.bytes.length);
		chunks.push(chunk);
	}
	const json = new TextEncoder().encode(JSON.stringify({ ...raw.document, columns: places }));
	const start = padded(16 + json.length), data = new Uint8Array(start + offset);
	data.set(new TextEncoder().encode('MFLYPAGE'));
	new DataView(data.buffer).setUint32(8, 1, true);
	new DataView(data.buffer).setUint32(12, json.length, true);
	data.set(json, 16);
	let at = start;
	for (const { bytes } of chunks) {
		data.set(bytes, at);
		at += padded(bytes.length);
	}
	return data;
}

export const toBase64 = (data: Uint8Array): string => deflateSync(data, { level: 9 }).toString('base64');

/* The page with its data: what mayfly html writes. */
export function fillPage(page: string, traces: Uint8Array[]): string {
	const scripts = traces.map((data, i) =>
		`<script type="application/x-mayfly" data-trace="${'ab'[i]}">${toBase64(data)}</script>`);
	return page.replace('<!--mayfly-data-->', () => scripts.join('\n'));
}
