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

struct self_test {
	struct trial trial;
	const struct vm *vm; /* borrowed, as is the recorder */
	struct recorder *recorder;
};

/* can: objects can jump. counts: the exact engine counts by their ages. */
void self_test_begin(
	struct self_test *s, const struct vm *vm, struct recorder *r, bool can, bool counts);
bool self_test_over(const struct self_test *s);
/* One look, where it is time for it; no lock may be held. Whether it came to its end by it: not to
 * be called while nothing can be made to jump. */
bool self_test_look(struct self_test *s);
/* By which it is to be called again. */
struct ns self_test_next(const struct self_test *s);
/* The recording ends before. jni: NULL where the VM does too. */
void self_test_end(struct self_test *s, JNIEnv *jni);

#endif
