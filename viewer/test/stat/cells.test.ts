/* What is quick against what is plain: the same spans, and the same quantiles. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cells, type FlowingLives } from '../../src/stat/cells';
import { lifetimeQuantile } from '../../src/stat/curve';
import { intervalCurve, intervalLifetimes } from '../../src/stat/interval';
import { type Spans, SpansMaker } from '../../src/stat/spans';
import { Random } from '../support/random';

interface Drawn {
	lives: FlowingLives;
	weight: Float64Array;
}

/* Lives of several kinds; `spread`: how many octaves they cover. */
function draw(seed: number, count: number, spread: number): Drawn {
	const r = new Random(seed), lost = r.below(70), most = 1 + r.below(4) * r.below(30);
	const after = new Float64Array(count), by = new Float64Array(count), weight = new Float64Array(count);
	const fate = Float64Array.from(weight, () => r.below(100) < 5 ? 0 : r.below(100) < lost ? 2 : 1);
	for (let i = 0; i < count; i++) {
		after[i] = Math.floor(2 ** (r.next() * spread)) - 1;
		by[i] = after[i] + Math.floor(2 ** (r.next() * spread)) * r.below(2);
		weight[i] = 1 + r.below(most);
	}
	return { lives: { followed: (i) => fate[i] > 0, died: (i) => fate[i] === 1, after, by, unit: 1000 }, weight };
}

function plainly({ lives, weight }: Drawn, members: Int32Array): Spans {
	const maker = new SpansMaker();
	for (const i of members)
		if (lives.followed(i))
			maker.add(lives.died(i), lives.after[i] * lives.unit, lives.by[i] * lives.unit, weight[i]);
	return maker.finish();
}

function same(got: Spans, want: Spans): void {
	const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, b), `${a} ${b}`);
	assert.deepEqual(got.rows.map(({ after, by, mass }) => [after, by, mass.n]), want.rows.map(({ after, by, mass }) => [after, by, mass.n]));
	got.rows.forEach(({ mass }, i) => {
		near(mass.w, want.rows[i].mass.w);
		near(mass.w2, want.rows[i].mass.w2);
	});
	near(got.all.w, want.all.w);
	near(got.all.w2, want.all.w2);
	near(got.heaviest, want.heaviest);
}

const every = (n: number, step: number): Int32Array => Int32Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step);

test('gathered by cells, spans are those of a SpansMaker', () => {
	for (let seed = 1; seed <= 20; seed++) {
		const drawn = draw(seed, 400, 4 + seed), cells = new Cells(drawn.lives);
		for (const step of [1, 3, 400])
			same(cells.gather(every(400, step), drawn.weight), plainly(drawn, every(400, step)));
	}
});

test('so many that they are joined: too', () => {
	const drawn = draw(3, 60_000, 34), members = every(60_000, 1);
	const got = new Cells(drawn.lives).gather(members, drawn.weight);
	same(got, plainly(drawn, members));
	assert.ok(got.rows.length < 4096);
});

test('quick quantiles are those of the curve', () => {
	const shares = [0.25, 0.5, 0.9, 0.99];
	for (let seed = 1; seed <= 40; seed++) {
		const count = 5 + seed * 4, drawn = draw(seed + 100, count, 3 + seed % 22), spans = plainly(drawn, every(count, 1));
		const curve = intervalCurve(spans, true), quick = intervalLifetimes(spans, shares);
		shares.forEach((q, i) => assert.deepEqual(quick[i], lifetimeQuantile(curve, q), `seed ${seed}, ${q}`));
	}
});

test('nobody has no quantiles', () => {
	const [l] = intervalLifetimes(new SpansMaker().finish(), [0.5]);
	assert.deepEqual(l, lifetimeQuantile(intervalCurve(new SpansMaker().finish(), true), 0.5));
});
