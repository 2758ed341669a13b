#include "agent/sampler.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "agent/methods.h"
#include "agent/recorder_names.h"
#include "agent/stack_fetch.h"
#include "agent/tags.h"
#include "base/clock.h"
#include "base/error.h"
#include "exact/births.h"
#include "base/mem.h"
#include "base/surrogates.h"

enum {
	DEPTH_ON_STACK = 64, /* deeper stacks are fetched into the heap */
	UNKNOWN_BATCH = 16,
	CPU_SHIFT = 4, /* of the walks, so few look whether the system is to be asked for CPU */
	JNI_21 = 0x00150000,
	JNI_IS_VIRTUAL_THREAD = 234, /* its place in JNI's function table, from JNI 21 on */
};

static const char virtual_name[] = "virtual threads";

enum choice { CHOICE_NONE, CHOICE_TAKEN, CHOICE_LEFT };

/* What a thread remembers between its samples. Only the thread itself touches it. */
struct own {
	uint32_t serial;    /* of the recording that the rest belongs to */
	uint32_t thread;    /* its id in the trace */
	enum choice choice; /* of the filter */
	bool inside;        /* in our callback: what that allocates is not sampled */
	bool drew;          /* what follows is known */
	uint64_t drawn; /* bytes: the interval by which the distance to its next sample was drawn,
			   be it in another recording */
	struct rng rng;
	struct thread_cpu cpu;
};
static _Thread_local struct own own;

static _Atomic uint32_t serials;

/* By the name as people write it. */
static bool matches(const struct sampler *s, const char *name)
{
	struct buf plain = {0};
	if (surrogates_may(slice_str(name)))
		surrogates_plain(&plain, slice_str(name));
	bool raw = !plain.len || plain.failed;
	bool is = regexec(&s->filter, raw ? name : buf_text(&plain), 0, NULL, 0) == 0;
	buf_release(&plain);
	return is;
}

int sampler_init(struct sampler *s, const struct vm *vm, struct recorder *r,
	const struct options *o, struct diag *d)
{
	*s = (struct sampler){.vm = vm, .recorder = r, .depth = (uint32_t)o->depth};
	s->serial = atomic_fetch_add(&serials, 1) + 1;
	s->may_be_virtual = !vm->major || vm->major >= 21;
	s->follow_max = UINT64_MAX;
	s->before = VM_INTERVAL;
	if (!*o->thread)
		return ERR_NONE;
	if (regcomp(&s->filter, o->thread, REG_EXTENDED | REG_NOSUB))
		return diag_set(d, ERR_FORMAT, "thread=%.80s is no regular expression", o->thread);
	s->has_filter = true;
	s->takes_virtual = matches(s, virtual_name);
	return ERR_NONE;
}

void sampler_release(struct sampler *s)
{
	if (s->has_filter)
		regfree(&s->filter);
	s->has_filter = false;
}

void sampler_show(struct sampler *s, struct in_sight *in_sight)
{
	s->in_sight = in_sight;
	if (in_sight)
		in_sight->recording = s->serial;
}

void sampler_draws(struct sampler *s)
{
	s->before = recorder_first(s->recorder);
}

/* The thread has drawn a distance, by the interval in force. */
static void draw(const struct sampler *s, const struct sieve *sieve)
{
	own.drawn = recorder_interval(s->recorder, sieve->spread);
	own.drew = true;
}

static void draw_now(const struct sampler *s)
{
	struct sieve sieve = recorder_sieve(s->recorder);
	draw(s, &sieve);
}

/* The thread's name, to be given back with vm_free; NULL where the VM does not tell. */
static char *thread_name(struct sampler *s, JNIEnv *jni, jthread thread, bool *daemon)
{
	jvmtiThreadInfo info;
	memset(&info, 0, sizeof(info));
	if ((*s->vm->jvmti)->GetThreadInfo(s->vm->jvmti, thread, &info) != JVMTI_ERROR_NONE)
		return NULL;
	if (info.thread_group)
		(*jni)->DeleteLocalRef(jni, info.thread_group);
	if (info.context_class_loader)
		(*jni)->DeleteLocalRef(jni, info.context_class_loader);
	*daemon = info.is_daemon;
	return info.name;
}

