/* What `churn --json` and `advise --json` found, read with care: what is missing is left out. */

import { type Json, jsonList, jsonNumber, jsonObject, jsonText } from '../data/info';
import type { Trace } from '../data/trace';
import { classText, frameText, rowFrames } from '../sum/groups';
import { cleaned, shortClass, simpleOf } from '../word/names';
import { bytesText, momentText, rateText, shareText } from '../word/units';

export interface Finding {
	title: string;
	lines: string[];
	places: { text: string; row: number }[]; /* a row of the report, or -1 where it is none in this page */
	window: { from: number; to: number } | null; /* s */
}

interface Frame {
	class: string;
	method: string;
	line: number;
}

const frameOf = (x: unknown): Frame => {
	const o = jsonObject(x);
	return { class: jsonText(o.class), method: jsonText(o.method), line: jsonNumber(o.line) };
};

const lineOf = (f: Frame): string =>
	cleaned(`${f.class}.${f.method || '(unknown)'}${f.line ? `:${f.line}` : ''}`);

/* Rows of the report by class and frames: how findings speak of them. */
export class RowIndex {
	private readonly rows = new Map<string, number>();

	constructor(trace: Trace) {
		for (let row = 0; row < trace.rows.site.length; row++) {
			const cls = cleaned(classText(trace, trace.sites.cls[trace.rows.site[row]]));
			const frames = rowFrames(trace, row).map((frame) => frameText(trace, frame));
			for (const key of [[cls, ...frames], [cls, frames[0] ?? '']])
				if (!this.rows.has(key.join('\n')))
					this.rows.set(key.join('\n'), row);
		}
	}

	find(cls: string, frames: Frame[]): number {
		const lines = frames.map(lineOf), name = cleaned(cls);
		return this.rows.get([name, ...lines].join('\n')) ?? this.rows.get([name, lines[0] ?? ''].join('\n')) ?? -1;
	}
}

function placeOf(index: RowIndex, x: unknown, what: string): { text: string; row: number } {
	const o = jsonObject(x), frames = jsonList(o.frames).map(frameOf), cls = jsonText(o.class);
	const first = frames[0], at = first ? ` ${shortClass(first.class)}.${first.method}${first.line ? `:${first.line}` : ''}` : '';
	return { text: cleaned(`${what}${simpleOf(cls)}${at}`), row: index.find(cls, frames) };
}

const PLACES_MAX = 6;
const share = (x: unknown): string => {
	const s = jsonObject(x).share;
	return typeof s === 'number' ? `${shareText(s)} ` : '';
};

function lifetimesText(x: unknown): string {
	const parts = jsonList(x).map(jsonObject).filter((g) => jsonNumber(g.share) >= 0.005).map((g) => {
		const from = jsonNumber(g.from), to = g.to;
		const age = to === null || to === undefined ? `${from} or more` : to === from ? `${from}` : `${from}–${jsonNumber(to)}`;
		return `${shareText(jsonNumber(g.share))} had survived ${age}`;
	});
	return parts.length ? `${parts.join(', ')} GCs` : '';
}

function churnOf(index: RowIndex, window: Json): Finding {
	const from = jsonNumber(window.from_ms) / 1000, to = jsonNumber(window.to_ms) / 1000;
	const times = jsonNumber(window.times_average), gcs = jsonObject(window.gcs);
	const outlived = jsonObject(window.outlived);
	return {
		title: `${momentText(from)} – ${momentText(to)}: ${rateText(jsonNumber(window.garbage_per_s))} of garbage` +
			(times ? `, ${times.toFixed(1)} × the average` : ''),
		lines: [
			lifetimesText(window.lifetimes),
			gcs.time_share ? `${jsonNumber(gcs.count)} GCs took ${shareText(jsonNumber(gcs.time_share))} of the time` : '',
			jsonNumber(outlived.bytes) ? `${bytesText(jsonNumber(outlived.bytes))} allocated here outlived it` : '',
		].filter((line) => line !== ''),
		places: jsonList(window.rows).slice(0, PLACES_MAX).map((row) =>
			placeOf(index, row, share(jsonObject(row).garbage))),
		window: to > from ? { from, to } : null,
	};
}

/* A finding of `advise`: doc/page-data.md says which of its keys the page reads. */
function adviceOf(index: RowIndex, x: Json): Finding {
	const sure = jsonText(x.sure), option = jsonText(x.option);
	const texts = [x.is, x.do, option && `Option: ${option}`, x.then];
	return {
		title: cleaned(jsonText(x.title) || jsonText(x.rule)) + (sure ? ` (${cleaned(sure)})` : ''),
		lines: texts.map(jsonText).filter((text) => text !== '').map(cleaned),
		places: x.frames || x.class ? [placeOf(index, x, '')] : [],
		window: null,
	};
}

export interface Findings {
	churn: Finding[];
	advice: Finding[];
	notes: string[];
}

export function findingsOf(trace: Trace): Findings {
	const index = new RowIndex(trace), churn = jsonObject(trace.document.churn), advice = jsonObject(trace.document.advice);
	const notes = [...trace.info.notes, ...jsonList(churn.notes).map(jsonText), ...jsonList(advice.notes).map(jsonText)];
	return {
		churn: jsonList(churn.windows).map((w) => churnOf(index, jsonObject(w))),
		advice: jsonList(advice.findings).map((f) => adviceOf(index, jsonObject(f))),
		notes: [...new Set(notes.filter((note) => note !== '').map(cleaned))],
	};
}
