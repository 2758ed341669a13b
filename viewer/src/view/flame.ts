/* The flame graph: boxes as wide as their bytes, coloured by how much of them outlives a collection. */

import type { Answer } from '../app/loaded';
import type { Query } from '../query/query';
import { classText, methodText, shortMethod } from '../sum/groups';
import { type Box, findPath, layout } from '../tree/layout';
import type { Stacks } from '../tree/stacks';
import { survivedShare, type Weights, weightsOf } from '../tree/weights';
import { cleaned, simpleOf } from '../word/names';
import { bytesText, digits, shareText } from '../word/units';
import { button, choice, type Choice, el, onWidth, renew } from './dom';
import { MEASURE_WORDS } from './table';
import { changeColor, color, survivalColor } from './theme';
import { Tip } from './tip';

const ROW = 19;
const FONT = '11.5px system-ui, sans-serif';
const TEXT_MIN = 26; /* px: narrower boxes have no text */
const CROWD_PX = 10; /* rows below the last one with a box so wide are left out: zooming shows them */

export class Flame {
	readonly node: HTMLElement;
	private readonly canvas = el('canvas', {
		attrs: { tabindex: 0, role: 'img', 'aria-label': 'Flame graph; Enter zooms, Backspace zooms out, arrows move' },
	});
	private readonly tip = new Tip();
	private readonly way: Choice<'down' | 'up'>;
	private readonly trail = el('div', { class: 'trail' });
	private readonly legend = el('span', { class: 'legend' });
	private answer?: Answer;
	private stacks?: Stacks;
	private weights?: Weights;
	private base?: Answer; /* of the trace that is compared with … */
	private before?: Weights; /* … and its weights */
	private boxes: Box[] = [];
	private at = -1; /* the box under the pointer, or of the keyboard */
	private width = 0;

	constructor(private readonly change: (change: Partial<Query>) => void) {
		this.way = choice('Which way', [
			['down', 'Callers first', 'From the program’s entry down to the allocated class'],
			['up', 'Classes first', 'Inverted: from the allocated class up to its callers (i)'],
		], (way) => this.change({ inverted: way === 'up', zoom: [] }));
		this.canvas.addEventListener('pointermove', (e) => this.moved(e));
		this.canvas.addEventListener('pointerleave', () => this.point(-1));
		this.canvas.addEventListener('click', () => this.zoomTo(this.at));
		this.canvas.addEventListener('keydown', (e) => this.key(e));
		const holder = el('div', { class: 'flame-holder' }, this.canvas, this.tip.node);
		this.node = el('section', { class: 'card flame', attrs: { 'aria-label': 'Flame graph' } },
			el('div', { class: 'card-head' }, el('h2', {}, 'Flame graph'), this.way.node, this.legend),
			this.trail, holder);
		onWidth(holder, (width) => {
			this.width = width;
			this.lay();
		});
	}

	update(answer: Answer, base?: Answer): void {
		const { loaded, query, pick } = answer;
		this.base = base;
		this.answer = answer;
		this.stacks = loaded.stacks(query.inverted);
		this.weights = weightsOf(loaded.trace, loaded.lives, pick, this.stacks, query.measure);
		this.before = base && weightsOf(base.loaded.trace, base.loaded.lives, base.pick, this.stacks, query.measure);
		this.way.show(query.inverted ? 'up' : 'down');
		this.drawLegend();
		this.lay();
	}

	redraw(): void {
		this.drawLegend();
		this.draw();
	}

	private lay(): void {
		if (!this.stacks || !this.weights || !this.width)
			return;
		const zoom = findPath(this.stacks, this.answer!.query.zoom.map(nameOf));
		const boxes = layout(this.stacks, this.weights.value, zoom, 1 / this.width);
		const deepest = boxes.reduce((deep, box) =>
			(box.x1 - box.x0) * this.width >= CROWD_PX ? Math.max(deep, box.depth) : deep, 0);
		this.boxes = boxes.filter((box) => box.depth <= deepest);
		this.at = -1;
		this.drawTrail(zoom);
		this.draw();
	}

