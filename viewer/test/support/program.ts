/* A made-up program for tests: where it allocates, how much, and how long that lives. */

import type { Random } from './random';

export interface Place {
	cls: string;
	stack: string[]; /* "class#method:line", the allocating frame first */
	thread: string;
	share: number; /* of all bytes */
	size: (r: Random) => number;
	life: (r: Random) => number; /* MB allocated until it is dead; Infinity: never */
	phase?: [number, number]; /* the part of the recording in which it runs, 0 … 1 */
}

const MAIN = ['org.shop.Main#main:12', 'java.lang.Thread#run:1583'];
const REQUEST = [
	'org.shop.http.Router#dispatch:88', 'org.shop.http.Worker#handle:143', 'org.shop.http.Worker#run:61',
	'java.util.concurrent.ThreadPoolExecutor#runWorker:1144',
	'java.util.concurrent.ThreadPoolExecutor$Worker#run:642', 'java.lang.Thread#run:1583',
];
const INDEX = ['org.apache.lucene.index.IndexWriter#addDocument:1455', 'org.shop.search.Indexer#index:77',
	'org.shop.search.Indexer#run:31', 'java.lang.Thread#run:1583'];

const young = (mean: number) => (r: Random): number => r.exponential(mean);
const about = (mean: number, sigma: number) => (r: Random): number => Math.max(0, r.normal(mean, sigma));
const ever = (): number => Infinity;
const exactly = (n: number) => (): number => n;
const between = (a: number, b: number) => (r: Random): number => a + r.below(b - a);

export const places: Place[] = [
	{ cls: 'byte[]', stack: ['org.apache.lucene.util.ByteBlockPool#nextBuffer:204',
		'org.apache.lucene.index.TermsHashPerField#add:192', ...INDEX], thread: 'indexer',
	share: 26, size: exactly(32784), life: young(20) },
	{ cls: 'java.lang.StringBuilder', stack: ['org.shop.http.Json#write:55', ...REQUEST],
		thread: 'http-1', share: 15, size: exactly(24), life: young(5) },
	{ cls: 'byte[]', stack: ['java.util.Arrays#copyOf:3541',
		'java.lang.AbstractStringBuilder#ensureCapacityInternal:228', 'java.lang.StringBuilder#append:179',
		'org.shop.http.Json#write:57', ...REQUEST], thread: 'http-2', share: 13,
	size: between(32, 4096), life: young(8) },
	{ cls: 'org.apache.lucene.index.Term[]', stack: ['org.apache.lucene.index.FreqProxTermsWriter#flush:88',
		...INDEX], thread: 'indexer', share: 6, size: between(256, 16384), life: about(5600, 900) },
	{ cls: 'org.shop.cart.Session', stack: ['org.shop.cart.Sessions#open:41', ...REQUEST],
		thread: 'http-1', share: 4, size: exactly(120), life: about(2200, 500) },
	{ cls: 'java.util.HashMap$Node', stack: ['java.util.HashMap#newNode:1901',
		'java.util.HashMap#putVal:642', 'java.util.HashMap#put:610', 'org.shop.cart.Sessions#remember:58',
		...REQUEST], thread: 'http-2', share: 0.8, size: exactly(32), life: ever },
	{ cls: 'java.util.HashMap$Node', stack: ['java.util.HashMap#newNode:1901',
		'java.util.HashMap#putVal:642', 'java.util.HashMap#put:610', 'org.shop.http.Headers#parse:33',
		...REQUEST], thread: 'http-1', share: 5, size: exactly(32), life: young(3) },
	{ cls: 'org.shop.catalogue.Product', stack: ['org.shop.catalogue.Catalogue#load:102', ...MAIN],
		thread: 'main', share: 6, size: exactly(96), life: ever, phase: [0, 0.08] },
	{ cls: 'java.math.BigDecimal', stack: ['java.math.BigDecimal#add:1340', 'org.shop.report.Totals#sum:29',
		'org.shop.report.Nightly#run:17', 'java.lang.Thread#run:1583'], thread: 'report',
	share: 30, size: exactly(40), life: young(1), phase: [0.42, 0.55] },
	{ cls: 'java.lang.Object[]', stack: ['java.util.ArrayList#grow:237', 'java.util.ArrayList#add:454',
		'org.shop.report.Totals#sum:31', 'org.shop.report.Nightly#run:17', 'java.lang.Thread#run:1583'],
	thread: 'report', share: 11, size: between(64, 80000), life: young(30), phase: [0.42, 0.55] },
	{ cls: 'org.shop.cache.Entry', stack: ['org.shop.cache.Cache#put:71', ...REQUEST], thread: 'http-2',
		share: 3, size: exactly(56), life: (r) => r.next() < 0.6 ? r.exponential(10) : r.normal(6000, 400) },
	{ cls: '<script>alert("x")</script>', stack: ['evil.<img src=x onerror=alert(1)>#"><svg onload=1>:1',
		'evil.Line\nBreak\u202eX#\u0000\ttab\'":2', ...MAIN], thread: '</script><!--', share: 0.8,
	size: exactly(64), life: young(100) },
	{ cls: `L${'very.long.'.repeat(6400)}Name`, stack: [`deep.${'x'.repeat(65000)}#y:9`, ...MAIN],
		thread: 'main', share: 0.7, size: exactly(512), life: about(700, 100) },
];

/* Small sites, as every program has hundreds of. */
export function dust(r: Random, count: number): Place[] {
	return Array.from({ length: count }, (_, i): Place => {
		const depth = 4 + r.below(24), pack = `org.lib${r.below(30)}.part${r.below(5)}`;
		const stack = Array.from({ length: depth }, (_, d) =>
			`${pack}.Type${(i * 7 + d * (d < 6 ? 13 : 1)) % 400}#call${d}:${10 + (i * 31 + d) % 500}`);
		return {
			cls: `${pack}.Value${i % 90}`, stack: [...stack, ...REQUEST], thread: `pool-${i % 12}`,
			share: 0.004 + r.next() * 0.06, size: exactly(16 + 8 * r.below(200)), life: young(5 + r.below(60)),
		};
	});
}