static void forget(void)
{
	own.thread = 0;
	own.choice = CHOICE_NONE;
}

void sampler_thread_start(const struct sampler *s)
{
	forget();
	own.drew = false;
	if (s)
		draw_now(s);
}

/* JNI's IsVirtualThread, which headers before JDK 21 don't declare. */
static bool is_virtual(const struct sampler *s, JNIEnv *jni, jthread thread)
{
	if (!s->may_be_virtual || (*jni)->GetVersion(jni) < JNI_21)
		return false;
	void *slot;
	memcpy(&slot, (const char *)*jni + JNI_IS_VIRTUAL_THREAD * sizeof(slot), sizeof(slot));
	jboolean (*ask)(JNIEnv *, jobject);
	memcpy(&ask, &slot, sizeof(ask));
	return ask(jni, thread);
}

static uint32_t virtual_thread(struct sampler *s)
{
	uint32_t id = __atomic_load_n(&s->virtual_thread, __ATOMIC_RELAXED);
	if (!id) {
		/* Two threads may both define it: then it has two ids, with one name. */
		id = recorder_thread(s->recorder, virtual_name, THREAD_VIRTUAL);
		__atomic_store_n(&s->virtual_thread, id, __ATOMIC_RELAXED);
		recorder_fact(s->recorder, "vthreads", "seen");
	}
	return id;
}

static uint32_t platform_thread(struct sampler *s, JNIEnv *jni, jthread thread)
{
	bool daemon = false;
	if (own.thread)
		return own.thread;
	char *name = thread_name(s, jni, thread, &daemon);
	own.thread = recorder_thread(s->recorder, name ? name : "", daemon ? THREAD_DAEMON : 0);
	vm_free(s->vm, name);
	return own.thread;
}

static uint32_t thread_id(struct sampler *s, JNIEnv *jni, jthread thread)
{
	uint32_t id =
		is_virtual(s, jni, thread) ? virtual_thread(s) : platform_thread(s, jni, thread);
	births_name(id); /* the exact engine can't ask for it */
	return id;
}

/* Whether the filter takes this thread, by the name it had at its first sample. */
static bool takes(struct sampler *s, JNIEnv *jni, jthread thread)
{
	bool daemon;
	if (!s->has_filter)
		return true;
	if (is_virtual(s, jni, thread))
		return s->takes_virtual;
	if (own.choice == CHOICE_NONE) {
		char *name = thread_name(s, jni, thread, &daemon);
		own.choice = name && matches(s, name) ? CHOICE_TAKEN : CHOICE_LEFT;
		vm_free(s->vm, name);
	}
	return own.choice == CHOICE_TAKEN;
}

/* A class is known by a tag on it, so that its name is asked for once. */
static uint32_t class_id(struct sampler *s, jclass klass)
{
	jlong tag = 0;
	if ((*s->vm->jvmti)->GetTag(s->vm->jvmti, klass, &tag) == JVMTI_ERROR_NONE &&
		tags_class(s->serial, tag))
		return tags_class(s->serial, tag);
	char *signature = NULL;
	if ((*s->vm->jvmti)->GetClassSignature(s->vm->jvmti, klass, &signature, NULL) !=
		JVMTI_ERROR_NONE)
		return 0;
	uint32_t id = recorder_class(s->recorder, signature);
	if (s->in_sight && learning_is_leaf(signature))
		in_sight_pass_over(s->in_sight, id, true);
	vm_free(s->vm, signature);
	if (id)
		(*s->vm->jvmti)->SetTag(s->vm->jvmti, klass, tags_of_class(s->serial, id));
	return id;
}

