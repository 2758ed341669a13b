/* What is worth changing, one finding after the other. */

import type { Advice, Advised } from '../found/advice';
import type { Links } from './links';
import { el } from './dom';

const WORDS = ['sure', 'likely', 'possible'];

const muted = (text: string): HTMLElement | null => text ? el('p', { class: 'muted' }, text) : null;

function sureness(word: string): HTMLElement | null {
	return word ? el('span', { class: `sureness ${WORDS.includes(word) ? word : ''}`, title: 'How sure, by the 95 % interval' }, word) : null;
}

function finding(advice: Advice, number: number, links: Links): HTMLElement {
	const { spot, window, texts } = advice;
	return el('li', { class: 'finding' },
		el('h3', {}, `${number}  ${advice.title}`),
		el('p', { class: 'worth' }, advice.cost ? el('b', {}, advice.cost) : null, sureness(advice.sure)),
		spot ? links.place(spot) : el('p', { class: 'muted' }, 'Of the run as a whole.'),
		muted(advice.callers),
		el('dl', {}, ...texts.flatMap(([label, text]) => [el('dt', {}, label), el('dd', {}, text)])),
		window ? links.window(window) : null);
}

/* `advised` null: the page has none. */
export function adviceItems(advised: Advised | null, links: Links): (HTMLElement | null)[] {
	if (!advised)
		return [muted('No advice in this page.')];
	return [
		el('p', {}, advised.summary),
		el('ol', { class: 'list' }, ...advised.list.map((advice, i) => finding(advice, i + 1, links))),
		muted(advised.left),
		...advised.notes.map(muted),
	];
}
