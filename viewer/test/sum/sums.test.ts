import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loaded } from '../../src/app/loaded';
import { BYS, MEASURES, type Query } from '../../src/query/query';
import { orderOf } from '../../src/sum/order';
import { curveAt } from '../../src/stat/curve';
import { binsOf } from '../../src/sum/series';
import { ask, makeTrace, sample } from '../support/small';

const { trace, lives } = sample(), s = trace.samples;
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${a} ${b}`);

test('every grouping has the same totals', () => {
	for (const query of [{}, { born: { from: 10, to: 50 } }, { life: 'never' as const }]) {
		const totals = BYS.map((by) => ask({ ...query, by }).sums.total);
		for (const total of totals)
			for (const measure of MEASURES)
				near(total[measure], totals[0][measure]);
	}
});

test('a row’s bytes are those of its samples', () => {
	const answer = ask({ by: 'class' }), { groups, sums } = answer;
	const group = trace.sites.cls[s.site[0]];
	const g = groups.bySite![s.site[0]];
	let alloc = 0, died = 0, died0 = 0, survived = 0, live = 0;
	for (let i = 0; i < s.count; i++) {
		if (trace.sites.cls[s.site[i]] !== group)
			continue;
		alloc += s.size[i] * s.weight[i];
		const bytes = s.size[i] * s.lives[i];
		died += s.fate[i] === 1 ? bytes : 0;
		died0 += s.fate[i] === 1 && s.young[i] === 0 ? bytes : 0;
		survived += s.fate[i] && s.young[i] > 0 ? bytes : 0;
		live += s.fate[i] === 2 ? bytes : 0;
	}
	near(sums.measures.alloc[g], alloc);
	near(sums.measures.died[g], died);
	near(sums.measures.died0[g], died0);
	near(sums.measures.survived[g], survived);
	near(sums.measures.live[g], live);
});

test('the quick share that dies in GC 0 is the curve’s', () => {
	const answer = ask({ by: 'class' });
	for (let g = 0; g < answer.groups.count; g++) {
		const survival = answer.survival(g);
		if (!survival.evidence().tooFew)
			near(answer.diesInGc0(g), 1 - curveAt(survival.curve('young', 'none'), 1).p);
	}
});

test('curves ignore filters by fate, sums don’t', () => {
	const plain = ask({ by: 'class' }), filtered = ask({ by: 'class', life: { clock: 'young', from: 0, to: 0 } });
	const g = plain.groups.bySite![s.site[0]];
	assert.deepEqual(filtered.survival(g).curve('young', 'none'), plain.survival(g).curve('young', 'none'));
	near(filtered.sums.total.alloc, plain.sums.total.died0);
});

test('rows are in order, and no bytes are lost between shown and hidden', () => {
	for (const sort of ['measure', 'rate', 'dies', 'one', 'many', 'p50', 'name'] as const) {
		const query: Partial<Query> = { sort, clock: sort === 'p50' ? 'mb' : null }, answer = ask(query);
		const order = orderOf(answer, answer.query), { measures, total } = answer.sums;
		const shown = order.rows.reduce((sum, g) => sum + measures.alloc[g], 0);
		near(shown / total.alloc + order.hiddenShare, 1);
		assert.equal(new Set(order.rows).size, order.rows.length);
		if (sort === 'measure')
			order.rows.forEach((g, i) => assert.ok(!i || measures.alloc[order.rows[i - 1]] >= measures.alloc[g]));
	}
	const all = orderOf(ask({ all: true }), ask({ all: true }).query);
	assert.equal(all.hidden, 0);
});

test('bytes known alive: as counted one by one', () => {
	const at = 40e6;
	let want = 0;
	for (let i = 0; i < s.count; i++)
		want += s.time[i] <= at && lives.aliveUntil[i] > at ? lives.bytes[i] : 0;
	near(ask({ at: 40 }).sums.total.alloc, want);
});

test('rates are over the time in which what was counted was born', () => {
	const told = { from_ms: 23_100, to_ms: 69_300 }; /* half of it */
	const part = new Loaded(makeTrace({ document: { told } })), all = sample();
	near(ask({}, part).seconds, 46.2);
	near(ask({}, all).seconds, 92.4);
	near(ask({ born: { from: 10, to: 20 } }, part).seconds, 5);
	near(ask({}, part).exposure, 46.2);
	const rate = (of: Loaded): Float64Array => binsOf(of.trace, of.lives, null, { from: 0, to: of.trace.span }, 50).rate;
	rate(part).forEach((x, i) => near(x, 2 * rate(all)[i]));
});

test('a time that can’t be is none', () => {
	for (const told of [null, 7, {}, { from_ms: 5 }, { from_ms: -1, to_ms: 9 }, { from_ms: 9, to_ms: 9 }, { from_ms: '0', to_ms: 9 }])
		assert.equal(makeTrace({ document: { told } }).told, 1);
	assert.equal(makeTrace({ document: { told: { from_ms: 0, to_ms: 1e300 } } }).told, 1);
});
