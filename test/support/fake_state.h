/* The fake VM's inside, shared by the calls that it answers (fake_calls.c) and what drives it
 * (fake_vm.c). */
#ifndef SUPPORT_FAKE_STATE_H
#define SUPPORT_FAKE_STATE_H

#include <pthread.h>

#include "base/clock.h"
#include "support/fake_vm.h"

enum { EVENTS = JVMTI_MAX_EVENT_TYPE_VAL + 1, TEXT = 160 };

enum fake_kind { KIND_OBJECT, KIND_CLASS, KIND_THREAD, KIND_OTHER };

/* What a jobject points to. */
struct reference {
	enum fake_kind kind;
	size_t index;
	bool local; /* to be deleted by who got it */
	bool gone;
	int holder; /* the attachment that it belongs to */
	struct reference *next;
};

struct object {
	jlong tag;
	bool dropped, found_dead;
};

struct thread {
	char name[TEXT];
	bool daemon, is_virtual;
};

struct memory {
	void *at;
	struct memory *next;
};

/* Protected by its lock. */
extern struct fake_state {
	pthread_mutex_t lock;
	int major;
	jvmtiPhase phase;
	char name[TEXT], version[TEXT];
	bool sampler_taken, lacks, old;
	bool named; /* the thread whose stack was asked for last */
	bool holds_sampler, kept_sampler, kept_tags;
	bool open; /* an environment */
	uint64_t interval;
	uint64_t calls[FAKE_CALL_COUNT], refuse_at[FAKE_CALL_COUNT];
	bool refuse_all[FAKE_CALL_COUNT];
	bool refused;
	uint64_t breaches;
	jvmtiEventCallbacks callbacks;
	bool on[EVENTS];
	struct ns since[EVENTS]; /* it was turned on last */
	bool off_refused[EVENTS];
	bool had_filtered; /* an event that single threads can have was on */
	struct thread threads[FAKE_THREADS];
	char classes[FAKE_CLASSES][TEXT];
	jlong class_tags[FAKE_CLASSES];
	struct object *objects;
	size_t object_count, object_room;
	struct memory *memory;
	struct reference *references;
	struct reference thread_handles[FAKE_THREADS], class_handles[FAKE_CLASSES];
	int attachments;
} fake;

/* What the calling native thread is to the VM. */
extern _Thread_local struct fake_me {
	bool known;
	int thread;
	int attachment; /* >0: by AttachCurrentThreadAsDaemon */
	enum fake_inside { IN_NONE, IN_GC, IN_FREE } inside; /* an event that allows no calls */
	const int *methods;
	int depth;
} fake_me;

/* What the agent gets. */
extern jvmtiEnv fake_jvmti_env;
extern JNIEnv fake_jni_env;
extern JavaVM fake_java_vm;

/* Fills the tables of functions. */
void fake_calls_fill(void);
/* The environment goes, and with it capabilities, events and tags. Under the lock. */
void fake_forget_environment(void);

#endif
