#include "support/fake_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JNI_SLOTS = 240, SLOT_IS_VIRTUAL_THREAD = 234 };

jvmtiEnv fake_jvmti_env;
JNIEnv fake_jni_env;
JavaVM fake_java_vm;

const char *const fake_call_names[FAKE_CALL_COUNT] = {
#define FAKE_CALL(name) #name,
	FAKE_CALLS(FAKE_CALL)
#undef FAKE_CALL
};

static void breach(const char *what, const char *where)
{
	fake.breaches++;
	printf("# breach: %s: %s\n", where, what);
}

/* Each call begins here, with the lock taken; whether it is refused. */
static bool begin(enum fake_call call)
{
	pthread_mutex_lock(&fake.lock);
	fake.calls[call]++;
	bool nth = fake.refuse_at[call] && --fake.refuse_at[call] == 0;
	if (!nth && !fake.refuse_all[call])
		return false;
	fake.refused = true;
	return true;
}

/* Rules of the calls that only a known thread may make, outside of the events that forbid them. */
static bool begin_jvmti(enum fake_call call)
{
	bool refused = begin(call);
	if (!fake_me.known)
		breach("by a thread that the VM does not know", fake_call_names[call]);
	if (fake_me.inside != IN_NONE)
		breach("in an event that allows no calls", fake_call_names[call]);
	if (!fake.open)
		breach("the environment is gone", fake_call_names[call]);
	return refused;
}

static jvmtiError done(bool refused)
{
	pthread_mutex_unlock(&fake.lock);
	return refused ? JVMTI_ERROR_INTERNAL : JVMTI_ERROR_NONE;
}

static void *hand_out(size_t size)
{
	struct memory *m = calloc(1, sizeof(*m));
	m->at = calloc(1, size ? size : 1);
	m->next = fake.memory;
	fake.memory = m;
	return m->at;
}

static char *hand_out_text(const char *text)
{
	char *copy = hand_out(strlen(text) + 1);
	memcpy(copy, text, strlen(text));
	return copy;
}

static jobject refer(enum fake_kind kind, size_t index)
{
	struct reference *r = calloc(1, sizeof(*r));
	*r = (struct reference){.kind = kind,
		.index = index,
		.local = true,
		.holder = fake_me.attachment,
		.next = fake.references};
	fake.references = r;
	return (jobject)(void *)r;
}

static struct reference *resolve(jobject o, enum fake_kind kind, const char *where)
{
	struct reference *r = (struct reference *)(void *)o;
	static struct reference nothing;
	if (r && r->kind == kind && !r->gone)
		return r;
	breach("a reference that is none, or gone", where);
	return &nothing;
}

static jvmtiError JNICALL fake_GetPotentialCapabilities(jvmtiEnv *env, jvmtiCapabilities *out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetPotentialCapabilities);
	memset(out, 0, sizeof(*out));
	out->can_generate_sampled_object_alloc_events = !fake.sampler_taken && !refused;
	return done(refused);
}

static jvmtiError JNICALL fake_AddCapabilities(jvmtiEnv *env, const jvmtiCapabilities *want)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_AddCapabilities), lacks = fake.lacks;
	if (!want->can_tag_objects || !want->can_generate_sampled_object_alloc_events)
		breach("too little asked for", "AddCapabilities");
	if (!refused && !lacks)
		fake.holds_sampler = true;
	jvmtiError err = done(refused);
	return err ? err : lacks ? JVMTI_ERROR_NOT_AVAILABLE : JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL fake_RelinquishCapabilities(jvmtiEnv *env, const jvmtiCapabilities *back)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_RelinquishCapabilities);
	fake.kept_sampler = refused;
	if (!refused && back->can_generate_sampled_object_alloc_events)
		fake.holds_sampler = false;
	return done(refused);
}

static jvmtiError JNICALL fake_SetEventCallbacks(
	jvmtiEnv *env, const jvmtiEventCallbacks *c, jint size)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_SetEventCallbacks);
	if (fake.on[JVMTI_EVENT_OBJECT_FREE])
		breach("can hang the VM once deaths are told", "SetEventCallbacks");
	if (!refused)
		memcpy(&fake.callbacks, c, (size_t)size);
	return done(refused);
}

