/*
 * The page in a real browser: clicks, keys, the brush, links, hostile names, and figures. Nothing is judged by the clock but
 * what `--figures` prints; the thread's own time is told there, for the machine may be busy.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { diffDocument } from '../test/support/documents';
import { fillPage } from '../test/support/encode';
import { makeData } from '../test/support/make_data';
import { hasChromium, launch } from './browser';
import { figures } from './figures';
import { shots } from './shots';
import { stories } from './stories';

const SKIPPED = 77;

/* Made up: */
const MADE = ['one', 'two', 'calm', 'cut', 'empty'] as const;
/* Written by the program itself, where MAYFLY and MAKE_TRACE tell it (test/cli/make_trace.c), from these traces: */
const REAL = { mill: ['mill'], still: ['calm'], counted: ['exact'], single: ['single'], nothing: ['empty'], changed: ['orders', 'after'], hostile: ['hostile'], hostiles: ['hostile', 'orders'] } as const;

export type Files = Record<typeof MADE[number], string> & Partial<Record<keyof typeof REAL, string>>;

function writeReal(folder: string): Partial<Files> {
	const { MAYFLY, MAKE_TRACE } = process.env, files: Partial<Files> = {};
	for (const [name, traces] of MAYFLY && MAKE_TRACE ? Object.entries(REAL) : []) {
		const paths = traces.map((trace) => join(folder, `${trace}.mfly`)), out = join(folder, `${name}.html`);
		traces.forEach((trace, i) => execFileSync(MAKE_TRACE!, [trace, paths[i]]));
		execFileSync(MAYFLY!, ['html', ...paths, '-o', out, '--viewer', 'dist/page.html'], { stdio: 'pipe' });
		files[name as keyof typeof REAL] = out;
	}
	return files;
}

function write(folder: string, samples: number): Files {
	const page = readFileSync('dist/page.html', 'utf8');
	const put = (name: string, text: string): string => {
		writeFileSync(join(folder, name), text);
		return join(folder, name);
	};
	const a = makeData({ samples: samples / 2, seed: 2, document: { diff: diffDocument() } });
	const b = makeData({ samples: samples / 2, seed: 3, change: (places) => places.filter((p) => !p.cls.endsWith('StringBuilder')) });
	const one = fillPage(page, [makeData({ samples })]);
	return {
		one: put('one.html', one),
		two: put('two.html', fillPage(page, [a, b])),
		calm: put('calm.html', fillPage(page, [makeData({ samples: 2000, document: {
			advice: { findings: [], run: { pause_ms_per_s: 5.6 }, notes: [] }, churn: { windows: [] },
		} })])),
		cut: put('cut.html', one.replace(/(data-trace="a">.{4000})[^<]*/, '$1')),
		empty: put('empty.html', page),
		...writeReal(folder),
	};
}

async function tell(browser: Browser, files: Files): Promise<number> {
	let failed = 0, n = 0;
	console.log(`1..${stories.length}`);
	for (const [name, story] of stories) {
		n++;
		try {
			const skipped = await story(browser, files);
			console.log(`ok ${n} - ${name}${skipped ? ` # SKIP ${skipped}` : ''}`);
		} catch (error) {
			failed++;
			console.log(`not ok ${n} - ${name}\n# ${String((error as Error).stack).replaceAll('\n', '\n# ')}`);
		}
	}
	return failed;
}

async function main(): Promise<number> {
	if (!hasChromium()) {
		console.log('1..0 # SKIP no chromium: install Debian’s, or set CHROMIUM');
		return SKIPPED;
	}
	const option = process.argv[2] ?? '', folder = mkdtempSync(join(tmpdir(), 'mayfly-page-'));
	const browser = await launch();
	try {
		const files = write(folder, option === '--figures' || option === '--shots' ? 200_000 : 12_000);
		if (option === '--figures') {
			await figures(browser, files.one);
			await figures(browser, files.two);
		} else if (option === '--shots') {
			const out = process.argv[3] ?? 'dist/shots';
			mkdirSync(out, { recursive: true });
			await shots(browser, files, out);
		} else {
			return await tell(browser, files) ? 1 : 0;
		}
		return 0;
	} finally {
		await browser.close();
		rmSync(folder, { recursive: true });
	}
}

process.exitCode = await main();
