#include "agent/rewrites.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "agent/late_classes.h"
#include "agent/loaded_classes.h"
#include "agent/running.h"
#include "agent/whereabouts.h"
#include "agent/wishes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

enum { SEARCHES = 4 };

const char rewrites_running[] =
	"a method of its class has been running for long, and would go on in the interpreter";

struct rewrites {
	jvmtiEnv *env; /* NULL: not open yet */
	const struct vm *vm;
	pthread_mutex_t lock; /* protects `wishes` and `answers`; never held across a call into the
				 VM, nor while `where` is called */
	struct wishes wishes, answers;
	/* After a batch: a class that was on its way in when it began is neither told of to us nor
	 * loaded yet; it is looked for so often. */
	_Atomic uint32_t searches; /* also begun anew where such a class is linked */
	struct late_classes late;  /* of the thread that applies; stays, when a recording ends */
	_Atomic bool on;
	_Atomic int inside;       /* callbacks under way */
	struct whereabouts where; /* stays, when a recording ends: what was rewritten may run on */
};

static struct rewrites the_rewrites = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .where.lock = PTHREAD_MUTEX_INITIALIZER};

struct rewrites *rewrites_get(void)
{
	return &the_rewrites;
}

int32_t rewrites_bci(uint64_t vm_method, int32_t bci)
{
	return whereabouts_bci(&the_rewrites.where, vm_method, bci);
}

/* ---- a class comes by ---- */

static bool enter(struct rewrites *r)
{
	atomic_fetch_add(&r->inside, 1);
	if (atomic_load(&r->on))
		return true;
	atomic_fetch_sub(&r->inside, 1);
	return false;
}

/* The VM frees what it is given. */
static bool give(struct rewrites *r, const struct buf *bytes, jint *len, unsigned char **out)
{
	unsigned char *copy = NULL;
	if (bytes->len == 0 || bytes->len > INT32_MAX ||
		(*r->env)->Allocate(r->env, (jlong)bytes->len, &copy) != JVMTI_ERROR_NONE)
		return false;
	memcpy(copy, bytes->at, bytes->len);
	*len = (jint)bytes->len;
	*out = copy;
	return true;
}

/* A copy of the wishes for the class, so that they can be granted without the lock. */
static struct wishes wishes_now(struct rewrites *r, const char *name, int32_t loader)
{
	struct wishes own;
	pthread_mutex_lock(&r->lock);
	(void)!wishes_for(&own, &r->wishes, &r->answers, name, loader); /* or none */
	pthread_mutex_unlock(&r->lock);
	return own;
}

/* Releases them. */
static void answer(struct rewrites *r, const char *name, int32_t loader, struct wishes *own)
{
	pthread_mutex_lock(&r->lock);
	(void)!wishes_answer(&r->answers, name, loader, own); /* or nobody knows */
	pthread_mutex_unlock(&r->lock);
	wishes_release(own);
}

static void transform(struct rewrites *r, const char *name, int32_t loader, struct slice file,
	jint *len, unsigned char **out)
{
	struct rewriting done = {.methods = NULL};
	struct wishes own = wishes_now(r, name, loader);
	int err = own.count ? rewrite_class(file, own.at, own.count, &done) : ERR_NONE;
	if (!err && done.bytes.len && !give(r, &done.bytes, len, out))
		err = ERR_NOMEM;
	if (err)
		wishes_release(&own);
	whereabouts_class(&r->where, name, loader, err ? NULL : &done);
	answer(r, name, loader, &own);
	rewriting_release(&done);
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
	const char *name, jobject domain, jint len, const unsigned char *data, jint *new_len,
	unsigned char **new_data)
{
	struct rewrites *r = &the_rewrites;
	(void)jvmti, (void)jni, (void)redefined, (void)domain;
	if (!name || len <= 0 || !enter(r))
		return;
	transform(r, name, loader_number(r->env, loader), slice(data, (size_t)len), new_len,
		new_data);
	atomic_fetch_sub(&r->inside, 1);
}

/* Loaded, and nobody has asked us about it. */
static bool is_missed(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	(void)k, (void)arg;
	pthread_mutex_lock(&r->lock);
	bool missed = wishes_unanswered(&r->wishes, &r->answers, name, loader);
	pthread_mutex_unlock(&r->lock);
	return missed;
}

