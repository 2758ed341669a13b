/* The functions of statistics that Math lacks: src/stat/special.h, with the same approximations. */

const STEPS_MAX = 2000;
const TINY = 1e-300;
const EPS = 1e-12;
/* From here on cube roots stand in for the fractions. */
const LARGE = 1e5;
const BETA_LARGE = 100;

const LANCZOS = [
	0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
	-176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
	1.5056327351493116e-7,
];

/* log Γ(x), x > 0 (Lanczos 1964, g = 7). */
export function logGamma(x: number): number {
	if (x < 0.5)
		return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
	let sum = LANCZOS[0];
	for (let i = 1; i < LANCZOS.length; i++)
		sum += LANCZOS[i] / (x - 1 + i);
	const t = x + 6.5;
	return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/* Abramowitz and Stegun 7.1.5 (series) and 7.1.14 (fraction), through the incomplete gamma. */
export function normalCdf(z: number): number {
	const tail = gammaTailExact(0.5, z * z / 2) / 2;
	return z < 0 ? tail : 1 - tail;
}

const notZero = (x: number): number => Math.abs(x) < TINY ? TINY : x;

function gammaSeries(a: number, x: number): number {
	let term = 1 / a, sum = term;
	for (let i = 1; i < STEPS_MAX && term > sum * EPS; i++) {
		term *= x / (a + i);
		sum += term;
	}
	return sum * Math.exp(a * Math.log(x) - x - logGamma(a));
}

function gammaFraction(a: number, x: number): number {
	let b = x + 1 - a, c = 1 / TINY, d = 1 / notZero(b), h = d;
	for (let i = 1; i < STEPS_MAX; i++) {
		const an = -i * (i - a);
		b += 2;
		d = 1 / notZero(an * d + b);
		c = notZero(b + an / c);
		h *= d * c;
		if (Math.abs(d * c - 1) < EPS)
			break;
	}
	return h * Math.exp(a * Math.log(x) - x - logGamma(a));
}

function gammaTailExact(a: number, x: number): number {
	if (x <= 0)
		return 1;
	return x < a + 1 ? 1 - gammaSeries(a, x) : gammaFraction(a, x);
}

/* P(a, x), the regularised incomplete gamma; a > 0, x >= 0. */
export function gammaCdf(a: number, x: number): number {
	if (x <= 0)
		return 0;
	if (a > LARGE)
		return normalCdf((Math.cbrt(x / a) - 1 + 1 / (9 * a)) * 3 * Math.sqrt(a));
	return x < a + 1 ? gammaSeries(a, x) : 1 - gammaFraction(a, x);
}

/* x with P(a, x) = p; 0 <= p < 1. */
export function gammaQuantile(a: number, p: number): number {
	if (!(p > 0))
		return 0;
	let hi = a + 1;
	while (gammaCdf(a, hi) < p)
		hi *= 2;
	return rootFind((x) => gammaCdf(a, x), p, 0, hi, 1e-14 * hi);
}

function betaFraction(a: number, b: number, x: number): number {
	let c = 1, d = 1 / notZero(1 - (a + b) * x / (a + 1)), h = d;
	for (let m = 1; m < STEPS_MAX; m++) {
		const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / notZero(1 + even * d);
		c = notZero(1 + even / c);
		h *= d * c;
		d = 1 / notZero(1 + odd * d);
		c = notZero(1 + odd / c);
		h *= d * c;
		if (Math.abs(d * c - 1) < EPS)
			break;
	}
	return h;
}

/* Abramowitz and Stegun 26.5.22. */
function betaLarge(a: number, b: number, x: number): number {
	const u = Math.cbrt(b * x), v = Math.cbrt(a * (1 - x));
	const width = Math.sqrt(u * u / b + v * v / a);
	return normalCdf(3 * (u * (1 - 1 / (9 * b)) - v * (1 - 1 / (9 * a))) / width);
}

/* log Γ(a + b) - log Γ(a) - log Γ(b). */
export const logBeta = (a: number, b: number): number => logGamma(a + b) - logGamma(a) - logGamma(b);

/* I_x(a, b), the regularised incomplete beta; a, b > 0, 0 <= x <= 1. `scale` is logBeta(a, b), where it is known. */
export function betaCdf(a: number, b: number, x: number, scale = NaN): number {
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	if (Math.min(a, b) > BETA_LARGE || Math.max(a, b) > LARGE)
		return betaLarge(a, b, x);
	const known = Number.isNaN(scale) ? logBeta(a, b) : scale;
	const front = Math.exp(known + a * Math.log(x) + b * Math.log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * betaFraction(a, b, x) / a;
	return 1 - front * betaFraction(b, a, 1 - x) / b;
}

/*
 * x in [lo, hi] with f(x) = target, for an f that never falls; an end where f doesn't reach the
 * target. Chandrupatla's method (1997): a bracket that at worst halves.
 */
export function rootFind(
	f: (x: number) => number, target: number, lo: number, hi: number, tolerance: number): number {
	let x0 = lo, x1 = hi, x2 = hi, y0 = f(lo) - target, y1 = f(hi) - target, y2 = 0, part = 0.5;
	if (!(y0 < 0))
		return lo;
	if (!(y1 > 0))
		return hi;
	for (let i = 0; i < 98; i++) {
		const x = x0 + part * (x1 - x0), y = f(x) - target;
		if (y > 0 !== y0 > 0) {
			[x2, y2, x1, y1] = [x1, y1, x0, y0];
		} else {
			[x2, y2] = [x0, y0];
		}
		x0 = x;
		y0 = y;
		const least = tolerance / Math.abs(x1 - x0);
		if (least > 0.5 || y === 0)
			return y === 0 ? x : x0 + 0.5 * (x1 - x0);
		part = Math.min(Math.max(quadratic(x0, x1, x2, y0, y1, y2), least), 1 - least);
	}
	return x0;
}

/* How far from x0 to x1 to look next: inverse quadratic where it can be trusted, else the middle. */
function quadratic(
	x0: number, x1: number, x2: number, y0: number, y1: number, y2: number): number {
	const xi = (x0 - x1) / (x2 - x1), phi = (y0 - y1) / (y2 - y1);
	if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
		return 0.5;
	return y0 / (y1 - y0) * y2 / (y1 - y2) + (x2 - x0) / (x1 - x0) * y0 / (y2 - y0) * y1 / (y2 - y1);
}
