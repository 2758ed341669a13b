#include "agent/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
	JVMTI_11 = 0x300b0000, /* JVMTI_VERSION_11: the first that can sample allocations */
	STEADY_FROM = 19,
	STEADY_TO = 22 /* which has JDK-8319935 */
};

void vm_free(const struct vm *vm, void *at)
{
	if (at)
		(*vm->jvmti)->Deallocate(vm->jvmti, at);
}

void vm_property(const struct vm *vm, const char *name, char *out, size_t room)
{
	char *value = NULL;
	out[0] = '\0';
	if ((*vm->jvmti)->GetSystemProperty(vm->jvmti, name, &value) != JVMTI_ERROR_NONE || !value)
		return;
	snprintf(out, room, "%s", value);
	vm_free(vm, value);
}

void vm_stand_still(const struct vm *vm)
{
	/* All stacks at once are taken while the program stands. */
	jvmtiEnv *jvmti = vm->jvmti; /* which may be closed meanwhile, but is never disposed of */
	jvmtiStackInfo *stacks = NULL;
	jint count;
	if (jvmti && (*jvmti)->GetAllStackTraces(jvmti, 1, &stacks, &count) == JVMTI_ERROR_NONE)
		(*jvmti)->Deallocate(jvmti, (unsigned char *)stacks);
}

struct stillness {
	void (*call)(void *arg);
	void *arg;
	bool called;
};

/* The first object is as good as any. */
static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *stillness)
{
	struct stillness *s = stillness;
	(void)class_tag, (void)size, (void)tag, (void)length;
	if (!s->called)
		s->call(s->arg);
	s->called = true;
	return JVMTI_VISIT_ABORT;
}

bool vm_while_still(const struct vm *vm, void (*call)(void *arg), void *arg)
{
	static const jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = on_object};
	struct stillness s = {call, arg, false};
	jvmtiEnv *jvmti = vm->jvmti; /* as above */
	return jvmti &&
	       (*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, &s) == JVMTI_ERROR_NONE &&
	       s.called;
}

const void *vm_code(const struct vm *vm)
{
	/* A function's address as an object's, which ISO C has no cast for. */
	const void *code;
	memcpy(&code, &(*vm->jvmti)->GetPhase, sizeof(code));
	return code;
}

static void needs(jvmtiCapabilities *c)
{
	memset(c, 0, sizeof(*c));
	c->can_generate_sampled_object_alloc_events = 1;
	c->can_generate_garbage_collection_events = 1;
	c->can_generate_object_free_events = 1;
	c->can_tag_objects = 1;
	c->can_get_line_numbers = 1;
	c->can_get_source_file_name = 1;
}

static int take_capabilities(struct vm *vm, struct diag *d)
{
	jvmtiCapabilities have, want;
	memset(&have, 0, sizeof(have));
	needs(&want);
	if ((*vm->jvmti)->GetPotentialCapabilities(vm->jvmti, &have) != JVMTI_ERROR_NONE)
		return diag_set(d, ERR_JVM, "the VM does not tell its capabilities");
	if (!have.can_generate_sampled_object_alloc_events)
		return diag_set(d, ERR_BUSY,
			"another agent samples allocations in this VM (async-profiler, a Datadog "
			"agent, an IDE …) and only one can: stop it and try again");
	jvmtiError err = (*vm->jvmti)->AddCapabilities(vm->jvmti, &want);
	if (err == JVMTI_ERROR_NOT_AVAILABLE)
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM can't sample allocations, tag objects or tell of collections");
	if (err != JVMTI_ERROR_NONE)
		return diag_set(d, ERR_JVM,
			"the VM refused the capabilities that mayfly needs (JVMTI error %d)",
			(int)err);
	return ERR_NONE;
}

static int check_vm(struct vm *vm, struct diag *d)
{
	char name[128], version[64];
	vm_property(vm, "java.vm.name", name, sizeof(name));
	vm_property(vm, "java.vm.version", version, sizeof(version));
	vm->major = (int)strtol(version, NULL, 10);
	if (strstr(name, "OpenJ9"))
		return diag_set(d, ERR_UNSUPPORTED,
			"this is %s: mayfly needs a HotSpot VM (OpenJDK 11 or later)", name);
	return ERR_NONE;
}

