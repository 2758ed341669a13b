#include "agent/events.h"

#include <string.h>

#include "agent/session.h"
#include "base/compiler.h"
#include "base/error.h"

static void JNICALL on_sample(
	jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size)
{
	struct session *s = session_get();
	(void)jvmti;
	if (!session_enter(s))
		return;
	sampler_event(&s->sampler, jni, thread, object, klass, size);
	session_leave(s);
}

static void JNICALL on_free(jvmtiEnv *jvmti, jlong tag)
{
	struct session *s = session_get();
	(void)jvmti;
	if (sampler_is_class_tag(tag) || !session_enter(s))
		return;
	gcs_death(&s->gcs, tag);
	session_leave(s);
}

static void JNICALL on_gc_start(jvmtiEnv *jvmti)
{
	struct session *s = session_get();
	(void)jvmti;
	if (!session_enter(s))
		return;
	gcs_start(&s->gcs);
	session_leave(s);
}

static void JNICALL on_gc_finish(jvmtiEnv *jvmti)
{
	struct session *s = session_get();
	(void)jvmti;
	if (!session_enter(s))
		return;
	gcs_finish(&s->gcs);
	session_leave(s);
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct session *s = session_get();
	(void)jvmti;
	if (!session_enter(s))
		return;
	if (sampler_takes_thread(&s->sampler, jni, thread))
		vm_event(&s->vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, true, thread);
	session_leave(s);
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	(void)thread;
	session_vm_init(session_get(), jni);
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti;
	(void)jni;
	session_vm_death(session_get());
}

/* The nop engine: the VM does all that it does for us, and we do nothing. */
static void JNICALL nop_sample(
	jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size)
{
	(void)jvmti, (void)jni, (void)thread, (void)object, (void)klass, (void)size;
}

static void JNICALL nop_free(jvmtiEnv *jvmti, jlong tag)
{
	(void)jvmti, (void)tag;
}

static void JNICALL nop_gc(jvmtiEnv *jvmti)
{
	(void)jvmti;
}

int events_arm(struct session *s)
{
	bool nop = s->options.engine == ENGINE_NOP;
	jvmtiEventCallbacks c;
	memset(&c, 0, sizeof(c));
	c.VMInit = on_vm_init;
	c.VMDeath = on_vm_death;
	c.ThreadStart = on_thread_start;
	c.SampledObjectAlloc = nop ? nop_sample : on_sample;
	c.ObjectFree = nop ? nop_free : on_free;
	c.GarbageCollectionStart = nop ? nop_gc : on_gc_start;
	c.GarbageCollectionFinish = nop ? nop_gc : on_gc_finish;
	if (vm_callbacks(&s->vm, &c) || vm_event(&s->vm, JVMTI_EVENT_VM_DEATH, true, NULL))
		return ERR_JVM;
	return vm_is_live(&s->vm) ? ERR_NONE : vm_event(&s->vm, JVMTI_EVENT_VM_INIT, true, NULL);
}

/* Those that are alike for all threads. Deaths and collections before births: an object followed is
 * never missed. */
static const jvmtiEvent always[] = {JVMTI_EVENT_GARBAGE_COLLECTION_START,
	JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, JVMTI_EVENT_OBJECT_FREE};

static int sample_chosen_threads(struct session *s, JNIEnv *jni)
{
	jthread *threads = NULL;
	jint count = 0;
	jvmtiEnv *jvmti = s->vm.jvmti;
	if (vm_event(&s->vm, JVMTI_EVENT_THREAD_START, true, NULL) ||
		(*jvmti)->GetAllThreads(jvmti, &count, &threads) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	for (jint i = 0; i < count; i++) {
		/* A thread that has ended meanwhile is refused, which is fine. */
		if (sampler_takes_thread(&s->sampler, jni, threads[i]))
			vm_event(&s->vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, true, threads[i]);
		(*jni)->DeleteLocalRef(jni, threads[i]);
	}
	vm_free(&s->vm, threads);
	return ERR_NONE;
}

int events_begin(struct session *s, JNIEnv *jni, struct diag *d)
{
	int err = vm_interval(&s->vm, s->recorder.interval);
	for (size_t i = 0; i < ARRAY_SIZE(always) && !err; i++)
		err = vm_event(&s->vm, always[i], true, NULL);
	if (!err)
		err = s->sampler.has_filter
			      ? sample_chosen_threads(s, jni)
			      : vm_event(&s->vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, true, NULL);
	return err ? diag_set(d, err, "the VM refused the events that mayfly needs") : ERR_NONE;
}

/*
 * By taking the callbacks away. Turning ObjectFree off instead can hang the program for ever: from
 * JDK 20 on the VM then waits for the thread that tells deaths, without giving way to a safepoint,
 * which that thread may itself be waiting for (doc/jvm.md, "Deaths").
 */
void events_end(struct session *s)
{
	jvmtiEventCallbacks only_death;
	memset(&only_death, 0, sizeof(only_death));
	only_death.VMDeath = on_vm_death;
	vm_callbacks(&s->vm, &only_death);
	vm_event(&s->vm, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, false, NULL);
	vm_event(&s->vm, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, false, NULL);
	vm_event(&s->vm, JVMTI_EVENT_GARBAGE_COLLECTION_START, false, NULL);
}
