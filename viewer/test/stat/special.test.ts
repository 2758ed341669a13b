import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betaCdf, gammaCdf, gammaQuantile, logGamma, normalCdf, rootFind } from '../../src/stat/special';

const near = (got: number, want: number, slack = 1e-9): void =>
	assert.ok(Math.abs(got - want) <= slack, `${got} instead of ${want}`);

test('log gamma is the sum of logs at whole numbers', () => {
	let sum = 0;
	for (let n = 1; n < 60; n++) {
		near(logGamma(n), sum, 1e-9 * Math.max(1, sum));
		sum += Math.log(n);
	}
});

test('the normal distribution at known points', () => {
	near(normalCdf(0), 0.5);
	near(normalCdf(1.959963984540054), 0.975);
	near(normalCdf(-1.959963984540054), 0.025);
});

test('a beta with whole parameters is a sum of binomial terms', () => {
	const choose = (n: number, k: number): number => k ? choose(n, k - 1) * (n - k + 1) / k : 1;
	for (const [a, b, x] of [[1, 1, 0.3], [2, 5, 0.2], [7, 3, 0.9], [12, 30, 0.25]]) {
		let sum = 0;
		for (let j = a; j < a + b; j++)
			sum += choose(a + b - 1, j) * x ** j * (1 - x) ** (a + b - 1 - j);
		near(betaCdf(a, b, x), sum);
	}
});

test('gamma of a = 1 is exponential, and quantiles undo it', () => {
	for (const x of [0.01, 0.7, 3, 20])
		near(gammaCdf(1, x), 1 - Math.exp(-x));
	for (const a of [0.4, 3, 250])
		for (const p of [0.025, 0.5, 0.975])
			near(gammaCdf(a, gammaQuantile(a, p)), p);
});

test('roots: at the target, or at the end that is nearest', () => {
	near(rootFind((x) => x ** 3, 8, 0, 10, 1e-9), 2, 1e-7);
	assert.equal(rootFind((x) => x, -1, 0, 1, 1e-9), 0);
	assert.equal(rootFind((x) => x, 2, 0, 1, 1e-9), 1);
});
