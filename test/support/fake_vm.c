#include "support/fake_vm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

enum {
	EVENTS = JVMTI_MAX_EVENT_TYPE_VAL + 1,
	JNI_SLOTS = 240,
	SLOT_IS_VIRTUAL_THREAD = 234,
	TEXT = 160
};

const char *const fake_call_names[FAKE_CALL_COUNT] = {
#define FAKE_CALL(name) #name,
	FAKE_CALLS(FAKE_CALL)
#undef FAKE_CALL
};

enum kind { KIND_OBJECT, KIND_CLASS, KIND_THREAD, KIND_OTHER };

/* What a jobject points to. */
struct reference {
	enum kind kind;
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
	bool on[EVENTS];
};

struct memory {
	void *at;
	struct memory *next;
};

/* All but `lock` and the tables of functions is protected by the lock. */
static struct vm {
	pthread_mutex_t lock;
	int major;
	jvmtiPhase phase;
	char name[TEXT], version[TEXT];
	bool sampler_taken, lacks, old, has_capabilities;
	bool disposed, open;
	uint64_t interval;
	uint64_t calls[FAKE_CALL_COUNT], refuse_at[FAKE_CALL_COUNT];
	bool refused;
	uint64_t breaches;
	jvmtiEventCallbacks callbacks;
	bool on[EVENTS];
	bool off_refused[EVENTS];
	uint32_t events_left;
	struct thread threads[FAKE_THREADS];
	char classes[FAKE_CLASSES][TEXT];
	jlong class_tags[FAKE_CLASSES];
	struct object *objects;
	size_t object_count, object_room;
	struct memory *memory;
	struct reference *references;
	struct reference thread_handles[FAKE_THREADS], class_handles[FAKE_CLASSES];
	int attachments;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_mutex_t collecting = PTHREAD_MUTEX_INITIALIZER; /* one collection at a time, as in a VM */
static jvmtiEnv jvmti_env;
static JNIEnv jni_env;
static JavaVM java_vm;

/* What the calling native thread is to the VM. */
static _Thread_local struct {
	bool known;
	int thread;
	int attachment; /* >0: by AttachCurrentThreadAsDaemon */
	enum { IN_NONE, IN_GC, IN_FREE } inside;
	const int *methods;
	int depth;
} me;

static void breach(const char *what, const char *where)
{
	the.breaches++;
	printf("# breach: %s: %s\n", where, what);
}

/* Each call begins here, with the lock taken; whether it is refused. */
static bool begin(enum fake_call call)
{
	pthread_mutex_lock(&the.lock);
	the.calls[call]++;
	if (!the.refuse_at[call] || --the.refuse_at[call])
		return false;
	the.refused = true;
	return true;
}

/* Rules of the calls that only a known thread may make, outside of the events that forbid them. */
static bool begin_jvmti(enum fake_call call)
{
	bool refused = begin(call);
	if (!me.known)
		breach("by a thread that the VM does not know", fake_call_names[call]);
	if (me.inside != IN_NONE)
		breach("in an event that allows no calls", fake_call_names[call]);
	if (the.disposed || !the.open)
		breach("the environment is gone", fake_call_names[call]);
	return refused;
}

static jvmtiError done(bool refused)
{
	pthread_mutex_unlock(&the.lock);
	return refused ? JVMTI_ERROR_INTERNAL : JVMTI_ERROR_NONE;
}

static void *hand_out(size_t size)
{
	struct memory *m = calloc(1, sizeof(*m));
	m->at = calloc(1, size ? size : 1);
	m->next = the.memory;
	the.memory = m;
	return m->at;
}

static char *hand_out_text(const char *text)
{
	char *copy = hand_out(strlen(text) + 1);
	memcpy(copy, text, strlen(text));
	return copy;
}

static jobject refer(enum kind kind, size_t index)
{
	struct reference *r = calloc(1, sizeof(*r));
	*r = (struct reference){.kind = kind,
		.index = index,
		.local = true,
		.holder = me.attachment,
		.next = the.references};
	the.references = r;
	return (jobject)(void *)r;
}

static struct reference *resolve(jobject o, enum kind kind, const char *where)
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
	out->can_generate_sampled_object_alloc_events = !the.sampler_taken && !refused;
	return done(refused);
}

