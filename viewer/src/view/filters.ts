/* The bar of filters, and how rows are made: everything that is chosen without pointing at a picture. */

import type { Answer, Loaded } from '../app/loaded';
import {
	BYS, type By, CLOCKS, type Clock, isFiltered, type Life, MEASURES, type Measure, type Query, unfiltered,
} from '../query/query';
import { cleaned } from '../word/names';
import { bytesText, samplesText, shareText } from '../word/units';
import { CLOCK_NAMES } from './curves';
import { button, choice, type Choice, el, type Menu, menu } from './dom';
import { BY_NAMES, MEASURE_NAMES, MEASURE_WORDS } from './table';

const OPTIONS_MAX = 400;
const NAME_MAX = 60;
const TYPING_MS = 120;

/* Lifetimes that are asked for most, on the GC clock of the trace. */
const LIVES = [
	['', 'Any lifetime'], ['0', 'Died in GC 0'], ['1~', 'Survived a GC'], ['1~14', 'Died at age 1 to 14'],
	['15~', 'Survived 15 GCs'], ['never', 'Never died'], ['own', 'A range …'],
] as const;

type Change = (change: Partial<Query>, lasting?: boolean) => void;

export class Filters {
	readonly node: HTMLElement;
	readonly search: HTMLInputElement;
	private readonly menus: Record<'cls' | 'pkg' | 'thread' | 'life' | 'measure' | 'clock', Menu>;
	private readonly by: Choice<By>;
	private readonly own: OwnRange;
	private readonly clear: HTMLButtonElement;
	private readonly summary = el('div', { class: 'filter-summary', attrs: { 'aria-live': 'polite' } });
	private options: { loaded?: Loaded; sets?: Record<'cls' | 'pkg' | 'thread', [string, string][]> } = {};
	private timer = 0;
	private query?: Query;
	private ownOpen = false;

	constructor(private readonly change: Change) {
		this.search = el('input', { attrs: {
			type: 'search', placeholder: 'Search classes, methods, lines  ( / )', 'aria-label': 'Search', spellcheck: 'false',
		}, on: { input: () => this.typed() } });
		const pick = (name: 'cls' | 'pkg' | 'thread') => (value: string): void => this.change({ [name]: value });
		this.menus = {
			cls: menu('Class', pick('cls')),
			pkg: menu('Package', pick('pkg')),
			thread: menu('Thread', pick('thread')),
			life: menu('Lifetime', (value) => this.chooseLife(value)),
			measure: menu('Weigh by', (value) => this.change({ measure: value as Measure, sort: 'measure', up: false })),
			clock: menu('Clock', (value) => this.change({ clock: value as Clock, sort: 'measure', up: false })),
		};
		this.by = choice('Rows', BYS.map((by) => [by, BY_NAMES[by]] as const),
			(by) => this.change({ by, picked: [] }));
		this.clear = button('Clear filters', () => this.change(unfiltered(this.query!)), { class: 'chip', title: 'Esc' });
		this.own = new OwnRange((life) => this.change({ life }));
		this.node = el('section', { class: 'filters', attrs: { 'aria-label': 'Filters' } },
			el('div', { class: 'filter-row' }, this.search, this.menus.life.node, this.own.node,
				this.menus.cls.node, this.menus.pkg.node, this.menus.thread.node),
			el('div', { class: 'filter-row' }, this.by.node,
				el('label', {}, 'weigh by ', this.menus.measure.node),
				el('label', {}, 'age in ', this.menus.clock.node), this.summary, this.clear));
	}

	update(answer: Answer): void {
		const { query: q, loaded } = answer;
		this.query = q;
		if (document.activeElement !== this.search)
			this.search.value = q.text;
		if (this.options.loaded !== loaded)
			this.options = { loaded, sets: optionsOf(loaded) };
		const { sets } = this.options;
		for (const name of ['cls', 'pkg', 'thread'] as const) {
			const known = sets![name], all = known.some(([value]) => value === q[name]) ? known
				: [...known, [q[name], cleaned(q[name])] as [string, string]];
			this.menus[name].set(all, q[name]);
			this.menus[name].node.classList.toggle('set', q[name] !== '');
		}
		this.by.show(q.by);
		this.menus.measure.set(MEASURES.map((m) => [m, MEASURE_NAMES[m]]), q.measure);
		const clocks = CLOCKS.filter((c) => c !== 'young' || loaded.trace.info.lives === 'each');
		this.menus.clock.set(clocks.map((c) => [c, CLOCK_NAMES[c]]), answer.clock);
		this.showLife(q, loaded.trace.info.clock);
		if (!isFiltered(q) && document.activeElement === this.clear)
			this.search.focus();
		this.clear.hidden = !isFiltered(q);
		this.summary.textContent = summaryOf(answer);
	}

