#include "agent/rewrites.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "agent/age_class.h"
#include "agent/class_batch.h"
#include "agent/judgements.h"
#include "agent/late_classes.h"
#include "agent/loaded_classes.h"
#include "agent/quiet.h"
#include "agent/sought_methods.h"
#include "agent/sound_ids.h"
#include "agent/whereabouts.h"
#include "agent/wish_book.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "classfile/opcode.h"

/* Classes that come late are given a plain store in batches: only every so many looks. */
enum { SEARCHES = 4, CALM_LOOKS = 4, LATE_AT_ONCE = 64 };

const char rewrites_running[] =
	"a method of its class has been running for long, and would go on in the interpreter";

static const char not_given[] = "its class loader does not give it the class that sets ages";

struct rewrites {
	jvmtiEnv *env; /* NULL: not open yet */
	const struct vm *vm;
	struct wish_book book;
	/* After a batch: a class that was on its way in when it began is neither told of to us nor
	 * loaded yet; it is looked for so often. */
	_Atomic uint32_t searches; /* also begun anew where such a class is linked */
	struct late_classes late;  /* of the thread that applies; stays, when a recording ends */
	uint32_t looks;            /* of the same thread, as is what follows */
	bool more_late;            /* than the last look at what came late had room for */
	struct quiet quiet;        /* but for what quiet.h says; stays, as what was rewritten may */
	struct judgements judgements; /* of the batch that is under way */
	_Atomic bool on;
	_Atomic int inside;       /* callbacks under way */
	struct whereabouts where; /* stays, when a recording ends: what was rewritten may run on */
};

static struct rewrites the_rewrites = {.book.lock = PTHREAD_MUTEX_INITIALIZER,
	.quiet.lock = PTHREAD_MUTEX_INITIALIZER,
	.where.lock = PTHREAD_MUTEX_INITIALIZER};

struct rewrites *rewrites_get(void)
{
	return &the_rewrites;
}

int32_t rewrites_bci(uint64_t vm_method, int32_t bci)
{
	return whereabouts_bci(&the_rewrites.where, vm_method, bci);
}

/* ---- a class comes by ---- */

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
	wish_book_answer(&r->book, name, loader, &own);
	rewriting_release(&done);
}

static void refuse_all(struct wishes *own, const char *why)
{
	for (size_t i = 0; i < own->count; i++) {
		own->at[i].state = WISH_REFUSED;
		own->at[i].why = why;
	}
}

/*
 * What constructors show was found out for the batch's classes, with what they name: of one that is
 * on its way in nothing is known, as it may name another. in_batch: NULL: it is none of them, and
 * nobody has asked its loader.
 */
static void come_by(struct rewrites *r, JNIEnv *jni, jclass in_batch, const char *name,
	jobject loader, struct slice file, jint *len, unsigned char **out)
{
	int32_t number = loader_number(r->env, loader);
	struct wishes own = wish_book_own(&r->book, name, number);
	if (in_batch)
		judgements_take(&r->judgements, in_batch, &own);
	else if (own.count && !age_class_given(jni, loader))
		refuse_all(&own, not_given);
	transform(r, name, number, own, file, len, out);
}

/*
 * Whether it is the class that comes by. Before it asks about a redefined class of a named module
 * the VM runs Java code (it lets the module read those of the agents), and what that code loads
 * comes by with the redefined class too.
 */
static bool is_class(struct rewrites *r, jclass redefined, const char *name)
{
	char *its = loaded_class_name(r->env, redefined);
	bool same = its && strcmp(its, name) == 0;
	vm_free(r->vm, its);
	return same;
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
	bool again = redefined && is_class(r, redefined, name);
	jclass own = again ? class_batch_own(jni, redefined) : NULL;
	/* Another agent's doing, and it is not in force before we return. */
	if (again && !own && quiet_meddle(&r->quiet, name))
		age_class_doubt(jni);
	if (atomic_load(&r->on))
		come_by(r, jni, own, name, loader, slice(data, (size_t)len), new_len, new_data);
	atomic_fetch_sub(&r->inside, 1);
}

/* Linked: the VM has ids of its methods now. */
static void publish(struct rewrites *r, JNIEnv *jni, jclass k, const char *name, int32_t loader)
{
	if (whereabouts_waits_in(&r->where, name, loader))
		whereabouts_publish(&r->where, jni, &k, 1);
}

/* One that was rewritten on its way in; or was loaded before it was wished for, and left alone
 * until now (is_ready). */
