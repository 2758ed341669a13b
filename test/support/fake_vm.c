#include "support/fake_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_state fake = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local struct fake_me fake_me;

/* One collection at a time, as in a VM. */
static pthread_mutex_t collecting = PTHREAD_MUTEX_INITIALIZER;

static void name_all(void)
{
	static const char *const signatures[FAKE_CLASSES] = {"Lcom/acme/Shop;", "[B",
		"Ljava/util/ArrayList;", "Lcom/acme/Order;", "[Lcom/acme/Order;",
		"Lcom/acme/Shop$$Lambda.0x0000000077080210;", "[[I", "LMain;"};
	for (size_t i = 0; i < FAKE_CLASSES; i++) {
		snprintf(fake.classes[i], TEXT, "%s", signatures[i]);
		fake.class_handles[i] = (struct reference){.kind = KIND_CLASS, .index = i};
	}
	for (size_t i = 0; i < FAKE_THREADS; i++) {
		snprintf(fake.threads[i].name, TEXT, "worker-%zu", i);
		fake.thread_handles[i] = (struct reference){.kind = KIND_THREAD, .index = i};
	}
}

void fake_vm_init(int major)
{
	fake_vm_release();
	fake = (struct fake_state){
		.lock = PTHREAD_MUTEX_INITIALIZER, .major = major, .phase = JVMTI_PHASE_LIVE};
	snprintf(fake.name, TEXT, "OpenJDK 64-Bit Server VM");
	snprintf(fake.version, TEXT, "%d.0.3+9-LTS", major);
	fake_calls_fill();
	name_all();
	fake_vm_be(0);
}

void fake_vm_release(void)
{
	while (fake.memory) {
		struct memory *m = fake.memory;
		fake.memory = m->next;
		free(m->at);
		free(m);
	}
	while (fake.references) {
		struct reference *r = fake.references;
		fake.references = r->next;
		free(r);
	}
	free(fake.objects);
	fake.objects = NULL;
	fake.object_count = fake.object_room = 0;
}

JavaVM *fake_vm_java(void)
{
	return &fake_java_vm;
}

jvmtiEnv *fake_vm_jvmti(void)
{
	return &fake_jvmti_env;
}

JNIEnv *fake_vm_jni(void)
{
	return &fake_jni_env;
}

/* Reads or sets one thing under the lock. */
#define LOCKED(statement)                                                                          \
	do {                                                                                       \
		pthread_mutex_lock(&fake.lock);                                                    \
		statement;                                                                         \
		pthread_mutex_unlock(&fake.lock);                                                  \
	} while (0)

uint64_t fake_vm_breaches(void)
{
	uint64_t n;
	LOCKED(n = fake.breaches);
	return n;
}

bool fake_vm_named(void)
{
	bool named;
	LOCKED(named = fake.named);
	return named;
}

uint64_t fake_vm_calls(enum fake_call call)
{
	uint64_t n;
	LOCKED(n = fake.calls[call]);
	return n;
}

void fake_vm_refuse(enum fake_call call, uint64_t n)
{
	LOCKED(fake.refuse_at[call] = n; fake.refused = false);
}

void fake_vm_refuse_all(enum fake_call call, bool all)
{
	LOCKED(fake.refuse_all[call] = all);
}

bool fake_vm_refused(void)
{
	bool refused;
	LOCKED(refused = fake.refused);
	return refused;
}

void fake_vm_set_phase(jvmtiPhase phase)
{
	LOCKED(fake.phase = phase);
}

void fake_vm_set_name(const char *vm_name, const char *version)
{
	LOCKED(snprintf(fake.name, TEXT, "%s", vm_name);
		snprintf(fake.version, TEXT, "%s", version));
}

void fake_vm_set_class(int class_index, const char *signature)
{
	LOCKED(snprintf(fake.classes[class_index], TEXT, "%s", signature));
}

void fake_vm_take_sampler(void)
{
	LOCKED(fake.sampler_taken = true);
}

void fake_vm_leave_sampler(void)
{
	LOCKED(fake.sampler_taken = false);
}

void fake_vm_lack_capabilities(void)
{
	LOCKED(fake.lacks = true);
}

void fake_vm_lack_jvmti_11(void)
{
	LOCKED(fake.old = true);
}

size_t fake_vm_memory_out(void)
{
	size_t n = 0;
	LOCKED(for (struct memory *m = fake.memory; m; m = m->next) n++);
	return n;
}

