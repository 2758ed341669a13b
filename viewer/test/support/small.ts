/* Traces for tests of what is computed from them. */

import { Answer, Loaded } from '../../src/app/loaded';
import { openContainer } from '../../src/data/container';
import { type Trace, traceOf } from '../../src/data/trace';
import { emptyQuery, type Query } from '../../src/query/query';
import { makeData, type Options } from './make_data';

export const makeTrace = (options: Options = {}): Trace =>
	traceOf(openContainer(makeData({ samples: 4000, dust: 20, ...options })));

let known: Loaded | undefined;

/* The same for all tests: it is never changed. */
export const sample = (): Loaded => known ??= new Loaded(makeTrace());

export const ask = (query: Partial<Query>, loaded = sample()): Answer =>
	new Answer(loaded, { ...emptyQuery(), ...query });
