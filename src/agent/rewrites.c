#include "agent/rewrites.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "agent/age_class.h"
#include "agent/late_classes.h"
#include "agent/loaded_classes.h"
#include "agent/quiet.h"
#include "agent/running.h"
#include "agent/sought_methods.h"
#include "agent/whereabouts.h"
#include "agent/wishes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

enum { SEARCHES = 4 };
/* Classes that come late are given a plain store in batches: only every so many looks, and not for
 * ever where the objects' class is not there. */
enum { CALM_LOOKS = 4, ASKED_MOST = 8 };

const char rewrites_running[] =
	"a method of its class has been running for long, and would go on in the interpreter";

/* What the code of a class would find of the constructors of a class that it names. */
struct judgement {
	jclass k;
	char *allocates;   /* a signature; owned */
	const char *quiet; /* as quiet_constructors says */
};

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
	uint32_t looks;            /* of the same thread, as is what follows */
	struct quiet quiet;        /* but for what quiet.h says; stays, as what was rewritten may */
	VEC(struct judgement) judgements; /* of the batch that is under way */
	_Atomic bool on;
	_Atomic int inside;       /* callbacks under way */
	struct whereabouts where; /* stays, when a recording ends: what was rewritten may run on */
};

static struct rewrites the_rewrites = {.lock = PTHREAD_MUTEX_INITIALIZER,
	.quiet.lock = PTHREAD_MUTEX_INITIALIZER,
	.where.lock = PTHREAD_MUTEX_INITIALIZER};
/* The classes that this thread has exchanged: what is asked about them is its own doing. */
static _Thread_local struct {
	const jclass *at;
	size_t count;
} exchanging;

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

static const struct judgement *judgement_of(
	const struct rewrites *r, jclass k, const char *allocates)
{
	for (size_t i = 0; i < r->judgements.count; i++) {
		const struct judgement *j = &r->judgements.at[i];
		if (j->k == k && strcmp(j->allocates, allocates) == 0)
			return j;
	}
	return NULL;
}

/* Of a class of the batch that is under way, in its thread. */
static void take_judgements(const struct rewrites *r, jclass k, struct wishes *own)
{
	for (size_t i = 0; i < own->count; i++) {
		const struct judgement *j = judgement_of(r, k, own->at[i].allocates);
		own->at[i].quiet = j ? j->quiet : NULL;
		if (j && j->quiet)
			own->at[i].asked = ASKED_MOST;
	}
}

/* They may be gone when the answers are read. */
static void let_go(struct wishes *own)
{
	for (size_t i = 0; i < own->count; i++)
		own->at[i].quiet = NULL;
}

/* Releases own. */
static void transform(struct rewrites *r, const char *name, int32_t loader, struct wishes own,
	struct slice file, jint *len, unsigned char **out)
{
	struct rewriting done = {.methods = NULL};
	int err = own.count ? rewrite_class(file, own.at, own.count, &done) : ERR_NONE;
	if (!err && done.bytes.len && !give(r, &done.bytes, len, out))
		err = ERR_NOMEM;
	if (err)
		wishes_release(&own);
	whereabouts_class(&r->where, name, loader, err ? NULL : &done);
	let_go(&own);
	answer(r, name, loader, &own);
	rewriting_release(&done);
}

/* As the batch has it; NULL: it is none of this thread's. Not what other agents do in this thread,
 * when they are asked about those classes as well. */
static jclass own_class(JNIEnv *jni, jclass redefined)
{
	for (size_t i = 0; i < exchanging.count; i++)
		if ((*jni)->IsSameObject(jni, exchanging.at[i], redefined))
			return exchanging.at[i];
	return NULL;
}

/*
 * What constructors show was found out for the batch's classes, with what they name: of one that is
 * on its way in nothing is known, as it may name another. in_batch: NULL: it is none of them.
 */