static void resolve_methods(
	struct sampler *s, JNIEnv *jni, const struct stack_frame *stack, uint32_t depth)
{
	uint64_t ids[UNKNOWN_BATCH];
	/* Each round resolves what it lists, or gives up on it: no more rounds than methods. */
	for (uint32_t done = 0; done < depth; done += UNKNOWN_BATCH) {
		uint32_t count = recorder_methods_to_ask(
			s->recorder, stack, depth, METHOD_HELD_BY_SAMPLES, ids, UNKNOWN_BATCH);
		for (uint32_t i = 0; i < count; i++)
			if (methods_resolve(s->vm, jni, s->recorder, ids[i]) == ERR_JVM)
				recorder_refuse_method(s->recorder, ids[i]);
		if (count < UNKNOWN_BATCH)
			return;
	}
}

static void delete_all(JNIEnv *jni, jobject *objects, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		(*jni)->DeleteLocalRef(jni, objects[i]);
}

/* Takes a batch of tags out of the VM, so that the tag table stays small. */
static void evict(struct sampler *s, JNIEnv *jni)
{
	int64_t tags[LIVE_BATCH], found[LIVE_BATCH];
	jobject *objects = NULL;
	jlong *their_tags = NULL;
	jint count = 0;
	uint32_t chosen = recorder_choose(s->recorder, tags), found_count = 0;
	if (!chosen)
		return;
	jlong wanted[LIVE_BATCH];
	for (uint32_t i = 0; i < chosen; i++)
		wanted[i] = tags[i];
	jvmtiEnv *jvmti = s->vm->jvmti;
	(*jni)->EnsureLocalCapacity(jni, LIVE_BATCH); /* or -Xcheck:jni complains on JDK 11 */
	if ((*jvmti)->GetObjectsWithTags(
		    jvmti, (jint)chosen, wanted, &count, &objects, &their_tags) == JVMTI_ERROR_NONE)
		for (; (jint)found_count < count && found_count < chosen; found_count++) {
			(*jvmti)->SetTag(jvmti, objects[found_count], 0);
			found[found_count] = their_tags[found_count];
		}
	/* Our references keep them alive until it is written that they were. */
	recorder_evicted(s->recorder, tags, chosen, found, found_count);
	delete_all(jni, objects, found_count);
	vm_free(s->vm, objects);
	vm_free(s->vm, their_tags);
}

static void record(struct sampler *s, JNIEnv *jni, jobject object, struct sample *sample)
{
	int64_t tag = 0;
	if (sample->follow)
		evict(s, jni);
	enum sample_outcome outcome = recorder_sample(s->recorder, sample, &tag);
	if (outcome == OUTCOME_UNKNOWN) {
		resolve_methods(s, jni, sample->stack, sample->depth);
		sample->asked = true;
		outcome = recorder_sample(s->recorder, sample, &tag);
	}
	if (outcome != OUTCOME_FOLLOWED)
		return;
	if ((*s->vm->jvmti)->SetTag(s->vm->jvmti, object, tag) != JVMTI_ERROR_NONE)
		recorder_untagged(s->recorder, tag);
	else if (s->in_sight)
		in_sight_offer(s->in_sight, jni, object, sample->class_id, sample->young,
			rng_u64(&own.rng));
}

/* By what the VM is asked for the own stack: JDK 21 stops all virtual threads where it is not named
 * (doc/jvm.md, "Stacks beside virtual threads"); those before look for a name among all threads. */
static jthread self(const struct sampler *s, jthread thread)
{
	return s->may_be_virtual ? thread : NULL;
}

static void walk(
	struct sampler *s, JNIEnv *jni, jthread thread, jobject object, struct sample *sample)
{
	jvmtiFrameInfo infos[DEPTH_ON_STACK + 1];
	struct stack_frame stack[DEPTH_ON_STACK];
	sample->depth =
		stack_fetch(s->vm->jvmti, self(s, thread), s->depth, infos, stack, &sample->cut);
	sample->stack = stack;
	record(s, jni, object, sample);
	sample->stack = NULL;
}