static jvmtiError JNICALL fake_AddCapabilities(jvmtiEnv *env, const jvmtiCapabilities *want)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_AddCapabilities), lacks = the.lacks;
	if (!want->can_tag_objects || !want->can_generate_sampled_object_alloc_events)
		breach("too little asked for", "AddCapabilities");
	the.has_capabilities = !refused && !lacks;
	jvmtiError err = done(refused);
	return err ? err : lacks ? JVMTI_ERROR_NOT_AVAILABLE : JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL fake_SetEventCallbacks(
	jvmtiEnv *env, const jvmtiEventCallbacks *c, jint size)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_SetEventCallbacks);
	if (!refused)
		memcpy(&the.callbacks, c, (size_t)size);
	return done(refused);
}

/* Dead objects whose event has not come: told by whoever turns the event off, as the VM does. */
static jvmtiError JNICALL fake_SetEventNotificationMode(
	jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event, jthread thread, ...)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_SetEventNotificationMode), off = mode == JVMTI_DISABLE;
	bool *on = thread ? &the.threads[resolve(thread, KIND_THREAD, "SetEventNotificationMode")
						 ->index]
				     .on[event]
			  : &the.on[event];
	if (refused && off)
		the.off_refused[event] = true;
	if (!refused && off && event == JVMTI_EVENT_OBJECT_FREE && *on) {
		pthread_mutex_unlock(&the.lock);
		fake_vm_tell_deaths();
		pthread_mutex_lock(&the.lock);
	}
	if (!refused)
		*on = !off;
	return done(refused);
}

static jvmtiError JNICALL fake_SetHeapSamplingInterval(jvmtiEnv *env, jint bytes)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_SetHeapSamplingInterval);
	if (bytes < 0)
		breach("a negative interval", "SetHeapSamplingInterval");
	if (!refused)
		the.interval = (uint64_t)bytes;
	return done(refused);
}

static jvmtiError JNICALL fake_GetStackTrace(
	jvmtiEnv *env, jthread thread, jint start, jint max, jvmtiFrameInfo *out, jint *count)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetStackTrace);
	if (thread || start)
		breach("only the own stack from the top is known", "GetStackTrace");
	for (*count = 0; !refused && *count < me.depth && *count < max; ++*count) {
		int method = me.methods[*count];
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
			the.classes[resolve(c, KIND_CLASS, "GetClassSignature")->index]);
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
		return &the.class_tags[r->index];
	r = resolve(o, KIND_OBJECT, where);
	return r->index < the.object_count ? &the.objects[r->index].tag : &nowhere;
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
	return done(refused);
}

static bool among(jlong tag, const jlong *tags, jint count)
{
	for (jint i = 0; i < count; i++)
		if (tags[i] == tag)
			return true;
	return false;
}

static jvmtiError JNICALL fake_GetObjectsWithTags(jvmtiEnv *env, jint count, const jlong *tags,
	jint *found, jobject **objects, jlong **found_tags)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetObjectsWithTags);
	if (refused)
		return done(true);
	*objects = hand_out((size_t)count * sizeof(**objects));
	*found_tags = hand_out((size_t)count * sizeof(**found_tags));
	*found = 0;
	for (size_t i = 0; i < the.object_count && *found < count; i++) {
		struct object *o = &the.objects[i];
		if (o->found_dead || !o->tag || !among(o->tag, tags, count))
			continue;
		(*objects)[*found] = refer(KIND_OBJECT, i);
		(*found_tags)[(*found)++] = o->tag;
	}
	return done(false);
}

static jvmtiError JNICALL fake_GetThreadInfo(jvmtiEnv *env, jthread thread, jvmtiThreadInfo *out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetThreadInfo);
	size_t index =
		thread ? resolve(thread, KIND_THREAD, "GetThreadInfo")->index : (size_t)me.thread;
	const struct thread *t = &the.threads[index];
	if (!refused)
		*out = (jvmtiThreadInfo){.name = hand_out_text(t->name),
			.is_daemon = t->daemon,
			.thread_group = refer(KIND_OTHER, 0),
			.context_class_loader = refer(KIND_OTHER, 0)};
	return done(refused);
}

