/* What other commands found of a trace, read with care: what is missing is left out. */

import { jsonList, jsonObject, jsonText } from '../data/info';
import type { Trace } from '../data/trace';
import { type Advised, advisedOf } from '../found/advice';
import { type Churn, churnOf } from '../found/churn';
import { cleanedSentence } from '../word/names';

export interface Findings {
	churn: Churn[] | null; /* null: not looked for */
	advice: Advised | null;
	notes: string[];
}

export function findingsOf(trace: Trace): Findings {
	const { info, document } = trace, churn = jsonObject(document.churn);
	const { young, mixed, full, concurrent, pauses } = info.gcs;
	const notes = [...info.notes, ...jsonList(churn.notes).map(jsonText)];
	return {
		churn: Array.isArray(churn.windows) ? churn.windows.map((w) => churnOf(jsonObject(w))) : null,
		advice: advisedOf(document.advice, info.samples, young + mixed + full + concurrent + pauses),
		notes: [...new Set(notes.filter((note) => note !== '').map(cleanedSentence))],
	};
}
