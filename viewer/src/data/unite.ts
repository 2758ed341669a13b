/*
 * Two traces over one set of definitions, so that a row, a class or a stack is the same number in both.
 * Names decide: lines move between versions of a program, so a row is its class and the methods of its frames.
 */

import type { Trace } from './trace';

/* Gives equal keys one number. */
class Numbers<K> {
	private readonly known = new Map<K, number>();
	count = 0;

	of(key: K, fresh: () => void): number {
		const had = this.known.get(key);
		if (had !== undefined)
			return had;
		this.known.set(key, this.count);
		fresh();
		return this.count++;
	}
}

class Union {
	readonly texts: string[] = [];
	readonly classes: number[] = [];
	readonly methods = { cls: [] as number[], name: [] as number[] };
	readonly frames = { parent: [] as number[], method: [] as number[], line: [] as number[] };
	readonly sites = { cls: [] as number[], frame: [] as number[], row: [] as number[] };
	readonly rows = { site: [] as number[], frames: [] as number[], callers: [] as number[], caller: [] as number[] };
	readonly threads: number[] = [];
	private readonly numbers = {
		text: new Numbers<string>(), cls: new Numbers<number>(), method: new Numbers<string>(), frame: new Numbers<string>(),
		site: new Numbers<string>(), row: new Numbers<string>(), thread: new Numbers<number>(),
	};

	/* Adds a trace's definitions; gives the numbers here of its sites and threads. */
	add(t: Trace): { sites: Int32Array; threads: Int32Array } {
		const text = t.texts.map((s) => this.text(s));
		const named = (i: number): number => text[i] ?? this.text('');
		const classes = Array.from(t.classes, (name) =>
			this.numbers.cls.of(named(name), () => this.classes.push(named(name))));
		const methods = this.addMethods(t, named);
		const frames = this.addFrames(t, methods);
		const sites = this.addSites(t, classes, frames);
		this.addRows(t, sites, methods, frames);
		const threads = Int32Array.from(t.threads, (name) =>
			this.numbers.thread.of(named(name), () => this.threads.push(named(name))));
		return { sites, threads };
	}

	private text(s: string): number {
		return this.numbers.text.of(s, () => this.texts.push(s));
	}

	private addMethods(t: Trace, named: (i: number) => number): Int32Array {
		return Int32Array.from(t.methods.cls, (cls, i) => {
			const of = named(cls), name = named(t.methods.name[i]);
			return this.numbers.method.of(`${of} ${name}`, () => {
				this.methods.cls.push(of);
				this.methods.name.push(name);
			});
		});
	}

	private addFrames(t: Trace, methods: Int32Array): Int32Array {
		const here = new Int32Array(t.frames.method.length);
		for (let i = 0; i < here.length; i++) {
			const parent = i ? here[t.frames.parent[i]] : 0, method = methods[t.frames.method[i]];
			here[i] = this.numbers.frame.of(`${parent} ${method} ${t.frames.line[i]} ${i ? 1 : 0}`, () => {
				this.frames.parent.push(parent);
				this.frames.method.push(method);
				this.frames.line.push(t.frames.line[i]);
			});
		}
		return here;
	}

	private addSites(t: Trace, classes: number[], frames: Int32Array): Int32Array {
		return Int32Array.from(t.sites.cls, (cls, i) => {
			const of = classes[cls], frame = frames[t.sites.frame[i]];
			return this.numbers.site.of(`${of} ${frame}`, () => {
				this.sites.cls.push(of);
				this.sites.frame.push(frame);
				this.sites.row.push(-1);
			});
		});
	}

	/* The application caller of a row is shown where all that it is made of have the same. */
	private agree(row: number, caller: number): void {
		const { method } = this.frames, { caller: known } = this.rows;
		if (method[known[row]] !== method[caller])
			known[row] = 0;
	}

	/* The first trace that knows a site says which row it is in. */
	private addRows(t: Trace, sites: Int32Array, methods: Int32Array, frames: Int32Array): void {
		const rows = Array.from(t.rows.site, (site, row) => {
			const names: number[] = [], depth = Math.max(1, t.rows.frames[row]);
			for (let frame = t.sites.frame[site], i = 0; frame && i < depth; frame = t.frames.parent[frame], i++)
				names.push(methods[t.frames.method[frame]]);
			const key = `${this.sites.cls[sites[site]]} ${names.join(' ')} ${t.rows.callers[row] > 0}`;
			const caller = frames[t.rows.caller[row]], number = this.numbers.row.of(key, () => {
				this.rows.site.push(sites[site]);
				this.rows.frames.push(t.rows.frames[row]);
				this.rows.callers.push(t.rows.callers[row]);
				this.rows.caller.push(caller);
			});
			this.agree(number, caller);
			return number;
		});
		sites.forEach((site, i) => {
			if (this.sites.row[site] < 0)
				this.sites.row[site] = rows[t.sites.row[i]];
		});
	}

	definitions(): Pick<Trace, 'texts' | 'classes' | 'methods' | 'frames' | 'sites' | 'rows' | 'threads'> {
		const { texts, methods, frames, sites, rows } = this, ints = (x: number[]): Int32Array => Int32Array.from(x);
		return {
			texts,
			classes: ints(this.classes),
			methods: { cls: ints(methods.cls), name: ints(methods.name) },
			frames: { parent: ints(frames.parent), method: ints(frames.method), line: Float64Array.from(frames.line) },
			sites: { cls: ints(sites.cls), frame: ints(sites.frame), row: ints(sites.row) },
			rows: {
				site: ints(rows.site), frames: Float64Array.from(rows.frames), callers: Float64Array.from(rows.callers),
				caller: ints(rows.caller),
			},
			threads: ints(this.threads),
		};
	}
}

/* Texts of collections keep their own table. */
function renumbered(t: Trace, numbers: { sites: Int32Array; threads: Int32Array },
	definitions: ReturnType<Union['definitions']>): Trace {
	const at = new Map(definitions.texts.map((text, i) => [text, i]));
	const text = (i: number): number => at.get(t.texts[i] ?? '') ?? 0;
	return {
		...t,
		...definitions,
		gcs: { ...t.gcs, cause: t.gcs.cause.map(text), collector: t.gcs.collector.map(text) },
		samples: {
			...t.samples,
			site: t.samples.site.map((site) => numbers.sites[site]),
			thread: t.samples.thread.map((thread) => numbers.threads[thread]),
		},
	};
}

export function unite(a: Trace, b: Trace): [Trace, Trace] {
	const union = new Union(), ofA = union.add(a), ofB = union.add(b), definitions = union.definitions();
	return [renumbered(a, ofA, definitions), renumbered(b, ofB, definitions)];
}
