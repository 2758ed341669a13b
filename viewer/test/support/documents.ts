/* What `churn`, `advise` and `diff` say of the made-up program, as report-json.md has it: with names and sentences that would do harm if they could. */

type Json = Record<string, unknown>;

const frame = (text: string): Json => {
	const hash = text.indexOf('#'), colon = text.lastIndexOf(':'), line = Number(text.slice(colon + 1));
	return { class: text.slice(0, hash) || null, method: text.slice(hash + 1, colon) || null, line: line || null };
};

const place = (cls: string, ...frames: string[]): Json => ({ class: cls, frames: frames.map(frame) });

/* Of program.ts. */
const BIG = place('java.math.BigDecimal', 'java.math.BigDecimal#add:1340', 'org.shop.report.Totals#sum:29');
const SESSION = place('org.shop.cart.Session', 'org.shop.cart.Sessions#open:41');
const NODE = place('java.util.HashMap$Node', 'java.util.HashMap#newNode:1901', 'java.util.HashMap#putVal:642',
	'java.util.HashMap#put:610', 'org.shop.cart.Sessions#remember:58');
export const EVIL = {
	cls: '<script>alert("x")</script>', of: 'evil.<img src=x onerror=alert(1)>', method: '"><svg onload=1>',
	sentence: '</script><script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">\u2028\u0000\u202e\n&lt;b&gt;',
};
export const LONG = `<b>${'Long.'.repeat(13000)}`;
const HARM = place(EVIL.cls, `${EVIL.of}#${EVIL.method}:1`);

export function churnDocument(seconds: number): Json {
	return {
		mayfly: 1,
		windows: [{
			from_ms: 420 * seconds, to_ms: 550 * seconds, garbage_bytes: 3e10, garbage_per_s: 2.4e9, times_average: 2.1, p: 0.002,
			gcs: { first: 120, count: 96, pause_ms: 400, time_share: 0.034 },
			garbage: { bytes: 3e10, objects: 1e9, share: 1 },
			lifetimes: [{ from: 0, to: 0, share: 0.94 }, { from: 1, to: 1, share: 0.05 }, { from: 16, to: null, share: 0.01 }],
			rows: [{ ...BIG, garbage: { bytes: 1e10, share: 0.31 } }, { ...SESSION, garbage: { bytes: 1e9, share: 0.03 } },
				{ ...HARM, garbage: { bytes: 1e8, share: 0.01 } }],
			outlived: { bytes: 4e8, objects: 1e6, rows: [] },
		}],
		notes: ['The heap sizes of 2 collections were not told.', EVIL.sentence],
	};
}

const finding = (rule: string, title: string, sure: string, more: Json): Json => ({
	rule, title, sure, gc_ms_per_s: null, gc_ms_per_s_most: null, bytes_per_s: 0, value: 0.2, ci95: [0.1, 0.3],
	is: 'So much.', do: 'Mend it.', option: null, then: null, ...more,
});

