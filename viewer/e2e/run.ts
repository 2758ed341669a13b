/*
 * The page in a real browser: clicks, keys, the brush, links, hostile names, and figures. Nothing is judged by the clock but
 * what `--figures` prints; the thread's own time is told there, for the machine may be busy.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { fillPage } from '../test/support/encode';
import { makeData } from '../test/support/make_data';
import { hasChromium, launch } from './browser';
import { figures } from './figures';
import { shots } from './shots';
import { stories } from './stories';

const SKIPPED = 77;

export interface Files {
	one: string;
	two: string;
	cut: string;
	empty: string;
}

function write(folder: string, samples: number): Files {
	const page = readFileSync('dist/page.html', 'utf8');
	const put = (name: string, text: string): string => {
		writeFileSync(join(folder, name), text);
		return join(folder, name);
	};
	const a = makeData({ samples: samples / 2, seed: 2 });
	const b = makeData({ samples: samples / 2, seed: 3, change: (places) => places.filter((p) => !p.cls.endsWith('StringBuilder')) });
	const one = fillPage(page, [makeData({ samples })]);
	return {
		one: put('one.html', one),
		two: put('two.html', fillPage(page, [a, b])),
		cut: put('cut.html', one.replace(/(data-trace="a">.{4000})[^<]*/, '$1')),
		empty: put('empty.html', page),
	};
}

async function tell(browser: Browser, files: Files): Promise<number> {
	let failed = 0, n = 0;
	console.log(`1..${stories.length}`);
	for (const [name, story] of stories) {
		n++;
		try {
			await story(browser, files);
			console.log(`ok ${n} - ${name}`);
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