static void come_by(struct rewrites *r, jclass in_batch, const char *name, int32_t loader,
	struct slice file, jint *len, unsigned char **out)
{
	struct wishes own = wishes_now(r, name, loader);
	if (in_batch)
		take_judgements(r, in_batch, &own);
	transform(r, name, loader, own, file, len, out);
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
	const char *name, jobject domain, jint len, const unsigned char *data, jint *new_len,
	unsigned char **new_data)
{
	struct rewrites *r = &the_rewrites;
	(void)jvmti, (void)domain;
	if (!name || len <= 0)
		return;
	atomic_fetch_add(&r->inside, 1);
	jclass own = redefined ? own_class(jni, redefined) : NULL;
	/* Another agent's doing, and it is not in force before we return. */
	if (redefined && !own && quiet_meddle(&r->quiet, name))
		age_class_doubt(jni);
	if (atomic_load(&r->on))
		come_by(r, own, name, loader_number(r->env, loader), slice(data, (size_t)len),
			new_len, new_data);
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
	quiet_open(&r->quiet, e);
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

static bool retransform(struct rewrites *r, const jclass *classes, size_t count)
{
	exchanging.at = classes;
	exchanging.count = count;
	jvmtiError err = (*r->env)->RetransformClasses(r->env, (jint)count, classes);
	exchanging.count = 0;
	return err == JVMTI_ERROR_NONE;
}

static bool is_taken(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	(void)arg;
	if (!retransform(r, &k, 1))
		refuse_class(r, name, loader, "the VM does not take the rewritten class");
	return true;
}

/* What is rewritten of the class stays, and nothing is added. */
static void leave_class(struct rewrites *r, const char *name, int32_t loader)
{
	struct wishes own = wishes_now(r, name, loader);
	pthread_mutex_lock(&r->lock);
	wishes_look(own.at, own.count, &r->answers);
	bool rewritten = wishes_any_done(&r->answers, name, loader);
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

/* idle: is_idle, or one like it. */
static void keep_idle(struct rewrites *r, JNIEnv *jni, struct loaded_classes *b, class_test *idle)
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
	keep_classes(r, jni, b, idle, &all);
	mem_free(classes);
	mem_free(found);
}

/* Whether a constructor finishes what it makes: of a call that is not known before. */
static bool constructs(const struct wish *w)
{
	const char *opcode = w->found_opcode ? w->found_opcode : w->opcode;
	return w->allocates[0] == 'L' && (!opcode || strcmp(opcode, "new") == 0);
}

static void judge_wish(struct rewrites *r, JNIEnv *jni, jclass k, const struct wish *w)
{
	struct judgement fresh = {.k = k};
	if (!constructs(w) || judgement_of(r, k, w->allocates))
		return;
	char *name = mem_strndup(w->allocates + 1, strlen(w->allocates) - 2);
	fresh.allocates = mem_strndup(w->allocates, strlen(w->allocates));
	fresh.quiet = name ? quiet_constructors(&r->quiet, jni, k, name) : NULL;
	mem_free(name);
	if (!fresh.allocates || vec_push(&r->judgements, fresh))
		mem_free(fresh.allocates);
}

/* For the code of that very class. arg: the thread's JNIEnv. */
static bool is_judged(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	struct wishes own = wishes_now(r, name, loader);
	for (size_t i = 0; i < own.count; i++)
		judge_wish(r, arg, k, &own.at[i]);
	wishes_release(&own);
	return true;
}

static void forget_judgements(struct rewrites *r)
{
	for (size_t i = 0; i < r->judgements.count; i++)
		mem_free(r->judgements.at[i].allocates);
	vec_release(&r->judgements);
}

/*
 * All at once; where one is in the way, one by one. Meanwhile nothing is sure of what constructors
 * show: other agents may transform the same classes once more. Then their code is looked at again.
 */
static void exchange_classes(struct rewrites *r, JNIEnv *jni, struct loaded_classes *b)
{
	if (b->wanted.count) {
		age_class_sure(jni, false);
		if (!retransform(r, b->wanted.at, b->wanted.count))
			keep_classes(r, jni, b, is_taken, NULL);
		age_class_sure(jni, quiet_holds(&r->quiet, jni));
	}
	whereabouts_publish(&r->where, jni, b->wanted.at, b->wanted.count);
}

static void rewrite_batch(struct rewrites *r, JNIEnv *jni, struct loaded_classes *b)
{
	keep_classes(r, jni, b, is_modifiable, NULL);
	keep_classes(r, jni, b, is_ready, NULL);
	keep_idle(r, jni, b, is_idle);
	keep_classes(r, jni, b, is_judged, jni);
	exchange_classes(r, jni, b);
	forget_judgements(r);
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
		rewrite_batch(r, jni, &b);
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

/* What runs on may still give its objects to `fresh`, and nobody sees any more what others make of
 * their constructors: when it is to be sure again, in another recording, all are looked at anew. */
static void stop_listening(struct rewrites *r, JNIEnv *jni)
{
	age_class_sure(jni, false);
	listen(r, false);
}

int rewrites_apply(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct wishes copy;
	if (count == 0)
		age_class_sure(jni, false); /* even where the rest of it fails */
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
		stop_listening(r, jni);
		forget_answers(r);
	}
	rewrites_look(r, wishes, count);
	return err;
}

/* ---- what came of it ---- */

/* Done on its way in, when nothing was known of the class that it names. */
static bool came_late(const struct wish *w)
{
	return w->state == WISH_DONE && !w->plain && w->asked < ASKED_MOST && constructs(w);
}

/* Of what is known of classes of that name. */
static bool any_late(struct rewrites *r, const char *name)
{
	bool found = false;
	pthread_mutex_lock(&r->lock);
	struct wishes of = name ? wishes_of(&r->answers, name) : r->answers;
	for (size_t i = 0; i < of.count && !found; i++)
		found = came_late(&of.at[i]);
	pthread_mutex_unlock(&r->lock);
	return found;
}

bool rewrites_unsettled(struct rewrites *r)
{
	return whereabouts_waiting(&r->where) || r->searches > 0 ||
	       late_classes_due(&r->late, clock_now()) || any_late(r, NULL);
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
		rewrite_batch(r, jni, &b);
	}
	loaded_classes_release(&b, jni);
}

