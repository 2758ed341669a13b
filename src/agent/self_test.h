/*
 * The age jump's self-test (trial.h) as a recording has it: asks the VM for its steps, and tells in
 * the trace how it stands. In tenure's thread, but for the begin.
 */
#ifndef AGENT_SELF_TEST_H
#define AGENT_SELF_TEST_H

#include <stdbool.h>

#include "agent/recorder.h"
#include "agent/trial.h"
#include "agent/vm.h"
#include "base/clock.h"
#include "exact/pauses.h"

struct self_test {
	struct trial trial;
	const struct vm *vm; /* borrowed, as is the recorder */
	struct recorder *recorder;
	const struct pauses *engine; /* sees where objects land; NULL: some are made for the test */
};

/* can: objects can jump. engine: borrowed; the exact engine's, that counts by their ages; NULL: it
 * does not. */
void self_test_begin(struct self_test *s, const struct vm *vm, struct recorder *r, bool can,
	const struct pauses *engine);
bool self_test_over(const struct self_test *s);
/* One look, where it is time for it; no lock may be held. Whether it came to its end by it: not to
 * be called while nothing can be made to jump. */
bool self_test_look(struct self_test *s);
/* By which it is to be called again. */
struct ns self_test_next(const struct self_test *s);
/* The recording ends before. jni: NULL where the VM does too. */
void self_test_end(struct self_test *s, JNIEnv *jni);

#endif
