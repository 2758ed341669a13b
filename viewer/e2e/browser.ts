/* Debian's Chromium, driven by playwright-core; pages from files, and every request noted. */

import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium = (): boolean => existsSync(CHROMIUM);

export const launch = (): Promise<Browser> =>
	chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });

export interface Opened {
	page: Page;
	context: BrowserContext;
	requests: string[]; /* of anything but the page itself */
	errors: string[];
}

export interface Look {
	width?: number;
	height?: number;
	dark?: boolean;
	hash?: string;
	touch?: boolean;
	refused?: boolean; /* the story tries what the policy forbids, and the browser says so */
}

export async function openPage(browser: Browser, file: string, look: Look = {}): Promise<Opened> {
	const context = await browser.newContext({
		viewport: { width: look.width ?? 1280, height: look.height ?? 720 },
		colorScheme: look.dark ? 'dark' : 'light', hasTouch: look.touch ?? false,
	});
	const page = await context.newPage(), requests: string[] = [], errors: string[] = [];
	const url = `file://${file}`;
	page.on('request', (request) => {
		if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
			requests.push(request.url());
	});
	page.on('pageerror', (error) => errors.push(String(error)));
	page.on('console', (message) => {
		if (message.type() === 'error')
			errors.push(message.text());
	});
	await page.goto(url + (look.hash ? `#${look.hash}` : ''));
	await page.waitForSelector('main:not([aria-busy])');
	return { page, context, requests, errors };
}
