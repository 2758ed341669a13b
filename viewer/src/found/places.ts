/* Places that findings speak of, and where they are in the table: doc/page-data.md, "What the page reads of the findings". */

import { jsonList, jsonNumber, jsonObject, jsonText } from '../data/info';
import type { Trace } from '../data/trace';
import { rowFrames } from '../sum/groups';
import { cleaned, shortClass, simpleOf } from '../word/names';

export interface Frame {
	class: string;
	method: string;
	line: number; /* 0: unknown */
}

export interface Spot {
	title: string; /* the class, simple; all texts as they may be shown */
	at: string; /* the frames, shortened */
	full: string; /* all of it, a line each */
	cls: string; /* as the trace has it */
	method: string; /* the allocating one, with its class; '': of the class as a whole */
	lines: number[]; /* of it */
	frames: Frame[]; /* which tell it from others; may be none */
}

const UNKNOWN = '(unknown)', NO_STACK = '(no stack)';

export const frameOf = (x: unknown): Frame => {
	const o = jsonObject(x);
	return { class: jsonText(o.class), method: jsonText(o.method), line: jsonNumber(o.line) };
};

const methodOf = (f: Frame): string => `${f.class || UNKNOWN}.${f.method || UNKNOWN}`;

const lined = (name: string, line: number): string => cleaned(name) + (line ? `:${line}` : '');

export const shortOf = (f: Frame): string =>
	lined(`${shortClass(f.class || UNKNOWN)}.${f.method || UNKNOWN}`, f.line);

/* As the label of a row: its frames, the caller that is the application's, and how many callers there are. */
function placeText(frames: Frame[], caller: unknown, callers: number): string {
	const names = frames.map(shortOf);
	if (caller)
		names.push(`… ${shortOf(frameOf(caller))}`);
	return names.join(' ← ') + (callers > 1 ? ` ← ${callers} callers` : '');
}

/* Of `class`, `frames`, `caller` and `callers`; null where there is no place. */
export function spotOf(x: unknown): Spot | null {
	const o = jsonObject(x), frames = jsonList(o.frames).map(frameOf), cls = jsonText(o.class);
	if (!cls && !frames.length)
		return null;
	return {
		title: cleaned(simpleOf(cls || UNKNOWN)),
		at: placeText(frames, o.caller, jsonNumber(o.callers)),
		full: [cleaned(cls || UNKNOWN), ...frames.map((f) => lined(methodOf(f), f.line))].join('\n  '),
		cls,
		method: frames.length ? methodOf(frames[0]) : '',
		lines: frames.length ? [frames[0].line] : [],
		frames,
	};
}

/* Of a row of the diff: class, method, and its line in each of the two. */
export function spotOfSite(cls: string, method: string, before: number, after: number): Spot {
	const dot = method.lastIndexOf('.'), name = cls || UNKNOWN;
	const short = dot > 0 ? `${shortClass(method.slice(0, dot))}${method.slice(dot)}` : method;
	const moved = before && after && before !== after ? ` (was :${before})` : '';
	return {
		title: cleaned(simpleOf(name)),
		at: lined(short, after || before) + moved,
		full: `${cleaned(name)}\n  ${lined(method, after || before)}`,
		cls,
		method,
		lines: [...new Set([before, after].filter((line) => line > 0))],
		frames: [],
	};
}

const keyOf = (cls: string, method: string, line: number): string => JSON.stringify([cls || UNKNOWN, method, line]);

/* The rows of a trace by what is allocated where: a row has the sites that it stands for. */
export class Places {
	private readonly rows = new Map<string, number[]>();

	constructor(private readonly trace: Trace) {
		const { sites, frames, texts, classes } = trace;
		for (let site = 1; site < sites.cls.length; site++) {
			const frame = sites.frame[site], method = frame ? methodOf(this.frame(frame)) : NO_STACK;
			const key = keyOf(texts[classes[sites.cls[site]]] ?? '', method, frame ? frames.line[frame] : 0);
			const had = this.rows.get(key), row = sites.row[site];
			if (!had)
				this.rows.set(key, [row]);
			else if (!had.includes(row))
				had.push(row);
		}
	}

	/* The rows that a place is in; of several, those whose frames are its own. */
	find(spot: Spot): number[] {
		const lines = spot.lines.length ? spot.lines : [0];
		const rows = [...new Set(lines.flatMap((line) => this.rows.get(keyOf(spot.cls, spot.method, line)) ?? []))];
		const fits = rows.map((row) => this.fit(row, spot.frames)), best = Math.max(0, ...fits);
		return rows.filter((_, i) => fits[i] === best);
	}

	private frame(frame: number): Frame {
		const { frames, methods, texts } = this.trace, method = frames.method[frame];
		return {
			class: texts[methods.cls[method]] ?? '', method: texts[methods.name[method]] ?? '', line: frames.line[frame],
		};
	}

	/* 2: the same frames; 1: the same methods; 0: other callers. */
	private fit(row: number, wanted: Frame[]): number {
		const own = rowFrames(this.trace, row).map((frame) => this.frame(frame));
		if (own.length !== wanted.length || own.some((f, i) => methodOf(f) !== methodOf(wanted[i])))
			return 0;
		return own.every((f, i) => f.line === wanted[i].line) ? 2 : 1;
	}
}
