/* The panel beside the table: what changed, curves of the picked rows, advice, churn windows, notes. */

import type { Findings } from '../app/findings';
import type { Answer } from '../app/loaded';
import type { Changes } from '../found/changes';
import type { Churn } from '../found/churn';
import type { Panel, Query } from '../query/query';
import { adviceItems } from './advice';
import { changeItems } from './changes';
import { Curves } from './curves';
import { button, el, renew } from './dom';
import { type LinkEvents, Links } from './links';

const TITLES: Record<Panel, string> = {
	diff: 'Changes', lives: 'Survival', advice: 'Advice', churn: 'Churn', notes: 'Notes',
};

export interface SideEvents extends LinkEvents {
	change: (change: Partial<Query>) => void;
}

/* What there is to show beside the answer. */
export interface Beside {
	findings: Findings;
	changes: Changes | null; /* where two recordings are compared */
}

export class Side {
	readonly node: HTMLElement;
	readonly curves: Curves;
	private readonly tabs = el('div', { class: 'tabs', attrs: { role: 'tablist' }, on: { keydown: (e) => this.key(e) } });
	private readonly list = el('div', { class: 'findings', attrs: { tabindex: 0, role: 'tabpanel' } });
	private shown: { panel?: Panel; findings?: Findings; compared?: boolean } = {};
	private links?: Links;

	constructor(private readonly events: SideEvents) {
		this.curves = new Curves(events.change);
		this.curves.node.setAttribute('role', 'tabpanel');
		this.curves.node.setAttribute('aria-label', TITLES.lives);
		this.node = el('section', { class: 'card side', attrs: { 'aria-label': 'Details' } }, this.tabs, this.curves.node, this.list);
	}

	update(answer: Answer, base: Answer | undefined, picked: number[], beside: Beside): void {
		const { findings, changes } = beside, panel = panelOf(answer.query, changes);
		const counts: Record<Panel, number | null> = {
			diff: changes?.changed.length ?? 0, lives: null, advice: findings.advice?.list.length ?? 0,
			churn: findings.churn?.length ?? 0, notes: findings.notes.length,
		};
		const names = (Object.keys(TITLES) as Panel[]).filter((name) => name !== 'diff' || changes);
		renew(this.tabs, this.node, ...names.map((name) => this.tab(name, counts[name], panel)));
		this.curves.node.hidden = panel !== 'lives';
		this.list.hidden = panel === 'lives';
		this.list.setAttribute('aria-label', TITLES[panel]);
		if (panel === 'lives')
			this.curves.update(answer, base, picked);
		else
			this.show(panel, answer, base !== undefined, beside);
	}

	/* Made once: a place that was opened or scrolled to stays so. */
	private show(panel: Panel, answer: Answer, compared: boolean, beside: Beside): void {
		const { shown } = this;
		if (shown.panel !== panel || shown.findings !== beside.findings || shown.compared !== compared) {
			this.shown = { panel, findings: beside.findings, compared };
			this.links = new Links((spot) => answer.loaded.target(spot), this.events);
			const whose = compared && panel !== 'diff' ? [muted('Of B; choose A above for the first recording’s.')] : [];
			this.list.replaceChildren(...whose, ...items(panel, beside, this.links).filter((item) => item !== null));
			this.list.scrollTop = 0;
		}
		this.links?.mark(answer.query);
	}

	/* Arrows go from tab to tab, as everywhere. */
	private key(e: KeyboardEvent): void {
		const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0, tabs = [...this.tabs.querySelectorAll('button')];
		const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
		if (!by || at < 0 || e.ctrlKey || e.metaKey || e.altKey)
			return;
		e.preventDefault();
		const next = tabs[(at + by + tabs.length) % tabs.length];
		next.focus();
		next.click();
	}

	private tab(name: Panel, count: number | null, chosen: Panel): HTMLElement {
		return button(TITLES[name] + (count ? ` ${count}` : ''), () => this.events.change({ panel: name }), {
			attrs: { 'role': 'tab', 'aria-selected': String(name === chosen), 'data-value': name },
		});
	}
}

/* Who compares wants to know what changed. */
export function panelOf({ panel }: Query, changes: Changes | null): Panel {
	if (!panel || (panel === 'diff' && !changes))
		return changes ? 'diff' : 'lives';
	return panel;
}

const muted = (text: string): HTMLElement => el('p', { class: 'muted' }, text);

function items(panel: Panel, { findings, changes }: Beside, links: Links): (HTMLElement | null)[] {
	if (panel === 'diff')
		return changes ? changeItems(changes, links) : [];
	if (panel === 'advice')
		return adviceItems(findings.advice, links);
	if (panel === 'notes')
		return findings.notes.length ? findings.notes.map((note) => el('p', {}, note)) : [muted('Nothing to note.')];
	if (!findings.churn)
		return [muted('Churn was not looked for.')];
	return findings.churn.length ? findings.churn.map((churn) => churnItem(churn, links))
		: [muted('No window stands out: garbage was made evenly.')];
}

function churnItem(churn: Churn, links: Links): HTMLElement {
	return el('article', {}, el('h3', {}, churn.title), ...churn.lines.map((line) => el('p', {}, line)),
		churn.places.length ? el('ul', {}, ...churn.places.map(({ share, spot }) =>
			el('li', {}, links.place(spot, share)))) : null,
		churn.window ? links.window(churn.window) : null);
}