/* A class that was loaded before it was wished for, and left alone until now (is_ready). */
static void JNICALL on_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass k)
{
	struct rewrites *r = &the_rewrites;
	(void)jvmti, (void)thread;
	if (!enter(r))
		return;
	char *name = loaded_class_name(r->env, k);
	pthread_mutex_lock(&r->lock);
	bool wished = name && wishes_of(&r->wishes, name).count;
	pthread_mutex_unlock(&r->lock);
	if (wished && is_missed(r, k, name, loaded_class_loader(r->env, jni, k), NULL))
		atomic_store(&r->searches, SEARCHES);
	vm_free(r->vm, name);
	atomic_fetch_sub(&r->inside, 1);
}

static int open_env(struct rewrites *r, const struct vm *vm)
{
	void *env = NULL;
	jvmtiCapabilities want;
	jvmtiEventCallbacks callbacks;
	if ((*vm->java)->GetEnv(vm->java, &env, JVMTI_VERSION_1_2) != JNI_OK)
		return ERR_JVM;
	memset(&want, 0, sizeof(want));
	memset(&callbacks, 0, sizeof(callbacks));
	want.can_retransform_classes = 1;
	want.can_get_bytecodes = 1;
	callbacks.ClassFileLoadHook = on_class;
	callbacks.ClassPrepare = on_prepare;
	jvmtiEnv *e = env;
	if ((*e)->AddCapabilities(e, &want) != JVMTI_ERROR_NONE ||
		(*e)->SetEventCallbacks(e, &callbacks, (jint)sizeof(callbacks)) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	r->env = r->where.env = e;
	r->where.java = vm->java;
	return ERR_NONE;
}

int rewrites_open(struct rewrites *r, const struct vm *vm, struct diag *d)
{
	r->vm = vm;
	int err = r->env ? ERR_NONE : open_env(r, vm);
	return err ? diag_set(d, ERR_UNSUPPORTED, "this VM does not let classes be rewritten")
		   : ERR_NONE;
}

/* ---- a batch ---- */

/* The class stays what it was: its wishes are refused, and are not tried again. */
static void refuse_class(struct rewrites *r, const char *name, int32_t loader, const char *why)
{
	struct wishes own = wishes_now(r, name, loader);
	for (size_t i = 0; i < own.count; i++) {
		own.at[i].state = WISH_REFUSED;
		own.at[i].why = why;
	}
	whereabouts_class(&r->where, name, loader, NULL);
	answer(r, name, loader, &own);
}

/* Whether a class is wanted; may refuse its wishes. */
typedef bool class_test(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg);

static void keep_classes(
	struct rewrites *r, JNIEnv *jni, struct loaded_classes *b, class_test *test, void *arg)
{
	size_t kept = 0;
	for (size_t i = 0; i < b->wanted.count; i++) {
		jclass k = b->wanted.at[i];
		char *name = loaded_class_name(r->env, k);
		if (name && test(r, k, name, loaded_class_loader(r->env, jni, k), arg))
			b->wanted.at[kept++] = k;
		vm_free(r->vm, name);
	}
	b->wanted.count = kept;
}

/* arg: what was wished before. The list itself is changed by this thread alone. */
static bool is_changed(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	const struct wishes *before = arg;
	(void)k;
	return !wishes_agree(before, &r->wishes, name, loader) ||
	       late_classes_have(&r->late, name, loader);
}

static bool is_modifiable(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	jboolean modifiable = JNI_FALSE;
	(void)arg;
	if ((*r->env)->IsModifiableClass(r->env, k, &modifiable) == JVMTI_ERROR_NONE && modifiable)
		return true;
	refuse_class(r, name, loader, "its class can't be rewritten");
	return false;
}

/*
 * A class that is not linked yet is left alone: where another thread links it meanwhile, the VM
 * puts its file together from code that is half done, and crashes (doc/jvm.md). One that was
 * rewritten on its way in has its file kept.
 */
static bool is_ready(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	jint status = 0;
	(void)arg;
	if ((*r->env)->GetClassStatus(r->env, k, &status) == JVMTI_ERROR_NONE &&
		(status & JVMTI_CLASS_STATUS_PREPARED))
		return true;
	pthread_mutex_lock(&r->lock);
	bool kept = wishes_any_done(&r->answers, name, loader);
	pthread_mutex_unlock(&r->lock);
	return kept;
}

static bool is_taken(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	(void)arg;
	if ((*r->env)->RetransformClasses(r->env, 1, &k) != JVMTI_ERROR_NONE)
		refuse_class(r, name, loader, "the VM does not take the rewritten class");
	return true;
}

/* What is rewritten of the class stays, and nothing is added. */
static void leave_class(struct rewrites *r, const char *name, int32_t loader)
{
	struct wishes own = wishes_now(r, name, loader);
	pthread_mutex_lock(&r->lock);
	wishes_look(own.at, own.count, &r->answers);
	bool rewritten = wishes_done(&r->answers, name, loader);
	pthread_mutex_unlock(&r->lock);
	for (size_t i = 0; i < own.count; i++)
		if (own.at[i].state == WISH_WAITS) {
			own.at[i].state = WISH_REFUSED;
			own.at[i].why = rewrites_running;
		}
	if (rewritten)
		late_classes_add(&r->late, name, loader);
	answer(r, name, loader, &own);
}

struct running {
	const jclass *classes;
	const bool *runs; /* NULL: who knows, so all do */
	size_t count;
};

static bool runs(const struct running *all, jclass k)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->classes[i] == k)
			return !all->runs || all->runs[i];
	return true;
}

