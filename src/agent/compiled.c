#include "agent/compiled.h"

#include <jvmticmlr.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "agent/sound_ids.h"
#include "agent/tiers.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "hotspot/java_stack.h"

enum { LATELY = 256 };

static struct compiled the_compiled;

struct compiled *compiled_get(void)
{
	return &the_compiled;
}

static const jvmtiCompiledMethodLoadInlineRecord *inline_record(const void *info)
{
	const jvmtiCompiledMethodLoadRecordHeader *h = info;
	while (h && h->kind != JVMTI_CMLR_INLINE_INFO)
		h = h->next;
	return (const void *)h;
}

/* All frames of a record in one array: the places point into it. */
static uint32_t frames_in(const jvmtiCompiledMethodLoadInlineRecord *r)
{
	uint32_t count = 0;
	for (jint i = 0; r && i < r->numpcs; i++)
		count +=
			r->pcinfo[i].numstackframes > 0 ? (uint32_t)r->pcinfo[i].numstackframes : 0;
	return count;
}

static uint32_t copy(const jvmtiCompiledMethodLoadInlineRecord *r, struct code_place *places,
	struct code_frame *frames)
{
	uint32_t count = 0;
	for (jint i = 0; r && i < r->numpcs; i++) {
		const PCStackInfo *p = &r->pcinfo[i];
		places[count++] = (struct code_place){(uintptr_t)p->pc, frames,
			p->numstackframes > 0 ? (uint32_t)p->numstackframes : 0};
		for (jint k = 0; k < p->numstackframes; k++)
			*frames++ =
				(struct code_frame){(uint64_t)(uintptr_t)p->methods[k], p->bcis[k]};
	}
	return count;
}

static void learn_class(struct compiled *c, jmethodID id)
{
	jclass of = NULL;
	void *jni = NULL;
	if ((*c->java)->GetEnv(c->java, &jni, JNI_VERSION_10) != JNI_OK ||
		(*c->env)->GetMethodDeclaringClass(c->env, id, &of) != JVMTI_ERROR_NONE || !of)
		return;
	method_ids_learn(&c->ids, (uint64_t)(uintptr_t)id, of);
	(*(JNIEnv *)jni)->DeleteLocalRef(jni, of);
}

/* So that the method is found by its id later, where that is a number. */
static void learn_id(struct compiled *c, jmethodID id, const void *code)
{
	uint64_t number = (uint64_t)(uintptr_t)id;
	struct code_blob blob;
	if (method_ids_lack(&c->ids, number))
		learn_class(c, id);
	if (!method_ids_find(&c->ids, number) &&
		code_blob_find(c->blobs, (uintptr_t)code, &blob) == ERR_NONE && blob.is_nmethod)
		method_ids_left(&c->ids, number, blob.blob);
}

typedef bool id_visit(void *arg, jmethodID id);

/* Until one is refused; whether none was. The same few methods are on the stacks of most places:
 * each is visited once, or now and then. */
static bool each_id(
	jmethodID method, const jvmtiCompiledMethodLoadInlineRecord *r, id_visit *visit, void *arg)
{
	jmethodID seen[LATELY] = {NULL};
	bool taken = visit(arg, method);
	for (jint i = 0; r && i < r->numpcs && taken; i++)
		for (jint k = 0; k < r->pcinfo[i].numstackframes && taken; k++) {
			jmethodID id = r->pcinfo[i].methods[k];
			jmethodID *last = &seen[hash64((uint64_t)(uintptr_t)id) % LATELY];
			taken = *last == id || visit(arg, id);
			*last = id;
		}
	return taken;
}

struct lesson {
	struct compiled *compiled;
	const void *code;
};

static bool learn(void *arg, jmethodID id)
{
	const struct lesson *l = arg;
	learn_id(l->compiled, id, l->code);
	return true;
}

static bool is_sound(void *arg, jmethodID id)
{
	(void)arg;
	return sound_id(id);
}

static void add(struct compiled *c, jmethodID method, uintptr_t begin, uintptr_t size,
	const jvmtiCompiledMethodLoadInlineRecord *r)
{
	uint32_t most = r && r->numpcs > 0 ? (uint32_t)r->numpcs : 0, frames = frames_in(r);
	struct code_place *places = mem_alloc((most + 1) * sizeof(*places));
	struct code_frame *all = mem_alloc((frames + 1) * sizeof(*all));
	/* Without memory, or room, its places stay unknown: births there have no line. */
	if (places && all &&
		code_map_add(&c->map, begin, size, (uint64_t)(uintptr_t)method, places,
			copy(r, places, all)) == ERR_NONE)
		c->added(c->arg, begin, begin + size);
	mem_free(places);
	mem_free(all);
}

static bool enter(struct compiled *c)
{
	atomic_fetch_add(&c->inside, 1);
	if (atomic_load(&c->on))
		return true;
	atomic_fetch_sub(&c->inside, 1);
	return false;
}

static void JNICALL on_load(jvmtiEnv *jvmti, jmethodID method, jint size, const void *code,
	jint map_length, const jvmtiAddrLocationMap *map, const void *info)
{
	struct compiled *c = &the_compiled;
	(void)jvmti, (void)map_length, (void)map;
	java_code_changed();
	if (!enter(c))
		return;
	if (c->ids.numbers)
		each_id(method, inline_record(info), learn, &(struct lesson){c, code});
	/* Else it is as if the VM had not told of the code: births there have no line. */
	if (each_id(method, inline_record(info), is_sound, NULL))
		add(c, method, (uintptr_t)code, (uintptr_t)size, inline_record(info));
	atomic_fetch_sub(&c->inside, 1);
}