	private name(node: number): string {
		const { trace } = this.answer!.loaded, name = this.stacks!.name[node];
		if (!node)
			return `all: ${MEASURE_WORDS[this.answer!.query.measure]}`;
		return name < 0 ? cleaned(simpleOf(classText(trace, -1 - name))) : shortMethod(trace, name);
	}

	private fullName(node: number): string {
		const { trace } = this.answer!.loaded, name = this.stacks!.name[node];
		if (!node)
			return this.name(0);
		return cleaned(name < 0 ? classText(trace, -1 - name) : methodText(trace, name));
	}

	private draw(): void {
		const deepest = this.boxes.reduce((deep, box) => Math.max(deep, box.depth), 2);
		const height = (deepest + 1) * ROW, ratio = window.devicePixelRatio || 1, g = this.canvas.getContext('2d');
		if (!g || !this.weights)
			return;
		this.canvas.width = Math.round(this.width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.height = `${height}px`;
		g.scale(ratio, ratio);
		g.font = FONT;
		g.textBaseline = 'middle';
		const ink = { light: color('box-text'), strong: color('box-text-strong') };
		this.boxes.forEach((box, i) => this.drawBox(g, box, i === this.at, ink));
	}

	private drawBox(g: CanvasRenderingContext2D, box: Box, lit: boolean, ink: { light: string; strong: string }): void {
		const x = box.x0 * this.width, w = (box.x1 - box.x0) * this.width, y = box.depth * ROW;
		const share = this.before ? 0 : survivedShare(this.weights!, box.node);
		g.globalAlpha = box.faded ? 0.55 : 1;
		g.fillStyle = this.colorOf(box.node);
		g.fillRect(x, y, Math.max(w - 1, 0.5), ROW - 1);
		if (lit) {
			g.strokeStyle = color('text');
			g.lineWidth = 1.5;
			g.strokeRect(x + 0.75, y + 0.75, Math.max(w - 2.5, 1), ROW - 2.5);
		}
		if (w < TEXT_MIN)
			return;
		g.fillStyle = share > 0.6 ? ink.strong : ink.light;
		g.fillText(fitted(g, this.name(box.node), w - 9), x + 4, y + ROW / 2 - 0.5);
		g.globalAlpha = 1;
	}

	/* How many times as much (a second, or in the run) as in the other trace; NaN without one. */
	private times(node: number): number {
		const { answer, base, before, weights } = this;
		return base && before ? weights!.value[node] / answer!.exposure / (before.value[node] / base.exposure) : NaN;
	}

	private colorOf(node: number): string {
		return this.before ? changeColor(this.times(node)) : survivalColor(survivedShare(this.weights!, node));
	}

	private boxAt(x: number, y: number): number {
		const depth = Math.floor(y / ROW), share = x / this.width;
		return this.boxes.findIndex((box) => box.depth === depth && box.x0 <= share && share < box.x1);
	}

	private moved(e: PointerEvent): void {
		const { left, top } = this.canvas.getBoundingClientRect();
		const x = e.clientX - left, y = e.clientY - top;
		this.point(this.boxAt(x, y), x, y + 22);
	}

	private point(at: number, x?: number, y?: number): void {
		if (at !== this.at) {
			this.at = at;
			this.draw();
		}
		const box = this.boxes[at];
		if (!box) {
			this.tip.hide();
			return;
		}
		const { value, died0, survived } = this.weights!, whole = value[0], one = value[box.node];
		this.tip.show(x ?? box.x0 * this.width, y ?? (box.depth + 1) * ROW + 4, [
			['', this.fullName(box.node)],
			[MEASURE_WORDS[this.answer!.query.measure], `${bytesText(one)} · ${shareText(one / whole)}`],
			...this.before ? [[`${this.answer!.perRun ? '' : 'a second, '}of what it was`, timesText(this.times(box.node))] as [string, string]] : [],
			['outlived a GC', shareText(survivedShare(this.weights!, box.node))],
			['of lives seen', bytesText(died0[box.node] + survived[box.node])],
		]);
	}

	private zoomTo(at: number): void {
		const box = this.boxes[at];
		if (box)
			this.change({ zoom: this.stacks!.path(box.node).map(wholeName) });
	}

	private drawTrail(zoom: number): void {
		const steps: number[] = [];
		for (let node = zoom; node > 0; node = this.stacks!.parent[node])
			steps.unshift(node);
		const back = !steps.length && this.trail.contains(document.activeElement);
		this.trail.hidden = !steps.length;
		if (back)
			this.canvas.focus({ preventScroll: true });
		renew(this.trail, this.canvas, button('Zoom out', () => this.change({ zoom: [] }), { class: 'quiet' }),
			el('span', { class: 'muted' }, steps.map((node) => this.name(node)).slice(-3).join(' › ')));
	}

	private drawLegend(): void {
		const swatches = [0, 0.25, 0.5, 0.75, 1].map((share) => {
			const node = el('i', { class: 'swatch' });
			node.style.setProperty('--c', this.before ? changeColor(4 ** (2 * share - 1)) : survivalColor(share));
			return node;
		});
		const [what, least, most] = this.before ? [this.answer?.perRun ? 'B, of A' : 'B a second, of A', '¼', '4 ×'] : ['outlives a GC', '0 %', '100 %'];
		this.legend.replaceChildren(el('span', { class: 'key' }, `colour: ${what}  ${least} `, ...swatches, ` ${most}`));
	}

	private key(e: KeyboardEvent): void {
		const box = this.boxes[Math.max(this.at, 0)];
		if (!box)
			return;
		if (e.key === 'Enter')
			this.zoomTo(Math.max(this.at, 0));
		else if (e.key === 'Backspace')
			this.change({ zoom: this.answer!.query.zoom.slice(0, -1) });
		else if (e.key.startsWith('Arrow'))
			this.point(this.neighbour(box, e.key));
		else
			return;
		e.preventDefault();
		e.stopPropagation();
	}

	private neighbour(box: Box, key: string): number {
		const boxes = this.boxes, middle = (box.x0 + box.x1) / 2;
		const here = boxes.indexOf(box);
		if (key === 'ArrowUp' || key === 'ArrowDown') {
			const depth = box.depth + (key === 'ArrowDown' ? 1 : -1);
			const over = boxes.findIndex((b) => b.depth === depth && b.x0 <= middle && middle < b.x1);
			const under = boxes.findIndex((b) => b.depth === depth && b.x0 >= box.x0 && b.x1 <= box.x1);
			return over >= 0 ? over : under >= 0 ? under : here;
		}
		const row = boxes.map((b, i) => [b, i] as const).filter(([b]) => b.depth === box.depth)
			.sort(([a], [b]) => a.x0 - b.x0);
		const at = row.findIndex(([b]) => b === box) + (key === 'ArrowRight' ? 1 : -1);
		return row[Math.min(Math.max(at, 0), row.length - 1)][1];
	}
}

const timesText = (x: number): string => Number.isFinite(x) ? `${digits(x)} ×` : 'new in B';

/* Names in a hash are whole numbers: methods even, classes odd. */
export const wholeName = (name: number): number => name < 0 ? 2 * (-1 - name) + 1 : 2 * name;
export const nameOf = (whole: number): number => whole % 2 ? -1 - (whole - 1) / 2 : whole / 2;

/* As much of the end of a text as fits: the method says more than its package. */
function fitted(g: CanvasRenderingContext2D, text: string, width: number): string {
	if (g.measureText(text).width <= width)
		return text;
	const whole = text.replace(/^.*\.(?=[^.]*\.[^.]*$)/, '');
	let lo = 0, hi = whole.length;
	while (lo < hi) {
		const middle = (lo + hi + 1) >> 1;
		if (g.measureText(`${whole.slice(0, middle)}…`).width <= width)
			lo = middle;
		else
			hi = middle - 1;
	}
	return lo >= whole.length ? whole : lo > 1 ? `${whole.slice(0, lo)}…` : '';
}
