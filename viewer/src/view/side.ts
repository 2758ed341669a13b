/* The panel beside the table: curves of the picked rows, advice, churn windows, notes. */

import type { Answer } from '../app/loaded';
import type { Finding, Findings } from '../app/findings';
import type { Panel, Query } from '../query/query';
import { Curves } from './curves';
import { button, el } from './dom';

const TITLES: Record<Panel, string> = { lives: 'Survival', advice: 'Advice', churn: 'Churn', notes: 'Notes' };

export interface SideEvents {
	change: (change: Partial<Query>) => void;
	show: (row: number) => void; /* of the report */
}

export class Side {
	readonly node: HTMLElement;
	readonly curves: Curves;
	private readonly tabs = el('div', { class: 'tabs', attrs: { role: 'tablist' } });
	private readonly list = el('div', { class: 'findings' });

	constructor(private readonly events: SideEvents) {
		this.curves = new Curves(events.change);
		this.node = el('section', { class: 'card side', attrs: { 'aria-label': 'Details' } }, this.tabs, this.curves.node, this.list);
	}

	update(answer: Answer, base: Answer | undefined, picked: number[], findings: Findings): void {
		const { panel } = answer.query;
		const counts: Record<Panel, number | null> = {
			lives: null, advice: findings.advice.length, churn: findings.churn.length, notes: findings.notes.length,
		};
		this.tabs.replaceChildren(...(Object.keys(TITLES) as Panel[]).map((name) => this.tab(name, counts[name], panel)));
		this.curves.node.hidden = panel !== 'lives';
		this.list.hidden = panel === 'lives';
		if (panel === 'lives')
			this.curves.update(answer, base, picked);
		else
			this.list.replaceChildren(...this.items(panel, findings));
	}

	private tab(name: Panel, count: number | null, chosen: Panel): HTMLElement {
		return button(TITLES[name] + (count ? ` ${count}` : ''), () => this.events.change({ panel: name }), {
			attrs: { 'role': 'tab', 'aria-selected': String(name === chosen), 'data-value': name },
			class: count === 0 ? 'empty' : '',
		});
	}

	private items(panel: Panel, findings: Findings): HTMLElement[] {
		if (panel === 'notes')
			return findings.notes.length ? findings.notes.map((note) => el('p', {}, note)) : [none('Nothing to note.')];
		const list = panel === 'churn' ? findings.churn : findings.advice;
		return list.length ? list.map((finding) => this.finding(finding))
			: [none(panel === 'churn' ? 'No window stands out: garbage was made evenly, or churn was not looked for.'
				: 'No advice in this page.')];
	}

	private finding(finding: Finding): HTMLElement {
		const { window } = finding;
		return el('article', {}, el('h3', {}, finding.title), ...finding.lines.map((line) => el('p', {}, line)),
			finding.places.length ? el('ul', {}, ...finding.places.map(({ text, row }) =>
				el('li', {}, row >= 0 ? button(text, () => this.events.show(row), { class: 'link' }) : text))) : null,
			window ? button('Select this window', () =>
				this.events.change({ born: window, brush: 'born' }), { class: 'quiet' }) : null);
	}
}

const none = (text: string): HTMLElement => el('p', { class: 'muted' }, text);