/* Of those that the agent uses. */
static bool is_filtered(jvmtiEvent event)
{
	return event == JVMTI_EVENT_SAMPLED_OBJECT_ALLOC || event == JVMTI_EVENT_THREAD_END;
}

static bool any_filtered(void)
{
	return fake.on[JVMTI_EVENT_SAMPLED_OBJECT_ALLOC] || fake.on[JVMTI_EVENT_THREAD_END];
}

/* The first anew: what is kept of threads that came from native code is made twice. */
static void check_filtered(jvmtiEvent event, bool off)
{
	if (off || !is_filtered(event))
		return;
	if (fake.had_filtered && !any_filtered() && fake.major >= 19 && fake.major < 22)
		breach("can crash JDK 19 to 21", "SetEventNotificationMode");
	fake.had_filtered = true;
}

static jvmtiError JNICALL fake_SetEventNotificationMode(
	jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event, jthread thread, ...)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_SetEventNotificationMode), off = mode == JVMTI_DISABLE;
	if (thread)
		breach("without effect on JDK 11", "SetEventNotificationMode for one thread");
	if (event == JVMTI_EVENT_GARBAGE_COLLECTION_START && !off &&
		!fake.on[JVMTI_EVENT_GARBAGE_COLLECTION_FINISH])
		breach("a pause may have a Start and no Finish", "SetEventNotificationMode");
	if (event == JVMTI_EVENT_OBJECT_FREE && (off || fake.on[event]))
		breach("can hang the VM once deaths are told", "SetEventNotificationMode");
	if (!refused)
		check_filtered(event, off);
	if (!refused && !off)
		fake.since[event] = clock_now();
	if (!refused)
		fake.on[event] = !off;
	fake.off_refused[event] = refused && off;
	return done(refused);
}

static jvmtiError JNICALL fake_SetHeapSamplingInterval(jvmtiEnv *env, jint bytes)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_SetHeapSamplingInterval);
	if (bytes < 0)
		breach("a negative interval", "SetHeapSamplingInterval");
	if (!refused)
		fake.interval = (uint64_t)bytes;
	return done(refused);
}

static bool is_me(jthread thread)
{
	return resolve(thread, KIND_THREAD, "GetStackTrace")->index == (size_t)fake_me.thread;
}

static jvmtiError JNICALL fake_GetStackTrace(
	jvmtiEnv *env, jthread thread, jint start, jint max, jvmtiFrameInfo *out, jint *count)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetStackTrace);
	if (start || (thread && !is_me(thread)))
		breach("only the own stack from the top is known", "GetStackTrace");
	if (fake.major >= 21 && !thread)
		breach("all virtual threads are stopped for it", "GetStackTrace");
	fake.named = thread != NULL;
	for (*count = 0; !refused && *count < fake_me.depth && *count < max; ++*count) {
		int method = fake_me.methods[*count];
		out[*count].method = fake_vm_method(method);
		out[*count].location = method % 8 == 7 ? -1 : *count * 10;
	}
	return done(refused);
}

static int method_number(jmethodID m)
{
	int n = (int)(intptr_t)m - 1;
	if (n >= 0 && n < FAKE_METHODS)
		return n;
	breach("no such method", "a method's id");
	return 0;
}

static jvmtiError JNICALL fake_GetMethodName(
	jvmtiEnv *env, jmethodID m, char **name, char **descriptor, char **generic)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetMethodName);
	char text[TEXT];
	snprintf(text, sizeof(text), "m%d", method_number(m));
	if (!refused) {
		*name = hand_out_text(text);
		*descriptor = hand_out_text("(I)V");
		if (generic)
			*generic = hand_out_text("<T>");
	}
	return done(refused);
}

static jvmtiError JNICALL fake_GetMethodDeclaringClass(jvmtiEnv *env, jmethodID m, jclass *out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetMethodDeclaringClass);
	if (!refused)
		*out = refer(KIND_CLASS, (size_t)method_number(m) % FAKE_CLASSES);
	return done(refused);
}

static jvmtiError JNICALL fake_GetClassSignature(
	jvmtiEnv *env, jclass c, char **signature, char **generic)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetClassSignature);
	if (!refused) {
		*signature = hand_out_text(
			fake.classes[resolve(c, KIND_CLASS, "GetClassSignature")->index]);
		if (generic)
			*generic = hand_out_text("<T>");
	}
	return done(refused);
}

