/* Curves of the lives in a group, on each clock, made when they are asked for. */

import { FATES, type Trace } from '../data/trace';
import type { Lives } from '../pick/lives';
import { type Pick, OUT } from '../pick/pick';
import type { Clock } from '../query/query';
import { AgesMaker, type Ages } from '../stat/ages';
import type { Curve, Lifetime } from '../stat/curve';
import { intervalCurve, intervalLifetimes } from '../stat/interval';
import { massEffective } from '../stat/mass';
import { type Limits, productCurve, seenOf } from '../stat/product';
import { type Shape, shapeOf } from '../stat/shape';
import type { Spans } from '../stat/spans';
import { Total } from '../stat/total';
import { type Turnbull, turnbullFit } from '../stat/turnbull';

export const SHARES = [0.5, 0.9, 0.99] as const; /* quantiles that are shown */

const SAMPLES_MIN = 10; /* effective: doc/metrics.md, "Evidence" */

export interface Evidence {
	followed: number;
	seen: number;
	tooFew: boolean;
	large: number; /* the share of its bytes that is too large to be followed */
}

/* The samples of a cohort, sorted by group: those of group g are order[from[g]] … order[from[g + 1] - 1]. */
export interface Members {
	order: Int32Array;
	from: Int32Array;
}

export function membersOf(pick: Pick, group: Int32Array, count: number): Members {
	const from = new Int32Array(count + 2);
	for (let i = 0; i < group.length; i++)
		if (pick.state[i] !== OUT)
			from[group[i] + 2]++;
	for (let g = 2; g < from.length; g++)
		from[g] += from[g - 1];
	const order = new Int32Array(from[count + 1]);
	for (let i = 0; i < group.length; i++)
		if (pick.state[i] !== OUT)
			order[from[group[i] + 1]++] = i;
	return { order, from: from.subarray(0, count + 1) };
}

type Flow = 'mb' | 'ms';

export const isFlow = (clock: Clock): clock is Flow => clock === 'mb' || clock === 'ms';

export class Survival {
	private readonly byBytes: Partial<Record<'young' | 'full', Ages>> = {};
	private readonly curves = new Map<string, Curve>();
	private readonly fits: Partial<Record<Flow, { spans: Spans; fit: Turnbull }>> = {};
	private readonly quantiles: Partial<Record<Flow, Lifetime[]>> = {};

	constructor(
		private readonly trace: Trace,
		private readonly lives: Lives,
		private readonly members: Int32Array /* samples */) {
	}

	/* By bytes on the clocks of collections, by objects on those that flow. */
	curve(clock: Clock, limits: Limits, upto = Infinity): Curve {
		const key = `${clock} ${limits} ${upto}`;
		const known = this.curves.get(key);
		if (known)
			return known;
		const curve = isFlow(clock)
			? this.flowing(clock, limits)
			: this.counted(clock === 'full' ? 'full' : 'young', limits, upto);
		this.curves.set(key, curve);
		return curve;
	}

	/* The quantiles of SHARES. */
	lifetimes(clock: Flow): Lifetime[] {
		const { spans, fit } = this.fitted(clock);
		return this.quantiles[clock] ??= intervalLifetimes(spans, SHARES, fit);
	}

	shape(): Shape {
		if (this.evidence().tooFew)
			return 'unknown';
		return shapeOf(this.curve(this.trace.info.clock, 'none'), this.trace.info.tenuring);
	}

	evidence(): Evidence {
		const ages = this.ages(this.trace.info.clock);
		const seen = seenOf(ages);
		return { followed: ages.all.n, seen: seen.n, tooFew: massEffective(seen) < SAMPLES_MIN, large: this.large() };
	}

	private large(): number {
		const { size, weight, fate } = this.trace.samples, most = this.trace.info.large;
		let all = 0, large = 0;
		for (const i of this.members) {
			const bytes = weight[i] > 0 ? size[i] * weight[i] : 0;
			all += bytes;
			if (fate[i] === FATES.unfollowed && size[i] > most)
				large += bytes;
		}
		return all ? large / all : 0;
	}

	/* Bytes allocated by those of them that `state` has chosen, with their interval. */
	allocated(): Total {
		const total = new Total(this.trace.info.coarse), { size, weight } = this.trace.samples;
		for (const i of this.members)
			if (weight[i] > 0)
				total.add(size[i], weight[i]);
		return total;
	}

	private counted(clock: 'young' | 'full', limits: Limits, upto: number): Curve {
		const ages = this.ages(clock);
		return productCurve(ages, limits, upto);
	}

	private ages(clock: 'young' | 'full'): Ages {
		return this.byBytes[clock] ??= this.gather(clock);
	}

	private gather(clock: 'young' | 'full'): Ages {
		const maker = new AgesMaker(), { fate, size, lives } = this.trace.samples;
		const { age, died } = this.lives[clock];
		if (clock === 'full' || this.trace.info.lives === 'each')
			for (const i of this.members)
				if (fate[i])
					maker.add(!!died[i], age[i], Math.max(size[i], 1), lives[i]);
		return maker.finish();
	}

	private fitted(clock: Flow): { spans: Spans; fit: Turnbull } {
		const known = this.fits[clock];
		if (known)
			return known;
		const spans = this.lives.cells(clock).gather(this.members, this.trace.samples.lives);
		return this.fits[clock] = { spans, fit: turnbullFit(spans) };
	}

	private flowing(clock: Flow, limits: Limits): Curve {
		const { spans, fit } = this.fitted(clock);
		return intervalCurve(spans, limits !== 'none', fit);
	}
}
