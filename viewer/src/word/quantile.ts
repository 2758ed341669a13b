/* A quantile of a lifetime, or the bound that is known: doc/metrics.md, "What is shown when little is known". */

import type { Lifetime } from '../stat/curve';
import type { Clock } from '../query/query';
import { bytesText, timeText } from './units';

export function quantileText(l: Lifetime, clock: Clock): string {
	const open = Number.isNaN(l.hi), close = l.lo >= l.hi / 2;
	const bound = close ? l.value : open ? l.lo : l.hi;
	if (Number.isNaN(bound) || (open && bound <= 0))
		return '?';
	const text = clock === 'ms' ? timeText(bound / 1e9) : bytesText(bound);
	return (close ? '' : open ? '>' : '<') + text;
}
