/* Seeded random numbers (splitmix32), so that every run makes the same data. */

export class Random {
	constructor(private state: number) {
	}

	/* 0 … 1, without 1 */
	next(): number {
		this.state = (this.state + 0x9e3779b9) | 0;
		let t = this.state ^ (this.state >>> 16);
		t = Math.imul(t, 0x21f0aaad);
		t ^= t >>> 15;
		t = Math.imul(t, 0x735a2d97);
		return ((t ^ (t >>> 15)) >>> 0) / 2 ** 32;
	}

	below(n: number): number {
		return Math.floor(this.next() * n);
	}

	exponential(mean: number): number {
		return -mean * Math.log(1 - this.next());
	}

	normal(mean: number, sigma: number): number {
		const r = Math.sqrt(-2 * Math.log(1 - this.next()));
		return mean + sigma * r * Math.cos(2 * Math.PI * this.next());
	}

	/* An index, each with the probability of its weight. */
	weighted(weights: number[]): number {
		let left = this.next() * weights.reduce((a, b) => a + b, 0);
		for (let i = 0; i < weights.length; i++) {
			left -= weights[i];
			if (left < 0)
				return i;
		}
		return weights.length - 1;
	}
}
