#include "agent/class_jumps.h"

#include "agent/age_class.h"

static bool can(void *arg)
{
	return arg != NULL;
}

static int apply(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	return rewrites_apply(arg, jni, wishes, count);
}

static void look(void *arg, struct wish *wishes, size_t count)
{
	rewrites_look(arg, wishes, count);
}

static void methods(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	rewrites_methods(arg, jni, wishes, count);
}

static bool unsettled(void *arg)
{
	return rewrites_unsettled(arg);
}

/* What it refuses later nobody else would do. */
static bool settle(void *arg, JNIEnv *jni)
{
	rewrites_settle(arg, jni);
	return false;
}

static int rest(void *arg, JNIEnv *jni, bool rests)
{
	(void)arg;
	return age_class_rest(jni, rests);
}

static size_t end(void *arg, JNIEnv *jni)
{
	if (jni) {
		age_class_rest(jni, true);
		rewrites_apply(arg, jni, NULL, 0);
	}
	rewrites_close(arg, jni != NULL);
	return jni ? rewrites_late(arg) : 0;
}

struct actuator class_jumps(struct rewrites *r)
{
	return (struct actuator){.name = "classes",
		.arg = r,
		.can = can,
		.apply = apply,
		.look = look,
		.methods = methods,
		.unsettled = unsettled,
		.settle = settle,
		.rest = rest,
		.end = end};
}
