/* Screenshots to look at. */

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Look, openPage } from './browser';
import type { Files } from './run';

const LOOKS: [string, keyof Files, Look][] = [
	['light', 'one', {}],
	['dark', 'one', { dark: true, hash: 'panel=churn&born=38.8~50.8' }],
	['phone', 'one', { width: 390, height: 844, touch: true }],
	['phone-dark', 'one', { width: 390, height: 844, dark: true, hash: 'panel=advice' }],
	['by-class-mb', 'one', { hash: 'by=class&clock=mb' }],
	['inverted', 'one', { hash: 'inverted=1&measure=survived&life=young:1~' }],
	['compared', 'two', {}],
	['compared-dark', 'two', { dark: true, hash: 'inverted=1' }],
	['wide', 'one', { width: 1680, height: 1000 }],
	['advice', 'one', { hash: 'panel=advice' }],
	['advice-dark', 'one', { dark: true, hash: 'panel=advice' }],
	['advice-phone', 'one', { width: 390, height: 844, touch: true, hash: 'panel=advice' }],
	['calm', 'calm', { hash: 'panel=advice' }],
	['compared-phone', 'two', { width: 390, height: 844, touch: true }],
	['mill', 'mill', { hash: 'panel=advice' }],
	['changed', 'changed', {}],
	['changed-dark', 'changed', { dark: true }],
	['changed-phone', 'changed', { width: 390, height: 844, dark: true, touch: true }],
	['hostile', 'hostile', { hash: 'panel=advice&all=1' }],
	['hostiles', 'hostiles', { hash: 'all=1' }],
];

export async function shots(browser: Browser, files: Files, folder: string): Promise<void> {
	for (const [name, file, look] of LOOKS) {
		const path = files[file];
		if (!path)
			continue;
		const { page, context } = await openPage(browser, path, look);
		await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
		await page.screenshot({ path: join(folder, `${name}.png`) });
		await page.screenshot({ path: join(folder, `${name}-full.png`), fullPage: true });
		await context.close();
	}
}