size_t fake_vm_references_out(void)
{
	size_t n = 0;
	LOCKED(for (struct reference *r = fake.references; r; r = r->next) n += !r->gone);
	return n;
}

uint32_t fake_vm_events_left(void)
{
	uint32_t n = 0;
	LOCKED(for (int e = 0; e < EVENTS; e++) n += fake.on[e] && !fake.off_refused[e] &&
						     e != JVMTI_EVENT_OBJECT_FREE &&
						     e != JVMTI_EVENT_THREAD_END);
	return n;
}

/* An event without a callback is off, whatever its mode. */
static bool has_callback(jvmtiEvent event)
{
	const jvmtiEventCallbacks *c = &fake.callbacks;
	switch (event) {
	case JVMTI_EVENT_VM_INIT:
		return c->VMInit != NULL;
	case JVMTI_EVENT_VM_DEATH:
		return c->VMDeath != NULL;
	case JVMTI_EVENT_THREAD_START:
		return c->ThreadStart != NULL;
	case JVMTI_EVENT_THREAD_END:
		return c->ThreadEnd != NULL;
	case JVMTI_EVENT_OBJECT_FREE:
		return c->ObjectFree != NULL;
	case JVMTI_EVENT_SAMPLED_OBJECT_ALLOC:
		return c->SampledObjectAlloc != NULL;
	case JVMTI_EVENT_GARBAGE_COLLECTION_START:
		return c->GarbageCollectionStart != NULL;
	case JVMTI_EVENT_GARBAGE_COLLECTION_FINISH:
		return c->GarbageCollectionFinish != NULL;
	default:
		return false;
	}
}

bool fake_vm_event_is_on(jvmtiEvent event)
{
	bool on;
	LOCKED(on = has_callback(event) && fake.on[event]);
	return on;
}

uint64_t fake_vm_event_since(jvmtiEvent event)
{
	uint64_t since;
	LOCKED(since = fake.since[event].v);
	return since;
}

uint64_t fake_vm_interval(void)
{
	uint64_t n;
	LOCKED(n = fake.interval);
	return n;
}

bool fake_vm_holds_sampler(void)
{
	bool holds;
	LOCKED(holds = fake.holds_sampler && !fake.kept_sampler);
	return holds;
}

bool fake_vm_kept_tags(void)
{
	bool kept;
	LOCKED(kept = fake.kept_tags);
	return kept;
}

void fake_vm_be(int thread)
{
	fake_me.known = true;
	fake_me.thread = thread;
	fake_me.attachment = 0;
}

void fake_vm_be_nobody(void)
{
	fake_me.known = false;
	fake_me.attachment = 0;
}

jthread fake_vm_thread(int thread)
{
	return (jthread)(void *)&fake.thread_handles[thread];
}

void fake_vm_set_thread(int thread, const char *name, bool daemon, bool is_virtual)
{
	struct thread *t = &fake.threads[thread];
	LOCKED(snprintf(t->name, TEXT, "%s", name); t->daemon = daemon; t->is_virtual = is_virtual);
}

jclass fake_vm_class(int class_index)
{
	return (jclass)(void *)&fake.class_handles[class_index];
}

jmethodID fake_vm_method(int method)
{
	return (jmethodID)(intptr_t)(method + 1);
}

static size_t new_object(void)
{
	if (fake.object_count == fake.object_room) {
		fake.object_room = fake.object_room ? fake.object_room * 2 : 256;
		fake.objects = realloc(fake.objects, fake.object_room * sizeof(*fake.objects));
	}
	fake.objects[fake.object_count] = (struct object){0};
	return fake.object_count++;
}

size_t fake_vm_allocate(int class_index, uint64_t size, const int *methods, int depth)
{
	size_t object = 0;
	bool on = false;
	jvmtiEventSampledObjectAlloc callback = NULL;
	LOCKED(object = new_object(); callback = fake.callbacks.SampledObjectAlloc;
		on = fake.on[JVMTI_EVENT_SAMPLED_OBJECT_ALLOC]);
	if (!on || !callback)
		return object;
	struct reference handle = {.kind = KIND_OBJECT, .index = object};
	fake_me.methods = methods;
	fake_me.depth = depth;
	callback(&fake_jvmti_env, &fake_jni_env, fake_vm_thread(fake_me.thread),
		(jobject)(void *)&handle, fake_vm_class(class_index), (jlong)size);
	fake_me.depth = 0;
	return object;
}

