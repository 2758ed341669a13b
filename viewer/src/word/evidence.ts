/* Why nothing is said of a row's lives: doc/metrics.md, "Evidence". */

import type { Evidence } from '../sum/survival';

const FEW = 10;

export function evidenceText(e: Evidence, clock: 'young' | 'full'): string {
	if (e.large)
		return 'too large to be followed';
	if (e.followed < FEW)
		return `${e.followed} samples, too few to say`;
	if (e.seen < FEW)
		return `${e.followed} samples, ${e.seen} of them seen by ${clock === 'full' ? 'an old' : 'a'} GC`;
	return `${e.followed} samples, but a few outweigh the rest`;
}
