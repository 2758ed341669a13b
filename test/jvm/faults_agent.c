/*
 * What only native code can do to a program (java/Faults.java loads it): threads that join Java and
 * leave it, signals to all threads whose handler walks the stack as profilers do
 * (AsyncGetCallTrace), a handler of SIGTRAP that comes and goes, and the VM's allocation probe
 * turned off. As an agent, with the option "trap", it has that handler from before mayfly comes.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <jvmti.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "hotspot/vm_flags.h"

enum { DEPTH = 64, AT_ONCE = 4 };

typedef struct {
	jint line;
	jmethodID method;
} call_frame;

typedef struct {
	JNIEnv *env;
	jint count;
	call_frame *frames;
} call_trace;

static JavaVM *java;

/* Threads that join Java and leave it. */

struct errand {
	jclass type;
	jmethodID init;
	int threads, objects;
};

static void *join_java(void *arg)
{
	struct errand *e = arg;
	JNIEnv *jni = NULL;
	if ((*java)->AttachCurrentThread(java, (void **)&jni, NULL) != JNI_OK)
		return NULL;
	for (int i = 0; i < e->objects; i++)
		(*jni)->DeleteLocalRef(jni, (*jni)->NewObject(jni, e->type, e->init));
	if (e->threads-- % 2) /* every other one leaves it to the end of the thread */
		(*java)->DetachCurrentThread(java);
	return NULL;
}

static void JNICALL attached(JNIEnv *jni, jclass self, jint threads, jint objects, jclass type)
{
	struct errand errands[AT_ONCE];
	pthread_t natives[AT_ONCE];
	jmethodID init = (*jni)->GetMethodID(jni, type, "<init>", "()V");
	jclass shared = (*jni)->NewGlobalRef(jni, type);
	(void)self;
	for (int i = 0; i < threads; i += AT_ONCE) {
		for (int k = 0; k < AT_ONCE; k++) {
			errands[k] = (struct errand){shared, init, k, objects};
			if (pthread_create(&natives[k], NULL, join_java, &errands[k]))
				abort();
		}
		for (int k = 0; k < AT_ONCE; k++)
			pthread_join(natives[k], NULL);
	}
	(*jni)->DeleteGlobalRef(jni, shared);
}

/* Signals. */

static void (*walk)(call_trace *, jint, void *);
static atomic_long walked;
static atomic_bool storming;
static int hertz;

static void on_profile(int number, siginfo_t *info, void *context)
{
	call_frame frames[DEPTH];
	call_trace trace = {NULL, 0, frames};
	(void)number, (void)info;
	if ((*java)->GetEnv(java, (void **)&trace.env, JNI_VERSION_10) != JNI_OK)
		return;
	walk(&trace, DEPTH, context);
	atomic_fetch_add(&walked, trace.count > 0);
}

static void hit_all(void)
{
	DIR *tasks = opendir("/proc/self/task");
	long self = syscall(SYS_gettid);
	for (struct dirent *d; tasks && (d = readdir(tasks)) != NULL;)
		if (atol(d->d_name) > 0 && atol(d->d_name) != self)
			syscall(SYS_tgkill, getpid(), atol(d->d_name), SIGPROF);
	if (tasks)
		closedir(tasks);
}

static void *storm(void *arg)
{
	const struct timespec pause = {0, 1000000000 / hertz};
	(void)arg;
	while (atomic_load(&storming)) {
		nanosleep(&pause, NULL);
		hit_all();
	}
	return NULL;
}

/* The walk needs the ids of the methods that it meets. */
static void make_ids(jvmtiEnv *jvmti, jclass type)
{
	jint count = 0;
	jmethodID *methods = NULL;
	if ((*jvmti)->GetClassMethods(jvmti, type, &count, &methods) == JVMTI_ERROR_NONE)
		(*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass type)
{
	(void)jni, (void)thread;
	make_ids(jvmti, type);
}

static void JNICALL on_load(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass type)
{
	(void)jvmti, (void)jni, (void)thread, (void)type;
}

static void prepare_walks(void)
{
	jvmtiEnv *jvmti = NULL;
	jvmtiEventCallbacks c;
	jint count = 0;
	jclass *types = NULL;
	memset(&c, 0, sizeof(c));
	c.ClassLoad = on_load; /* no walk without it */
	c.ClassPrepare = on_class;
	if ((*java)->GetEnv(java, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK ||
		(*jvmti)->SetEventCallbacks(jvmti, &c, (jint)sizeof(c)) ||
		(*jvmti)->SetEventNotificationMode(
			jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL) ||
		(*jvmti)->SetEventNotificationMode(
			jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL) ||
		(*jvmti)->GetLoadedClasses(jvmti, &count, &types))
		abort();
	for (jint i = 0; i < count; i++)
		make_ids(jvmti, types[i]);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)types);
}