static bool is_improvable(void *arg, const char *name)
{
	return any_late(arg, name);
}

/* What is known now of the constructors at that answer; NULL: nothing. */
static const struct judgement *judged_at(
	const struct rewrites *r, jclass k, int32_t loader, const struct wish *answer)
{
	const struct judgement *j = answer->loader == loader && came_late(answer)
					    ? judgement_of(r, k, answer->allocates)
					    : NULL;
	return j && j->quiet ? j : NULL;
}

/* Whether the rewritten class would be another than it is. Of constructors none of which is quiet
 * it is not asked again. */
static bool gains(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	bool found = false;
	(void)arg;
	pthread_mutex_lock(&r->lock);
	struct wishes of = wishes_of(&r->answers, name);
	for (size_t i = 0; i < of.count; i++) {
		const struct judgement *j = judged_at(r, k, loader, &of.at[i]);
		if (j && *j->quiet)
			found = true;
		else if (j)
			of.at[i].asked = ASKED_MOST;
	}
	pthread_mutex_unlock(&r->lock);
	return found;
}

static void count_asked(struct rewrites *r)
{
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->answers.count; i++)
		r->answers.at[i].asked += came_late(&r->answers.at[i]);
	pthread_mutex_unlock(&r->lock);
}

/* Not where it is at work: what it has will do. */
static bool stands_still(struct rewrites *r, jclass k, const char *name, int32_t loader, void *arg)
{
	(void)r, (void)name, (void)loader;
	return !runs(arg, k);
}

/* All that came since the last time, at once: each batch is a pause. */
static void improve_late(struct rewrites *r, JNIEnv *jni)
{
	struct loaded_classes b;
	if (++r->looks % CALM_LOOKS || !any_late(r, NULL))
		return;
	if (loaded_classes_find(&b, r->env, is_improvable, r) == ERR_NONE) {
		keep_classes(r, jni, &b, is_ready, NULL);
		keep_classes(r, jni, &b, is_judged, jni);
		keep_classes(r, jni, &b, gains, NULL);
		keep_idle(r, jni, &b, stands_still);
		exchange_classes(r, jni, &b);
	}
	count_asked(r);
	forget_judgements(r);
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
	improve_late(r, jni);
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

/* Where each of them is done. Under the lock. */
static size_t list_done(const struct rewrites *r, const struct wish *wishes, size_t count,
	struct sought_method *list)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++) {
		const struct wish *w = &wishes[i];
		struct sought_method m = {
			w->class_name, w->method, w->descriptor, .one_loader = true, .of = i};
		if (!w->vm_method && wishes_done_in(&r->answers, w, &m.loader))
			list[found++] = m;
	}
	return found;
}

void rewrites_methods(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct sought_method *list = mem_alloc((count + 1) * sizeof(*list));
	if (!list)
		return;
	pthread_mutex_lock(&r->lock);
	size_t sought = list_done(r, wishes, count, list);
	pthread_mutex_unlock(&r->lock);
	(void)!sought_methods_find(list, sought, r->env, jni); /* or none */
	for (size_t i = 0; i < sought; i++)
		wishes[list[i].of].vm_method = list[i].found;
	mem_free(list);
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
