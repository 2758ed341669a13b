/* What a person does with the page, and what must come of it. */

import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { openPage, type Look } from './browser';
import type { Files } from './run';

/* Gives why it was skipped, if it was. */
type Story = (browser: Browser, files: Files) => Promise<string | undefined>;

const firstRow = (page: Page): Promise<string> => page.locator('tbody tr').first().innerText();
const rows = (page: Page): Promise<number> => page.locator('tbody tr').count();
const hash = (page: Page): Promise<string> => page.evaluate(() => decodeURIComponent(location.hash.slice(1)));

/* Opens the page, does something, and asks that nothing went wrong and nothing was fetched. */
function on(which: keyof Files, does: (page: Page) => Promise<void>, look: Look = {}): Story {
	return async (browser, files) => {
		const file = files[which];
		if (!file)
			return 'no program to write the page';
		const { page, context, requests, errors } = await openPage(browser, file, look);
		try {
			await does(page);
			assert.deepEqual(errors.filter((error) => !look.refused || !/Content Security Policy/.test(error)), []);
			assert.deepEqual(requests, []);
		} finally {
			await context.close();
		}
		return undefined;
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

/* The least contrast of texts with what they stand on (WCAG 2.2), and whose it is. */
const leastContrast = (page: Page, selector: string): Promise<[number, string]> => page.locator(selector).evaluateAll((nodes) => {
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
	const light = (colors: string[]): number => {
		for (const color of ['#fff', ...colors]) {
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
		}
		const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
	};
	let least: [number, string] = [21, ''];
	for (const node of nodes) {
		const under: string[] = [], style = getComputedStyle(node), opacity = Number(style.opacity);
		for (let at: Element | null = node; at; at = at.parentElement)
			under.unshift(getComputedStyle(at).backgroundColor);
		const on = light(under), text = light([...under, `color-mix(in srgb, ${style.color} ${100 * opacity}%, transparent)`]);
		const contrast = Math.max(on, text) / Math.min(on, text);
		if (contrast < least[0])
			least = [contrast, (node as HTMLElement).innerText];
	}
	return least;
});

async function openTab(page: Page, name: string | RegExp): Promise<void> {
	await page.getByRole('tab', { name }).click();
	await settled(page);
}

/* What the selected row is of. */
const selected = (page: Page): Promise<string> => page.locator('tbody tr[aria-selected=true] b').innerText();

/* Whatever the panels say, none of it became markup, ran, or steers the screen. */
async function checkPanels(page: Page, panels: string[]): Promise<void> {
	const title = await page.title();
	for (const panel of panels) {
		await page.evaluate((p) => { location.hash = `panel=${p}&all=1`; }, panel);
		await page.waitForFunction((p) => document.querySelector(`[data-value=${p}][aria-selected=true]`), panel);
		await settled(page);
		for (const fold of await page.locator('.side summary').all())
			await fold.click().then(() => page.locator('.side details[open] > :nth-child(2)').first().waitFor());
		assert.equal(await page.locator('.side script, .side img, .side iframe, .side svg, .side [onerror], .side [onload]').count(), 0);
		assert.ok(!/[\u0000-\u0008\u2028\u2029\u202e]/.test(await page.locator('.side').innerText()), panel);
		const wide = Math.max(...await page.locator('.side, .findings').evaluateAll((nodes) => nodes.map((n) => n.scrollWidth - n.clientWidth)));
		assert.ok(wide <= 1, `${panel} hangs over by ${wide}`);
	}
	assert.match(await page.locator('tbody').innerText(), /<script>/);
	assert.equal(await page.evaluate(() => document.querySelectorAll('script').length), 1);
	assert.equal(await page.title(), title);
}

export const stories: [string, Story][] = [
	['the first screen has the answer: sentence, time line, rows with shares', on('one', async (page) => {
		assert.match(await page.locator('.headline').innerText(), /GB allocated \(.*\/s\)\. .* % of it outlived one GC\./);
		assert.ok(await rows(page) > 8);
		assert.match(await firstRow(page), /%/);
		const table = (await page.locator('tbody tr').nth(6).boundingBox())!;
		assert.ok(table.y + table.height <= 720, 'seven rows without scrolling');
		assert.equal(await page.locator('.lane canvas').count(), 3);
	})],
	['what was counted is told as the report tells it: no sampling error', on('counted', async (page) => {
		assert.match(await page.locator('.headline').innerText(), /^300\s000 objects, 457 MB allocated \(31\.7 MB\/s\)\. 10\.6 % of it outlived one GC\.$/);
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
	['the focus stays where the keyboard left it, though what it was on is made anew', on('one', async (page) => {
		const focused = (): Promise<string> => page.evaluate(() =>
			(document.activeElement as HTMLElement).closest<HTMLElement>('th, [data-value], .table-foot, .brush, [type=search], tr, canvas')
				?.outerHTML.replace(/ aria-.*/s, '').slice(0, 60) ?? '');
		const after = async (selector: string, key: string): Promise<string> => {
			await page.locator(selector).first().focus();
			await page.keyboard.press(key);
			await settled(page);
			return focused();
		};
		assert.match(await after('th.many button', 'Enter'), /class="num many"/);
		assert.match(await hash(page), /sort=many/);
		assert.match(await after('.tabs [data-value=notes]', 'Enter'), /<button.*data-value="notes"|role="tab"/);
		assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.value), 'notes');
		assert.match(await after('.table-foot button', 'Enter'), /table-foot/);
		assert.match(await after('tbody tr', '1'), /<tr/);
		assert.match(await after('.filter-row .chip', 'Enter'), /type="search"/);
		await after('.brush', 'ArrowRight');
		assert.match(await after('.readout .chip', 'Enter'), /class="brush"/);
		await page.locator('.flame canvas').focus();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await settled(page);
		assert.match(await after('.trail button', 'Enter'), /<canvas/);
	})],
	['what a screen reader is told: which rows are picked, what a panel is of, where the window stands', on('one', async (page) => {
		await page.getByRole('row').nth(2).click();
		assert.equal(await page.getByRole('grid', { name: 'Where objects come from' }).getByRole('row', { selected: true }).count(), 1);
		await page.getByRole('tab', { name: 'Survival' }).focus();
		await page.keyboard.press('ArrowRight');
		await settled(page);
		assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.value), 'advice');
		assert.ok(await page.getByRole('tabpanel', { name: 'Advice' }).isVisible());
		await page.keyboard.press('ArrowLeft');
		await settled(page);
		assert.ok(await page.getByRole('tabpanel', { name: 'Survival' }).isVisible());
		const window = page.getByRole('slider');
		assert.equal(await window.getAttribute('aria-valuemax'), '92.4');
		await page.evaluate(() => { location.hash = 'born=20~45'; });
		await settled(page);
		assert.equal(await window.getAttribute('aria-valuenow'), '20');
		assert.match((await window.getAttribute('aria-valuetext'))!, /20.00 to 45.00 seconds/);
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
	['churn leads to its window and to the places it speaks of', on('one', async (page) => {
		await page.locator('.flag').click();
		assert.match(await hash(page), /born=38\.8\d*~50\.8\d*&panel=churn/);
		await page.locator('.findings').getByRole('button', { name: /BigDecimal/ }).click();
		assert.equal(await selected(page), 'BigDecimal');
		assert.match(await hash(page), /panel=churn/);
		await page.evaluate(() => { location.hash = 'panel=churn'; });
		await page.getByRole('button', { name: 'Select this window' }).click();
		assert.match(await hash(page), /born=38\.8\d*~50\.8/);
	})],
	['advice: what, where, how sure, what to do, what would come of it', on('one', async (page) => {
		await openTab(page, /Advice 6/);
		const findings = page.locator('.finding');
		assert.equal(await findings.count(), 6);
		const text = await findings.first().innerText();
		for (const part of [/^1 +Objects are copied/, /1\.2 % of the time in GC/, /likely/, /run as a whole/, /278 MB\/s copied/,
			/Promote sooner/, /-XX:MaxTenuringThreshold=4/, /34\.8 MB\/s/])
			assert.match(text, part);
		assert.match(await page.locator('.findings').innerText(), /8 findings.*GC pauses took 2\.1 % of the time[^]*2 more: mayfly advise/);
		const link = findings.nth(1).getByRole('button', { name: /Session/ });
		await link.click();
		assert.equal(await selected(page), 'Session');
		await settled(page);
		assert.equal(await link.getAttribute('aria-pressed'), 'true');
		assert.match(await hash(page), /rows=\d+&panel=advice/);
		assert.ok(await page.evaluate(() => document.activeElement?.matches('tr[aria-selected=true]')), 'the row has the focus');
		await findings.nth(2).getByRole('button').click(); /* one of two rows of one line */
		const row = (await page.locator('tr[aria-selected=true]').boundingBox())!, bar = (await page.locator('.filters').boundingBox())!;
		assert.ok(row.y >= bar.y + bar.height && row.y + row.height <= 720, 'it is in view, and not under the filters');
		assert.match(await page.locator('tbody tr[aria-selected=true]').innerText(), /HashMap\$Node[^]*Sessions\.remember/);
		await findings.nth(3).getByRole('button').click(); /* of a class */
		assert.match(await hash(page), /by=class/);
		assert.equal(await selected(page), 'HashMap$Node');
	})],
	['a finding’s row is shown whatever filters hide it', on('one', async (page) => {
		assert.ok(!(await page.locator('tbody').innerText()).includes('Session'));
		await page.locator('.finding').nth(1).getByRole('button').click();
		assert.equal(await selected(page), 'Session');
		assert.ok(!(await hash(page)).includes('q='));
		await page.goBack();
		await page.waitForFunction(() => location.hash.includes('q=json'));
	}, { hash: 'q=json&life=young:0~0&panel=advice' })],
	['nothing to fix is said as such', on('calm', async (page) => {
		await openTab(page, 'Advice');
		assert.match(await page.locator('.findings').innerText(), /^Nothing to fix: no place stands out by what it costs\. GC pauses took 0\.6 %/);
		await openTab(page, 'Churn');
		assert.match(await page.locator('.findings').innerText(), /No window stands out/);
	})],
	['what changed: figures, changed sites first, the others folded, each leads to its row', on('two', async (page) => {
		await settled(page);
		assert.equal(await page.getByRole('tab', { name: 'Changes 4' }).getAttribute('aria-selected'), 'true');
		assert.match(await page.locator('.figures').innerText(), /time in GC pauses a second\s+25\.0 ms\s+20\.0 ms\s+−20 %/);
		assert.match(await page.locator('.figures').innerText(), /allocated a second.*−11 % ±2 may be chance/);
		const entries = page.locator('.changed > li');
		assert.equal(await entries.count(), 4);
		assert.match(await entries.first().innerText(), /StringBuilder[^]*−160 MB\/s\s+gone\s+160 MB\/s → 0 B\/s\s+p < 0\.001/);
		assert.match(await entries.nth(1).innerText(), /may be chance[^]*Survives 1 GC: 97\.4 % → 4\.1 %\s+p < 0\.001/);
		await entries.first().getByRole('button').click();
		assert.equal(await selected(page), 'StringBuilder');
		assert.equal(await page.locator('tr[aria-selected=true] .change .sure').count(), 1);
		assert.equal(await entries.nth(3).getByRole('button').count(), 0, 'what the page does not have is only text');
		await page.getByText(/3 other sites did not change by more than chance explains/).click();
		await entries.nth(6).waitFor();
		assert.equal(await entries.count(), 7);
		await entries.nth(6).getByRole('button').click();
		assert.equal(await selected(page), 'Session');
		assert.equal(await page.locator('tr[aria-selected=true] .change .muted').count(), 1);
		assert.ok(await entries.nth(6).isVisible(), 'the fold stays open');
	})],
	['a filter takes back what the diff says of whole runs', on('two', async (page) => {
		assert.ok(await page.locator('.change .sure').count() > 0);
		await page.evaluate(() => { location.hash = 'born=10~40'; });
		await page.waitForFunction(() => !document.querySelector('.change .sure'));
		assert.equal(await page.locator('td.change .muted').count(), 0);
	})],
	['a link carries what is selected of the changes', on('two', async (page) => {
		await page.locator('.changed > li').nth(1).getByRole('button').click();
		await page.reload();
		await page.waitForSelector('main:not([aria-busy])');
		await settled(page);
		assert.equal(await selected(page), 'Term[]');
		assert.equal(await page.locator('.changed > li').nth(1).getByRole('button').getAttribute('aria-pressed'), 'true');
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
	['hostile findings are only text', on('one', (page) => checkPanels(page, ['advice', 'churn', 'notes', 'lives']))],
	['hostile changes are only text', on('two', (page) => checkPanels(page, ['diff', 'advice']))],
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
	['what is small or dim can be read, in both themes', on('calm', async (page) => {
		for (const key of ['', 't']) {
			if (key)
				await page.keyboard.press(key);
			await page.waitForFunction(() => document.getAnimations().length === 0);
			const [contrast, text] = await leastContrast(page, '.tabs button, .shape, .muted, th button, .second, td small');
			assert.ok(contrast >= 4.5, `${text}: ${contrast.toFixed(2)}`);
		}
	})],
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
		assert.equal(await page.getByRole('tab', { name: /Changes/ }).count(), 0);
	})],
	['the program’s own page: every finding that has a place leads to its row', on('mill', async (page) => {
		await openTab(page, /Advice/);
		const findings = page.locator('.finding'), count = await findings.count();
		assert.ok(count >= 5, `${count} findings`);
		let places = 0;
		for (let i = 0; i < count; i++) {
			const text = await findings.nth(i).innerText(), link = findings.nth(i).getByRole('button');
			assert.match(text, /sure|likely|possible/);
			assert.match(text, /\bis\b[^]*\bdo\b/);
			if (/run as a whole/.test(text))
				continue;
			await link.click();
			assert.equal(await selected(page), await link.locator('b').innerText());
			places++;
		}
		assert.ok(places >= 3, `${places} places`);
	})],
	['the program’s own page of a run without anything to fix', on('still', async (page) => {
		await openTab(page, 'Advice');
		const text = await page.locator('.findings').innerText();
		assert.match(text, /^Nothing to fix: no place stands out by what it costs\. GC pauses took 0\.6 % of the time\./);
		assert.match(text, /Left out: 1 finding worth too little[^]*A leak can't be told/);
	})],
	['the program’s own pages of one sample, and of none', async (browser, files) => {
		const none = await on('nothing', async (page) => {
			assert.match(await page.locator('.table-foot').innerText(), /^No allocation was sampled\.$/);
			await page.evaluate(() => { location.hash = 'q=x'; });
			await settled(page);
			assert.match(await page.locator('.table-foot').innerText(), /^No allocation was sampled\.$/);
		})(browser, files);
		return none ?? on('single', async (page) => {
			assert.match(await page.locator('.facts').innerText(), / 1 sample · /);
			assert.match(await firstRow(page), /1 sample, too few to say/);
			await page.evaluate(() => { location.hash = 'q=Term'; });
			await settled(page);
			assert.match(await page.locator('.filter-summary').innerText(), / 1 sample$/);
		})(browser, files);
	}],
	['the program’s own comparison: every change leads to its rows', on('changed', async (page) => {
		await settled(page);
		const entries = page.locator('.changed > li');
		assert.equal(await entries.count(), 9);
		assert.match(await entries.first().innerText(), /byte\[\][^]*−3\.44 GB\s+−67 % ±2\s+5\.11 GB → 1\.67 GB/);
		assert.match(await page.locator('.figures').innerText(), /time in GC pauses\s+559 ms\s+279 ms\s+−50 %/);
		await page.locator('summary').click();
		await entries.nth(11).waitFor();
		assert.equal(await entries.count(), 12);
		for (let i = 0; i < 12; i++) {
			const link = entries.nth(i).getByRole('button');
			await link.click();
			assert.equal(await page.locator('tbody tr[aria-selected=true] b').first().innerText(), await link.locator('b').innerText());
		}
	})],
	['the program’s own page of hostile names', on('hostile', (page) => checkPanels(page, ['advice', 'churn', 'notes', 'lives']))],
	['the program’s own comparison of hostile names', on('hostiles', (page) => checkPanels(page, ['diff', 'advice']))],
	['on paper: all of the time line, dark on white, with its key', on('one', async (page) => {
		const told = (event: string): Promise<[number, string, number]> => page.evaluate(async (name) => {
			dispatchEvent(new Event(name));
			await null;
			const lane = document.querySelector('.lane')!, canvas = lane.querySelector('canvas')!;
			return [canvas.getBoundingClientRect().right - lane.getBoundingClientRect().right, document.documentElement.dataset.theme!,
				Math.round(document.querySelector('main')!.getBoundingClientRect().width)];
		}, event);
		const [over, theme, width] = await told('beforeprint');
		assert.ok(over <= 1, `the time line hangs over by ${over}`);
		assert.equal(theme, 'light');
		assert.ok(width <= 710, `${width} px are more than a page has`);
		assert.equal(await page.locator('.swatch').first().evaluate((node) => getComputedStyle(node).printColorAdjust), 'exact');
		assert.deepEqual(await told('afterprint'), [0, 'dark', 1280]);
	}, { dark: true })],
	['a phone’s width: nothing hangs over, all of it is there', on('one', async (page) => {
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
		assert.ok(await rows(page) > 8);
		await page.locator('tbody tr').first().tap();
		assert.match(await hash(page), /rows=/);
		await page.locator('.flame canvas').scrollIntoViewIfNeeded();
		assert.ok(await page.locator('.flame canvas').isVisible());
	}, { width: 390, height: 844, touch: true })],
	['a phone’s width, compared: a change leads up to its row', on('two', async (page) => {
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
		await page.locator('.changed > li').nth(1).getByRole('button').tap();
		assert.equal(await selected(page), 'Term[]');
		const row = (await page.locator('tr[aria-selected=true]').boundingBox())!;
		assert.ok(row.y >= 0 && row.y + row.height <= 844, 'it is in view');
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
		return on('empty', async (page) => {
			assert.match(await page.locator('main').innerText(), /no recording/);
		})(browser, files);
	}],
];
