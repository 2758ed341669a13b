/* Synthetic data in the form of doc/page-data.md: seeded, realistic, and with hostile names. */

import { isJdk } from '../../src/word/names';
import { adviceDocument, churnDocument } from './documents';
import { encode, type Raw, type RawColumns } from './encode';
import { dust, type Place, places } from './program';
import { Random } from './random';
import { gcColumns, type Plan, retained, samplesOf, tickColumns, World } from './simulate';

export interface Options {
	samples?: number;
	seed?: number;
	seconds?: number;
	dust?: number; /* small sites */
	change?: (places: Place[]) => Place[]; /* what another run does otherwise */
	document?: Record<string, unknown>; /* more of it, or other */
}

class Texts {
	readonly all = ['', 'G1 Evacuation Pause', 'System.gc()', 'G1'];
	private readonly known = new Map(this.all.map((text, i) => [text, i]));

	of(text: string): number {
		const at = this.known.get(text) ?? this.all.push(text) - 1;
		this.known.set(text, at);
		return at;
	}
}

/* A table of rows, each once; row 0 is unknown. */
class Table<T extends Record<string, number>> {
	readonly rows: T[];
	private readonly known = new Map<string, number>();

	constructor(unknown: T) {
		this.rows = [unknown];
	}

	of(row: T): number {
		const key = Object.values(row).join(' '), at = this.known.get(key) ?? this.rows.push(row) - 1;
		this.known.set(key, at);
		return at;
	}

	columns(table: string): RawColumns {
		return Object.fromEntries(Object.keys(this.rows[0]).map((name) =>
			[`${table}.${name}`, this.rows.map((row) => row[name])]));
	}
}

function frameOf(text: string): { cls: string; method: string; line: number } {
	const hash = text.indexOf('#'), colon = text.lastIndexOf(':');
	return { cls: text.slice(0, hash), method: text.slice(hash + 1, colon), line: Number(text.slice(colon + 1)) };
}

/* Of frames, the allocating one first, of which so many tell the row: the application caller of doc/metrics.md. */
function callerOf(stack: string[], told: number): number {
	const own = stack.findIndex((text) => !isJdk(text));
	return own >= told ? own : -1;
}

/* Rows as the report makes them: where one class and line has two callers here, they differ. */
function definitions(all: Place[], texts: Texts): RawColumns {
	const classes = new Table({ name: 0 }), methods = new Table({ class: 0, name: 0 });
	const frames = new Table({ parent: 0, method: 0, line: 0 });
	const sites = { class: [0], frame: [0], row: [0] }, rows = { site: [0], frames: [0], callers: [0], caller: [0] };
	const threads: number[] = [0];
	for (const place of all) {
		const cls = classes.of({ name: texts.of(place.cls) });
		const stack = [0];
		for (const { cls: of, method, line } of [...place.stack].reverse().map(frameOf))
			stack.unshift(frames.of({
				parent: stack[0], method: methods.of({ class: texts.of(of), name: texts.of(method) }), line,
			}));
		const twins = all.filter((p) => p.cls === place.cls && p.stack[0] === place.stack[0]).length;
		sites.class.push(cls);
		sites.frame.push(stack[0]);
		sites.row.push(rows.site.length);
		rows.site.push(sites.class.length - 1);
		rows.frames.push(twins > 1 ? 4 : 1);
		rows.callers.push(0);
		rows.caller.push(stack[callerOf(place.stack, twins > 1 ? 4 : 1)] ?? 0);
		threads.push(texts.of(place.thread));
	}
	const named = (table: string, of: Record<string, number[]>): RawColumns =>
		Object.fromEntries(Object.entries(of).map(([name, x]) => [`${table}.${name}`, x]));
	return {
		...classes.columns('class'), ...methods.columns('method'), ...frames.columns('frame'),
		...named('site', sites), ...named('row', rows), 'thread.name': threads,
	};
}

export function makeRaw(options: Options = {}): Raw {
	const { samples: count = 200_000, seed = 1, seconds = 92.4 } = options;
	const r = new Random(seed), texts = new Texts();
	const plan: Plan = { samples: count, seconds, interval: 524288, eden: 280, tenuring: 15, oldEvery: 30 };
	plan.eden = Math.max(20, plan.samples * plan.interval / 1e6 / 350);
	const scale = plan.eden / 280;
	const base = (options.change ?? ((p) => p))(places)
		.map((p): Place => ({ ...p, life: (random) => p.life(random) * scale }));
	const all = [...base, ...dust(r, options.dust ?? 400)], world = new World(plan, r);
	const samples = samplesOf(world, all, r), live = retained(world, samples);
	const columns = {
		...definitions(all, texts), ...gcColumns(world, r, live), ...tickColumns(world, live), ...samples,
	};
	const kinds = [0, 1, 2, 3].map((kind) => world.gcs.filter((gc) => gc.kind === kind).length);
	return {
		document: {
			page: 1,
			trace: {
				file: 'orders.mfly', engine: 'sampled', jdk: '25.0.3', gc: 'G1', duration_ms: seconds * 1000,
				interval: plan.interval, gcs: { young: kinds[0], mixed: kinds[1], full: kinds[2], concurrent: kinds[3] },
				alloc_bytes: world.total * 1e6, samples: count, tracked: count, lost: 0, complete: true,
				wall_ms: 1_790_000_000_000,
			},
			notes: ['12 samples were lost: the buffers were full.'],
			churn: churnDocument(seconds), advice: adviceDocument(),
			lives: 'each', clock: 'young', tenuring: plan.tenuring, thinned: 1, texts: texts.all,
			...options.document,
		},
		columns,
		delta: ['sample.time', 'sample.alloc', 'tick.time', 'tick.alloc'],
	};
}

export const makeData = (options: Options = {}): Uint8Array => encode(makeRaw(options));
