/*
 * A layer over the time line on which a person drags out a window, moves it, or takes its ends;
 * with the keyboard: arrows move the window, with Shift its end.
 */

import { el } from './dom';

export interface Scale {
	from: number; /* seconds at the left edge */
	to: number; /* at the right one */
}

export interface BrushEvents {
	drag: (from: number, to: number, done: boolean) => void;
	click: (at: number) => void;
	hover: (at: number | null, x: number) => void;
}

const CLICK_PX = 4;
const HANDLE_PX = 7;

type Grip = 'new' | 'move' | 'from' | 'to';

interface Drag {
	grip: Grip;
	start: number; /* seconds */
	x: number;
	from: number;
	to: number;
	moved: boolean;
}

export class Brush {
	readonly node = el('div', {
		class: 'brush',
		attrs: { tabindex: 0, role: 'slider', 'aria-label': 'Window of time; drag, or use the arrow keys' },
	});
	private scale: Scale = { from: 0, to: 1 };
	private window: { from: number; to: number } | null = null;
	private drag: Drag | null = null;

	constructor(private readonly events: BrushEvents) {
		this.node.addEventListener('pointerdown', (e) => this.down(e));
		this.node.addEventListener('pointermove', (e) => this.move(e));
		this.node.addEventListener('pointerup', (e) => this.up(e));
		this.node.addEventListener('pointercancel', () => { this.drag = null; });
		this.node.addEventListener('pointerleave', () => events.hover(null, 0));
		this.node.addEventListener('keydown', (e) => this.key(e));
	}

	show(scale: Scale, window: { from: number; to: number } | null): void {
		this.scale = scale;
		this.window = window;
		const now = { min: scale.from, max: scale.to, now: window?.from ?? scale.from };
		for (const [name, seconds] of Object.entries(now))
			this.node.setAttribute(`aria-value${name}`, `${Number(seconds.toFixed(2))}`);
		this.node.setAttribute('aria-valuetext',
			window ? `${window.from.toFixed(2)} to ${window.to.toFixed(2)} seconds` : 'no window');
	}

	/* 0 … 1 of the width. */
	share(seconds: number): number {
		return (seconds - this.scale.from) / (this.scale.to - this.scale.from);
	}

	private secondsAt(x: number): number {
		const { from, to } = this.scale, width = this.node.clientWidth || 1;
		return from + Math.min(Math.max(x / width, 0), 1) * (to - from);
	}

	private xOf(e: PointerEvent): number {
		return e.clientX - this.node.getBoundingClientRect().left;
	}

	private gripAt(x: number): Grip {
		if (!this.window)
			return 'new';
		const width = this.node.clientWidth;
		const left = this.share(this.window.from) * width, right = this.share(this.window.to) * width;
		if (Math.abs(x - left) <= HANDLE_PX)
			return 'from';
		if (Math.abs(x - right) <= HANDLE_PX)
			return 'to';
		return x > left && x < right && right - left > 4 * HANDLE_PX ? 'move' : 'new';
	}

	private down(e: PointerEvent): void {
		if (e.button !== 0)
			return;
		const x = this.xOf(e), start = this.secondsAt(x);
		this.node.setPointerCapture(e.pointerId);
		const { from, to } = this.window ?? { from: start, to: start };
		this.drag = { grip: this.gripAt(x), start, x, from, to, moved: false };
	}

	private move(e: PointerEvent): void {
		const x = this.xOf(e), drag = this.drag;
		this.events.hover(this.secondsAt(x), x);
		if (!drag) {
			const cursors = { new: 'crosshair', move: 'grab', from: 'ew-resize', to: 'ew-resize' };
			this.node.style.cursor = cursors[this.gripAt(x)];
			return;
		}
		if (Math.abs(x - drag.x) > CLICK_PX)
			drag.moved = true;
		if (drag.moved)
			this.tell(drag, x, false);
	}

	private up(e: PointerEvent): void {
		const drag = this.drag;
		this.drag = null;
		if (!drag)
			return;
		if (drag.moved)
			this.tell(drag, this.xOf(e), true);
		else
			this.events.click(drag.start);
	}

	private tell(drag: Drag, x: number, done: boolean): void {
		const at = this.secondsAt(x), { from, to } = this.scale, by = at - drag.start;
		let ends = [drag.start, at];
		if (drag.grip === 'from')
			ends = [at, drag.to];
		else if (drag.grip === 'to')
			ends = [drag.from, at];
		else if (drag.grip === 'move') {
			const shift = Math.min(Math.max(by, from - drag.from), to - drag.to);
			ends = [drag.from + shift, drag.to + shift];
		}
		this.events.drag(Math.min(...ends), Math.max(...ends), done);
	}

	private key(e: KeyboardEvent): void {
		const sign = e.key === 'ArrowLeft' ? -1 : e.key === 'ArrowRight' ? 1 : 0;
		if (!sign || e.altKey || e.ctrlKey || e.metaKey)
			return;
		e.preventDefault();
		const { from, to } = this.scale, step = (to - from) / 50 * sign;
		const w = this.window ?? { from, to: from + (to - from) / 10 };
		const shift = Math.min(Math.max(step, from - w.from), to - w.to);
		const end = Math.min(Math.max(w.to + step, w.from), to);
		if (e.shiftKey)
			this.events.drag(w.from, end, true);
		else
			this.events.drag(w.from + shift, w.to + shift, true);
	}
}
