/* Log-linear bins, exact up to 8, then 8 an octave: src/base/hist.h. Values up to 2^53. */

const BITS = 3;
const PER_OCTAVE = 1 << BITS;

const HIGH = 2 ** 31;
const POWERS = Float64Array.from({ length: 64 }, (_, i) => 2 ** i);

export function histBin(value: number): number {
	if (value < PER_OCTAVE)
		return value;
	const octave = value < HIGH ? 31 - Math.clz32(value) : 62 - Math.clz32(Math.floor(value / HIGH));
	const shift = octave - BITS;
	const within = Math.floor(value / POWERS[shift]) - PER_OCTAVE;
	return (shift + 1) * PER_OCTAVE + within;
}

/* The smallest value of a bin. */
export function histLow(bin: number): number {
	if (bin < PER_OCTAVE)
		return bin;
	const shift = Math.floor(bin / PER_OCTAVE) - 1;
	return (bin % PER_OCTAVE + PER_OCTAVE) * POWERS[shift];
}
