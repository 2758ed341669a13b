/* The traces in the page. */

import { fromBase64, inflate, openContainer } from './container';
import { type Trace, traceOf } from './trace';
import { unite } from './unite';

/* One, or two for a comparison: `a` first. Throws DataError. */
export async function loadTraces(page: Document): Promise<Trace[]> {
	const traces: Trace[] = [];
	for (const element of page.querySelectorAll('script[data-trace]')) {
		traces.push(traceOf(openContainer(await inflate(fromBase64((element.textContent ?? '').trim())))));
		element.remove(); /* its text is large */
	}
	return traces.length > 1 ? unite(traces[0], traces[1]) : traces;
}
