/* A small box beside the pointer: names and values. */

import { el } from './dom';

export class Tip {
	readonly node = el('div', { class: 'tip', attrs: { hidden: true, role: 'status' } });

	/* Relative to the element that the tip is in. */
	show(x: number, y: number, lines: [string, string][]): void {
		this.node.replaceChildren(...lines.map(([name, value]) =>
			el('div', {}, name ? el('span', { class: 'muted' }, `${name} `) : null, el('b', {}, value))));
		this.node.hidden = false;
		const room = this.node.parentElement!.clientWidth, width = this.node.offsetWidth;
		const left = x + 14 + width > room ? x - 14 - width : x + 14;
		this.node.style.left = `${Math.max(4, Math.min(left, room - width - 4))}px`;
		this.node.style.top = `${y}px`;
	}

	hide(): void {
		this.node.hidden = true;
	}
}