void fake_vm_drop(size_t object)
{
	LOCKED(fake.objects[object].dropped = true);
}

bool fake_vm_is_dropped(size_t object)
{
	bool dropped;
	LOCKED(dropped = fake.objects[object].dropped);
	return dropped;
}

jlong fake_vm_tag(size_t object)
{
	jlong tag;
	LOCKED(tag = fake.objects[object].tag);
	return tag;
}

void fake_vm_tag_object(size_t object, jlong tag)
{
	LOCKED(fake.objects[object].tag = tag);
}

size_t fake_vm_tagged(void)
{
	size_t n = 0;
	LOCKED(for (size_t i = 0; i < fake.object_count; i++) n += fake.objects[i].tag != 0);
	return n;
}

size_t fake_vm_tagged_classes(void)
{
	size_t n = 0;
	LOCKED(for (size_t i = 0; i < FAKE_CLASSES; i++) n += fake.class_tags[i] != 0);
	return n;
}

/* The tag of a dead object whose event has not come, or 0. */
static jlong next_death(jvmtiEventObjectFree *callback, size_t *from)
{
	jlong tag = 0;
	pthread_mutex_lock(&fake.lock);
	*callback = fake.on[JVMTI_EVENT_OBJECT_FREE] ? fake.callbacks.ObjectFree : NULL;
	for (; !tag && *from < fake.object_count; ++*from) {
		struct object *o = &fake.objects[*from];
		if (!o->found_dead || !o->tag)
			continue;
		tag = o->tag;
		o->tag = 0;
	}
	pthread_mutex_unlock(&fake.lock);
	return tag;
}

void fake_vm_tell_deaths(void)
{
	jvmtiEventObjectFree callback;
	size_t from = 0;
	enum fake_inside before = fake_me.inside;
	fake_me.inside = IN_FREE;
	for (jlong tag; (tag = next_death(&callback, &from));)
		if (callback)
			callback(&fake_jvmti_env, tag);
	fake_me.inside = before;
}

static void find_dead(void)
{
	LOCKED(for (size_t i = 0; i < fake.object_count; i++) fake.objects[i].found_dead =
			fake.objects[i].dropped);
}

void fake_vm_collect(bool inside)
{
	jvmtiEventGarbageCollectionStart start;
	jvmtiEventGarbageCollectionFinish finish;
	LOCKED(start = fake.on[JVMTI_EVENT_GARBAGE_COLLECTION_START]
			       ? fake.callbacks.GarbageCollectionStart
			       : NULL);
	pthread_mutex_lock(&collecting);
	fake_me.inside = IN_GC;
	if (start)
		start(&fake_jvmti_env);
	find_dead();
	if (inside)
		fake_vm_tell_deaths();
	LOCKED(finish = fake.on[JVMTI_EVENT_GARBAGE_COLLECTION_FINISH]
				? fake.callbacks.GarbageCollectionFinish
				: NULL);
	if (finish)
		finish(&fake_jvmti_env);
	fake_me.inside = IN_NONE;
	pthread_mutex_unlock(&collecting);
}

void fake_vm_start(void)
{
	jvmtiEventVMInit callback;
	LOCKED(fake.phase = JVMTI_PHASE_LIVE;
		callback = fake.on[JVMTI_EVENT_VM_INIT] ? fake.callbacks.VMInit : NULL);
	if (callback)
		callback(&fake_jvmti_env, &fake_jni_env, fake_vm_thread(fake_me.thread));
}

void fake_vm_thread_start(int thread)
{
	jvmtiEventThreadStart callback;
	LOCKED(callback = fake.on[JVMTI_EVENT_THREAD_START] ? fake.callbacks.ThreadStart : NULL);
	if (callback)
		callback(&fake_jvmti_env, &fake_jni_env, fake_vm_thread(thread));
}

/* VMDeath, after the deaths that are still held, as JDK 20 and later tell them; afterwards the
 * environment is gone, as JVMTI says. */
void fake_vm_die(void)
{
	jvmtiEventVMDeath callback;
	fake_vm_tell_deaths();
	LOCKED(callback = fake.on[JVMTI_EVENT_VM_DEATH] ? fake.callbacks.VMDeath : NULL);
	if (callback)
		callback(&fake_jvmti_env, &fake_jni_env);
	LOCKED(fake.phase = JVMTI_PHASE_DEAD; fake_forget_environment());
}
