/* An estimated total with its interval: doc/metrics.md, "total"; src/stat/total.c. */

import { gammaCdf, gammaQuantile, rootFind } from './special';

const TAIL = 0.025;

export interface Estimate {
	value: number;
	lo: number;
	hi: number;
}

/* How coarse samples were at some time of the run, where others were finer: of so many one was kept, `interval` bytes apart. */
export interface Coarse {
	odds: number;
	interval: number;
}

/* The deviation of a sample of x (1 at least) as coarse as that: weight_poisson of src/stat/weight.h. */
function coarseError(x: number, { odds, interval }: Coarse): number {
	const weight = odds * (interval > 1 ? -1 / Math.expm1(-Math.floor(x) / interval) : 1);
	return x * Math.sqrt(weight * Math.max(weight - 1, 0));
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
	private objects = 0;

	/* `coarse`: of the run, of which x are sizes. */
	constructor(private readonly coarse?: Coarse) {
	}

	/* x of one object (1, or its size), and how many objects the sample stands for. */
	add(x: number, weight: number): void {
		/* One that was scaled below 1 (doc/page-data.md) is certain, and is no proof of more than it stands for. */
		const term = x * x * weight * Math.max(weight - 1, 0);
		this.n++;
		this.seen += Math.min(x, x * weight);
		this.sum += x * weight;
		this.objects += weight;
		this.variance += term;
		this.largest = Math.max(this.largest, term);
	}

	/* That of a sample of the mean size, where others of the run were coarser and may have met none of it. */
	private missed(): number {
		const size = this.objects > 0 ? this.sum / this.objects : 0;
		return this.coarse && size >= 1 ? coarseError(size, this.coarse) : 0;
	}

	/* `more`: the deviation of one sample more. */
	private limit(more: number, p: number): number {
		const { sum, variance } = this, one = scaledOf(sum + more, variance + more * more);
		if (!(variance > 0))
			return more > 0 && p > 0.5 ? Math.max(sum, one.unit * gammaQuantile(one.count, 2 * p - 1)) : sum;
		return quantile([scaledOf(sum, variance), one], p);
	}

	estimate(): Estimate {
		const { sum, variance } = this, coarse = this.missed();
		if (!this.n)
			return { value: 0, lo: 0, hi: Infinity };
		if (!(sum > 0 && (variance > 0 || coarse > 0)))
			return { value: sum, lo: sum, hi: sum };
		const more = Math.sqrt(this.largest);
		return {
			value: sum, lo: Math.max(this.limit(more, TAIL), this.seen),
			hi: this.limit(Math.max(more, coarse), 1 - TAIL),
		};
	}
}
