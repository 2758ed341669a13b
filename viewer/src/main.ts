import { App } from './app/app';
import { DataError } from './data/container';
import { loadTraces } from './data/load';

async function open(root: HTMLElement): Promise<void> {
	const traces = await loadTraces(document);
	if (!traces.length)
		throw new DataError('This page holds no recording: mayfly html makes one that does.');
	new App(root, traces).start();
}

const root = document.getElementById('page')!;
open(root).catch((error: unknown) => {
	const text = error instanceof DataError ? error.message : `This page could not be drawn: ${String(error)}`;
	const p = document.createElement('p');
	p.className = 'loading';
	p.textContent = text;
	root.replaceChildren(p);
	root.removeAttribute('aria-busy');
	if (!(error instanceof DataError))
		console.error(error);
});