/* Whether the class can be exchanged now; it is not late any more then. */
static bool is_idle(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	bool idle = !runs(arg, k);
	if (idle)
		late_classes_remove(&r->late, name, loader);
	else
		leave_class(r, name, loader);
	return idle;
}

static void leave_running(struct rewrites *r, JNIEnv *jni, struct loaded_classes *b)
{
	size_t count = b->wanted.count;
	if (!count)
		return;
	jclass *classes = mem_alloc(count * sizeof(*classes));
	bool *found = classes ? mem_zalloc(count, sizeof(*found)) : NULL;
	if (found) {
		memcpy(classes, b->wanted.at, count * sizeof(*classes));
		running_find(r->env, jni, classes, count, found);
	}
	struct running all = {classes, found, found ? count : 0};
	keep_classes(r, jni, b, is_idle, &all);
	mem_free(classes);
	mem_free(found);
}

/* All at once; where one is in the way, one by one. */
static void retransform(struct rewrites *r, JNIEnv *jni, struct loaded_classes *b)
{
	keep_classes(r, jni, b, is_modifiable, NULL);
	keep_classes(r, jni, b, is_ready, NULL);
	leave_running(r, jni, b);
	if (b->wanted.count && (*r->env)->RetransformClasses(r->env, (jint)b->wanted.count,
				       b->wanted.at) != JVMTI_ERROR_NONE)
		keep_classes(r, jni, b, is_taken, NULL);
	whereabouts_publish(&r->where, jni, b->wanted.at, b->wanted.count);
}