	private typed(): void {
		window.clearTimeout(this.timer);
		this.timer = window.setTimeout(() => this.change({ text: this.search.value }, false), TYPING_MS);
	}

	private chooseLife(value: string): void {
		const clock = this.options.loaded!.trace.info.clock;
		this.ownOpen = value === 'own';
		if (value === '' || value === 'never')
			this.change({ life: value === '' ? null : value });
		else if (value === 'own')
			this.change({ life: { clock: 'mb', from: 1, to: Infinity } });
		else {
			const [from, to] = value.split('~');
			this.change({ life: { clock, from: Number(from), to: to === '' ? Infinity : Number(to ?? from) } });
		}
	}

	private showLife(q: Query, clock: Clock): void {
		const value = q.life === null || q.life === 'never' ? q.life ?? ''
			: q.life.clock !== clock ? 'own'
				: q.life.to === q.life.from ? `${q.life.from}` : `${q.life.from}~${q.life.to === Infinity ? '' : q.life.to}`;
		const known = LIVES.some(([v]) => v === value) && !(this.ownOpen && q.life);
		this.menus.life.set(LIVES, known ? value : 'own');
		this.menus.life.node.classList.toggle('set', q.life !== null);
		this.own.show(known ? null : q.life as Life);
	}

}

/* A lifetime range of one's own: clock, from, to. */
class OwnRange {
	readonly node: HTMLElement;
	private readonly clock: Menu;
	private readonly from: HTMLInputElement;
	private readonly to: HTMLInputElement;

	constructor(private readonly change: (life: Life) => void) {
		const input = (label: string, placeholder: string): HTMLInputElement => el('input', {
			attrs: { type: 'number', min: 0, step: 'any', 'aria-label': label, placeholder }, on: { change: () => this.read() },
		});
		this.clock = menu('Clock of the range', () => this.read());
		this.from = input('Lifetime from', 'from');
		this.to = input('Lifetime to', 'any');
		this.node = el('span', { class: 'own', attrs: { hidden: true } },
			this.from, ' to ', this.to, ' ', this.clock.node);
	}

	show(life: Life | null): void {
		this.node.hidden = life === null;
		if (!life)
			return;
		this.clock.set(CLOCKS.map((c) => [c, c === 'mb' ? 'MB' : c === 'ms' ? 'ms' : CLOCK_NAMES[c]]), life.clock);
		if (document.activeElement !== this.from)
			this.from.value = String(life.from);
		if (document.activeElement !== this.to)
			this.to.value = life.to === Infinity ? '' : String(life.to);
	}

	private read(): void {
		const from = Math.max(0, this.from.valueAsNumber || 0);
		const to = this.to.value === '' ? Infinity : Math.max(from, this.to.valueAsNumber || 0);
		this.change({ clock: this.clock.node.value as Clock, from, to });
	}
}

/* The largest of each kind, with their share of all bytes. */
function optionsOf(loaded: Loaded): Record<'cls' | 'pkg' | 'thread', [string, string][]> {
	const { lives } = loaded;
	const set = (by: By, all: string): [string, string][] => {
		const { groups, ofSample } = loaded.grouping(by), bytes = new Float64Array(groups.count);
		const nameOf = groups.name;
		let total = 0;
		lives.allocated.forEach((x, i) => {
			bytes[ofSample[i]] += x;
			total += x;
		});
		const order = [...bytes.keys()].filter((g) => bytes[g] > 0 && nameOf(g) !== '')
			.sort((a, b) => bytes[b] - bytes[a]).slice(0, OPTIONS_MAX);
		const text = (name: string): string => {
			const safe = cleaned(name);
			return safe.length > NAME_MAX ? `…${safe.slice(-NAME_MAX)}` : safe;
		};
		return [['', all], ...order.map((g): [string, string] =>
			[nameOf(g), `${text(nameOf(g))}  ${shareText(bytes[g] / total)}`])];
	};
	return {
		cls: set('class', 'All classes'),
		pkg: set('package', 'All packages'),
		thread: set('thread', 'All threads'),
	};
}

function summaryOf(answer: Answer): string {
	const { sums, query, loaded: { lives } } = answer;
	const value = sums.total[query.measure];
	const amount = `${bytesText(value)} ${MEASURE_WORDS[query.measure]}`;
	if (!isFiltered(query))
		return '';
	const share = `${shareText(value / lives.allocatedSum)} of all allocated`;
	return `${amount}, ${share} · ${samplesText(sums.totalSamples)}`;
}
