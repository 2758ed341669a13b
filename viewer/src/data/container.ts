/* The container of doc/page-data.md: base64 of a zlib stream of a document and columns. */

const MAGIC = 'MFLYPAGE';
const VERSION = 1;
const HEADER = 16;

/* A sentence for the person who opened the page. */
export class DataError extends Error {}

export interface Container {
	document: Record<string, unknown>;
	bytes: Uint8Array; /* the columns' */
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	let binary;
	try {
		binary = atob(text);
	} catch {
		throw new DataError('The data in this page are no base64: the file was changed or cut.');
	}
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

export async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
	try {
		return new Uint8Array(await new Response(stream).arrayBuffer());
	} catch {
		throw new DataError('The data in this page do not unpack: the file was changed or cut.');
	}
}

function jsonOf(bytes: Uint8Array): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw new DataError('The data in this page hold no readable document.');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new DataError('The data in this page hold no document.');
	return value as Record<string, unknown>;
}

export function openContainer(data: Uint8Array): Container {
	const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
	const magic = new TextDecoder('latin1').decode(data.subarray(0, MAGIC.length));
	if (data.length < HEADER || magic !== MAGIC)
		throw new DataError('The data in this page are not mayfly’s.');
	const version = view.getUint32(8, true);
	if (version !== VERSION)
		throw new DataError(
			`The data in this page are of version ${version}; this page reads version ${VERSION}.`);
	const length = view.getUint32(12, true);
	if (length > data.length - HEADER)
		throw new DataError('The data in this page are cut short.');
	const end = HEADER + length;
	return {
		document: jsonOf(data.subarray(HEADER, end)),
		bytes: data.subarray(Math.min(data.length, Math.ceil(end / 8) * 8)),
	};
}