static int listen(struct rewrites *r, bool on)
{
	jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
	atomic_store(&r->on, on);
	jvmtiError loads = (*r->env)->SetEventNotificationMode(
		r->env, mode, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	jvmtiError links =
		(*r->env)->SetEventNotificationMode(r->env, mode, JVMTI_EVENT_CLASS_PREPARE, NULL);
	return loads == JVMTI_ERROR_NONE && links == JVMTI_ERROR_NONE ? ERR_NONE : ERR_JVM;
}

static struct wishes exchange(struct rewrites *r, struct wishes wishes)
{
	pthread_mutex_lock(&r->lock);
	struct wishes before = r->wishes;
	r->wishes = wishes;
	pthread_mutex_unlock(&r->lock);
	return before;
}

struct either {
	const struct wishes *a, *b;
	const struct late_classes *late;
};

static bool is_in_either(void *arg, const char *name)
{
	const struct either *e = arg;
	return wishes_of(e->a, name).count || wishes_of(e->b, name).count ||
	       late_classes_have_name(e->late, name);
}

static int rewrite_loaded(struct rewrites *r, JNIEnv *jni, struct wishes *before)
{
	struct loaded_classes b;
	struct either names = {before, &r->wishes, &r->late};
	int err = loaded_classes_find(&b, r->env, is_in_either, &names);
	if (!err) {
		keep_classes(r, jni, &b, is_changed, before);
		retransform(r, jni, &b);
		whereabouts_looked(&r->where);
	}
	late_classes_tried(&r->late, clock_now());
	loaded_classes_release(&b, jni);
	return err;
}

static void forget_answers(struct rewrites *r)
{
	pthread_mutex_lock(&r->lock);
	wishes_release(&r->answers);
	pthread_mutex_unlock(&r->lock);
}

int rewrites_apply(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct wishes copy;
	if (wishes_copy(&copy, wishes, count))
		return ERR_NOMEM;
	struct wishes before = exchange(r, copy);
	int err = listen(r, true);
	if (!err)
		err = rewrite_loaded(r, jni, &before);
	if (err)
		before = exchange(r, before);
	wishes_release(&before);
	r->searches = SEARCHES;
	if (r->wishes.count == 0) {
		listen(r, false);
		forget_answers(r);
	}
	rewrites_look(r, wishes, count);
	return err;
}

/* ---- what came of it ---- */

bool rewrites_unsettled(struct rewrites *r)
{
	return whereabouts_waiting(&r->where) || r->searches > 0 ||
	       late_classes_due(&r->late, clock_now());
}

size_t rewrites_late(const struct rewrites *r)
{
	return r->late.list.count;
}

/* What was running is turned back now, where it has come to its end. */
static void try_late(struct rewrites *r, JNIEnv *jni)
{
	if (!late_classes_due(&r->late, clock_now()))
		return;
	if (listen(r, true) == ERR_NONE)
		(void)!rewrite_loaded(r, jni, &r->wishes); /* or later */
	if (r->wishes.count == 0)
		listen(r, false);
}

static void find_missed(struct rewrites *r, JNIEnv *jni)
{
	struct loaded_classes b;
	struct either names = {&r->wishes, &r->wishes, &r->late};
	if (r->searches == 0)
		return;
	if (!r->wishes.count)
		r->searches = 0;
	else
		r->searches--;
	if (loaded_classes_find(&b, r->env, is_in_either, &names) == ERR_NONE) {
		keep_classes(r, jni, &b, is_missed, NULL);
		retransform(r, jni, &b);
	}
	loaded_classes_release(&b, jni);
}

static bool is_waited_for(void *arg, const char *name)
{
	return whereabouts_waits(arg, name);
}

void rewrites_settle(struct rewrites *r, JNIEnv *jni)
{
	struct loaded_classes b;
	find_missed(r, jni);
	try_late(r, jni);
	if (!whereabouts_waiting(&r->where))
		return;
	if (loaded_classes_find(&b, r->env, is_waited_for, &r->where) == ERR_NONE)
		whereabouts_publish(&r->where, jni, b.wanted.at, b.wanted.count);
	whereabouts_looked(&r->where);
	loaded_classes_release(&b, jni);
}

void rewrites_look(struct rewrites *r, struct wish *wishes, size_t count)
{
	pthread_mutex_lock(&r->lock);
	wishes_look(wishes, count, &r->answers);
	pthread_mutex_unlock(&r->lock);
}

bool rewrites_touches(struct rewrites *r, const char *class_name)
{
	pthread_mutex_lock(&r->lock);
	struct wishes of = wishes_of(&r->answers, class_name);
	bool found = late_classes_have_name(&r->late, class_name);
	for (size_t i = 0; i < of.count && !found; i++)
		found = of.at[i].state == WISH_DONE;
	pthread_mutex_unlock(&r->lock);
	return found;
}

static bool is_named(void *arg, const char *name)
{
	return strcmp(name, (const char *)arg) == 0;
}

struct sought {
	const struct wish *wish;
	int32_t loader;
	uint64_t found;
};

static bool is_there(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	struct sought *s = arg;
	(void)name;
	if (!s->found && loader == s->loader)
		s->found = loaded_class_method(r->env, k, s->wish->method, s->wish->descriptor);
	return s->found;
}

uint64_t rewrites_only_method(struct rewrites *r, JNIEnv *jni, const struct wish *w)
{
	struct loaded_classes b;
	uint64_t found = 0;
	char *name = mem_strndup(w->class_name, strlen(w->class_name));
	if (!name)
		return 0;
	if (loaded_classes_find(&b, r->env, is_named, name) == ERR_NONE && b.wanted.count == 1)
		found = loaded_class_method(r->env, b.wanted.at[0], w->method, w->descriptor);
	loaded_classes_release(&b, jni);
	mem_free(name);
	return found;
}

uint64_t rewrites_method(struct rewrites *r, JNIEnv *jni, const struct wish *w)
{
	struct loaded_classes b;
	struct sought s = {.wish = w};
	char *name = mem_strndup(w->class_name, strlen(w->class_name));
	pthread_mutex_lock(&r->lock);
	bool done = name && wishes_done_in(&r->answers, w, &s.loader);
	pthread_mutex_unlock(&r->lock);
	if (done) {
		if (loaded_classes_find(&b, r->env, is_named, name) == ERR_NONE)
			keep_classes(r, jni, &b, is_there, &s);
		loaded_classes_release(&b, jni);
	}
	mem_free(name);
	return s.found;
}

void rewrites_close(struct rewrites *r, bool live)
{
	if (!r->env)
		return;
	atomic_store(&r->on, false);
	if (!live)
		return; /* whoever acts may be anywhere, and the memory goes with the VM */
	listen(r, false);
	while (atomic_load(&r->inside))
		sched_yield();
	struct wishes before = exchange(r, (struct wishes){.at = NULL});
	wishes_release(&before);
	forget_answers(r);
}
