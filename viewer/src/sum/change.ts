/* How a row differs between two recordings: doc/metrics.md, "Filters of the page". */

import type { Answer } from '../app/loaded';

/* What a row allocates of what is selected: bytes a second, or in the run. */
export const amountOf = (answer: Answer, group: number): number => answer.sums.measures.alloc[group] / answer.exposure;

export const changeOf = (base: Answer, answer: Answer, group: number): number =>
	amountOf(answer, group) - amountOf(base, group);
