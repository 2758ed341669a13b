/*
 * Counts allocation events by class with the nouns of src/hotspot, and full collections by a trap.
 * Option: FILE[,slow], slow: C2's fast path stays as the VM has it. At VMDeath it writes to the
 * file "trouble WHY" if there was any, "mended N", "missed N" (fast_path.h), "full N", and for each
 * klass word "class EVENTS OUTSIDE", OUTSIDE: those whose caller is not the VM's library, but
 * compiled code or a stub. hooks.py knows how many there must be.
 */
#include <jvmti.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/fast_path.h"
#include "hotspot/trap.h"
#include "hotspot/vm_flags.h"

enum { CLASSES = 1 << 14, KLASS_AT = 8 };

static struct counter {
	atomic_uint klass;
	atomic_ulong events, outside;
} counters[CLASSES];
static atomic_ulong full;

static char output[512], trouble[DIAG_MAX + 16];
static struct vm_library library;
static struct landmarks landmarks;
static struct fast_path fast;
static struct code_patch patches[3];
static struct trap traps[3];

static struct counter *counter_of(unsigned klass)
{
	for (unsigned i = klass * 2654435761u;; i++) {
		struct counter *c = &counters[i % CLASSES];
		unsigned there = 0;
		if (atomic_compare_exchange_strong(&c->klass, &there, klass) || there == klass)
			return c;
	}
}

static void count(const void *object, const void *caller)
{
	unsigned klass;
	memcpy(&klass, (const char *)object + KLASS_AT, sizeof(klass));
	struct counter *c = counter_of(klass);
	uintptr_t offset = (uintptr_t)caller - (uintptr_t)library.base;
	atomic_fetch_add_explicit(&c->events, 1, memory_order_relaxed);
	if (offset - library.code.address >= library.code.bytes.len)
		atomic_fetch_add_explicit(&c->outside, 1, memory_order_relaxed);
}

static int hook_rdi(const void *object)
{
	count(object, __builtin_return_address(0));
	return 0;
}

static int hook_rsi(const void *thread, const void *object)
{
	(void)thread;
	count(object, __builtin_return_address(0));
	return 0;
}

static void on_full(void *arg)
{
	(void)arg;
	atomic_fetch_add(&full, 1);
}

static int set_hooks(struct diag *d)
{
	int err = landmarks.strange ? ERR_UNSUPPORTED : ERR_NONE;
	for (int i = 0; !err && i < (int)ARRAY_SIZE(patches); i++) {
		const struct landmark_found *f = &landmarks.found[LANDMARK_ALLOC + i];
		uintptr_t hook = f->object == LANDMARK_OBJECT_RDI ? (uintptr_t)&hook_rdi
								  : (uintptr_t)&hook_rsi;
		if (f->state == LANDMARK_FOUND)
			err = code_patch_jump(&patches[i], f->at, (const void *)hook, d);
		else if (f->state != LANDMARK_MISSING)
			err = diag_set(d, ERR_UNSUPPORTED, "%s", landmark_state_text(f->state));
	}
	return err;
}

static int set_traps(struct diag *d)
{
	int err = ERR_NONE;
	for (int i = 0; !err && i < (int)ARRAY_SIZE(traps); i++) {
		void *at = landmarks_at(&landmarks, (enum landmark)(LANDMARK_FULL_G1 + i));
		if (!at)
			err = diag_set(d, ERR_NOT_FOUND, "%s is not found",
				landmark_name((enum landmark)(LANDMARK_FULL_G1 + i)));
		else
			err = trap_set(&traps[i], at, on_full, NULL, d);
	}
	return err;
}

static int set_flag(const void *inside, struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	struct vm_constants c = vm_constants_of(inside);
	struct vm_flags f = vm_flags_of(&s, &c);
	char *flag = vm_flags_find(&f, "DTraceAllocProbes");
	if (!flag)
		return diag_set(d, ERR_NOT_FOUND, "no DTraceAllocProbes");
	*(volatile char *)flag = 1;
	return vm_flags_bool(&f, "DTraceAllocProbes", false) ? ERR_NONE : ERR_INTERNAL;
}

static int open_all(const void *inside, int slow, struct diag *d)
{
	int err = vm_library_open(&library, inside, d);
	if (err)
		return err;
	landmarks_find(&landmarks, &library);
	err = set_hooks(d);
	if (!err)
		err = set_traps(d);
	if (!err && !slow)
		err = fast_path_open(&fast, &library, &landmarks, d);
	if (!err && !slow)
		err = fast_path_apply(&fast, d);
	return err ? err : set_flag(inside, d);
}

static void put_classes(FILE *f)
{
	for (int i = 0; i < CLASSES; i++)
		if (counters[i].events)
			fprintf(f, "class %lu %lu\n", atomic_load(&counters[i].events),
				atomic_load(&counters[i].outside));
}

static void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti, (void)jni;
	FILE *f = fopen(output, "w");
	if (!f)
		return;
	if (trouble[0])
		fprintf(f, "trouble %s\n", trouble);
	fprintf(f, "mended %llu\nmissed %llu\nfull %lu\n", (unsigned long long)fast_path_mended(),
		(unsigned long long)fast_path_missed(), atomic_load(&full));
	put_classes(f);
	fclose(f);
}

static jvmtiEnv *set_up(JavaVM *vm, const char *options)
{
	void *jvmti;
	struct diag d = {""};
	jvmtiEventCallbacks callbacks = {.VMDeath = vm_death};
	const char *comma = strchr(options, ',');
	snprintf(output, sizeof(output), "%.*s",
		(int)(comma ? (size_t)(comma - options) : strlen(options)), options);
	if ((*vm)->GetEnv(vm, &jvmti, JVMTI_VERSION_11) != JNI_OK)
		return NULL;
	jvmtiEnv *env = jvmti;
	(*env)->SetEventCallbacks(env, &callbacks, (jint)sizeof(callbacks));
	(*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
	/* Any pointer into the VM does: its own table of functions. */
	int err = open_all((const void *)*vm, comma != NULL, &d);
	if (err)
		snprintf(trouble, sizeof(trouble), "%d %s", err, d.text);
	return env;
}

/* Makes the VM throw away all compiled code, so that it is compiled again with the probes. */
static void throw_code_away(JavaVM *vm, jvmtiEnv *env)
{
	void *got;
	jvmtiCapabilities want = {.can_retransform_classes = 1};
	if ((*vm)->GetEnv(vm, &got, JNI_VERSION_10) != JNI_OK ||
		(*env)->AddCapabilities(env, &want) != JVMTI_ERROR_NONE) {
		snprintf(trouble, sizeof(trouble), "no retransforming");
		return;
	}
	JNIEnv *jni = got;
	volatile uint8_t *recorded = landmarks_at(&landmarks, LANDMARK_DEPENDENCIES);
	jclass some = (*jni)->FindClass(jni, "java/util/concurrent/atomic/AtomicBoolean");
	if (recorded)
		*recorded = 0;
	if (!some || (*env)->RetransformClasses(env, 1, &some) != JVMTI_ERROR_NONE)
		snprintf(trouble, sizeof(trouble), "RetransformClasses failed");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)reserved;
	return set_up(vm, options) ? JNI_OK : JNI_ERR;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	(void)reserved;
	jvmtiEnv *env = set_up(vm, options);
	if (!env)
		return JNI_ERR;
	throw_code_away(vm, env);
	return JNI_OK;
}