static jvmtiError JNICALL fake_GetSourceFileName(jvmtiEnv *env, jclass c, char **name)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetSourceFileName);
	size_t index = resolve(c, KIND_CLASS, "GetSourceFileName")->index;
	bool absent = index == 1;
	if (!refused && !absent)
		*name = hand_out_text("Shop.java");
	jvmtiError err = done(refused);
	return err ? err : absent ? JVMTI_ERROR_ABSENT_INFORMATION : JVMTI_ERROR_NONE;
}

/* Lines 100 + method at bci 0, 101 + method at bci 10; told in the wrong order. */
static jvmtiError JNICALL fake_GetLineNumberTable(
	jvmtiEnv *env, jmethodID m, jint *count, jvmtiLineNumberEntry **out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetLineNumberTable);
	int n = method_number(m);
	bool native = n % 8 == 7;
	if (!refused && !native) {
		jvmtiLineNumberEntry *lines = hand_out(2 * sizeof(*lines));
		lines[0] = (jvmtiLineNumberEntry){.start_location = 10, .line_number = 101 + n};
		lines[1] = (jvmtiLineNumberEntry){.start_location = 0, .line_number = 100 + n};
		*out = lines;
		*count = 2;
	}
	jvmtiError err = done(refused);
	return err ? err : native ? JVMTI_ERROR_NATIVE_METHOD : JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL fake_GetMethodModifiers(jvmtiEnv *env, jmethodID m, jint *out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetMethodModifiers);
	if (!refused)
		*out = method_number(m) % 8 == 7 ? 0x101 : 0x1;
	return done(refused);
}

static jlong *tag_of(jobject o, const char *where)
{
	struct reference *r = (struct reference *)(void *)o;
	static jlong nowhere;
	if (r && !r->gone && r->kind == KIND_CLASS)
		return &fake.class_tags[r->index];
	r = resolve(o, KIND_OBJECT, where);
	return r->index < fake.object_count ? &fake.objects[r->index].tag : &nowhere;
}

static jvmtiError JNICALL fake_GetTag(jvmtiEnv *env, jobject o, jlong *out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetTag);
	if (!refused)
		*out = *tag_of(o, "GetTag");
	return done(refused);
}

static jvmtiError JNICALL fake_SetTag(jvmtiEnv *env, jobject o, jlong tag)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_SetTag);
	if (!refused)
		*tag_of(o, "SetTag") = tag;
	else if (!tag)
		fake.kept_tags = true;
	return done(refused);
}

static bool among(jlong tag, const jlong *tags, jint count)
{
	for (jint i = 0; i < count; i++)
		if (tags[i] == tag)
			return true;
	return false;
}

static void find(
	enum fake_kind kind, size_t index, jlong tag, jobject *objects, jlong *tags, jint *n)
{
	objects[*n] = refer(kind, index);
	if (tags)
		tags[*n] = tag;
	++*n;
}

static jvmtiError JNICALL fake_GetObjectsWithTags(jvmtiEnv *env, jint count, const jlong *tags,
	jint *found, jobject **objects, jlong **found_tags)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetObjectsWithTags);
	size_t room = (size_t)count + FAKE_CLASSES; /* classes may share a tag */
	fake.kept_tags = fake.kept_tags || refused;
	if (refused)
		return done(true);
	*objects = hand_out(room * sizeof(**objects));
	jlong *their_tags = found_tags ? hand_out(room * sizeof(*their_tags)) : NULL;
	if (found_tags)
		*found_tags = their_tags;
	*found = 0;
	for (size_t i = 0; i < fake.object_count; i++) {
		struct object *o = &fake.objects[i];
		if (!o->found_dead && o->tag && among(o->tag, tags, count))
			find(KIND_OBJECT, i, o->tag, *objects, their_tags, found);
	}
	for (size_t i = 0; i < FAKE_CLASSES; i++)
		if (fake.class_tags[i] && among(fake.class_tags[i], tags, count))
			find(KIND_CLASS, i, fake.class_tags[i], *objects, their_tags, found);
	return done(false);
}