static jvmtiError JNICALL fake_GetAllThreads(jvmtiEnv *env, jint *count, jthread **out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetAllThreads);
	/* Who does not know the threads can't turn off what is on for each. */
	if (refused)
		the.off_refused[JVMTI_EVENT_SAMPLED_OBJECT_ALLOC] = true;
	if (!refused) {
		*out = hand_out(FAKE_THREADS * sizeof(**out));
		*count = FAKE_THREADS;
		for (size_t i = 0; i < FAKE_THREADS; i++)
			(*out)[i] = refer(KIND_THREAD, i);
	}
	return done(refused);
}

static jvmtiError JNICALL fake_GetSystemProperty(jvmtiEnv *env, const char *name, char **out)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_GetSystemProperty);
	const char *value = strcmp(name, "java.vm.name") == 0      ? the.name
			    : strcmp(name, "java.vm.version") == 0 ? the.version
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
		*out = the.phase;
	return done(refused);
}

static jvmtiError JNICALL fake_Deallocate(jvmtiEnv *env, unsigned char *at)
{
	(void)env;
	bool refused = begin(FAKE_Deallocate);
	struct memory **m = &the.memory;
	while (*m && (*m)->at != at)
		m = &(*m)->next;
	if (the.disposed)
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

/* Capabilities, events and tags go with it. */
static void forget_environment(void)
{
	the.disposed = true;
	the.open = the.has_capabilities = false;
	for (size_t i = 0; i < the.object_count; i++)
		the.objects[i].tag = 0;
	memset(the.class_tags, 0, sizeof(the.class_tags));
	memset(the.on, 0, sizeof(the.on));
}

static jvmtiError JNICALL fake_DisposeEnvironment(jvmtiEnv *env)
{
	(void)env;
	bool refused = begin_jvmti(FAKE_DisposeEnvironment);
	for (int e = 0; e < EVENTS; e++) {
		bool on = the.on[e];
		for (int t = 0; t < FAKE_THREADS; t++)
			on = on || the.threads[t].on[e];
		/* VMInit and VMDeath stay on as long as the environment. */
		if (on && !the.off_refused[e] && e != JVMTI_EVENT_VM_INIT &&
			e != JVMTI_EVENT_VM_DEATH)
			the.events_left++;
	}
	forget_environment();
	return done(refused);
}

static jint JNICALL fake_GetVersion(JNIEnv *env)
{
	(void)env;
	begin(FAKE_GetVersion);
	jint version = the.major >= 21 ? 0x00150000 : 0x000a0000;
	done(false);
	return version;
}

static void JNICALL fake_DeleteLocalRef(JNIEnv *env, jobject o)
{
	(void)env;
	begin(FAKE_DeleteLocalRef);
	struct reference *r = (struct reference *)(void *)o;
	if (me.inside != IN_NONE || !me.known)
		breach("not here", "DeleteLocalRef");
	if (!r || !r->local || r->gone)
		breach("no local reference, or deleted already", "DeleteLocalRef");
	else
		r->gone = true;
	done(false);
}

static jboolean JNICALL fake_IsVirtualThread(JNIEnv *env, jobject o)
{
	(void)env;
	begin(FAKE_IsVirtualThread);
	if (the.major < 21)
		breach("not before JDK 21", "IsVirtualThread");
	bool yes = the.threads[resolve(o, KIND_THREAD, "IsVirtualThread")->index].is_virtual;
	done(false);
	return yes;
}

static jint JNICALL fake_GetEnv(JavaVM *vm, void **out, jint version)
{
	(void)vm;
	bool refused = begin(FAKE_GetEnv), jvmti = (version & 0x30000000) == 0x30000000;
	*out = NULL;
	refused = refused || (jvmti ? the.old : !me.known);
	if (!refused && jvmti) {
		if (the.open)
			breach("a second environment while one is open", "GetEnv");
		the.open = true;
		the.disposed = false;
		memset(the.off_refused, 0, sizeof(the.off_refused));
		for (int t = 0; t < FAKE_THREADS; t++)
			memset(the.threads[t].on, 0, sizeof(the.threads[t].on));
	}
	if (!refused)
		*out = jvmti ? (void *)&jvmti_env : (void *)&jni_env;
	done(false);
	return refused ? JNI_EDETACHED : JNI_OK;
}

static jint JNICALL fake_AttachCurrentThreadAsDaemon(JavaVM *vm, void **out, void *args)
{
	(void)vm;
	(void)args;
	bool refused = begin(FAKE_AttachCurrentThreadAsDaemon);
	if (me.known)
		breach("known already", "AttachCurrentThreadAsDaemon");
	if (!refused) {
		me.known = true;
		me.thread = FAKE_THREADS - 1;
		me.attachment = ++the.attachments;
		*out = &jni_env;
	}
	done(false);
	return refused ? JNI_ERR : JNI_OK;
}

/* Local references end with the attachment. */
static jint JNICALL fake_DetachCurrentThread(JavaVM *vm)
{
	(void)vm;
	bool refused = begin(FAKE_DetachCurrentThread);
	if (!me.known || !me.attachment)
		breach("not attached", "DetachCurrentThread");
	for (struct reference *r = the.references; r; r = r->next)
		r->gone = r->gone || r->holder == me.attachment;
	me.known = false;
	me.attachment = 0;
	done(false);
	return refused ? JNI_ERR : JNI_OK;
}

static const struct jvmtiInterface_1_ jvmti_functions = {
#define JVMTI_ROW(name) .name = fake_##name
	JVMTI_ROW(GetPotentialCapabilities),
	JVMTI_ROW(AddCapabilities),
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
	JVMTI_ROW(GetAllThreads),
	JVMTI_ROW(GetSystemProperty),
	JVMTI_ROW(GetPhase),
	JVMTI_ROW(Deallocate),
	JVMTI_ROW(DisposeEnvironment),
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

static void fill_tables(void)
{
	jboolean (*is_virtual)(JNIEnv *, jobject) = fake_IsVirtualThread;
	jni_functions.functions.GetVersion = fake_GetVersion;
	jni_functions.functions.DeleteLocalRef = fake_DeleteLocalRef;
	memcpy(&jni_functions.slots[SLOT_IS_VIRTUAL_THREAD], &is_virtual, sizeof(is_virtual));
	jvmti_env = &jvmti_functions;
	jni_env = &jni_functions.functions;
	java_vm = &java_functions;
}

static void name_all(void)
{
	static const char *const signatures[FAKE_CLASSES] = {"Lcom/acme/Shop;", "[B",
		"Ljava/util/ArrayList;", "Lcom/acme/Order;", "[Lcom/acme/Order;",
		"Lcom/acme/Shop$$Lambda.0x0000000077080210;", "[[I", "LMain;"};
	for (size_t i = 0; i < FAKE_CLASSES; i++) {
		snprintf(the.classes[i], TEXT, "%s", signatures[i]);
		the.class_handles[i] = (struct reference){.kind = KIND_CLASS, .index = i};
	}
	for (size_t i = 0; i < FAKE_THREADS; i++) {
		snprintf(the.threads[i].name, TEXT, "worker-%zu", i);
		the.thread_handles[i] = (struct reference){.kind = KIND_THREAD, .index = i};
	}
}

void fake_vm_init(int major)
{
	fake_vm_release();
	the = (struct vm){
		.lock = PTHREAD_MUTEX_INITIALIZER, .major = major, .phase = JVMTI_PHASE_LIVE};
	snprintf(the.name, TEXT, "OpenJDK 64-Bit Server VM");
	snprintf(the.version, TEXT, "%d.0.3+9-LTS", major);
	fill_tables();
	name_all();
	fake_vm_be(0);
}

void fake_vm_release(void)
{
	while (the.memory) {
		struct memory *m = the.memory;
		the.memory = m->next;
		free(m->at);
		free(m);
	}
	while (the.references) {
		struct reference *r = the.references;
		the.references = r->next;
		free(r);
	}
	free(the.objects);
	the.objects = NULL;
	the.object_count = the.object_room = 0;
}

JavaVM *fake_vm_java(void)
{
	return &java_vm;
}

jvmtiEnv *fake_vm_jvmti(void)
{
	return &jvmti_env;
}

JNIEnv *fake_vm_jni(void)
{
	return &jni_env;
}

/* Reads or sets one thing under the lock. */
#define LOCKED(statement)                                                                          \
	do {                                                                                       \
		pthread_mutex_lock(&the.lock);                                                     \
		statement;                                                                         \
		pthread_mutex_unlock(&the.lock);                                                   \
	} while (0)

uint64_t fake_vm_breaches(void)
{
	uint64_t n;
	LOCKED(n = the.breaches);
	return n;
}

uint64_t fake_vm_calls(enum fake_call call)
{
	uint64_t n;
	LOCKED(n = the.calls[call]);
	return n;
}

void fake_vm_refuse(enum fake_call call, uint64_t n)
{
	LOCKED(the.refuse_at[call] = n; the.refused = false);
}

bool fake_vm_refused(void)
{
	bool refused;
	LOCKED(refused = the.refused);
	return refused;
}

void fake_vm_set_phase(jvmtiPhase phase)
{
	LOCKED(the.phase = phase);
}

void fake_vm_set_name(const char *vm_name, const char *version)
{
	LOCKED(snprintf(the.name, TEXT, "%s", vm_name); snprintf(the.version, TEXT, "%s", version));
}

void fake_vm_set_class(int class_index, const char *signature)
{
	LOCKED(snprintf(the.classes[class_index], TEXT, "%s", signature));
}

void fake_vm_take_sampler(void)
{
	LOCKED(the.sampler_taken = true);
}

void fake_vm_lack_capabilities(void)
{
	LOCKED(the.lacks = true);
}

void fake_vm_lack_jvmti_11(void)
{
	LOCKED(the.old = true);
}

size_t fake_vm_memory_out(void)
{
	size_t n = 0;
	LOCKED(for (struct memory *m = the.memory; m; m = m->next) n++);
	return n;
}

size_t fake_vm_references_out(void)
{
	size_t n = 0;
	LOCKED(for (struct reference *r = the.references; r; r = r->next) n += !r->gone);
	return n;
}

bool fake_vm_disposed(void)
{
	bool disposed;
	LOCKED(disposed = the.disposed);
	return disposed;
}

uint32_t fake_vm_events_left(void)
{
	uint32_t n;
	LOCKED(n = the.events_left);
	return n;
}

bool fake_vm_event_is_on(jvmtiEvent event)
{
	bool on;
	LOCKED(on = the.on[event] || the.threads[me.thread].on[event]);
	return on;
}

uint64_t fake_vm_interval(void)
{
	uint64_t n;
	LOCKED(n = the.interval);
	return n;
}

bool fake_vm_has_capabilities(void)
{
	bool has;
	LOCKED(has = the.has_capabilities);
	return has;
}

void fake_vm_be(int thread)
{
	me.known = true;
	me.thread = thread;
	me.attachment = 0;
}

void fake_vm_be_nobody(void)
{
	me.known = false;
	me.attachment = 0;
}

jthread fake_vm_thread(int thread)
{
	return (jthread)(void *)&the.thread_handles[thread];
}

void fake_vm_set_thread(int thread, const char *name, bool daemon, bool is_virtual)
{
	struct thread *t = &the.threads[thread];
	LOCKED(snprintf(t->name, TEXT, "%s", name); t->daemon = daemon; t->is_virtual = is_virtual);
}

jclass fake_vm_class(int class_index)
{
	return (jclass)(void *)&the.class_handles[class_index];
}

jmethodID fake_vm_method(int method)
{
	return (jmethodID)(intptr_t)(method + 1);
}

static size_t new_object(void)
{
	if (the.object_count == the.object_room) {
		the.object_room = the.object_room ? the.object_room * 2 : 256;
		the.objects = realloc(the.objects, the.object_room * sizeof(*the.objects));
	}
	the.objects[the.object_count] = (struct object){0};
	return the.object_count++;
}

size_t fake_vm_allocate(int class_index, uint64_t size, const int *methods, int depth)
{
	size_t object = 0;
	bool on = false;
	jvmtiEventSampledObjectAlloc callback = NULL;
	LOCKED(object = new_object(); callback = the.callbacks.SampledObjectAlloc;
		on = the.on[JVMTI_EVENT_SAMPLED_OBJECT_ALLOC] ||
		     the.threads[me.thread].on[JVMTI_EVENT_SAMPLED_OBJECT_ALLOC]);
	if (!on || !callback)
		return object;
	struct reference handle = {.kind = KIND_OBJECT, .index = object};
	me.methods = methods;
	me.depth = depth;
	callback(&jvmti_env, &jni_env, fake_vm_thread(me.thread), (jobject)(void *)&handle,
		fake_vm_class(class_index), (jlong)size);
	me.depth = 0;
	return object;
}

void fake_vm_drop(size_t object)
{
	LOCKED(the.objects[object].dropped = true);
}

bool fake_vm_is_dropped(size_t object)
{
	bool dropped;
	LOCKED(dropped = the.objects[object].dropped);
	return dropped;
}

jlong fake_vm_tag(size_t object)
{
	jlong tag;
	LOCKED(tag = the.objects[object].tag);
	return tag;
}

size_t fake_vm_tagged(void)
{
	size_t n = 0;
	LOCKED(for (size_t i = 0; i < the.object_count; i++) n += the.objects[i].tag != 0);
	return n;
}

/* The tag of a dead object whose event has not come, or 0. */
static jlong next_death(jvmtiEventObjectFree *callback, size_t *from)
{
	jlong tag = 0;
	pthread_mutex_lock(&the.lock);
	*callback = the.on[JVMTI_EVENT_OBJECT_FREE] ? the.callbacks.ObjectFree : NULL;
	for (; !tag && *from < the.object_count; ++*from) {
		struct object *o = &the.objects[*from];
		if (!o->found_dead || !o->tag)
			continue;
		tag = o->tag;
		o->tag = 0;
	}
	pthread_mutex_unlock(&the.lock);
	return tag;
}

void fake_vm_tell_deaths(void)
{
	jvmtiEventObjectFree callback;
	size_t from = 0;
	int before = me.inside;
	me.inside = IN_FREE;
	for (jlong tag; (tag = next_death(&callback, &from));)
		if (callback)
			callback(&jvmti_env, tag);
	me.inside = before;
}

static void find_dead(void)
{
	LOCKED(for (size_t i = 0; i < the.object_count; i++) the.objects[i].found_dead =
			the.objects[i].dropped);
}

void fake_vm_collect(bool inside)
{
	jvmtiEventGarbageCollectionStart start;
	jvmtiEventGarbageCollectionFinish finish;
	LOCKED(start = the.on[JVMTI_EVENT_GARBAGE_COLLECTION_START]
			       ? the.callbacks.GarbageCollectionStart
			       : NULL);
	pthread_mutex_lock(&collecting);
	me.inside = IN_GC;
	if (start)
		start(&jvmti_env);
	find_dead();
	if (inside)
		fake_vm_tell_deaths();
	LOCKED(finish = the.on[JVMTI_EVENT_GARBAGE_COLLECTION_FINISH]
				? the.callbacks.GarbageCollectionFinish
				: NULL);
	if (finish)
		finish(&jvmti_env);
	me.inside = IN_NONE;
	pthread_mutex_unlock(&collecting);
}

void fake_vm_start(void)
{
	jvmtiEventVMInit callback;
	LOCKED(the.phase = JVMTI_PHASE_LIVE;
		callback = the.on[JVMTI_EVENT_VM_INIT] ? the.callbacks.VMInit : NULL);
	if (callback)
		callback(&jvmti_env, &jni_env, fake_vm_thread(me.thread));
}

void fake_vm_thread_start(int thread)
{
	jvmtiEventThreadStart callback;
	LOCKED(callback = the.on[JVMTI_EVENT_THREAD_START] ? the.callbacks.ThreadStart : NULL);
	if (callback)
		callback(&jvmti_env, &jni_env, fake_vm_thread(thread));
}

/* VMDeath; afterwards the environment is gone, as JVMTI says. */
void fake_vm_die(void)
{
	jvmtiEventVMDeath callback;
	LOCKED(callback = the.on[JVMTI_EVENT_VM_DEATH] ? the.callbacks.VMDeath : NULL);
	if (callback)
		callback(&jvmti_env, &jni_env);
	LOCKED(the.phase = JVMTI_PHASE_DEAD; forget_environment());
}