export function adviceDocument(): Json {
	return {
		mayfly: 1,
		run: { pause_ms_per_s: 21.4, copy_cost: { ms_per_mb: 0.2, ci95: [0.1, 0.3], ms_per_gc: 3 }, what_if: [] },
		findings: [
			finding('threshold', 'Objects are copied more often than it helps', 'likely', {
				gc_ms_per_s: 12.2, bytes_per_s: 2.78e8, is: '278 MB/s copied by young GCs, each byte that outlives one 8.0 times.',
				do: 'Promote sooner.', option: '-XX:MaxTenuringThreshold=4', then: 'Copied: 278 MB/s -> 34.8 MB/s.',
			}),
			finding('mid-life', 'Lives just long enough to be copied, then dies', 'sure', {
				...SESSION, gc_ms_per_s_most: 6, bytes_per_s: 1.2e7,
				path: ['org.shop.cart.Sessions#open:41', 'org.shop.http.Router#dispatch:88', 'org.shop.http.Worker#handle:143']
					.map((text) => ({ ...frame(text), share: 0.99 })),
				is: '12.0 MB/s allocated; 91 % of it outlives a GC, 0 % outlives 15. Each byte is copied 4.4 times.',
				do: 'Let it go sooner, or hold less of it at a time.', then: 'Promoted at its first copy: 0.9 times.',
			}),
			finding('growth', 'It only ever grows: a leak, or a cache that still fills', 'likely', {
				...NODE, bytes_per_s: 5.73e7, is: '227 MB of it is alive at the end.', do: 'Find what holds them, and bound it.',
				then: 'At this rate it alone fills the heap of 512 MB in 5.42 s.',
			}),
			finding('references', 'References that each GC has to look at', 'possible', { ...place('java.util.HashMap$Node'), bytes_per_s: 4e6 }),
			finding('resized', LONG, 'likely', { ...place(LONG, `${LONG}#${LONG}:3`), is: LONG, do: LONG, option: LONG, then: LONG }),
			finding('boxed', EVIL.sentence, EVIL.sentence, {
				...HARM, caller: frame(`${EVIL.of}#${EVIL.method}:2`), callers: 3, is: EVIL.sentence, do: EVIL.sentence,
				option: EVIL.sentence, then: EVIL.sentence,
			}),
		],
		hidden: 2, small: 1, notes: ['What copying costs was told by 96 collections.', EVIL.sentence],
	};
}

const change = (a: number, b: number, half: number | null, p: number | null): Json => ({
	a, b, ratio: a > 0 ? b / a : null, lo: half === null ? null : b / a - half, hi: half === null ? null : b / a + half, p,
});

const row = (cls: string, site: string, lines: [number | null, number | null], alloc: Json, more: Json = {}): Json => ({
	class: cls, site, line_a: lines[0], line_b: lines[1], alloc, survived: change(1, 1, null, 1),
	survives_one: { a: 0.01, b: 0.012, p: 1 }, changed: false, lives_changed: false, ...more,
});

/* StringBuilder is gone; Term[] lives shorter; the rest is as it was. */
export function diffDocument(): Json {
	return {
		mayfly: 1, a: [], b: [], per: 'second', by: 'site', failed: [],
		figures: {
			'alloc': change(1.1e9, 9.8e8, 0.02, 0.3), 'young-gcs': change(4.1, 3.4, null, null), 'full-gcs': change(0, 0, null, null),
			'pause': change(2.5e7, 2e7, null, null), 'pause-mean': change(6e6, 5.9e6, null, null),
			'pause-max': change(1.8e8, 1.7e8, null, null), 'heap': change(2e9, 1.9e9, null, null), 'time': change(9.24e10, 9.24e10, null, null),
			'<b>': change(1, 2, null, null),
		},
		rows: [
			row('java.lang.StringBuilder', 'org.shop.http.Json.write', [55, null], change(1.6e8, 0, null, 1e-9),
				{ changed: true, survives_one: { a: 0.01, b: null, p: 1 } }),
			row('org.apache.lucene.index.Term[]', 'org.apache.lucene.index.FreqProxTermsWriter.flush', [88, 88], change(6.4e7, 6.79e7, 0.07, 0.4),
				{ lives_changed: true, survives_one: { a: 0.974, b: 0.041, p: 0.0004 } }),
			row(EVIL.cls, `${EVIL.of}.${EVIL.method}`, [1, 1], change(5e6, 2.1e7, 0.4, 0.012), { changed: true }),
			row('org.shop.Nowhere', 'org.shop.Nowhere.at', [3, 7], change(0, 3e6, null, 0.04), { changed: true }),
			row(LONG, `${LONG}.${LONG}`, [3, 3], change(2, 1, 0.3, 1)),
			row('byte[]', 'org.apache.lucene.util.ByteBlockPool.nextBuffer', [204, 204], change(2.8e8, 2.7e8, 0.03, 1)),
			row('org.shop.cart.Session', 'org.shop.cart.Sessions.open', [41, 41], change(4.4e7, 4.3e7, 0.06, 1)),
		],
		notes: ['One run each: what differs by chance from run to run is not in the intervals.', EVIL.sentence],
	};
}
