/* Windows of most garbage, as `churn --json` tells them. */

import { type Json, jsonList, jsonNumber, jsonObject } from '../data/info';
import { bytesText, momentText, rateText, shareText } from '../word/units';
import { type Spot, spotOf } from './places';

export interface Window {
	from: number; /* s */
	to: number;
}

export interface Churn {
	title: string;
	lines: string[];
	places: { share: string; spot: Spot }[];
	window: Window | null;
}

const PLACES_MAX = 6;

/* `from_ms` and `to_ms`, where they are a time. */
export function windowOf(o: Json): Window | null {
	const from = jsonNumber(o.from_ms) / 1000, to = jsonNumber(o.to_ms) / 1000;
	return from >= 0 && to > from ? { from, to } : null;
}

function lifetimesText(x: unknown): string {
	const parts = jsonList(x).map(jsonObject).filter((g) => jsonNumber(g.share) >= 0.005).map((g) => {
		const from = jsonNumber(g.from), to = g.to;
		const age = to === null || to === undefined ? `${from} or more` : to === from ? `${from}` : `${from}–${jsonNumber(to)}`;
		return `${shareText(jsonNumber(g.share))} had survived ${age}`;
	});
	return parts.length ? `${parts.join(', ')} GCs` : '';
}

function placesOf(rows: unknown): Churn['places'] {
	return jsonList(rows).slice(0, PLACES_MAX).flatMap((row) => {
		const spot = spotOf(row), { share } = jsonObject(jsonObject(row).garbage);
		return spot ? [{ share: typeof share === 'number' ? shareText(share) : '', spot }] : [];
	});
}

export function churnOf(o: Json): Churn {
	const window = windowOf(o), gcs = jsonObject(o.gcs), outlived = jsonNumber(jsonObject(o.outlived).bytes);
	const times = jsonNumber(o.times_average), when = window ? `${momentText(window.from)} – ${momentText(window.to)}: ` : '';
	return {
		title: `${when}${rateText(jsonNumber(o.garbage_per_s))} of garbage` +
			(times ? `, ${times.toFixed(1)} × the average` : ''),
		lines: [
			lifetimesText(o.lifetimes),
			gcs.time_share ? `${jsonNumber(gcs.count)} GCs took ${shareText(jsonNumber(gcs.time_share))} of the time` : '',
			outlived ? `${bytesText(outlived)} allocated here outlived it` : '',
		].filter((line) => line !== ''),
		places: placesOf(o.rows),
		window,
	};
}
