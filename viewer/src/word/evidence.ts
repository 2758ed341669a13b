/* Why nothing is said of a row's lives: doc/metrics.md, "Evidence". */

import type { Evidence } from '../sum/survival';
import { samplesText, shareText } from './units';

const FEW = 10;
const LARGE_TOLD = 0.05;

export function evidenceText(e: Evidence, clock: 'young' | 'full'): string {
	if (e.large > 1 / 2)
		return 'too large to be followed';
	if (e.followed < FEW)
		return `${samplesText(e.followed)}, too few to say`;
	if (e.seen < FEW)
		return `${samplesText(e.followed)}, ${e.seen} of them seen by ${clock === 'full' ? 'an old' : 'a'} GC`;
	return `${samplesText(e.followed)}, but a few outweigh the rest`;
}

/* Beside a curve: how much of the row it says nothing of; '' where that is little. */
export function largeText(e: Evidence): string {
	return e.large > LARGE_TOLD ? `${shareText(e.large)} too large to be followed` : '';
}