static void JNICALL profile(JNIEnv *jni, jclass self, jint times)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
	pthread_t thread;
	(void)jni, (void)self;
	prepare_walks();
	*(void **)&walk = dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
	action.sa_sigaction = on_profile;
	hertz = times;
	atomic_store(&storming, true);
	if (!walk || sigaction(SIGPROF, &action, NULL) ||
		pthread_create(&thread, NULL, storm, NULL))
		abort();
	pthread_detach(thread);
}

/* Ends it; how many stacks were walked. */
static jlong JNICALL stop_profile(JNIEnv *jni, jclass self)
{
	(void)jni, (void)self;
	atomic_store(&storming, false);
	return atomic_load(&walked);
}

/* SIGTRAP. Its own trap is an int3 in its own code. */

static struct sigaction before;
static bool handles;
static atomic_int caught;
extern const char faults_trap[] __attribute__((visibility("hidden"))); /* behind the int3 */

#ifdef __x86_64__
static uintptr_t stopped_at(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
}

#define TRAP "int3\n\t"
#else
/* No program here has the exact engine's traps. */
static uintptr_t stopped_at(const ucontext_t *c)
{
	(void)c;
	return (uintptr_t)faults_trap;
}

#define TRAP ""
#endif

static void on_trap(int number, siginfo_t *info, void *context)
{
	if (stopped_at(context) == (uintptr_t)faults_trap)
		atomic_fetch_add(&caught, 1);
	else if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else
		abort();
}

static void take_trap(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO};
	action.sa_sigaction = on_trap;
	handles = sigaction(SIGTRAP, &action, &before) == 0;
}

static void leave_trap(void)
{
	sigaction(SIGTRAP, &before, NULL);
	handles = false;
}

static void __attribute__((noinline)) step_into(void)
{
	int count = atomic_load(&caught);
	__asm__ volatile(TRAP ".globl faults_trap\n\t.hidden faults_trap\nfaults_trap:" ::
				 : "memory");
	if (atomic_load(&caught) != count + 1)
		abort();
}

/* 0, 2: takes it if it has not, or leaves; 1, 3: hits its own trap where it has it. */
static void JNICALL trap(JNIEnv *jni, jclass self, jint action)
{
	(void)jni, (void)self;
	if (action % 2 == 1 && handles)
		step_into();
	else if (action == 0 && !handles)
		take_trap();
	else if (action == 2 && handles)
		leave_trap();
}

/* Nothing that is allocated is told of any more, but by code that is compiled. */
static void JNICALL silence(JNIEnv *jni, jclass self)
{
	const void *inside = (const void *)*java;
	struct vm_structs s = vm_structs_of(inside);
	struct vm_constants c = vm_constants_of(inside);
	struct vm_flags f = vm_flags_of(&s, &c);
	volatile bool *flag = vm_flags_find(&f, "DTraceAllocProbes");
	(void)jni, (void)self;
	if (!flag)
		abort();
	*flag = false;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
	static char names[][10] = {"attached", "signals", "walked", "trap", "silence"};
	static char types[][32] = {"(IILjava/lang/Class;)V", "(I)V", "()J", "(I)V", "()V"};
	const JNINativeMethod methods[] = {{names[0], types[0], (void *)(uintptr_t)attached},
		{names[1], types[1], (void *)(uintptr_t)profile},
		{names[2], types[2], (void *)(uintptr_t)stop_profile},
		{names[3], types[3], (void *)(uintptr_t)trap},
		{names[4], types[4], (void *)(uintptr_t)silence}};
	JNIEnv *jni = NULL;
	(void)reserved;
	java = vm;
	if ((*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_10) != JNI_OK)
		return JNI_ERR;
	jclass faults = (*jni)->FindClass(jni, "Faults");
	return faults && (*jni)->RegisterNatives(jni, faults, methods, 5) == JNI_OK ? JNI_VERSION_10
										    : JNI_ERR;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)reserved;
	java = vm;
	if (options && strcmp(options, "trap") == 0)
		take_trap();
	return JNI_OK;
}
