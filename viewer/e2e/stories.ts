/* What a person does with the page, and what must come of it. */

import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { openPage, type Look } from './browser';
import type { Files } from './run';

type Story = (browser: Browser, files: Files) => Promise<void>;

const firstRow = (page: Page): Promise<string> => page.locator('tbody tr').first().innerText();
const rows = (page: Page): Promise<number> => page.locator('tbody tr').count();
const hash = (page: Page): Promise<string> => page.evaluate(() => decodeURIComponent(location.hash.slice(1)));

/* Opens the page, does something, and asks that nothing went wrong and nothing was fetched. */
function on(which: keyof Files, does: (page: Page) => Promise<void>, look: Look = {}): Story {
	return async (browser, files) => {
		const { page, context, requests, errors } = await openPage(browser, files[which], look);
		try {
			await does(page);
			assert.deepEqual(errors.filter((error) => !look.refused || !/Content Security Policy/.test(error)), []);
			assert.deepEqual(requests, []);
		} finally {
			await context.close();
		}
	};
}

/* Drags over the time line, in shares of its width. */
async function drag(page: Page, from: number, to: number): Promise<void> {
	const box = (await page.locator('.brush').boundingBox())!, y = box.y + box.height / 2;
	await page.mouse.move(box.x + from * box.width, y);
	await page.mouse.down();
	await page.mouse.move(box.x + (from + to) / 2 * box.width, y);
	await page.mouse.move(box.x + to * box.width, y);
	await page.mouse.up();
}

const numbers = (text: string): number[] => text.split('~').map(Number);

