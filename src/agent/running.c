#include "agent/running.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/vec.h"

enum { HEIGHT_UNKNOWN = -1 };

struct watched_method {
	jmethodID id;
	size_t owner; /* its class, of those asked for */
};

/* A frame that has stood in all looks so far. */
struct standing {
	jthread thread; /* a local reference, owned */
	const struct watched_method *method;
	jint height; /* frames up to it */
	bool works;  /* was at the top */
	bool seen;   /* in the look under way */
};

struct running {
	jvmtiEnv *env;
	JNIEnv *jni;
	VEC(struct watched_method) methods; /* by id */
	VEC(struct standing) frames;
	bool lost; /* there is more than is kept */
};

static int by_id(const void *a, const void *b)
{
	const struct watched_method *x = a, *y = b;
	return ((uintptr_t)x->id > (uintptr_t)y->id) - ((uintptr_t)x->id < (uintptr_t)y->id);
}

static void watch_class(struct running *r, jclass k, size_t owner)
{
	jint count = 0;
	jmethodID *ids = NULL;
	if ((*r->env)->GetClassMethods(r->env, k, &count, &ids) != JVMTI_ERROR_NONE)
		return; /* not linked yet: nothing of it runs */
	for (jint i = 0; i < count && !r->lost; i++) {
		struct watched_method m = {ids[i], owner};
		r->lost = vec_push(&r->methods, m) != 0;
	}
	(*r->env)->Deallocate(r->env, (unsigned char *)ids);
}

static const struct watched_method *find_method(const struct running *r, jmethodID id)
{
	struct watched_method key = {.id = id};
	return r->methods.count ? bsearch(&key, r->methods.at, r->methods.count, sizeof(key), by_id)
				: NULL;
}

/* A frame of a watched method, in one look. */
struct sight {
	jthread thread;
	const struct watched_method *method;
	jint height;
	bool top;
};

static struct standing *find_standing(struct running *r, const struct sight *s)
{
	for (size_t i = 0; i < r->frames.count; i++) {
		struct standing *f = &r->frames.at[i];
		if (!f->seen && f->method == s->method && f->height == s->height &&
			(*r->jni)->IsSameObject(r->jni, f->thread, s->thread))
			return f;
	}
	return NULL;
}

static void see_first(struct running *r, const struct sight *s)
{
	struct standing f = {
		.method = s->method, .height = s->height, .works = s->top, .seen = true};
	if (r->frames.count < RUNNING_FRAMES)
		f.thread = (*r->jni)->NewLocalRef(r->jni, s->thread);
	if (!f.thread || vec_push(&r->frames, f)) {
		if (f.thread)
			(*r->jni)->DeleteLocalRef(r->jni, f.thread);
		r->lost = true;
	}
}

static void see_again(struct running *r, const struct sight *s)
{
	struct standing *f = find_standing(r, s);
	if (!f)
		return;
	f->seen = true;
	f->works = f->works || s->top;
}

typedef void see_frame(struct running *r, const struct sight *s);

static void look_at_stack(struct running *r, const jvmtiStackInfo *stack, see_frame *see)
{
	jint count = stack->frame_count;
	for (jint i = 0; i < count; i++) {
		struct sight s = {.thread = stack->thread,
			.method = find_method(r, stack->frame_buffer[i].method),
			.height = count < RUNNING_DEPTH ? count - i : HEIGHT_UNKNOWN,
			.top = i == 0 && stack->frame_buffer[i].location >= 0};
		if (s.method)
			see(r, &s);
	}
}

/* What this look has not seen is not what was seen before. */
static void leave_gone(struct running *r)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->frames.count; i++) {
		struct standing f = r->frames.at[i];
		if (!f.seen) {
			(*r->jni)->DeleteLocalRef(r->jni, f.thread);
			continue;
		}
		f.seen = false;
		r->frames.at[kept++] = f;
	}
	r->frames.count = kept;
}

static void look(struct running *r, see_frame *see)
{
	jint count = 0;
	jvmtiStackInfo *stacks = NULL;
	if ((*r->env)->GetAllStackTraces(r->env, RUNNING_DEPTH, &stacks, &count) !=
		JVMTI_ERROR_NONE) {
		r->lost = true;
		return;
	}
	for (jint i = 0; i < count; i++) {
		look_at_stack(r, &stacks[i], see);
		(*r->jni)->DeleteLocalRef(r->jni, stacks[i].thread);
	}
	(*r->env)->Deallocate(r->env, (unsigned char *)stacks);
	leave_gone(r);
}

static void look_often(struct running *r)
{
	static const struct timespec pause = {.tv_nsec = RUNNING_PAUSE_MS * 1000000L};
	look(r, see_first);
	for (int i = 1; i < RUNNING_LOOKS && r->frames.count && !r->lost; i++) {
		nanosleep(&pause, NULL);
		look(r, see_again);
	}
}

static void tell(const struct running *r, bool *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		runs[i] = r->lost;
	for (size_t i = 0; i < r->frames.count; i++)
		if (r->frames.at[i].works)
			runs[r->frames.at[i].method->owner] = true;
}

void running_find(jvmtiEnv *env, JNIEnv *jni, const jclass *classes, size_t count, bool *runs)
{
	struct running r = {.env = env, .jni = jni};
	for (size_t i = 0; i < count; i++)
		watch_class(&r, classes[i], i);
	if (r.methods.count)
		qsort(r.methods.at, r.methods.count, sizeof(*r.methods.at), by_id);
	if (r.methods.count && !r.lost)
		look_often(&r);
	tell(&r, runs, count);
	for (size_t i = 0; i < r.frames.count; i++)
		(*jni)->DeleteLocalRef(jni, r.frames.at[i].thread);
	vec_release(&r.methods);
	vec_release(&r.frames);
}
