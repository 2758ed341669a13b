/*
 * A Java VM for tests of the agent: JVMTI, JNI and the invocation interface, as far as the agent
 * uses them, with objects that live and die, threads, classes and methods that are numbers. It
 * counts calls, refuses the n-th on demand, and notes every breach of the rules: memory or
 * references given back twice or never, calls in events that allow none, calls by unknown
 * threads or into an environment that is gone, a second environment, and what can hang or crash a
 * HotSpot VM: other callbacks, or deaths on or off, once deaths are told (doc/jvm.md, "Deaths").
 *
 * One VM a process, as the agent has one session. Any thread may use it.
 */
#ifndef SUPPORT_FAKE_VM_H
#define SUPPORT_FAKE_VM_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_CALLS(F)                                                                              \
	F(GetPotentialCapabilities)                                                                \
	F(AddCapabilities)                                                                         \
	F(RelinquishCapabilities)                                                                  \
	F(SetEventCallbacks)                                                                       \
	F(SetEventNotificationMode)                                                                \
	F(SetHeapSamplingInterval)                                                                 \
	F(GetStackTrace)                                                                           \
	F(GetMethodName)                                                                           \
	F(GetMethodDeclaringClass)                                                                 \
	F(GetClassSignature)                                                                       \
	F(GetSourceFileName)                                                                       \
	F(GetLineNumberTable)                                                                      \
	F(GetMethodModifiers)                                                                      \
	F(GetTag)                                                                                  \
	F(SetTag)                                                                                  \
	F(GetObjectsWithTags)                                                                      \
	F(GetThreadInfo)                                                                           \
	F(GetSystemProperty)                                                                       \
	F(GetPhase)                                                                                \
	F(Deallocate)                                                                              \
	F(GetVersion)                                                                              \
	F(DeleteLocalRef)                                                                          \
	F(EnsureLocalCapacity)                                                                     \
	F(IsVirtualThread)                                                                         \
	F(GetEnv)                                                                                  \
	F(AttachCurrentThreadAsDaemon)                                                             \
	F(DetachCurrentThread)

enum fake_call {
#define FAKE_CALL(name) FAKE_##name,
	FAKE_CALLS(FAKE_CALL)
#undef FAKE_CALL
		FAKE_CALL_COUNT
};
extern const char *const fake_call_names[FAKE_CALL_COUNT];

enum { FAKE_THREADS = 16, FAKE_CLASSES = 8, FAKE_METHODS = 64 };

/* Begins anew: a VM of that JDK in the live phase, all of the old one forgotten. */
void fake_vm_init(int major);
/* Gives back what it holds; then `fake_vm_breaches` is final. */
void fake_vm_release(void);
JavaVM *fake_vm_java(void);
/* The environment and the JNI of the calling thread, without the agent. */
jvmtiEnv *fake_vm_jvmti(void);
JNIEnv *fake_vm_jni(void);

/* Breaches of the rules so far, each printed as a TAP comment. */
uint64_t fake_vm_breaches(void);
uint64_t fake_vm_calls(enum fake_call call);
/* Whether the stack that was asked for last was that of a thread that was named. */
bool fake_vm_named(void);
/* The n-th call from now on is refused (1 = the next); 0: none. */
void fake_vm_refuse(enum fake_call call, uint64_t n);
/* All are refused, until told otherwise. */
void fake_vm_refuse_all(enum fake_call call, bool all);
/* Whether any was. */
bool fake_vm_refused(void);

/* How it appears. */
void fake_vm_set_phase(jvmtiPhase phase);
void fake_vm_set_name(const char *vm_name, const char *version);
void fake_vm_set_class(int class_index, const char *signature);
/* Another agent has the sampler, or has it no more; or the VM never had these capabilities. */
void fake_vm_take_sampler(void);
void fake_vm_leave_sampler(void);
void fake_vm_lack_capabilities(void);
/* No environment of that version: a VM before JDK 11. */
void fake_vm_lack_jvmti_11(void);

/* What is handed out and not given back. */
size_t fake_vm_memory_out(void);
size_t fake_vm_references_out(void);
/* Events that are on, but for deaths, and those whose turning off was refused. */
uint32_t fake_vm_events_left(void);
bool fake_vm_event_is_on(jvmtiEvent event);
/* When it was turned on last, by clock_now. */
uint64_t fake_vm_event_since(jvmtiEvent event);
uint64_t fake_vm_interval(void);
/* Whether somebody else could not sample; false too where giving it back was refused. */
bool fake_vm_holds_sampler(void);

/* The calling native thread becomes the Java thread of that number, or nobody's. */
void fake_vm_be(int thread);
void fake_vm_be_nobody(void);
jthread fake_vm_thread(int thread);
void fake_vm_set_thread(int thread, const char *name, bool daemon, bool is_virtual);
jclass fake_vm_class(int class_index);
jmethodID fake_vm_method(int method);

/*
 * The calling thread allocates: the object's number, and the event where it is on. The stack
 * is methods, leaf first, at bci 0, 10, 20 … by place.
 */
size_t fake_vm_allocate(int class_index, uint64_t size, const int *methods, int depth);
/* Drops the last reference to the object: the next collection finds it dead. */
void fake_vm_drop(size_t object);
bool fake_vm_is_dropped(size_t object);
jlong fake_vm_tag(size_t object);
void fake_vm_tag_object(size_t object, jlong tag);
size_t fake_vm_tagged(void);
size_t fake_vm_tagged_classes(void);
/* Whether a tag may be left, because one could not be taken out, or those that have it not be
 * found.
 */
bool fake_vm_kept_tags(void);
/* A collection: Start, deaths found, Finish. inside: deaths are told within, as on JDK 11. */
void fake_vm_collect(bool inside);
/* The service thread tells of deaths found. */
void fake_vm_tell_deaths(void);
/* VMInit, ThreadStart and VMDeath, where they are on. */
void fake_vm_start(void);
void fake_vm_thread_start(int thread);
void fake_vm_die(void);

#endif
