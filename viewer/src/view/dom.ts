/* Elements, made without any parsing of markup: what a trace says is only ever text. */

export type Child = Node | string | null | undefined;

type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Props {
	class?: string;
	title?: string;
	on?: Handlers;
	attrs?: Record<string, string | number | boolean>; /* true: there, empty; false: not there */
}

function setAttrs(node: Element, attrs: NonNullable<Props['attrs']>): void {
	for (const [name, value] of Object.entries(attrs))
		if (value !== false)
			node.setAttribute(name, value === true ? '' : String(value));
}

export function el<K extends keyof HTMLElementTagNameMap>(
	tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
	const node = document.createElement(tag);
	if (props.class)
		node.className = props.class;
	if (props.title)
		node.title = props.title;
	if (props.attrs)
		setAttrs(node, props.attrs);
	for (const [name, handler] of Object.entries(props.on ?? {}))
		node.addEventListener(name, handler as EventListener);
	node.append(...children.filter((child) => child !== null && child !== undefined));
	return node;
}

export function svg(tag: string, attrs: Record<string, string | number>, ...children: Node[]): SVGElement {
	const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
	setAttrs(node, attrs);
	node.append(...children);
	return node;
}

export const button = (text: string, on: () => void, props: Props = {}): HTMLButtonElement =>
	el('button', { ...props, on: { click: on }, attrs: { type: 'button', ...props.attrs } }, text);

const buttonsIn = (node: Element): HTMLElement[] => [...node.querySelectorAll('button')];

/* Gives a node other children. Who works by keyboard stays: on the button in the place of the one that had the focus, else on `or`. */
export function renew(node: Element, or: HTMLElement, ...children: (Node | string)[]): void {
	const place = buttonsIn(node).indexOf(document.activeElement as HTMLElement);
	node.replaceChildren(...children);
	if (place < 0)
		return;
	const buttons = buttonsIn(node);
	(buttons[Math.min(place, buttons.length - 1)] ?? or).focus({ preventScroll: true });
}

/* A row of buttons of which one is chosen. */
export interface Choice<T extends string> {
	node: HTMLElement;
	show: (value: T) => void;
}

export function choice<T extends string>(
	label: string, options: readonly (readonly [T, string, string?])[], on: (value: T) => void): Choice<T> {
	const buttons = options.map(([value, text, title]) =>
		[value, button(text, () => on(value), { title, attrs: { 'data-value': value } })] as const);
	const node = el('div', { class: 'choice', attrs: { role: 'group', 'aria-label': label } },
		...buttons.map(([, b]) => b));
	return {
		node,
		show: (value) => buttons.forEach(([v, b]) => b.setAttribute('aria-pressed', String(v === value))),
	};
}

/* A list to choose from. Its options can be set anew. */
export interface Menu {
	node: HTMLSelectElement;
	set: (options: readonly (readonly [string, string])[], value: string) => void;
}

export function menu(label: string, on: (value: string) => void): Menu {
	const node = el('select', { attrs: { 'aria-label': label }, on: { change: () => on(node.value) } });
	let had = '';
	return {
		node,
		set: (options, value) => {
			const has = JSON.stringify(options);
			if (has !== had)
				node.replaceChildren(...options.map(([v, text]) => el('option', { attrs: { value: v } }, text)));
			had = has;
			node.value = value;
		},
	};
}

const watched: (() => void)[] = [];

/* Calls back when the width of a node, which has neither border nor padding, has changed. */
export function onWidth(node: Element, then: (width: number) => void): void {
	let had = 0;
	const look = (now: number): void => {
		const width = Math.floor(now);
		if (width !== had && width > 0)
			then(had = width);
	};
	new ResizeObserver(([entry]) => look(entry.contentRect.width)).observe(node);
	watched.push(() => look(node.getBoundingClientRect().width));
}

/* Looks at all widths now: observers do so with the next frame, and paper does not wait for one. */
export const lookAtWidths = (): void => watched.forEach((look) => look());