static void JNICALL on_unload(jvmtiEnv *jvmti, jmethodID method, const void *code)
{
	struct compiled *c = &the_compiled;
	(void)jvmti, (void)method;
	java_code_changed();
	if (!enter(c))
		return;
	code_map_remove(&c->map, (uintptr_t)code);
	atomic_fetch_sub(&c->inside, 1);
}

/* Before a collection that may free code. In whatever thread does the VM's work. */
static void JNICALL on_gc_start(jvmtiEnv *jvmti)
{
	(void)jvmti;
	old_code_once(&the_compiled.old);
}

static int set_event(struct compiled *c, jvmtiEventMode mode, jvmtiEvent event)
{
	jvmtiError err = (*c->env)->SetEventNotificationMode(c->env, mode, event, NULL);
	return err == JVMTI_ERROR_NONE ? ERR_NONE : ERR_JVM;
}

static int set_events(struct compiled *c, jvmtiEventMode mode)
{
	int err = set_event(c, mode, JVMTI_EVENT_COMPILED_METHOD_LOAD);
	return err ? err : set_event(c, mode, JVMTI_EVENT_COMPILED_METHOD_UNLOAD);
}

static int open_env(struct compiled *c, const struct vm *vm)
{
	void *env = NULL;
	jvmtiCapabilities want;
	jvmtiEventCallbacks callbacks;
	if ((*vm->java)->GetEnv(vm->java, &env, JVMTI_VERSION_1_2) != JNI_OK)
		return ERR_JVM;
	c->env = env;
	c->java = vm->java;
	memset(&want, 0, sizeof(want));
	want.can_generate_compiled_method_load_events = 1;
	want.can_generate_garbage_collection_events = 1;
	if ((*c->env)->AddCapabilities(c->env, &want) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	memset(&callbacks, 0, sizeof(callbacks));
	callbacks.CompiledMethodLoad = on_load;
	callbacks.CompiledMethodUnload = on_unload;
	callbacks.GarbageCollectionStart = on_gc_start;
	return (*c->env)->SetEventCallbacks(c->env, &callbacks, (jint)sizeof(callbacks)) ==
			       JVMTI_ERROR_NONE
		       ? ERR_NONE
		       : ERR_JVM;
}

int compiled_begin(struct compiled *c, const struct vm *vm, const struct code_blobs *blobs,
	compiled_added *added, void *arg, struct diag *d)
{
	int err = c->ids.slots ? ERR_NONE : method_ids_open(&c->ids, vm_code(vm), d);
	if (err)
		return err;
	err = c->env ? ERR_NONE : open_env(c, vm);
	if (!err) {
		code_map_init(&c->map);
		c->blobs = blobs;
		c->added = added;
		c->arg = arg;
		atomic_store(&c->on, true);
		err = set_events(c, JVMTI_ENABLE);
	}
	return err ? diag_set(d, err, "the VM does not tell of its compiled methods") : ERR_NONE;
}

void compiled_replay(struct compiled *c)
{
	(*c->env)->GenerateEvents(c->env, JVMTI_EVENT_COMPILED_METHOD_LOAD);
}

void compiled_end(struct compiled *c, bool live)
{
	if (!atomic_exchange(&c->on, false))
		return;
	if (live)
		set_events(c, JVMTI_DISABLE);
	while (atomic_load(&c->inside))
		sched_yield();
	code_map_release(&c->map);
}

static int retransform(struct compiled *c, jclass class)
{
	jvmtiError err = (*c->env)->RetransformClasses(c->env, 1, &class);
	return err == JVMTI_ERROR_NONE ? ERR_NONE : ERR_JVM;
}

/*
 * What is redefined to that end. It has no methods, nor anything below it: a cache of classes that
 * the VM may be making (AOT, 25) is left without what was redefined and all below that, and with
 * ArrayList among these it can't be made.
 */
#define BARE "java/lang/annotation/Native"

/*
 * The VM throws its code away only where it thinks it had no record of what depends on what, which
 * it thinks once in its life. It keeps a list of the code that knows methods of classes as they
 * were before; then it adds to it, what is in it already too, and takes out one of the two when
 * that code is freed: the next collection that unloads classes follows the other one. So what is
 * redefined has no methods, and the redefinition behind it, an ordinary one, makes the list anew;
 * and a collection between the two finds nothing twice.
 */
static int throw_away(struct compiled *c, jclass bare, const struct landmarks *m)
{
	uint8_t *dependencies = landmarks_at(m, LANDMARK_DEPENDENCIES);
	const void *list = landmarks_at(m, LANDMARK_OLD_CODE);
	c->old = (struct old_code){list, c->blobs->array_length, c->blobs->array_data};
	(void)!set_event(c, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START);
	if (dependencies)
		__atomic_store_n(dependencies, 0, __ATOMIC_SEQ_CST);
	int err = retransform(c, bare);
	err = err ? err : retransform(c, bare);
	(void)!set_event(c, JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START);
	return err;
}

int compiled_again(
	struct compiled *c, const struct vm_flags *flags, JNIEnv *jni, const struct landmarks *m)
{
	jvmtiCapabilities want;
	memset(&want, 0, sizeof(want));
	want.can_retransform_classes = 1;
	if ((*c->env)->AddCapabilities(c->env, &want) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	jclass bare = (*jni)->FindClass(jni, BARE);
	if (!bare) {
		(*jni)->ExceptionClear(jni);
		return ERR_JVM;
	}
	tiers_low(flags);
	int err = throw_away(c, bare, m);
	(*jni)->DeleteLocalRef(jni, bare);
	return err;
}