/* Between OnLoad and the live phase the VM makes no environment, whatever the version. */
static int make_environment(JavaVM *java, void **env, struct diag *d)
{
	jint got = (*java)->GetEnv(java, env, JVMTI_11);
	if (got == JNI_OK && *env)
		return ERR_NONE;
	if (got != JNI_EVERSION)
		return diag_set(
			d, ERR_STARTING, "the program is still starting: attach again in a moment");
	return diag_set(d, ERR_UNSUPPORTED,
		"this Java VM is older than JDK 11: mayfly needs OpenJDK 11 or later");
}

int vm_open(struct vm *vm, JavaVM *java, struct diag *d)
{
	void *env = vm->idle;
	vm->java = java;
	int err = env ? ERR_NONE : make_environment(java, &env, d);
	if (err)
		return err;
	vm->jvmti = env;
	vm->idle = NULL;
	err = check_vm(vm, d);
	if (!err)
		err = take_capabilities(vm, d);
	if (err)
		vm_close(vm);
	return err;
}

void vm_close(struct vm *vm)
{
	jvmtiCapabilities sampler;
	if (!vm->jvmti)
		return;
	memset(&sampler, 0, sizeof(sampler));
	sampler.can_generate_sampled_object_alloc_events = 1;
	vm_event(vm, JVMTI_EVENT_VM_INIT, false, NULL);
	vm_event(vm, JVMTI_EVENT_VM_DEATH, false, NULL);
	(*vm->jvmti)->RelinquishCapabilities(vm->jvmti, &sampler);
	vm->idle = vm->jvmti;
	vm->jvmti = NULL;
}

bool vm_is_live(const struct vm *vm)
{
	jvmtiPhase phase = JVMTI_PHASE_ONLOAD;
	return (*vm->jvmti)->GetPhase(vm->jvmti, &phase) == JVMTI_ERROR_NONE &&
	       phase == JVMTI_PHASE_LIVE;
}

JNIEnv *vm_join(const struct vm *vm, const char *name)
{
	char own[64]; /* JNI would write to it */
	void *jni = NULL;
	snprintf(own, sizeof(own), "%s", name);
	JavaVMAttachArgs args = {.version = JNI_VERSION_10, .name = own};
	return (*vm->java)->AttachCurrentThreadAsDaemon(vm->java, &jni, &args) == JNI_OK ? jni
											 : NULL;
}

void vm_leave(JavaVM *java)
{
	(*java)->DetachCurrentThread(java);
}

int vm_event(const struct vm *vm, jvmtiEvent event, bool on, jthread thread)
{
	jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
	return (*vm->jvmti)->SetEventNotificationMode(vm->jvmti, mode, event, thread) ==
			       JVMTI_ERROR_NONE
		       ? ERR_NONE
		       : ERR_JVM;
}

int vm_mourn(struct vm *vm)
{
	if (!vm->mourns)
		vm->mourns = vm_event(vm, JVMTI_EVENT_OBJECT_FREE, true, NULL) == ERR_NONE;
	return vm->mourns ? ERR_NONE : ERR_JVM;
}

/* Of those kinds the cheapest: it comes seldom, and nothing is asked for it. */
int vm_steady(struct vm *vm)
{
	if (vm->major < STEADY_FROM || vm->major >= STEADY_TO)
		return ERR_NONE;
	if (!vm->steady)
		vm->steady = vm_event(vm, JVMTI_EVENT_THREAD_END, true, NULL) == ERR_NONE;
	return vm->steady ? ERR_NONE : ERR_JVM;
}

int vm_callbacks(struct vm *vm, const jvmtiEventCallbacks *callbacks)
{
	if (!vm->armed)
		vm->armed = (*vm->jvmti)
				    ->SetEventCallbacks(vm->jvmti, callbacks,
					    (jint)sizeof(*callbacks)) == JVMTI_ERROR_NONE;
	return vm->armed ? ERR_NONE : ERR_JVM;
}

int vm_interval(const struct vm *vm, uint64_t bytes)
{
	return (*vm->jvmti)->SetHeapSamplingInterval(vm->jvmti, (jint)bytes) == JVMTI_ERROR_NONE
		       ? ERR_NONE
		       : ERR_JVM;
}
