/* Keys that work anywhere on the page but in a field: src/view/help.ts lists them. */

import { BYS, CLOCKS, type Clock, MEASURES, type Query } from '../query/query';

export interface KeyTargets {
	change: (change: Partial<Query>) => void;
	query: () => Query;
	clock: () => Clock;
	deaths: () => 'young' | 'full'; /* the GC clock of the trace */
	clear: () => void;
	search: HTMLInputElement;
	theme: () => void;
	help: () => void;
	zoom: () => void;
	step: (by: number) => void;
	pick: () => void;
}

function next<T>(list: readonly T[], value: T): T {
	return list[(list.indexOf(value) + 1) % list.length];
}

/* What a key does; undefined: nothing. */
export function actionOf(key: string, to: KeyTargets): (() => void) | undefined {
	const q = to.query(), age = (from: number, end: number) => (): void =>
		to.change({ life: { clock: to.deaths(), from, to: end } });
	const actions: Record<string, () => void> = {
		'/': () => to.search.focus(),
		'?': to.help,
		'Escape': to.clear,
		'j': () => to.step(1),
		'ArrowDown': () => to.step(1),
		'k': () => to.step(-1),
		'ArrowUp': () => to.step(-1),
		'Enter': to.pick,
		' ': to.pick,
		'0': age(0, 0),
		'1': age(1, Infinity),
		'9': () => to.change({ life: 'never' }),
		'g': () => to.change({ by: next(BYS, q.by), picked: [] }),
		'w': () => to.change({ measure: next(MEASURES, q.measure), sort: 'measure', up: false }),
		'c': () => to.change({ clock: next(CLOCKS, to.clock()), sort: 'measure', up: false }),
		'i': () => to.change({ inverted: !q.inverted, zoom: [] }),
		'z': to.zoom,
		't': to.theme,
	};
	return Object.hasOwn(actions, key) ? actions[key] : undefined;
}

export function listenToKeys(to: KeyTargets): void {
	document.addEventListener('keydown', (e) => {
		const target = e.target as Element;
		if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented)
			return;
		if (target.closest('input')) {
			if (e.key === 'Escape')
				(target as HTMLElement).blur();
			else
				return;
		}
		if (target.closest('dialog, select') || (target.closest('button') && /^(Enter| )$/.test(e.key)))
			return;
		const onRow = target.closest('tr[data-group]') !== null || target === document.body;
		if (!onRow && (e.key.startsWith('Arrow') || e.key === ' ' || e.key === 'Enter'))
			return;
		if (target === document.body && /^(Arrow|Enter| )/.test(e.key))
			return; /* the page scrolls */
		const action = actionOf(e.key, to);
		if (action) {
			e.preventDefault();
			action();
		}
	});
}