static jvmtiError JNICALL fake_GetThreadInfo(jvmtiEnv *env, jthread thread, jvmtiThreadInfo *out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetThreadInfo);
	size_t index = thread ? resolve(thread, KIND_THREAD, "GetThreadInfo")->index
			      : (size_t)fake_me.thread;
	const struct thread *t = &fake.threads[index];
	if (!refused)
		*out = (jvmtiThreadInfo){.name = hand_out_text(t->name),
			.is_daemon = t->daemon,
			.thread_group = refer(KIND_OTHER, 0),
			.context_class_loader = refer(KIND_OTHER, 0)};
	return done(refused);
}

static jvmtiError JNICALL fake_GetSystemProperty(jvmtiEnv *env, const char *name, char **out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetSystemProperty);
	const char *value = strcmp(name, "java.vm.name") == 0      ? fake.name
			    : strcmp(name, "java.vm.version") == 0 ? fake.version
			    : strcmp(name, "java.vm.vendor") == 0  ? "Fake"
								   : NULL;
	if (!refused && value)
		*out = hand_out_text(value);
	jvmtiError err = done(refused);
	return err ? err : value ? JVMTI_ERROR_NONE : JVMTI_ERROR_NOT_AVAILABLE;
}

static jvmtiError JNICALL fake_GetPhase(jvmtiEnv *env, jvmtiPhase *out)
{
	(void)env;
	bool refused = begin(FAKE_GetPhase);
	if (!refused)
		*out = fake.phase;
	return done(refused);
}

/* It has no threads that Java code could see. */
static jvmtiError JNICALL fake_GetCurrentThread(jvmtiEnv *env, jthread *out)
{
	(void)env, (void)out;
	return JVMTI_ERROR_INVALID_THREAD;
}

static jvmtiError JNICALL fake_Deallocate(jvmtiEnv *env, unsigned char *at)
{
	(void)env;
	bool refused = begin(FAKE_Deallocate);
	struct memory **m = &fake.memory;
	while (*m && (*m)->at != at)
		m = &(*m)->next;
	if (!fake.open)
		breach("the environment is gone", "Deallocate");
	if (!*m) {
		breach("not handed out, or given back already", "Deallocate");
		return done(refused);
	}
	struct memory *gone = *m;
	*m = gone->next;
	free(gone->at);
	free(gone);
	return done(refused);
}

void fake_forget_environment(void)
{
	fake.open = fake.holds_sampler = false;
	for (size_t i = 0; i < fake.object_count; i++)
		fake.objects[i].tag = 0;
	memset(fake.class_tags, 0, sizeof(fake.class_tags));
	memset(fake.on, 0, sizeof(fake.on));
}

static jint JNICALL fake_GetVersion(JNIEnv *env)
{
	(void)env;
	begin(FAKE_GetVersion);
	jint version = fake.major >= 21 ? 0x00150000 : 0x000a0000;
	done(false);
	return version;
}

static void JNICALL fake_DeleteLocalRef(JNIEnv *env, jobject o)
{
	(void)env;
	begin(FAKE_DeleteLocalRef);
	struct reference *r = (struct reference *)(void *)o;
	if (fake_me.inside != IN_NONE || !fake_me.known)
		breach("not here", "DeleteLocalRef");
	if (!r || !r->local || r->gone)
		breach("no local reference, or deleted already", "DeleteLocalRef");
	else
		r->gone = true;
	done(false);
}

static jint JNICALL fake_EnsureLocalCapacity(JNIEnv *env, jint capacity)
{
	(void)env;
	begin(FAKE_EnsureLocalCapacity);
	if (fake_me.inside != IN_NONE || !fake_me.known || capacity < 0)
		breach("not here", "EnsureLocalCapacity");
	done(false);
	return JNI_OK;
}

static jboolean JNICALL fake_IsVirtualThread(JNIEnv *env, jobject o)
{
	(void)env;
	begin(FAKE_IsVirtualThread);
	if (fake.major < 21)
		breach("not before JDK 21", "IsVirtualThread");
	bool yes = fake.threads[resolve(o, KIND_THREAD, "IsVirtualThread")->index].is_virtual;
	done(false);
	return yes;
}