static void come_to_life(struct rewrites *r, JNIEnv *jni, jclass k, const char *name)
{
	if (!wish_book_wants(&r->book, name))
		return;
	int32_t loader = loaded_class_loader(r->env, jni, k);
	if (wish_book_misses(&r->book, name, loader))
		atomic_store(&r->searches, SEARCHES);
	publish(r, jni, k, name, loader);
}

static void JNICALL on_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass k)
{
	struct rewrites *r = &the_rewrites;
	(void)jvmti, (void)thread;
	atomic_fetch_add(&r->inside, 1);
	char *name = atomic_load(&r->on) ? loaded_class_name(r->env, k) : NULL;
	if (name)
		come_to_life(r, jni, k, name);
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

/* The class stays what it was. */
static void refuse_class(struct rewrites *r, const struct batch_class *c, const char *why)
{
	whereabouts_class(&r->where, c->name, c->loader, NULL);
	wish_book_refuse(&r->book, c->name, c->loader, why);
}

/* What was wished before. The list itself is changed by this thread alone. */
struct change {
	struct rewrites *r;
	const struct wishes *before;
};

static bool is_changed(void *arg, const struct batch_class *c)
{
	const struct change *change = arg;
	struct rewrites *r = change->r;
	return !wishes_agree(change->before, &r->book.wishes, c->name, c->loader) ||
	       late_classes_have(&r->late, c->name, c->loader) ||
	       wish_book_misses(&r->book, c->name, c->loader); /* only expected so far */
}

/* Loaded, and nobody has asked us about it. */
static bool is_missed(void *arg, const struct batch_class *c)
{
	return wish_book_misses(&((struct rewrites *)arg)->book, c->name, c->loader);
}

static bool is_modifiable(void *arg, const struct batch_class *c)
{
	struct rewrites *r = arg;
	jboolean modifiable = JNI_FALSE;
	if ((*r->env)->IsModifiableClass(r->env, c->k, &modifiable) == JVMTI_ERROR_NONE &&
		modifiable)
		return true;
	refuse_class(r, c, "its class can't be rewritten");
	return false;
}

/* The VM holds no class of the batch yet, whatever its loader waits for. */
static bool is_given(void *arg, const struct batch_class *c)
{
	struct rewrites *r = arg;
	jobject loader = NULL;
	if ((*r->env)->GetClassLoader(r->env, c->k, &loader) != JVMTI_ERROR_NONE)
		return false;
	bool given = age_class_given(c->batch->jni, loader);
	(*c->batch->jni)->DeleteLocalRef(c->batch->jni, loader);
	if (!given)
		refuse_class(r, c, not_given);
	return given;
}

/*
 * A class that is not linked yet is left alone: where another thread links it meanwhile, the VM
 * puts its file together from code that is half done, and crashes (doc/jvm.md). One that was
 * rewritten on its way in has its file kept.
 */
static bool is_ready(void *arg, const struct batch_class *c)
{
	struct rewrites *r = arg;
	jint status = 0;
	return ((*r->env)->GetClassStatus(r->env, c->k, &status) == JVMTI_ERROR_NONE &&
		       (status & JVMTI_CLASS_STATUS_PREPARED)) ||
	       wish_book_done(&r->book, c->name, c->loader);
}

static bool is_taken(void *arg, const struct batch_class *c)
{
	struct rewrites *r = arg;
	if (!class_batch_exchange(r->env, c->batch->jni, &c->k, 1))
		refuse_class(r, c, "the VM does not take the rewritten class");
	return true;
}

/* It is done in the next run, if that has the same code. */
static void see_code(void *arg, struct wish *w)
{
	struct rewrites *r = arg;
	jmethodID id = (jmethodID)(uintptr_t)w->vm_method;
	jint len = 0;
	unsigned char *code = NULL;
	if (!id || !sound_id(id) ||
		(*r->env)->GetBytecodes(r->env, id, &len, &code) != JVMTI_ERROR_NONE)
		return;
	if (w->bci >= 0 && w->bci < len) {
		w->found_hash = rewrite_hash(slice(code, (size_t)len));
		w->found_opcode = opcode_of(code[w->bci])->name;
	}
	(void)(*r->env)->Deallocate(r->env, code);
}

/* Whether the class can be exchanged now; it is not late any more then. Else what is rewritten of
 * it stays, and nothing is added. */
static bool is_idle(void *arg, const struct batch_class *c)
{
	struct rewrites *r = arg;
	bool works = class_batch_works(c->batch, c->k);
	if (!works)
		late_classes_remove(&r->late, c->name, c->loader);
	else if (wish_book_leave(&r->book, c->name, c->loader, rewrites_running, see_code, r))
		late_classes_add(&r->late, c->name, c->loader);
	return !works;
}

/* What its wishes want to know of constructors is to be found out. */
static bool is_judged(void *arg, const struct batch_class *c)
{
	struct rewrites *r = arg;
	struct wishes own = wish_book_own(&r->book, c->name, c->loader);
	judgements_want(&r->judgements, c->k, &own);
	wishes_release(&own);
	return true;
}

/* For the code of those very classes. */
static void judge(struct rewrites *r, struct class_batch *b)
{
	class_batch_keep(b, is_judged, r);
	judgements_make(&r->judgements, &r->quiet, b->jni);
}

/*
 * All at once; where one is in the way, one by one. Meanwhile nothing is sure of what constructors
 * show: other agents may transform the same classes once more. Then their code is looked at again.
 */
static void exchange_classes(struct rewrites *r, struct class_batch *b)
{
	const struct loaded_classes *c = &b->found;
	if (c->wanted.count) {
		age_class_sure(b->jni, false);
		if (!class_batch_exchange(r->env, b->jni, c->wanted.at, c->wanted.count))
			class_batch_keep(b, is_taken, r);
		age_class_sure(b->jni, quiet_holds(&r->quiet, b->jni));
	}
	whereabouts_publish(&r->where, b->jni, c->wanted.at, c->wanted.count);
	judgements_release(&r->judgements);
}

static void rewrite_batch(struct rewrites *r, struct class_batch *b)
{
	class_batch_keep(b, is_modifiable, r);
	class_batch_keep(b, is_ready, r);
	class_batch_keep(b, is_given, r);
	class_batch_watch(b);
	class_batch_keep(b, is_idle, r);
	judge(r, b);
	exchange_classes(r, b);
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
	struct class_batch b;
	struct either names = {before, &r->book.wishes, &r->late};
	struct change change = {r, before};
	int err = class_batch_find(&b, r->env, jni, is_in_either, &names);
	/* What came by since then is shown where it is before it is exchanged again. */
	if (!err && whereabouts_waiting(&r->where))
		whereabouts_publish(&r->where, jni, b.found.wanted.at, b.found.wanted.count);
	if (!err) {
		class_batch_keep(&b, is_changed, &change);
		rewrite_batch(r, &b);
		whereabouts_looked(&r->where);
	}
	late_classes_tried(&r->late, clock_now());
	class_batch_release(&b);
	return err;
}

/* What runs on may still give its objects to `fresh`, and nobody sees any more what others make of
 * their constructors: when it is to be sure again, in another recording, all are looked at anew. */
static void stop_listening(struct rewrites *r, JNIEnv *jni)
{
	age_class_sure(jni, false);
	listen(r, false);
}

int rewrites_expect(struct rewrites *r, const struct wish *wishes, size_t count)
{
	struct wishes copy;
	if (wishes_copy(&copy, wishes, count))
		return ERR_NOMEM;
	struct wishes before = wish_book_exchange(&r->book, copy);
	int err = listen(r, true);
	if (err)
		before = wish_book_exchange(&r->book, before);
	wishes_release(&before);
	return err;
}

int rewrites_apply(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct wishes copy;
	if (count == 0)
		age_class_sure(jni, false); /* even where the rest of it fails */
	if (wishes_copy(&copy, wishes, count))
		return ERR_NOMEM;
	struct wishes before = wish_book_exchange(&r->book, copy);
	int err = listen(r, true);
	if (!err)
		err = rewrite_loaded(r, jni, &before);
	if (err)
		before = wish_book_exchange(&r->book, before);
	wishes_release(&before);
	r->searches = SEARCHES;
	if (r->book.wishes.count == 0) {
		stop_listening(r, jni);
		wish_book_forget(&r->book);
	}
	rewrites_look(r, wishes, count);
	return err;
}

/* ---- what came of it ---- */

bool rewrites_unsettled(struct rewrites *r)
{
	return whereabouts_waiting(&r->where) || r->searches > 0 ||
	       late_classes_due(&r->late, clock_now()) || wish_book_late(&r->book, NULL);
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
		(void)!rewrite_loaded(r, jni, &r->book.wishes); /* or later */
	if (r->book.wishes.count == 0)
		listen(r, false);
}

static void find_missed(struct rewrites *r, JNIEnv *jni)
{
	struct class_batch b;
	struct either names = {&r->book.wishes, &r->book.wishes, &r->late};
	if (r->searches == 0)
		return;
	if (!r->book.wishes.count)
		r->searches = 0;
	else
		r->searches--;
	if (class_batch_find(&b, r->env, jni, is_in_either, &names) == ERR_NONE) {
		class_batch_keep(&b, is_missed, r);
		rewrite_batch(r, &b);
	}
	class_batch_release(&b);
}

static bool is_improvable(void *arg, const char *name)
{
	return wish_book_done_anywhere(arg, name); /* which is known soon, of thousands */
}

/* Whether the rewritten class would be another than it is. */
static bool gains(void *arg, const struct batch_class *c)
{
	struct rewrites *r = arg;
	bool gain = wish_book_gains(&r->book, &r->judgements, c->k, c->name, c->loader);
	if (r->more_late)
		wish_book_asked_in(&r->book, c->name, c->loader);
	return gain;
}

/* Not where it is at work: what it has will do. */
static bool stands_still(void *arg, const struct batch_class *c)
{
	(void)arg;
	return !class_batch_works(c->batch, c->k);
}

static bool is_late(void *arg, const struct batch_class *c)
{
	return wish_book_late_in(&((struct rewrites *)arg)->book, c->name, c->loader);
}

/* Those that came since the last time, at once: each batch is a pause. Beyond so many they have
 * their turn later: what is judged is held, and thousands of classes that nobody else holds would
 * fill the metaspace. */
static void improve_late(struct rewrites *r, JNIEnv *jni)
{
	struct class_batch b;
	if (++r->looks % CALM_LOOKS || !wish_book_late(&r->book, NULL))
		return;
	if (class_batch_find(&b, r->env, jni, is_improvable, &r->book) == ERR_NONE) {
		class_batch_keep(&b, is_late, r);
		class_batch_keep(&b, is_ready, r);
		r->more_late = class_batch_cut(&b, LATE_AT_ONCE);
		judge(r, &b);
		class_batch_keep(&b, gains, r);
		class_batch_watch(&b);
		class_batch_keep(&b, stands_still, r);
		exchange_classes(r, &b);
	}
	if (!r->more_late)
		wish_book_asked(&r->book);
	class_batch_release(&b);
}

static bool is_waited_for(void *arg, const char *name)
{
	return whereabouts_waits(arg, name);
}

static bool waits_here(void *arg, const struct batch_class *c)
{
	return whereabouts_waits_in(arg, c->name, c->loader);
}

/* As a rule a class is linked as soon as it is loaded, and shows itself (on_prepare). Classes of
 * one name may come from thousands of loaders: those that are known are not asked again, as all of
 * them are held meanwhile, and the VM can't unload any. */
static void publish_waiting(struct rewrites *r, JNIEnv *jni)
{
	struct class_batch b;
	if (whereabouts_overdue(&r->where)) {
		if (class_batch_find(&b, r->env, jni, is_waited_for, &r->where) == ERR_NONE) {
			class_batch_keep(&b, waits_here, &r->where);
			whereabouts_publish(
				&r->where, jni, b.found.wanted.at, b.found.wanted.count);
		}
		class_batch_release(&b);
	}
	whereabouts_looked(&r->where);
}

void rewrites_settle(struct rewrites *r, JNIEnv *jni)
{
	find_missed(r, jni);
	try_late(r, jni);
	improve_late(r, jni);
	if (whereabouts_waiting(&r->where))
		publish_waiting(r, jni);
}

void rewrites_look(struct rewrites *r, struct wish *wishes, size_t count)
{
	wish_book_look(&r->book, wishes, count);
}

bool rewrites_touches(struct rewrites *r, const char *class_name)
{
	return late_classes_have_name(&r->late, class_name) ||
	       wish_book_done_anywhere(&r->book, class_name);
}

void rewrites_methods(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct sought_method *list = mem_alloc((count + 1) * sizeof(*list));
	if (!list)
		return;
	size_t sought = wish_book_sought(&r->book, wishes, count, list);
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
	struct wishes before = wish_book_exchange(&r->book, (struct wishes){.at = NULL});
	wishes_release(&before);
	wish_book_forget(&r->book);
}
