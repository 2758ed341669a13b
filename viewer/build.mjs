/*
 * Builds with esbuild: `page` (dist/page.html, one file), `test` and `e2e` (what node runs).
 * The page's own policy lets nothing in but the script and style that are in it, told by their hashes.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const HOLE = '<!--mayfly-data-->';

async function bundle(entry, options) {
	const result = await build({
		entryPoints: [entry], bundle: true, minify: !process.env.READABLE, write: false, charset: 'utf8',
		target: ['chrome109', 'firefox115', 'safari16.4'], legalComments: 'none', ...options,
	});
	return result.outputFiles[0].text;
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/* What would end a script early, or hide its end. */
function checkInline(text, what) {
	if (/<\/(script|style)|<!--/i.test(text))
		throw new Error(`the ${what} can't stand in a page as it is`);
}

async function page() {
	const script = await bundle('src/main.ts', { format: 'iife' });
	const style = await bundle('src/style.css', { loader: { '.css': 'css' } });
	checkInline(script, 'script');
	checkInline(style, 'style');
	const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; ` +
		"img-src data:; base-uri 'none'; form-action 'none'";
	const parts = { policy, script, style };
	const html = readFileSync('src/page.html', 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
	if (html.split(HOLE).length !== 2)
		throw new Error('the page must have exactly one place for its data');
	mkdirSync('dist', { recursive: true });
	writeFileSync('dist/page.html', html);
	console.log(`dist/page.html: ${Math.round(html.length / 1024)} KiB`);
}

/* Two folders deep: test/ROOM/NAME.test.ts. */
const testsUnder = (folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
	.flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
	.filter((path) => path.endsWith('.test.ts'));

function nodeBundle(entryPoints, outdir) {
	return build({
		entryPoints, bundle: true, platform: 'node', format: 'esm', target: 'node18', outdir,
		outExtension: { '.js': '.mjs' }, packages: 'external', logLevel: 'warning', sourcemap: 'inline',
	});
}

const modes = {
	page,
	test: () => nodeBundle(testsUnder('test'), 'dist/test'),
	e2e: () => nodeBundle(['e2e/run.ts'], 'dist/e2e'),
};

const mode = modes[process.argv[2]];
if (!mode) {
	console.error('usage: node build.mjs page|test|e2e');
	process.exit(2);
}
await mode();
