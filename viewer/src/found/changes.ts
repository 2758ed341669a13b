/*
 * What changed between two recordings, as `diff --json` tells it. Nothing is judged here: what the document calls changed comes
 * first, and its numbers are shown as it has them.
 */

import { type Json, jsonList, jsonNumber, jsonObject, jsonText } from '../data/info';
import { type Change, type ChangeText, changeOf, changeText } from '../word/change';
import { cleanedSentence } from '../word/names';
import { bytesText, shareText, timeText } from '../word/units';
import { type Spot, spotOfSite } from './places';

export interface Figure {
	name: string;
	a: string;
	b: string;
	change: ChangeText;
	chance: boolean; /* it may be chance */
}

export interface Changed {
	spot: Spot;
	more: string; /* "+3.44 GB" */
	change: ChangeText;
	a: string;
	b: string;
	p: string; /* "p 0.012"; '' where not known */
	lives: string; /* "97.4 % → 4.1 %", of its bytes that outlive a collection; '': nothing to say */
	livesP: string;
	changed: boolean; /* in bytes, by more than chance explains … */
	livesChanged: boolean; /* … or in how long they live */
}

export interface Changes {
	perSecond: boolean;
	figures: Figure[];
	changed: Json[]; /* rows, by more than chance explains … */
	same: Json[]; /* … and the others */
	notes: string[];
}

const NO_CHANGE: ChangeText = { text: '–', spread: '' }; /* it can't be told */

const ALPHA = 0.05; /* doc/metrics.md, "change" */

type Unit = 'bytes' | 'count' | 'ns';

/* What `mayfly diff` shows of the runs as wholes: src/analyze/figure.def. */
const FIGURES: [key: string, name: string, unit: Unit, rate: boolean][] = [
	['alloc', 'allocated', 'bytes', true],
	['young-gcs', 'young GCs', 'count', true],
	['full-gcs', 'full GCs', 'count', true],
	['pause', 'time in GC pauses', 'ns', true],
	['pause-mean', 'mean GC pause', 'ns', false],
	['pause-max', 'longest GC pause', 'ns', false],
	['heap', 'heap in use after a GC, on average', 'bytes', false],
	['time', 'run time', 'ns', false],
];

function valueText(value: number, unit: Unit): string {
	if (Number.isNaN(value))
		return '?';
	if (unit === 'bytes')
		return bytesText(value);
	return unit === 'ns' ? timeText(value / 1e9) : value.toFixed(value < 99.5 && !Number.isInteger(value) ? 1 : 0);
}

/* Those that a side has. */
function figuresOf(x: unknown, perSecond: boolean): Figure[] {
	const figures = jsonObject(x);
	return FIGURES.flatMap(([key, name, unit, rate]) => {
		const change = changeOf(figures[key]);
		return change.a > 0 || change.b > 0 ? [{
			name: perSecond && rate ? `${name} a second` : name,
			a: valueText(change.a, unit), b: valueText(change.b, unit), change: changeText(change) ?? NO_CHANGE, chance: change.p > ALPHA,
		}] : [];
	});
}

function pText(p: number): string {
	if (Number.isNaN(p))
		return '';
	return p < 0.001 ? 'p < 0.001' : `p ${p >= 0.0995 ? p.toFixed(1) : p.toPrecision(2)}`;
}

function livesText(x: unknown): string {
	const { a, b } = jsonObject(x);
	return typeof a === 'number' && typeof b === 'number' && (a > 0 || b > 0) ? `${shareText(a)} → ${shareText(b)}` : '';
}

function moreText(change: Change): string {
	const more = change.b - change.a;
	return Number.isNaN(more) ? '?' : `${more < 0 ? '−' : '+'}${bytesText(Math.abs(more))}`;
}

export const spotOfRow = (row: Json): Spot => spotOfSite(
	jsonText(row.class), jsonText(row.site), jsonNumber(row.line_a), jsonNumber(row.line_b));

export function changedOf(row: Json, perSecond: boolean): Changed {
	const change = changeOf(row.alloc), per = perSecond ? '/s' : '';
	const changed = row.changed === true, livesChanged = row.lives_changed === true;
	return {
		spot: spotOfRow(row),
		more: moreText(change) + per,
		change: changeText(change) ?? NO_CHANGE,
		a: valueText(change.a, 'bytes') + per,
		b: valueText(change.b, 'bytes') + per,
		p: pText(change.p),
		lives: changed || livesChanged ? livesText(row.survives_one) : '',
		livesP: pText(jsonNumber(jsonObject(row.survives_one).p, NaN)),
		changed,
		livesChanged,
	};
}

const isChanged = (row: Json): boolean => row.changed === true || row.lives_changed === true;

/* null where the page has no diff, or one of another grouping. */
export function changesOf(diff: unknown): Changes | null {
	const o = jsonObject(diff);
	if (!Array.isArray(o.rows) || o.by !== 'site')
		return null;
	const rows = o.rows.map(jsonObject), perSecond = o.per === 'second';
	return {
		perSecond,
		figures: figuresOf(o.figures, perSecond),
		changed: rows.filter(isChanged),
		same: rows.filter((row) => !isChanged(row)),
		notes: jsonList(o.notes).map(jsonText).filter((note) => note !== '').map(cleanedSentence),
	};
}