static jint JNICALL fake_GetEnv(JavaVM *vm, void **out, jint version)
{
	(void)vm;
	bool refused = begin(FAKE_GetEnv), jvmti = (version & 0x30000000) == 0x30000000;
	*out = NULL;
	bool starts = fake.phase == JVMTI_PHASE_START || fake.phase == JVMTI_PHASE_PRIMORDIAL;
	refused = refused || (jvmti ? fake.old || starts : !fake_me.known);
	if (!refused && jvmti) {
		if (fake.open)
			breach("a second environment, and none ever goes", "GetEnv");
		fake.open = true;
	}
	if (!refused)
		*out = jvmti ? (void *)&fake_jvmti_env : (void *)&fake_jni_env;
	done(false);
	return !refused ? JNI_OK : jvmti && fake.old ? JNI_EVERSION : JNI_EDETACHED;
}

static jint JNICALL fake_AttachCurrentThreadAsDaemon(JavaVM *vm, void **out, void *args)
{
	(void)vm;
	(void)args;
	bool refused = begin(FAKE_AttachCurrentThreadAsDaemon);
	if (fake_me.known)
		breach("known already", "AttachCurrentThreadAsDaemon");
	if (!refused) {
		fake_me.known = true;
		fake_me.thread = FAKE_THREADS - 1;
		fake_me.attachment = ++fake.attachments;
		*out = &fake_jni_env;
	}
	done(false);
	return refused ? JNI_ERR : JNI_OK;
}

/* Local references end with the attachment. */
static jint JNICALL fake_DetachCurrentThread(JavaVM *vm)
{
	(void)vm;
	bool refused = begin(FAKE_DetachCurrentThread);
	if (!fake_me.known || !fake_me.attachment)
		breach("not attached", "DetachCurrentThread");
	for (struct reference *r = fake.references; r; r = r->next)
		r->gone = r->gone || r->holder == fake_me.attachment;
	fake_me.known = false;
	fake_me.attachment = 0;
	done(false);
	return refused ? JNI_ERR : JNI_OK;
}

static const struct jvmtiInterface_1_ jvmti_functions = {
#define JVMTI_ROW(name) .name = fake_##name
	JVMTI_ROW(GetPotentialCapabilities),
	JVMTI_ROW(AddCapabilities),
	JVMTI_ROW(RelinquishCapabilities),
	JVMTI_ROW(SetEventCallbacks),
	JVMTI_ROW(SetEventNotificationMode),
	JVMTI_ROW(SetHeapSamplingInterval),
	JVMTI_ROW(GetStackTrace),
	JVMTI_ROW(GetMethodName),
	JVMTI_ROW(GetMethodDeclaringClass),
	JVMTI_ROW(GetClassSignature),
	JVMTI_ROW(GetSourceFileName),
	JVMTI_ROW(GetLineNumberTable),
	JVMTI_ROW(GetMethodModifiers),
	JVMTI_ROW(GetTag),
	JVMTI_ROW(SetTag),
	JVMTI_ROW(GetObjectsWithTags),
	JVMTI_ROW(GetThreadInfo),
	JVMTI_ROW(GetSystemProperty),
	JVMTI_ROW(GetPhase),
	JVMTI_ROW(GetCurrentThread),
	JVMTI_ROW(Deallocate),
#undef JVMTI_ROW
};

static const struct JNIInvokeInterface_ java_functions = {
	.GetEnv = fake_GetEnv,
	.AttachCurrentThreadAsDaemon = fake_AttachCurrentThreadAsDaemon,
	.DetachCurrentThread = fake_DetachCurrentThread,
};

/* Newer than the header's table, which ends before IsVirtualThread. */
static union {
	struct JNINativeInterface_ functions;
	void *slots[JNI_SLOTS];
} jni_functions;

void fake_calls_fill(void)
{
	jboolean (*is_virtual)(JNIEnv *, jobject) = fake_IsVirtualThread;
	jni_functions.functions.GetVersion = fake_GetVersion;
	jni_functions.functions.DeleteLocalRef = fake_DeleteLocalRef;
	jni_functions.functions.EnsureLocalCapacity = fake_EnsureLocalCapacity;
	memcpy(&jni_functions.slots[SLOT_IS_VIRTUAL_THREAD], &is_virtual, sizeof(is_virtual));
	fake_jvmti_env = &jvmti_functions;
	fake_jni_env = &jni_functions.functions;
	fake_java_vm = &java_functions;
}
