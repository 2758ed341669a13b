/* How a row differs between two recordings: doc/metrics.md, "Filters of the page". */

import type { Answer } from '../app/loaded';

export interface Change {
	rate: number; /* MB/s, from the first to the second */
	sure: boolean; /* the intervals of the two rates don't touch */
}

export function changeOf(base: Answer, answer: Answer, group: number): Change {
	const rates = [base, answer].map((a) => {
		const e = a.survival(group).allocated().estimate();
		return { value: e.value / a.seconds, lo: e.lo / a.seconds, hi: e.hi / a.seconds };
	});
	const [before, after] = rates;
	return {
		rate: (after.value - before.value) / 1e6,
		sure: after.lo > before.hi || after.hi < before.lo,
	};
}
