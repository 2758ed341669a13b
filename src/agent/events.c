#include "agent/events.h"

#include "agent/session.h"
#include "agent/tags.h"
#include "base/compiler.h"
#include "base/error.h"

/* With the nop engine the VM does all that it does for us, and we do nothing. */
static bool enter(struct session *s)
{
	return !atomic_load_explicit(&s->nop, memory_order_relaxed) && session_enter(s);
}

static bool enter_pause(struct session *s)
{
	return !atomic_load_explicit(&s->nop, memory_order_relaxed) && session_enter_pause(s);
}

static void JNICALL on_sample(
	jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size)
{
	struct session *s = session_get();
	(void)jvmti;
	if (!enter(s))
		return;
	sampler_event(&s->sampler, jni, thread, object, klass, size);
	session_leave(s);
}

static void JNICALL on_free(jvmtiEnv *jvmti, jlong tag)
{
	struct session *s = session_get();
	(void)jvmti;
	if (tags_is_class(tag) || !enter(s))
		return;
	gcs_death(&s->gcs, tag);
	session_leave(s);
}

static void JNICALL on_gc_start(jvmtiEnv *jvmti)
{
	struct session *s = session_get();
	(void)jvmti;
	if (!enter_pause(s))
		return;
	gcs_start(&s->gcs, exact_missed(&s->exact));
	exact_start(&s->exact);
	session_leave(s);
}

static void JNICALL on_gc_finish(jvmtiEnv *jvmti)
{
	struct session *s = session_get();
	(void)jvmti;
	if (!enter_pause(s))
		return;
	gcs_finish(&s->gcs);
	exact_finish(&s->exact);
	session_leave(s);
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct session *s = session_get();
	bool entered = enter(s);
	(void)jvmti, (void)jni, (void)thread;
	sampler_thread_start(entered ? &s->sampler : NULL);
	if (entered)
		session_leave(s);
}

/* See vm_steady. */
static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti, (void)jni, (void)thread;
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti, (void)jni, (void)thread;
	session_vm_init(session_get());
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti, (void)jni;
	session_vm_death(session_get());
}

static const jvmtiEventCallbacks callbacks = {
	.VMInit = on_vm_init,
	.VMDeath = on_vm_death,
	.ThreadStart = on_thread_start,
	.ThreadEnd = on_thread_end,
	.SampledObjectAlloc = on_sample,
	.ObjectFree = on_free,
	.GarbageCollectionStart = on_gc_start,
	.GarbageCollectionFinish = on_gc_finish,
};

int events_arm(struct session *s)
{
	if (vm_callbacks(&s->vm, &callbacks) || vm_steady(&s->vm) ||
		vm_event(&s->vm, JVMTI_EVENT_VM_DEATH, true, NULL))
		return ERR_JVM;
	return vm_is_live(&s->vm) ? ERR_NONE : vm_event(&s->vm, JVMTI_EVENT_VM_INIT, true, NULL);
}

/* Whoever turns one on waits for a pause that is on. So Finish comes first: one may come without
 * its Start, which is seen, and no Start without its Finish. */
static const jvmtiEvent pauses[] = {
	JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, JVMTI_EVENT_GARBAGE_COLLECTION_START};
/*
 * Births last, deaths before them all: an object followed is never missed. All are for all threads:
 * JDK 11 samples nobody where it is on for single ones only (doc/jvm.md), so a thread is chosen in
 * the callback.
 */
static const jvmtiEvent recorded[] = {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC};

static int turn_on(struct session *s, const jvmtiEvent *list, size_t count, struct diag *d)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < count && !err; i++)
		err = vm_event(&s->vm, list[i], true, NULL);
	return err ? diag_set(d, err, "the VM refused the events that mayfly needs") : ERR_NONE;
}

static void turn_off(struct session *s, const jvmtiEvent *list, size_t count)
{
	while (count-- > 0)
		vm_event(&s->vm, list[count], false, NULL);
}

int events_pauses(struct session *s, struct diag *d)
{
	return turn_on(s, pauses, ARRAY_SIZE(pauses), d);
}

int events_begin(struct session *s, struct diag *d)
{
	int err = vm_interval(&s->vm, recorder_first(&s->recorder));
	if (!err)
		err = vm_mourn(&s->vm);
	if (err)
		return diag_set(d, err, "the VM refused the events that mayfly needs");
	return turn_on(s, recorded, ARRAY_SIZE(recorded), d);
}

void events_end(struct session *s)
{
	turn_off(s, recorded, ARRAY_SIZE(recorded));
	turn_off(s, pauses, ARRAY_SIZE(pauses));
	/* Threads that begin without us are to draw what the next recording takes them to. */
	vm_interval(&s->vm, VM_INTERVAL);
}