static void walk_deep(
	struct sampler *s, JNIEnv *jni, jthread thread, jobject object, struct sample *sample)
{
	jvmtiFrameInfo *infos = mem_alloc((s->depth + 1) * sizeof(*infos));
	struct stack_frame *stack = mem_alloc(s->depth * sizeof(*stack));
	if (infos && stack) {
		sample->depth = stack_fetch(
			s->vm->jvmti, self(s, thread), s->depth, infos, stack, &sample->cut);
		sample->stack = stack;
		record(s, jni, object, sample);
	} else {
		recorder_lose(s->recorder, sample->size, LOST_MEMORY);
	}
	mem_free(infos);
	mem_free(stack);
}

static void remember_recording(const struct sampler *s)
{
	if (own.serial == s->serial)
		return;
	own.serial = s->serial;
	forget();
	own.rng = rng_init(clock_now().v ^ (uint64_t)(uintptr_t)&own);
}

/* One in 2^shift. */
static bool passes(uint8_t shift)
{
	return shift == 0 || rng_below(&own.rng, 1ull << shift) == 0;
}

/* Following a humongous object of G1 would keep it in the heap. */
static bool may_follow(struct sampler *s, uint64_t size)
{
	char text[160];
	if (size <= s->follow_max)
		return true;
	if (!atomic_exchange_explicit(&s->noted_max, true, memory_order_relaxed)) {
		snprintf(text, sizeof(text),
			"objects of more than %llu bytes were not followed: G1 would have kept "
			"them (humongous objects)",
			(unsigned long long)s->follow_max);
		recorder_note(s->recorder, NOTE_INFO, text);
	}
	return false;
}

/*
 * The interval by which the distance to this sample was drawn: the one of when the thread's sample
 * before it was taken, for the VM draws the next distance then, before it tells. A thread that has
 * told of nothing yet began before the recording. Of a census all weights are 1, come what may.
 */
static uint64_t redraw(const struct sampler *s, const struct sieve *sieve)
{
	uint64_t interval = own.drew ? own.drawn : s->before;
	draw(s, sieve);
	return recorder_first(s->recorder) ? interval : 0;
}

/* Tells the VM how far apart samples are to be, where that has changed: by any thread of Java's. */
static void respace(struct sampler *s, const struct sieve *sieve)
{
	uint64_t interval;
	if (!recorder_spaces(s->recorder, &interval))
		return;
	bool refused = vm_interval(s->vm, interval) != ERR_NONE;
	if (!refused && recorder_spaced(s->recorder))
		return;
	vm_interval(s->vm, recorder_interval(s->recorder, sieve->spread));
	recorder_unspaced(s->recorder);
}

static void sample_object(
	struct sampler *s, JNIEnv *jni, jthread thread, jobject object, jclass klass, uint64_t size)
{
	struct sieve sieve = recorder_sieve(s->recorder);
	uint64_t interval = redraw(s, &sieve);
	remember_recording(s);
	respace(s, &sieve);
	if (!takes(s, jni, thread))
		return;
	recorder_clock(s->recorder, size, interval);
	if (!passes(sieve.walk_shift))
		return;
	struct sample sample = {.size = size,
		.interval = interval,
		.config = recorder_config(s->recorder, interval, &sieve),
		.shift = (uint8_t)(sieve.walk_shift + sieve.track_shift)};
	if (!sample.config) {
		recorder_lose(s->recorder, size, LOST_BUFFERS);
		return;
	}
	recorder_born(s->recorder, &sample);
	if (passes(CPU_SHIFT))
		recorder_cpu(s->recorder, &own.cpu);
	sample.class_id = class_id(s, klass);
	sample.thread = thread_id(s, jni, thread);
	sample.follow = passes(sieve.track_shift) && may_follow(s, size);
	if (s->depth <= DEPTH_ON_STACK)
		walk(s, jni, thread, object, &sample);
	else
		walk_deep(s, jni, thread, object, &sample);
}

void sampler_event(
	struct sampler *s, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size)
{
	if (own.inside) {
		draw_now(s);
		return;
	}
	own.inside = true;
	sample_object(s, jni, thread, object, klass, (uint64_t)size);
	own.inside = false;
}
