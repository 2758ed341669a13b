/* Which sites a text finds: every word in the class, or in a frame of the stack; `-word` must not be there. */

import type { Trace } from '../data/trace';

export interface Words {
	wanted: string[];
	unwanted: string[];
}

export function wordsOf(text: string): Words {
	const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '' && word !== '-');
	return {
		wanted: words.filter((word) => !word.startsWith('-')),
		unwanted: words.filter((word) => word.startsWith('-')).map((word) => word.slice(1)),
	};
}

/* Names of the tables in lower case, made once. */
export class Haystack {
	private readonly classes: string[];
	private readonly methods: string[];

	constructor(private readonly trace: Trace) {
		const lower = trace.texts.map((text) => text.toLowerCase());
		this.classes = Array.from(trace.classes, (name) => lower[name] ?? '');
		this.methods = Array.from(trace.methods.cls, (cls, i) =>
			`${lower[cls] ?? ''}.${lower[trace.methods.name[i]] ?? ''}`);
	}

	/* 1 for each site whose class or stack has the word. */
	private sitesWith(word: string): Uint8Array {
		const { frames, sites } = this.trace;
		const [name, line] = /^(.+):(\d+)$/.exec(word)?.slice(1) ?? [word, ''];
		const method = Uint8Array.from(this.methods, (text) => text.includes(name) ? 1 : 0);
		const frame = new Uint8Array(frames.method.length);
		for (let i = 1; i < frame.length; i++) { /* a caller has a smaller index */
			const here = method[frames.method[i]] && (line === '' || frames.line[i] === Number(line));
			frame[i] = here || frame[frames.parent[i]] ? 1 : 0;
		}
		const cls = Uint8Array.from(this.classes, (text) => text.includes(word) ? 1 : 0);
		return Uint8Array.from(sites.cls, (c, i) => cls[c] | frame[sites.frame[i]]);
	}

	/* 1 for each site that the text finds. */
	find(text: string): Uint8Array {
		const { wanted, unwanted } = wordsOf(text);
		const found = new Uint8Array(this.trace.sites.cls.length).fill(1);
		for (const word of wanted)
			this.sitesWith(word).forEach((has, i) => { found[i] &= has; });
		for (const word of unwanted)
			this.sitesWith(word).forEach((has, i) => { found[i] &= has ^ 1; });
		return found;
	}
}
