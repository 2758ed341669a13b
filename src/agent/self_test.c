#include "agent/self_test.h"

#include <stdio.h>

#include "agent/age_class.h"

enum { LOOK_NS = 500000000 };

static void tell(struct self_test *s)
{
	recorder_fact(s->recorder, "tenure.test", trial_word(&s->trial));
	recorder_fact(s->recorder, "tenure.test.why", trial_why(&s->trial));
}

void self_test_begin(struct self_test *s, const struct vm *vm, struct recorder *r, bool can,
	const struct pauses *engine)
{
	*s = (struct self_test){.vm = vm, .recorder = r, .engine = engine};
	if (can)
		s->trial = engine ? trial_counted() : trial_begin(LOOK_NS);
	else
		s->trial = trial_none();
	if (can)
		tell(s);
}

bool self_test_over(const struct self_test *s)
{
	return trial_over(&s->trial);
}

static void conclude(struct self_test *s)
{
	char text[DIAG_MAX];
	tell(s);
	if (s->trial.verdict != TRIAL_OPEN)
		return;
	snprintf(text, sizeof(text), "the self-test came to no end: %s", trial_why(&s->trial));
	recorder_note(s->recorder, NOTE_INFO, text);
}

static void ask(struct self_test *s, JNIEnv *jni)
{
	struct recorder *r = s->recorder;
	enum age_answer last = s->trial.last, answer = age_class_try(jni, s->trial.step);
	trial_told(&s->trial, answer, atomic_load(&r->young), atomic_load(&r->full));
	if (trial_over(&s->trial))
		age_class_try(jni, AGE_DROP);
	else if (s->trial.last != last)
		tell(s);
}

static bool look_at_engine(struct self_test *s)
{
	const struct pauses *p = s->engine;
	trial_landed(&s->trial, atomic_load(&p->landings[LANDING_PROMOTED]),
		atomic_load(&p->landings[LANDING_YOUNG]));
	if (trial_over(&s->trial))
		conclude(s);
	return trial_over(&s->trial);
}

bool self_test_look(struct self_test *s)
{
	if (s->engine)
		return !trial_over(&s->trial) && look_at_engine(s);
	struct recorder *r = s->recorder;
	bool asks = trial_asks(&s->trial, atomic_load(&r->young), atomic_load(&r->full));
	JNIEnv *jni = asks ? vm_join(s->vm, "mayfly tenure") : NULL;
	if (!jni)
		return false;
	ask(s, jni);
	vm_leave(s->vm->java);
	if (trial_over(&s->trial))
		conclude(s);
	return trial_over(&s->trial);
}

struct ns self_test_next(const struct self_test *s)
{
	uint64_t in = (uint64_t)(self_test_over(s) || s->engine ? LOOK_NS : s->trial.pace);
	return (struct ns){clock_now().v + in};
}

void self_test_end(struct self_test *s, JNIEnv *jni)
{
	if (jni && !s->engine && !self_test_over(s))
		age_class_try(jni, AGE_DROP);
}
