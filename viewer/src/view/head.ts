/* The top of the page: which recording this is, and what it says in one sentence. */

import type { Answer, Loaded } from '../app/loaded';
import type { View } from '../query/query';
import { curveAt } from '../stat/curve';
import { AgesMaker } from '../stat/ages';
import { productCurve, seenOf } from '../stat/product';
import { massEffective } from '../stat/mass';
import { cleaned } from '../word/names';
import { bytesText, countText, plural, rateText, samplesText, shareText, timeText } from '../word/units';
import { button, choice, type Choice, el } from './dom';

const SAMPLES_MIN = 10;

const withHalf = (p: number, lo: number, hi: number): string => Number.isNaN(p) ? '' : shareText(p, Math.max(hi - p, p - lo));

/* The share of bytes that outlived one collection, with its interval: counted, or of all lives of the trace. */
function outlivedOne(loaded: Loaded): string {
	const { outlived } = loaded.trace.info;
	return outlived ? withHalf(outlived.share, outlived.lo, outlived.hi) : outlivedOfSamples(loaded);
}

function outlivedOfSamples(loaded: Loaded): string {
	const { trace, lives } = loaded, { fate, size } = trace.samples, maker = new AgesMaker();
	for (let i = 0; i < fate.length; i++)
		if (fate[i])
			maker.add(!!lives.gc.died[i], Math.min(lives.gc.age[i], 1), Math.max(size[i], 1), trace.samples.lives[i]);
	const ages = maker.finish();
	if (trace.info.lives === 'none' || massEffective(seenOf(ages)) < SAMPLES_MIN)
		return '';
	const one = curveAt(productCurve(ages, 'both', 1), 1);
	return withHalf(one.p, one.lo, one.hi);
}

/* Where it is less than nine tenths it does not stand for all. */
const knownOf = (share: number): string => share < 0.9 ? `the known ${shareText(share)} of ` : '';

function factsOf(loaded: Loaded): string {
	const { info } = loaded.trace, { young, mixed, full, concurrent, pauses } = info.gcs;
	const gcs = pauses ? [plural(pauses, 'pause', 'pauses') + ' of collections of unknown kind'] : [`${countText(young)} young`, mixed ? `${countText(mixed)} mixed` : '',
		plural(full, 'full GC', 'full GCs'), concurrent ? plural(concurrent, 'concurrent cycle', 'concurrent cycles') : ''];
	const date = info.wall ? new Date(info.wall).toLocaleString() : '';
	return [
		timeText(info.seconds), info.jdk ? `JDK ${cleaned(info.jdk)}` : '', cleaned(info.gc), gcs.filter((x) => x).join(', '),
		samplesText(info.samples), `${countText(info.lost)} lost`,
		info.engine && info.engine !== 'sampled' ? `${cleaned(info.engine)} engine` : '',
		info.complete ? '' : 'cut short', date,
	].filter((fact) => fact !== '').join(' · ');
}

function sentenceOf(loaded: Loaded): HTMLElement {
	const { info, told } = loaded.trace, one = outlivedOne(loaded);
	const rate = info.seconds > 0 ? ` (${rateText(info.allocBytes / (info.seconds * told))})` : '';
	const gc = info.clock === 'full' ? 'old GC' : 'GC';
	const objects = info.objects ? [el('b', {}, plural(info.objects, 'object', 'objects')), ', '] : [];
	return el('p', { class: 'headline' }, ...objects, el('b', {}, bytesText(info.allocBytes)), ` allocated${rate}. `,
		...one ? [el('b', {}, one), ` of ${knownOf(info.known)}it outlived one ${gc}.`]
			: ['How much of it outlived a GC is not known: ', noLives(loaded)]);
}

function noLives(loaded: Loaded): string {
	const { info } = loaded.trace;
	return info.lives === 'none' ? 'this collector tells no deaths.' : '0 GCs observed after enough of it.';
}

export interface HeadEvents {
	theme: () => void;
	help: () => void;
	view: (view: View) => void;
}

export class Head {
	readonly node: HTMLElement;
	private readonly body = el('div', { class: 'head-body' });
	private readonly view: Choice<View>;
	private shown = '';

	constructor(private readonly loaded: Loaded[], events: HeadEvents) {
		this.view = choice('Recording', [
			['ab', 'A → B', 'Compare'], ['a', 'A', 'The first recording alone'], ['b', 'B', 'The second recording alone'],
		], events.view);
		this.view.node.hidden = loaded.length < 2;
		this.node = el('header', { class: 'head' }, this.body,
			el('div', { class: 'head-tools' }, this.view.node,
				button('Dark / light', events.theme, { class: 'quiet', title: 'Dark or light (t)' }),
				button('?', events.help, { class: 'quiet', title: 'Help (?)', attrs: { 'aria-label': 'Help' } })));
	}

	update(answer: Answer, base?: Answer): void {
		this.view.show(answer.query.view);
		const shown = answer.query.view;
		if (this.shown === shown)
			return;
		this.shown = shown;
		const both = base ? [base.loaded, answer.loaded] : [answer.loaded];
		this.body.replaceChildren(...both.map((loaded) => el('div', { class: 'recording' },
			el('p', { class: 'facts' }, el('span', { class: 'brand' }, 'mayfly'),
				el('b', {}, `${this.letter(loaded)}${cleaned(loaded.trace.info.file) || 'a recording'}`), ` · ${factsOf(loaded)}`),
			sentenceOf(loaded))));
	}

	private letter(loaded: Loaded): string {
		return this.loaded.length < 2 ? '' : `${'AB'[this.loaded.indexOf(loaded)]}: `;
	}
}
