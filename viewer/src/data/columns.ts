/* Columns by name, of any stored type, as arrays of numbers; every length checked. */

import { type Container, DataError } from './container';

const WIDTHS: Record<string, number> = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 };

type Typed = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const TYPES: Record<string, new (buffer: ArrayBuffer) => Typed> = {
	u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array,
};

/* Every machine with a browser is little-endian, as the columns are; one that isn't would show nonsense. */
const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

interface Place {
	type: string;
	count: number;
	offset: number;
	delta: boolean;
}

const isCount = (x: unknown): x is number => Number.isSafeInteger(x) && (x as number) >= 0;

function placeOf(value: unknown, name: string, size: number): Place {
	const { type, count, offset, delta } = (value ?? {}) as Record<string, unknown>;
	if (typeof type !== 'string' || !Object.hasOwn(WIDTHS, type) || !isCount(count) || !isCount(offset))
		throw new DataError(`The data in this page tell no place for the column ${name}.`);
	if (count * WIDTHS[type] > size - offset)
		throw new DataError(`The data in this page are cut short in the column ${name}.`);
	return { type, count, offset, delta: delta === true };
}

export class Columns {
	private readonly bytes: Uint8Array;
	private readonly places: Record<string, unknown>;

	constructor(container: Container) {
		const { bytes, document } = container;
		if (!LITTLE)
			throw new DataError('This page can’t be read on a big-endian machine.');
		this.bytes = bytes;
		const places = document.columns;
		this.places = typeof places === 'object' && places !== null ? places as typeof this.places : {};
	}

	has(name: string): boolean {
		return Object.hasOwn(this.places, name);
	}

	/* A column of exactly `count` numbers (any count unless told). */
	read(name: string, count?: number): Float64Array {
		if (!this.has(name))
			throw new DataError(`The data in this page lack the column ${name}.`);
		const { type, count: n, offset, delta } = placeOf(this.places[name], name, this.bytes.length);
		if (count !== undefined && n !== count)
			throw new DataError(`The column ${name} has ${n} rows instead of ${count}.`);
		/* A copy, for the bytes may lie at any address. */
		const stored = new Uint8Array(n * WIDTHS[type]);
		stored.set(this.bytes.subarray(offset, offset + stored.length));
		const values = new Float64Array(new TYPES[type](stored.buffer));
		if (delta)
			for (let i = 1; i < n; i++)
				values[i] += values[i - 1];
		return values;
	}

	/* Indices into a table of `limit` rows; what is none becomes 0, "unknown". */
	index(name: string, limit: number, count?: number): Int32Array {
		const values = this.read(name, count), indices = new Int32Array(values.length);
		for (let i = 0; i < values.length; i++) {
			const at = values[i];
			indices[i] = at >= 0 && at < limit ? at | 0 : 0;
		}
		return indices;
	}
}
