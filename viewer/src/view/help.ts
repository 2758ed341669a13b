/* The help: what the words mean, and the keys. */

import { button, el } from './dom';

const WORDS: [string, string][] = [
	['Dies in GC 0', 'the share of its bytes that the first collection after their birth found dead. ± is 95 % sure.'],
	['Survives 1, 15', 'the share of its bytes that outlives 1, or 15 collections. 15 is when objects are promoted at the latest.'],
	['Survival', 'the curve of what is left after 0, 1, … 15 collections. Full at the left; a block that stays full lives for long. Objects still alive at the end count for as long as they were seen (Kaplan–Meier).'],
	['Live, at least', 'bytes that a later collection still found alive: garbage that no collection has found yet is not in it.'],
	['Allocated in, died in, alive at', 'the window chooses objects born in it, found dead in it, or proven alive at a moment. All can be used together.'],
	['Lifetime', 'chooses by how long objects lived. A range without an end takes those still alive, too. Shares and curves of survival ignore filters by lifetime and death: a curve of objects chosen by their death says only how they were chosen.'],
	['Changes', 'of two recordings: what mayfly diff says of the whole runs. Sites that changed by more than chance explains come first; p is of no change at all.'],
	['sure, likely, possible', 'how sure a finding is, by where its 95 % interval lies.'],
	['?', 'too little evidence: the row says why.'],
	['churn, mid-life, long-lived, immortal, bimodal', 'dies young; outlives a GC, then dies before promotion; most is promoted; nearly nothing dies; two kinds of objects from one place.'],
];

export const KEYS: [string, string][] = [
	['/', 'search'], ['Esc', 'clear all filters, close this'], ['j k ↓ ↑', 'next, previous row'], ['Enter, Space', 'show the row’s curve'],
	['0', 'died in GC 0'], ['1', 'survived a GC'], ['9', 'never died'], ['g', 'next grouping'], ['w', 'weigh by the next measure'],
	['c', 'next clock'], ['i', 'invert the flame graph'], ['z', 'zoom the time line'], ['t', 'dark or light'], ['?', 'this help'],
];

const list = (rows: [string, string][]): HTMLElement =>
	el('dl', {}, ...rows.flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]));

export class Help {
	readonly node = el('dialog', { class: 'help', attrs: { 'aria-label': 'Help' } },
		el('h2', {}, 'What it says'), list(WORDS), el('h2', {}, 'Keys'), list(KEYS),
		el('p', { class: 'muted' }, 'The address of this page carries the whole view: copy it to share what you see.'),
		button('Close', () => this.node.close()));

	turn(): void {
		if (this.node.open)
			this.node.close();
		else
			this.node.showModal();
	}
}
