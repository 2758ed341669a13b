/* How large the page is, how long it takes to open, and to answer filters: wall time, and the thread's own. */

import { statSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const FILTERS = ['class=byte%5B%5D', 'born=10~20', 'life=young:0~0', 'q=json', 'thread=http-1', 'package=org.shop', 'life=never', 'at=40',
	'sort=many', 'by=class', 'clock=mb', ''];

export async function figures(browser: Browser, file: string): Promise<void> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
	const page = await context.newPage(), cdp = await context.newCDPSession(page);
	await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
	const spent = async (): Promise<number> => {
		const { metrics } = await cdp.send('Performance.getMetrics');
		return 1000 * (metrics.find((m) => m.name === 'TaskDuration')?.value ?? 0);
	};
	const started = Date.now();
	await page.goto(`file://${file}`);
	await page.waitForSelector('main:not([aria-busy])');
	const wall = Date.now() - started;
	console.log(`file ${(statSync(file).size / 1e6).toFixed(2)} MB; opens in ${wall} ms, of them ${(await spent()).toFixed(0)} ms of its thread`);
	await page.waitForTimeout(500);
	for (const hash of FILTERS) {
		const before = await spent();
		const answered = await page.evaluate((h) => new Promise<number>((resolve) => {
			const begun = performance.now();
			addEventListener('hashchange', () => resolve(performance.now() - begun), { once: true });
			location.hash = h || 'by=site';
		}), hash);
		await page.waitForTimeout(300);
		console.log(`#${hash}: table after ${answered.toFixed(0)} ms; all of it ${(await spent() - before).toFixed(0)} ms of its thread`);
	}
	await context.close();
}
