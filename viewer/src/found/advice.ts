/* What is worth changing, as `advise --json` tells it. */

import { type Json, jsonList, jsonNumber, jsonObject, jsonText } from '../data/info';
import { cleaned, cleanedSentence } from '../word/names';
import { rateText, shareText } from '../word/units';
import { type Window, windowOf } from './churn';
import { type Frame, frameOf, shortOf, type Spot, spotOf } from './places';

export interface Advice {
	title: string;
	cost: string; /* "1.2 % of the time in GC", or bytes a second */
	sure: string; /* sure, likely, possible */
	spot: Spot | null; /* null: of the run as a whole */
	callers: string; /* that most of it comes by */
	texts: [label: string, text: string][];
	window: Window | null;
}

export interface Advised {
	list: Advice[];
	summary: string;
	left: string; /* what there is beside */
	notes: string[];
}

const TEXTS = ['is', 'do', 'option', 'then'];
const CALLERS_MAX = 4;

function costOf(o: Json): string {
	const bytes = jsonNumber(o.bytes_per_s);
	if (typeof o.gc_ms_per_s === 'number')
		return `${shareText(o.gc_ms_per_s / 1000)} of the time in GC`;
	if (typeof o.gc_ms_per_s_most === 'number')
		return `at most ${shareText(o.gc_ms_per_s_most / 1000)} of the time in GC`;
	return bytes > 0 ? rateText(bytes) : '';
}

const same = (a: Frame, b: Frame): boolean => a.class === b.class && a.method === b.method && a.line === b.line;

/* Those behind the place's own frames, if the path is one of them at all. */
function callersOf(o: Json, frames: Frame[]): string {
	const path = jsonList(o.path).map(frameOf), caller = o.caller ? frameOf(o.caller) : null;
	if (!frames.every((frame, i) => path[i] && same(path[i], frame)))
		return '';
	const said = caller ? path.findIndex((frame) => same(frame, caller)) : -1;
	const rest = path.slice(Math.max(frames.length, said + 1)).slice(0, CALLERS_MAX);
	return rest.map((frame) => `← ${shortOf(frame)}`).join(' ');
}

/* No line ends between a number and its per cent. */
const sentence = (x: unknown): string => cleanedSentence(jsonText(x)).replaceAll(' %', '\u00a0%');

function adviceOf(x: unknown): Advice {
	const o = jsonObject(x), spot = spotOf(o);
	return {
		title: cleaned(jsonText(o.title) || jsonText(o.rule) || 'A finding'),
		cost: costOf(o),
		sure: cleaned(jsonText(o.sure)),
		spot,
		callers: spot ? callersOf(o, spot.frames) : '',
		texts: TEXTS.map((key): [string, string] => [key, sentence(o[key])]).filter(([, text]) => text !== ''),
		window: windowOf(o),
	};
}

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/* `samples`, `gcs`: of the trace, to say why there is nothing. */
function summaryOf(advice: Json, count: number, samples: number, gcs: number): string {
	const pause = jsonObject(advice.run).pause_ms_per_s, all = count + jsonNumber(advice.hidden);
	const cost = gcs && typeof pause === 'number' ? ` GC pauses took ${shareText(pause / 1000)} of the time.` : '';
	if (count)
		return `${counted(all, 'finding', 'findings, the costliest first; they overlap')}.${cost}`;
	if (!samples)
		return 'Nothing to fix: nothing was sampled.';
	if (!gcs)
		return 'Nothing to fix: no collection ran while it was recorded.';
	return `Nothing to fix: no place stands out by what it costs.${cost}`;
}

/* null where the page has no advice. */
export function advisedOf(advice: unknown, samples: number, gcs: number): Advised | null {
	const o = jsonObject(advice);
	if (!Array.isArray(o.findings))
		return null;
	const list = o.findings.map(adviceOf), hidden = jsonNumber(o.hidden), small = jsonNumber(o.small);
	const left = [
		hidden ? `${hidden} more: mayfly advise --limit 0 shows them.` : '',
		small ? `Left out: ${counted(small, 'finding', 'findings')} worth too little (mayfly advise --min 0).` : '',
	];
	return {
		list,
		summary: summaryOf(o, list.length, samples, gcs),
		left: left.filter((text) => text !== '').join(' '),
		notes: jsonList(o.notes).map(jsonText).filter((note) => note !== '').map(cleanedSentence),
	};
}