async function settled(page: Page): Promise<void> {
	await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/* Pixels of a canvas as one number, to tell pictures apart. */
const picture = (page: Page, selector: string): Promise<number> => page.locator(selector).first().evaluate((node) => {
	const c = node as HTMLCanvasElement, { data } = c.getContext('2d')!.getImageData(0, 0, c.width, c.height);
	let sum = 0;
	for (let i = 0; i < data.length; i++)
		sum = (sum * 31 + data[i]) >>> 0;
	return sum;
});

export const stories: [string, Story][] = [
	['the first screen has the answer: sentence, time line, rows with shares', on('one', async (page) => {
		assert.match(await page.locator('.headline').innerText(), /GB allocated \(.*\/s\)\. .* % of it outlived one GC\./);
		assert.ok(await rows(page) > 8);
		assert.match(await firstRow(page), /%/);
		const table = (await page.locator('tbody tr').nth(6).boundingBox())!;
		assert.ok(table.y + table.height <= 720, 'seven rows without scrolling');
		assert.equal(await page.locator('.lane canvas').count(), 3);
	})],
	['a drag over the time line selects a window; a click lets go of it', on('one', async (page) => {
		await drag(page, 0.2, 0.4);
		const [from, to] = numbers(/born=([^&]+)/.exec(await hash(page))![1]);
		assert.ok(Math.abs(from / 92.4 - 0.2) < 0.01 && Math.abs(to / 92.4 - 0.4) < 0.01, `${from} ${to}`);
		assert.match(await page.locator('.filter-summary').innerText(), /allocated, .* % of all allocated/);
		await drag(page, 0.3, 0.5); /* inside: moves it */
		const [moved] = numbers(/born=([^&]+)/.exec(await hash(page))![1]);
		assert.ok(Math.abs(moved / 92.4 - 0.4) < 0.01, `${moved}`);
		await drag(page, 0.6, 0.9); /* its right end */
		const [, end] = numbers(/born=([^&]+)/.exec(await hash(page))![1]);
		assert.ok(Math.abs(end / 92.4 - 0.9) < 0.01, `${end}`);
		await page.locator('.brush').click({ position: { x: 20, y: 50 } });
		assert.equal(await hash(page), '');
	})],
	['the window can choose deaths, or a moment', on('one', async (page) => {
		await page.getByRole('button', { name: 'Died in', exact: true }).click();
		await drag(page, 0.5, 0.6);
		assert.match(await hash(page), /died=4.*brush=died/);
		await page.getByRole('button', { name: 'Alive at', exact: true }).click();
		await page.locator('.brush').click({ position: { x: 400, y: 50 } });
		assert.match(await hash(page), /died=.*&at=\d/);
		assert.equal(await page.locator('.readout .chip').count(), 2);
		await page.locator('.readout .chip').first().click();
		assert.ok(!(await hash(page)).includes('died=4'));
	})],
	['the brush works by keyboard', on('one', async (page) => {
		await page.locator('.brush').focus();
		await page.keyboard.press('ArrowRight');
		const [from, to] = numbers(/born=([^&]+)/.exec(await hash(page))![1]);
		await page.keyboard.press('Shift+ArrowRight');
		const [same, more] = numbers(/born=([^&]+)/.exec(await hash(page))![1]);
		assert.ok(same === from && more > to);
	})],
	['search narrows rows and time line, Escape clears', on('one', async (page) => {
		const before = await rows(page);
		await page.keyboard.press('/');
		await page.keyboard.type('json');
		await page.waitForFunction(() => location.hash.includes('q=json'));
		assert.ok(await rows(page) < before);
		for (const text of await page.locator('tbody .second').allInnerTexts())
			assert.match(text, /Json|append|copyOf|ensure/);
		await page.keyboard.press('Escape');
		await page.keyboard.press('Escape');
		assert.equal(await hash(page), '');
		assert.equal(await rows(page), before);
	})],
	['class, package, thread and lifetime filters', on('one', async (page) => {
		await page.getByLabel('Class', { exact: true }).selectOption('byte[]');
		assert.match(await hash(page), /class=byte\[\]/);
		assert.match(await firstRow(page), /byte\[\]/);
		await page.getByLabel('Class', { exact: true }).selectOption('');
		await page.getByLabel('Thread', { exact: true }).selectOption('indexer');
		assert.match(await page.locator('tbody').innerText(), /ByteBlockPool/);
		await page.getByLabel('Thread', { exact: true }).selectOption('');
		await page.getByLabel('Package', { exact: true }).selectOption('org.shop.cart');
		assert.match(await firstRow(page), /Session/);
		await page.getByRole('button', { name: 'Clear filters' }).click();
		await page.getByLabel('Lifetime', { exact: true }).selectOption('never');
		assert.match(await firstRow(page), /Product|HashMap|Term/);
		await page.getByLabel('Lifetime', { exact: true }).selectOption('own');
		await page.getByLabel('Lifetime from').fill('200');
		await page.getByLabel('Lifetime to').fill('8000');
		await page.keyboard.press('Tab');
		assert.match(await hash(page), /life=mb:200~8000/);
	})],
	['died in GC 0, survived, never died: by key', on('one', async (page) => {
		await page.keyboard.press('0');
		assert.match(await hash(page), /life=young:0~0/);
		assert.match(await firstRow(page), /byte/);
		await page.keyboard.press('1');
		assert.match(await hash(page), /life=young:1~$/);
		await page.keyboard.press('9');
		assert.match(await hash(page), /life=never/);
	})],
	['rows: sort, group, pick, more', on('one', async (page) => {
		await page.locator('th.many button').click();
		assert.match(await hash(page), /sort=many/);
		assert.match(await firstRow(page), /100/);
		await page.locator('th.many button').click();
		assert.match(await hash(page), /up=1/);
		await page.getByRole('button', { name: 'Class', exact: true }).click();
		assert.match(await hash(page), /by=class/);
		await page.locator('tbody tr').nth(1).click();
		await page.locator('tbody tr').nth(2).click();
		assert.equal(await page.locator('tbody tr[aria-selected=true]').count(), 2);
		assert.equal(await page.locator('.picked li').count(), 2);
		const few = await rows(page);
		await page.getByRole('button', { name: 'Show them' }).click();
		assert.ok(await rows(page) > few);
	})],
	['rows by keyboard', on('one', async (page) => {
		await page.keyboard.press('j');
		await page.keyboard.press('j');
		await page.keyboard.press('Enter');
		assert.match(await hash(page), /rows=\d+/);
		assert.equal(await page.locator('tbody tr').nth(1).getAttribute('aria-selected'), 'true');
		assert.ok(await page.evaluate(() => document.activeElement?.matches('tbody tr:nth-child(2)')), 'the focus stays');
	})],
	['the flame graph: hover, zoom, out, inverted, by keyboard', on('one', async (page) => {
		await settled(page);
		const canvas = page.locator('.flame canvas');
		await canvas.scrollIntoViewIfNeeded();
		await canvas.hover({ position: { x: 60, y: 45 } });
		assert.match(await page.locator('.flame .tip').innerText(), /ThreadPoolExecutor|Worker/);
		await canvas.click({ position: { x: 60, y: 45 } });
		assert.match(await hash(page), /zoom=\d+\.\d+/);
		await settled(page);
		assert.ok(await page.locator('.trail').isVisible());
		await page.getByRole('button', { name: 'Zoom out' }).click();
		assert.equal(await hash(page), '');
		const before = await picture(page, '.flame canvas');
		await page.keyboard.press('i');
		await settled(page);
		assert.notEqual(await picture(page, '.flame canvas'), before);
		await canvas.focus();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		assert.match(await hash(page), /inverted=1&zoom=\d+/);
		await page.keyboard.press('Backspace');
		assert.ok(!(await hash(page)).includes('zoom'));
	})],
	['a filter changes flame graph and time line', on('one', async (page) => {
		await settled(page);
		const flame = await picture(page, '.flame canvas'), rate = await picture(page, '.lane canvas');
		await page.evaluate(() => { location.hash = 'class=byte%5B%5D'; });
		await settled(page);
		assert.notEqual(await picture(page, '.flame canvas'), flame);
		assert.notEqual(await picture(page, '.lane canvas'), rate);
	})],
	['a link carries the view, Back goes back', on('one', async (page) => {
		assert.equal(await page.locator('tbody tr[aria-selected=true]').count(), 1);
		assert.match(await page.locator('.readout').innerText(), /allocated in 20\.0 s – 45\.0 s/);
		assert.equal(await page.getByLabel('Weigh by').inputValue(), 'survived');
		assert.equal(await page.locator('input[type=search]').inputValue(), 'shop');
		assert.equal(await page.getByRole('button', { name: 'Classes first' }).getAttribute('aria-pressed'), 'true');
		const before = await page.locator('tbody').innerText();
		await page.getByRole('button', { name: 'Thread', exact: true }).click();
		assert.notEqual(await page.locator('tbody').innerText(), before);
		await page.goBack();
		await page.waitForFunction(() => !location.hash.includes('by=thread'));
		assert.equal(await page.locator('tbody').innerText(), before);
	}, { hash: 'born=20~45&q=shop&measure=survived&rows=5&inverted=1' })],
	['churn and advice lead to the places they speak of', on('one', async (page) => {
		await page.locator('.flag').click();
		assert.match(await hash(page), /born=38\.8\d*~50\.8\d*&panel=churn/);
		await page.locator('.findings').getByRole('button', { name: /BigDecimal/ }).click();
		assert.equal(await page.locator('tbody tr[aria-selected=true] b').innerText(), 'BigDecimal');
		await page.getByRole('tab', { name: /Advice/ }).click();
		await page.locator('.findings').getByRole('button', { name: /Session/ }).click();
		assert.equal(await page.locator('tbody tr[aria-selected=true] b').innerText(), 'Session');
	})],
	['hostile names are only text', on('one', async (page) => {
		await page.getByRole('button', { name: 'Show them' }).click();
		assert.match(await page.locator('tbody').innerText(), /<script>alert\("x"\)<\/script>/);
		for (const by of ['class', 'method', 'package', 'thread']) {
			await page.evaluate((b) => { location.hash = `by=${b}&all=1&inverted=1`; }, by);
			await page.waitForFunction((b) => document.querySelector(`[data-value=${b}][aria-pressed=true]`), by);
			await settled(page);
			assert.equal(await page.locator('tbody script, tbody img, tbody svg:not(.spark), option > *').count(), 0);
			const long = await page.locator('tbody').evaluate((node) =>
				Math.max(...[...node.querySelectorAll('td')].map((td) => td.innerText.length)));
			assert.ok(long < 1000, `${long} characters in a cell`);
			assert.ok(!/[\u0000-\u0008\u202e]/.test(await page.locator('tbody').innerText()));
		}
		assert.equal(await page.evaluate(() => document.querySelectorAll('script').length), 1);
	})],
	['the policy lets nothing out and no other script in', on('one', async (page) => {
		const policy = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
		assert.match(policy!, /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-/);
		const got = await page.evaluate(async () => {
			const script = document.createElement('script');
			script.textContent = 'document.title = "owned"';
			document.body.append(script);
			const denied = await fetch('data:text/plain,x').then(() => false, () => true);
			return { denied, title: document.title };
		});
		assert.ok(got.denied);
		assert.notEqual(got.title, 'owned');
	}, { refused: true })],
	['dark and light', on('one', async (page) => {
		const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
		const before = await background();
		await page.keyboard.press('t');
		assert.notEqual(await background(), before);
		await page.reload();
		await page.waitForSelector('main:not([aria-busy])');
		assert.notEqual(await background(), before);
	})],
	['two recordings: compared, and each alone', on('two', async (page) => {
		assert.equal(await page.locator('.headline').count(), 2);
		assert.match(await firstRow(page), /StringBuilder/);
		assert.match(await firstRow(page), /−/);
		await page.getByRole('button', { name: 'A', exact: true }).click();
		assert.equal(await page.locator('.headline').count(), 1);
		assert.match(await page.locator('tbody').innerText(), /StringBuilder/);
		await page.getByRole('button', { name: 'B', exact: true }).click();
		assert.ok(!(await page.locator('tbody .first').allInnerTexts()).includes('StringBuilder'));
	})],
	['a phone’s width: nothing hangs over, all of it is there', on('one', async (page) => {
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
		assert.ok(await rows(page) > 8);
		await page.locator('tbody tr').first().tap();
		assert.match(await hash(page), /rows=/);
		await page.locator('.flame canvas').scrollIntoViewIfNeeded();
		assert.ok(await page.locator('.flame canvas').isVisible());
	}, { width: 390, height: 844, touch: true })],
	['help', on('one', async (page) => {
		await page.keyboard.press('?');
		assert.ok(await page.locator('dialog').isVisible());
		await page.keyboard.press('Escape');
		assert.ok(!await page.locator('dialog').isVisible());
	})],
	['a cut file and a page without data say so', async (browser, files) => {
		await on('cut', async (page) => {
			assert.match(await page.locator('main').innerText(), /cut/);
		})(browser, files);
		await on('empty', async (page) => {
			assert.match(await page.locator('main').innerText(), /no recording/);
		})(browser, files);
	}],
];
