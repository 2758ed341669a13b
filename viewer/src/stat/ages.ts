/* What became of followed objects, by age in collections: src/stat/ages.h. */

import { histBin, histLow } from './hist';
import { type Mass, massPut, massZero, WEIGHT_MAX, weightError } from './mass';

export const AGES_EXACT = 128;

export interface AgesRow {
	age: number;
	died: Mass;
	lost: Mass;
}

export interface Ages {
	rows: AgesRow[]; /* by rising age */
	all: Mass;
	heaviest: number; /* the greatest sampling error of one object; 0: a census */
}

/* The age under which one is kept: itself or the lower end of its bin. */
export const agesRound = (age: number): number => age < AGES_EXACT ? age : histLow(histBin(age));

/* Gathers lives; `finish` gives them in order. Called for each sample, so it makes nothing that it can do without. */
export class AgesMaker {
	/* By age below AGES_EXACT, the dead; then the same of those lost. */
	private readonly n = new Float64Array(2 * AGES_EXACT);
	private readonly w = new Float64Array(2 * AGES_EXACT);
	private readonly w2 = new Float64Array(2 * AGES_EXACT);
	private readonly late = new Map<number, AgesRow>();
	private readonly all = massZero();
	private heaviest = 0;

	/* One object of a size (1: objects count alike), which stands for `objects` of them. */
	add(died: boolean, age: number, size: number, objects: number): void {
		const weight = Math.min(size * objects, WEIGHT_MAX);
		if (age < AGES_EXACT) {
			const at = died ? age : age + AGES_EXACT;
			this.n[at]++;
			this.w[at] += weight;
			this.w2[at] += weight * weight;
		} else {
			const row = this.row(agesRound(age));
			massPut(died ? row.died : row.lost, weight);
		}
		massPut(this.all, weight);
		this.heaviest = Math.max(this.heaviest, weightError(size, objects));
	}

	finish(): Ages {
		const rows: AgesRow[] = [];
		for (let age = 0; age < AGES_EXACT; age++)
			if (this.n[age] || this.n[age + AGES_EXACT])
				rows.push({ age, died: this.mass(age), lost: this.mass(age + AGES_EXACT) });
		const late = [...this.late.values()].sort((a, b) => a.age - b.age);
		return { rows: [...rows, ...late], all: this.all, heaviest: this.heaviest };
	}

	private mass(at: number): Mass {
		return { n: this.n[at], w: this.w[at], w2: this.w2[at] };
	}

	private row(age: number): AgesRow {
		const known = this.late.get(age) ?? { age, died: massZero(), lost: massZero() };
		this.late.set(age, known);
		return known;
	}
}
