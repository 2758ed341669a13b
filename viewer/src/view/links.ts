/* Links of findings: to the row of a place, and to a window of the time line. */

import type { Target } from '../app/loaded';
import type { Window } from '../found/churn';
import type { Spot } from '../found/places';
import type { Query } from '../query/query';
import { button, el } from './dom';

export interface LinkEvents {
	show: (target: Target) => void;
	select: (window: Window) => void;
}

export class Links {
	private readonly places: { node: HTMLElement; target: Target }[] = [];

	constructor(private readonly find: (spot: Spot) => Target | null, private readonly events: LinkEvents) {
	}

	/* `before`: what stands before it, such as a share. */
	place(spot: Spot, before = ''): HTMLElement {
		const target = this.find(spot), text = [el('b', {}, spot.title), spot.at ? ` ${spot.at}` : ''];
		const lead = before ? [`${before} `] : [];
		if (!target)
			return el('p', { class: 'spot', title: spot.full }, ...lead, ...text);
		const node = button('', () => this.events.show(target), { class: 'link', title: `${spot.full}\nShow its row` });
		node.append(...text);
		this.places.push({ node, target });
		return el('p', { class: 'spot' }, ...lead, node);
	}

	window(window: Window): HTMLElement {
		return button('Select this window', () => this.events.select(window), { class: 'quiet' });
	}

	/* Marks those whose rows are picked. */
	mark({ by, picked }: Query): void {
		for (const { node, target } of this.places) {
			const here = target.by === by && target.groups.every((group) => picked.includes(group));
			node.setAttribute('aria-pressed', String(here));
		}
	}
}
