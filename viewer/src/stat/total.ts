/* An estimated total with its interval: doc/metrics.md, "total"; src/stat/total.c. */

import { gammaCdf, gammaQuantile, rootFind } from './special';

const TAIL = 0.025;

export interface Estimate {
	value: number;
	lo: number;
	hi: number;
}

/* `unit` times a gamma variate of mean `count`. */
interface Scaled {
	unit: number;
	count: number;
}

const scaledOf = (mean: number, variance: number): Scaled =>
	({ unit: variance / mean, count: mean * mean / variance });

/* Of the even mixture. */
function quantile(two: Scaled[], p: number): number {
	const [a, b] = two.map((s) => s.unit * gammaQuantile(s.count, p));
	const cdf = (x: number): number => two.reduce((sum, s) => sum + gammaCdf(s.count, x / s.unit), 0) / 2;
	return rootFind(cdf, p, Math.min(a, b), Math.max(a, b), 1e-9 * Math.max(a, b));
}

export class Total {
	n = 0;
	sum = 0;
	private variance = 0;
	private largest = 0;
	private seen = 0; /* less than that there can't be */

	/* x of one object (1, or its size), and how many objects the sample stands for. */
	add(x: number, weight: number): void {
		/* One that was scaled below 1 (doc/page-data.md) is certain, and is no proof of more than it stands for. */
		const term = x * x * weight * Math.max(weight - 1, 0);
		this.n++;
		this.seen += Math.min(x, x * weight);
		this.sum += x * weight;
		this.variance += term;
		this.largest = Math.max(this.largest, term);
	}

	estimate(): Estimate {
		const { sum, variance } = this;
		if (!this.n)
			return { value: 0, lo: 0, hi: Infinity };
		if (!(sum > 0 && variance > 0))
			return { value: sum, lo: sum, hi: sum };
		const two = [
			scaledOf(sum, variance), scaledOf(sum + Math.sqrt(this.largest), variance + this.largest),
		];
		return { value: sum, lo: Math.max(quantile(two, TAIL), this.seen), hi: quantile(two, 1 - TAIL) };
	}
}
