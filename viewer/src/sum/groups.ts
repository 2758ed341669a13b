/* The rows of a grouping: which of them each sample belongs to, and what they are called. */

import type { Trace } from '../data/trace';
import type { By } from '../query/query';
import { cleaned, packageOf, shortClass, simpleOf } from '../word/names';

export interface Label {
	cls: string; /* the allocated class, simple; '' where rows are not of a class */
	place: string; /* where, shortened */
	full: string; /* all of it, a line each */
}

export interface Groups {
	by: By;
	count: number;
	bySite: Int32Array | null; /* group of a site … */
	byThread: Int32Array | null; /* … or of a thread */
	name: (group: number) => string; /* as the trace has it: what a filter compares with */
	label: (group: number) => Label;
}

const text = (trace: Trace, index: number): string => trace.texts[index] ?? '';

export const classText = (trace: Trace, cls: number): string =>
	text(trace, trace.classes[cls]) || '(unknown)';

export function methodText(trace: Trace, method: number): string {
	const cls = text(trace, trace.methods.cls[method]), name = text(trace, trace.methods.name[method]);
	return method ? `${cls}.${name || '(unknown)'}` : '(no stack)';
}

export function shortMethod(trace: Trace, method: number): string {
	const cls = text(trace, trace.methods.cls[method]), name = text(trace, trace.methods.name[method]);
	return method ? cleaned(`${shortClass(cls)}.${name || '(unknown)'}`) : '(no stack)';
}

const withLine = (trace: Trace, frame: number, name: string): string =>
	trace.frames.line[frame] ? `${name}:${trace.frames.line[frame]}` : name;

export const shortFrame = (trace: Trace, frame: number): string =>
	withLine(trace, frame, shortMethod(trace, trace.frames.method[frame]));

export const frameText = (trace: Trace, frame: number): string =>
	withLine(trace, frame, cleaned(methodText(trace, trace.frames.method[frame])));

/* The frames that tell a row of the report, from the allocating one up. */
export function rowFrames(trace: Trace, row: number): number[] {
	const frames: number[] = [];
	let frame = trace.sites.frame[trace.rows.site[row]] ?? 0;
	for (let i = 0; frame && i < Math.max(1, trace.rows.frames[row]); i++) {
		frames.push(frame);
		frame = trace.frames.parent[frame];
	}
	return frames;
}

function siteLabel(trace: Trace, row: number): Label {
	const cls = classText(trace, trace.sites.cls[trace.rows.site[row]]);
	const frames = rowFrames(trace, row), callers = trace.rows.callers[row], caller = trace.rows.caller[row];
	const names = frames.map((frame) => shortFrame(trace, frame));
	if (caller)
		names.push(`… ${shortFrame(trace, caller)}`);
	const more = callers > 1 ? ` ← ${callers} callers` : '';
	const stack = frames.map((frame) => frameText(trace, frame));
	return {
		cls: cleaned(simpleOf(cls)),
		place: (names.join(' ← ') || '(no stack)') + more,
		full: [cleaned(cls), ...stack].join('\n  '),
	};
}

/* Numbers names in the order of their first use; 0 is the first name's. */
function numbered(names: string[]): { index: Int32Array; names: string[] } {
	const known = new Map<string, number>();
	const index = Int32Array.from(names, (name) => {
		const at = known.get(name) ?? known.size;
		known.set(name, at);
		return at;
	});
	return { index, names: [...known.keys()] };
}

function named(by: By, ofTable: string[], ofSite: Int32Array | null): Groups {
	const { index, names } = numbered(ofTable);
	return {
		by,
		count: names.length,
		bySite: ofSite ? ofSite.map((row) => index[row]) : null,
		byThread: ofSite ? null : index,
		name: (group) => names[group] ?? '',
		label: (group) => {
			const full = names[group] ?? '';
			const isClass = by === 'class';
			const short = by === 'method' ? shortClass(full) : isClass ? packageOf(full) : full;
			return {
				cls: isClass ? cleaned(simpleOf(full)) : '',
				place: cleaned(short) || (isClass ? '' : `(no ${by})`),
				full: cleaned(full) || '(unknown)',
			};
		},
	};
}

export function groupsOf(trace: Trace, by: By): Groups {
	const { sites, frames } = trace;
	const siteMethods = sites.frame.map((frame) => frames.method[frame]);
	const methods = Array.from(trace.methods.cls, (_, i) => methodText(trace, i));
	switch (by) {
	case 'site':
		return {
			by,
			count: trace.rows.site.length,
			bySite: sites.row,
			byThread: null,
			name: () => '',
			label: (row) => siteLabel(trace, row),
		};
	case 'class':
		return named(by, Array.from(trace.classes, (name) => text(trace, name)), sites.cls);
	case 'method':
		return named(by, methods, siteMethods);
	case 'package':
		return named(by,
			Array.from(trace.methods.cls, (cls) => packageOf(text(trace, cls))), siteMethods);
	case 'thread':
		return named(by, Array.from(trace.threads, (name) => text(trace, name)), null);
	}
}
