/* What changed between two recordings: the runs as wholes, then the sites that changed by more than chance explains; the others folded. */

import type { Json } from '../data/info';
import { changedOf, type Changes, type Figure } from '../found/changes';
import type { ChangeText } from '../word/change';
import { countText } from '../word/units';
import { el } from './dom';
import type { Links } from './links';

const SHOWN_MAX = 200; /* more than anybody reads */

const withSpread = ({ text, spread }: ChangeText): (Node | string)[] =>
	spread ? [text, el('small', { class: 'muted' }, ` ${spread}`)] : [text];

const muted = (text: string): HTMLElement => el('small', { class: 'muted' }, text);

function figureTable(figures: Figure[]): HTMLElement {
	const head = (text: string): HTMLElement => el('th', { attrs: { scope: 'col' } }, text);
	return el('table', { class: 'figures' },
		el('tr', {}, head(''), head('A'), head('B'), head('Change')),
		...figures.map((figure) => el('tr', {},
			el('th', { attrs: { scope: 'row' } }, figure.name), el('td', {}, figure.a), el('td', {}, figure.b),
			el('td', {}, el('span', {}, ...withSpread(figure.change)), figure.chance ? muted(' may be chance') : null))));
}

function entry(row: Json, perSecond: boolean, links: Links): HTMLElement {
	const c = changedOf(row, perSecond);
	return el('li', {}, links.place(c.spot),
		el('p', { class: 'amounts' }, c.changed ? el('b', {}, c.more) : el('span', {}, c.more),
			el('span', {}, ...withSpread(c.change)), el('span', { class: 'muted' }, `${c.a} → ${c.b}`),
			c.changed ? c.p ? muted(c.p) : null : muted('may be chance')),
		c.lives ? el('p', { class: 'amounts' }, el('span', {}, 'Survives 1 GC: ', c.livesChanged ? el('b', {}, c.lives) : c.lives),
			c.livesChanged && c.livesP ? muted(c.livesP) : null) : null);
}

function list(rows: Json[], perSecond: boolean, links: Links): HTMLElement[] {
	const more = rows.length - SHOWN_MAX;
	return [
		el('ol', { class: 'list changed' }, ...rows.slice(0, SHOWN_MAX).map((row) => entry(row, perSecond, links))),
		...more > 0 ? [el('p', { class: 'muted' }, `${countText(more)} more: mayfly diff --all --limit 0 shows them.`)] : [],
	];
}

const sites = (n: number, which = ''): string => `${countText(n)} ${which}${n === 1 ? 'site' : 'sites'}`;

function folded(changes: Changes, links: Links): HTMLElement | null {
	const { same, changed, perSecond } = changes;
	if (!same.length)
		return null;
	const text = changed.length ? `${sites(same.length, 'other ')} did not change by more than chance explains`
		: `None of ${sites(same.length)} changed by more than chance explains`;
	const node: HTMLDetailsElement = el('details', { on: { toggle: () => {
		if (node.open && node.childElementCount === 1)
			node.append(...list(same, perSecond, links));
	} } }, el('summary', {}, text));
	return node;
}

export function changeItems(changes: Changes, links: Links): (HTMLElement | null)[] {
	const { changed, perSecond } = changes;
	return [
		figureTable(changes.figures),
		changed.length ? el('h3', {}, `${sites(changed.length)} changed by more than chance explains`) : null,
		...changed.length ? list(changed, perSecond, links) : [],
		folded(changes, links),
		...changes.notes.map((note) => el('p', { class: 'muted' }, note)),
	];
}
