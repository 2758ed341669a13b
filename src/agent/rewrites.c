#include "agent/rewrites.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "agent/loaded_classes.h"
#include "agent/running.h"
#include "agent/wishes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/vec.h"

/* A method whose instructions have moved. */
struct method_moves {
	uint64_t vm_method;
	struct moved *moved; /* owned */
	size_t count;
	uint32_t len; /* of its bytecode then: while classes are exchanged it may not be, or be no
			 more */
};

/* Immutable once it is in force: whoever reads it needs no lock. Older ones stay until the end,
 * since someone may still read them; there is one for each batch. */
struct moves {
	struct moves *older;
	size_t count;
	struct method_moves at[]; /* by vm_method */
};

/* A method of a class that has been rewritten, until its id is known: the VM shows a class's
 * methods only once it is linked, which may be long after it was loaded. */
struct rewritten {
	char *class_name;          /* owned */
	char *method, *descriptor; /* owned */
	struct moved *moved;       /* owned */
	size_t count;
	uint32_t len;
	uint32_t looks; /* times that its class was looked for */
	bool known;
};
enum { LOOKS_MOST = 40, SEARCHES = 4 };
enum { LATE_S_LEAST = 2, LATE_S_MOST = 64 };

const char rewrites_running[] =
	"a method of its class has been running for long, and would go on in the interpreter";

/* Classes that have more places rewritten than are wished for: they were running when those were
 * taken back. Of the thread that applies. */
struct late_classes {
	VEC(char *) names; /* owned */
	struct ns next;    /* when they are tried again */
	uint32_t wait_s;
};

struct rewrites {
	jvmtiEnv *env; /* NULL: not open yet */
	const struct vm *vm;
	pthread_mutex_t lock; /* protects what follows, but the atomics; never held across a call
				 into the VM */
	struct wishes wishes;
	VEC(struct rewritten) rewritten;
	/* After a batch: a class that was on its way in when it began is neither told of to us nor
	 * loaded yet; it is looked for so often. Of the thread that applies. */
	uint32_t searches;
	struct late_classes late;
	_Atomic size_t unsettled; /* of `rewritten` */
	_Atomic bool on;
	_Atomic int inside; /* callbacks under way */
	_Atomic(struct moves *) moves;
};

static struct rewrites the_rewrites = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct rewrites *rewrites_get(void)
{
	return &the_rewrites;
}

static int by_method(const void *a, const void *b)
{
	const struct method_moves *x = a, *y = b;
	return (x->vm_method > y->vm_method) - (x->vm_method < y->vm_method);
}

static int32_t was(const struct moved *m, size_t count, uint32_t now)
{
	size_t from = 0, to = count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (m[middle].now <= now)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? (int32_t)m[from - 1].was : 0;
}

static const struct method_moves *find_moves(const struct rewrites *r, uint64_t vm_method)
{
	const struct moves *m = atomic_load_explicit(&r->moves, memory_order_acquire);
	struct method_moves key = {.vm_method = vm_method};
	return m && m->count ? bsearch(&key, m->at, m->count, sizeof(*m->at), by_method) : NULL;
}

/* Bytes of bytecode that the VM has for a method now. Frames of what it has exchanged have methods
 * of their own. */
static jlocation length_of(const struct rewrites *r, jmethodID id)
{
	jlocation start = -1, end = -1;
	return (*r->env)->GetMethodLocation(r->env, id, &start, &end) == JVMTI_ERROR_NONE ? end + 1
											  : 0;
}

static bool is_method_of(
	const struct rewritten *w, const char *class_name, const char *name, const char *descriptor)
{
	return strcmp(w->class_name, class_name) == 0 && strcmp(w->method, name) == 0 &&
	       strcmp(w->descriptor, descriptor) == 0;
}

static char *owner_of(const struct rewrites *r, jmethodID id)
{
	void *jni = NULL;
	jclass k = NULL;
	if ((*r->vm->java)->GetEnv(r->vm->java, &jni, JNI_VERSION_10) != JNI_OK ||
		(*r->env)->GetMethodDeclaringClass(r->env, id, &k) != JVMTI_ERROR_NONE)
		return NULL;
	JNIEnv *own = jni;
	char *name = loaded_class_name(r->env, k);
	(*own)->DeleteLocalRef(own, k);
	return name;
}

static int32_t find_unsettled(struct rewrites *r, jmethodID id, int32_t bci, const char *owner,
	const char *name, const char *descriptor)
{
	jlocation len = length_of(r, id);
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->rewritten.count; i++) {
		const struct rewritten *w = &r->rewritten.at[i];
		if (is_method_of(w, owner, name, descriptor) && len == (jlocation)w->len) {
			bci = was(w->moved, w->count, (uint32_t)bci);
			break;
		}
	}
	pthread_mutex_unlock(&r->lock);
	return bci;
}

/* Between the exchange of a class and the moment at which its methods' ids are listed: by name. */
static int32_t unsettled_bci(struct rewrites *r, jmethodID id, int32_t bci)
{
	char *name = NULL, *descriptor = NULL, *owner = owner_of(r, id);
	if (owner &&
		(*r->env)->GetMethodName(r->env, id, &name, &descriptor, NULL) == JVMTI_ERROR_NONE)
		bci = find_unsettled(r, id, bci, owner, name, descriptor);
	vm_free(r->vm, name);
	vm_free(r->vm, descriptor);
	vm_free(r->vm, owner);
	return bci;
}

int32_t rewrites_bci(uint64_t vm_method, int32_t bci)
{
	struct rewrites *r = &the_rewrites;
	jmethodID id;
	const struct method_moves *found = bci < 0 ? NULL : find_moves(r, vm_method);
	memcpy(&id, &vm_method, sizeof(id));
	if (found && length_of(r, id) == (jlocation)found->len)
		return was(found->moved, found->count, (uint32_t)bci);
	return bci >= 0 && atomic_load(&r->unsettled) ? unsettled_bci(r, id, bci) : bci;
}

static bool enter(struct rewrites *r)
{
	atomic_fetch_add(&r->inside, 1);
	if (atomic_load(&r->on))
		return true;
	atomic_fetch_sub(&r->inside, 1);
	return false;
}

static void free_rewritten(struct rewritten *w)
{
	mem_free(w->class_name);
	mem_free(w->method);
	mem_free(w->descriptor);
	mem_free(w->moved);
}

/* Under the lock. The class is given to the VM anew: what was known of its methods holds no more.
 */
static void forget_class(struct rewrites *r, const char *name)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->rewritten.count; i++)
		if (strcmp(r->rewritten.at[i].class_name, name) == 0)
			free_rewritten(&r->rewritten.at[i]);
		else
			r->rewritten.at[kept++] = r->rewritten.at[i];
	r->rewritten.count = kept;
	atomic_store(&r->unsettled, kept);
}

/* A copy of the wishes for the class, so that they can be granted without the lock. */
static struct wishes wishes_for(struct rewrites *r, const char *name)
{
	struct wishes own;
	pthread_mutex_lock(&r->lock);
	struct wishes of = wishes_of(&r->wishes, name);
	forget_class(r, name);
	if (wishes_copy(&own, of.at, of.count))
		own = (struct wishes){.at = NULL};
	pthread_mutex_unlock(&r->lock);
	return own;
}

/* Under the lock. Where the memory is not there, frames of the method show where they are now. */
static void keep_moved(struct rewrites *r, const char *name, struct moved_method *m)
{
	struct rewritten w = {.class_name = mem_strndup(name, strlen(name)),
		.method = mem_strndup((const char *)m->name.at, m->name.len),
		.descriptor = mem_strndup((const char *)m->descriptor.at, m->descriptor.len),
		.moved = m->moved,
		.count = m->count,
		.len = m->len};
	m->moved = NULL;
	if (!w.class_name || !w.method || !w.descriptor || vec_push(&r->rewritten, w))
		free_rewritten(&w);
	atomic_store(&r->unsettled, r->rewritten.count);
}

/* What became of the wishes, where they are still wished. */
static void keep_outcome(
	struct rewrites *r, const char *name, const struct wishes *own, struct rewriting *w)
{
	pthread_mutex_lock(&r->lock);
	struct wishes still = wishes_of(&r->wishes, name);
	wishes_follow(still.at, still.count, own);
	for (size_t i = 0; i < w->method_count; i++)
		keep_moved(r, name, &w->methods[i]);
	pthread_mutex_unlock(&r->lock);
}

/* The VM frees what it is given. */
static void give(struct rewrites *r, const struct buf *bytes, jint *len, unsigned char **out)
{
	unsigned char *copy = NULL;
	if (bytes->len == 0 || bytes->len > INT32_MAX ||
		(*r->env)->Allocate(r->env, (jlong)bytes->len, &copy) != JVMTI_ERROR_NONE)
		return;
	memcpy(copy, bytes->at, bytes->len);
	*len = (jint)bytes->len;
	*out = copy;
}

static void transform(
	struct rewrites *r, const char *name, struct slice file, jint *len, unsigned char **out)
{
	struct rewriting done;
	struct wishes own = wishes_for(r, name);
	if (own.count > 0) {
		if (rewrite_class(file, own.at, own.count, &done) == ERR_NONE) {
			give(r, &done.bytes, len, out);
			keep_outcome(r, name, &own, &done);
		}
		rewriting_release(&done);
	}
	wishes_release(&own);
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
	const char *name, jobject domain, jint len, const unsigned char *data, jint *new_len,
	unsigned char **new_data)
{
	struct rewrites *r = &the_rewrites;
	(void)jvmti, (void)jni, (void)redefined, (void)loader, (void)domain;
	if (!name || len <= 0 || !enter(r))
		return;
	transform(r, name, slice(data, (size_t)len), new_len, new_data);
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
	callbacks.ClassFileLoadHook = on_class;
	jvmtiEnv *e = env;
	if ((*e)->AddCapabilities(e, &want) != JVMTI_ERROR_NONE ||
		(*e)->SetEventCallbacks(e, &callbacks, (jint)sizeof(callbacks)) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	r->env = e;
	return ERR_NONE;
}

int rewrites_open(struct rewrites *r, const struct vm *vm, struct diag *d)
{
	r->vm = vm;
	int err = r->env ? ERR_NONE : open_env(r, vm);
	return err ? diag_set(d, ERR_UNSUPPORTED, "this VM does not let classes be rewritten")
		   : ERR_NONE;
}

struct change {
	const struct rewrites *r;
	struct wishes before;
};

static bool is_late(const struct late_classes *l, const char *name)
{
	for (size_t i = 0; i < l->names.count; i++)
		if (strcmp(l->names.at[i], name) == 0)
			return true;
	return false;
}

/* Without the memory it is left as it is. */
static void be_late(struct late_classes *l, const char *name)
{
	char *copy = is_late(l, name) ? NULL : mem_strndup(name, strlen(name));
	if (copy && vec_push(&l->names, copy))
		mem_free(copy);
}

static void forget_late(struct late_classes *l)
{
	for (size_t i = 0; i < l->names.count; i++)
		mem_free(l->names.at[i]);
	vec_release(&l->names);
}

static bool late_is_due(const struct late_classes *l)
{
	return l->names.count && clock_now().v >= l->next.v;
}

static void wait_longer(struct late_classes *l)
{
	l->wait_s = l->wait_s * 2 < LATE_S_MOST ? l->wait_s * 2 : LATE_S_MOST;
	if (l->wait_s < LATE_S_LEAST)
		l->wait_s = LATE_S_LEAST;
	l->next.v = clock_now().v + l->wait_s * UINT64_C(1000000000);
}

/* The list itself is changed by this thread alone. */
static bool is_changed(void *arg, const char *name)
{
	const struct change *c = arg;
	return !wishes_agree(&c->before, &c->r->wishes, name) || is_late(&c->r->late, name);
}

static bool is_rewritten(void *arg, const char *name)
{
	struct rewrites *r = arg;
	bool found = false;
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->rewritten.count && !found; i++)
		found = strcmp(r->rewritten.at[i].class_name, name) == 0;
	pthread_mutex_unlock(&r->lock);
	return found;
}

/* The class stays what it was: its wishes are refused, and are not tried again. */
static void refuse_class(struct rewrites *r, jclass k, const char *why)
{
	char *name = loaded_class_name(r->env, k);
	if (!name)
		return;
	pthread_mutex_lock(&r->lock);
	struct wishes of = wishes_of(&r->wishes, name);
	forget_class(r, name);
	for (size_t i = 0; i < of.count; i++) {
		of.at[i].state = WISH_REFUSED;
		of.at[i].why = why;
	}
	pthread_mutex_unlock(&r->lock);
	vm_free(r->vm, name);
}

static void drop_unmodifiable(struct rewrites *r, struct loaded_classes *b)
{
	size_t kept = 0;
	for (size_t i = 0; i < b->wanted.count; i++) {
		jboolean modifiable = JNI_FALSE;
		if ((*r->env)->IsModifiableClass(r->env, b->wanted.at[i], &modifiable) ==
				JVMTI_ERROR_NONE &&
			modifiable)
			b->wanted.at[kept++] = b->wanted.at[i];
		else
			refuse_class(r, b->wanted.at[i], "its class can't be rewritten");
	}
	b->wanted.count = kept;
}

static bool is_rewritten_by(const struct wishes *w, const char *name)
{
	struct wishes of = wishes_of(w, name);
	for (size_t i = 0; i < of.count; i++)
		if (of.at[i].state == WISH_DONE)
			return true;
	return false;
}

/* What is rewritten of the class stays, and nothing is added. */
static void leave_class(
	struct rewrites *r, const struct change *c, jclass k, struct late_classes *late)
{
	char *name = loaded_class_name(r->env, k);
	if (!name)
		return;
	pthread_mutex_lock(&r->lock);
	struct wishes of = wishes_of(&r->wishes, name);
	for (size_t i = 0; i < of.count; i++)
		if (of.at[i].state == WISH_WAITS) {
			of.at[i].state = WISH_REFUSED;
			of.at[i].why = rewrites_running;
		}
	pthread_mutex_unlock(&r->lock);
	if (is_late(&r->late, name) || is_rewritten_by(&c->before, name))
		be_late(late, name);
	vm_free(r->vm, name);
}

/* Without the memory to know, they run. */
static void leave_running(
	struct rewrites *r, JNIEnv *jni, const struct change *c, struct loaded_classes *b)
{
	struct late_classes late = {.next = r->late.next, .wait_s = r->late.wait_s};
	bool *runs = mem_zalloc(b->wanted.count + 1, sizeof(*runs));
	size_t kept = 0;
	if (runs)
		running_find(r->env, jni, b->wanted.at, b->wanted.count, runs);
	for (size_t i = 0; i < b->wanted.count; i++)
		if (runs && !runs[i])
			b->wanted.at[kept++] = b->wanted.at[i];
		else
			leave_class(r, c, b->wanted.at[i], &late);
	b->wanted.count = kept;
	mem_free(runs);
	forget_late(&r->late);
	r->late = late;
	wait_longer(&r->late);
}

/* All at once; where one is in the way, one by one. */
static void retransform(struct rewrites *r, const struct loaded_classes *b)
{
	if (b->wanted.count == 0 || (*r->env)->RetransformClasses(r->env, (jint)b->wanted.count,
					    b->wanted.at) == JVMTI_ERROR_NONE)
		return;
	for (size_t i = 0; i < b->wanted.count; i++)
		if ((*r->env)->RetransformClasses(r->env, 1, &b->wanted.at[i]) != JVMTI_ERROR_NONE)
			refuse_class(
				r, b->wanted.at[i], "the VM does not take the rewritten class");
}

typedef VEC(struct method_moves) moves_list;
typedef VEC(uint64_t) id_list;

/* Takes over what is known of that method. */
static int take_moved(struct rewrites *r, jmethodID id, const char *class_name, const char *name,
	const char *descriptor, moves_list *list)
{
	for (size_t i = 0; i < r->rewritten.count; i++) {
		struct rewritten *w = &r->rewritten.at[i];
		if (!is_method_of(w, class_name, name, descriptor))
			continue;
		struct method_moves m = {
			.vm_method = (uint64_t)(uintptr_t)id, .count = w->count, .len = w->len};
		m.moved = mem_alloc((w->count + 1) * sizeof(*m.moved));
		if (!m.moved)
			return ERR_NOMEM;
		memcpy(m.moved, w->moved, w->count * sizeof(*m.moved));
		w->known = true;
		return vec_push(list, m);
	}
	return ERR_NONE;
}

static int add_method(
	struct rewrites *r, jmethodID id, const char *class_name, moves_list *list, id_list *ids)
{
	char *name = NULL, *descriptor = NULL;
	int err = vec_push(ids, (uint64_t)(uintptr_t)id);
	if (err ||
		(*r->env)->GetMethodName(r->env, id, &name, &descriptor, NULL) != JVMTI_ERROR_NONE)
		return err;
	pthread_mutex_lock(&r->lock);
	err = take_moved(r, id, class_name, name, descriptor, list);
	pthread_mutex_unlock(&r->lock);
	vm_free(r->vm, name);
	vm_free(r->vm, descriptor);
	return err;
}

static int add_class(struct rewrites *r, jclass k, moves_list *list, id_list *ids)
{
	jint count = 0;
	jmethodID *methods = NULL;
	int err = ERR_NONE;
	char *name = loaded_class_name(r->env, k);
	if (!name)
		return ERR_NONE;
	if ((*r->env)->GetClassMethods(r->env, k, &count, &methods) != JVMTI_ERROR_NONE)
		methods = NULL;
	for (jint i = 0; methods && i < count && !err; i++)
		err = add_method(r, methods[i], name, list, ids);
	vm_free(r->vm, methods);
	vm_free(r->vm, name);
	return err;
}

static bool has_id(const id_list *ids, uint64_t id)
{
	for (size_t i = 0; i < ids->count; i++)
		if (ids->at[i] == id)
			return true;
	return false;
}

/* What was in force of methods that are not anew. */
static int keep_others(const struct moves *old, const id_list *ids, moves_list *list)
{
	int err = ERR_NONE;
	for (size_t i = 0; old && i < old->count && !err; i++) {
		struct method_moves m = old->at[i];
		if (has_id(ids, m.vm_method))
			continue;
		m.moved = mem_alloc((m.count + 1) * sizeof(*m.moved));
		if (!m.moved)
			return ERR_NOMEM;
		memcpy(m.moved, old->at[i].moved, m.count * sizeof(*m.moved));
		err = vec_push(list, m);
	}
	return err;
}

static int put_in_force(struct rewrites *r, const moves_list *list)
{
	struct moves *m = mem_alloc(sizeof(*m) + list->count * sizeof(*m->at));
	if (!m)
		return ERR_NOMEM;
	m->older = atomic_load(&r->moves);
	m->count = list->count;
	memcpy(m->at, list->at, list->count * sizeof(*m->at));
	qsort(m->at, m->count, sizeof(*m->at), by_method);
	atomic_store_explicit(&r->moves, m, memory_order_release);
	return ERR_NONE;
}

/* The methods of these classes are where the rewriting says: what is not said of is where it was.
 */
static void publish(struct rewrites *r, const struct loaded_classes *b)
{
	moves_list list = {0};
	id_list ids = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < b->wanted.count && !err; i++)
		err = add_class(r, b->wanted.at[i], &list, &ids);
	if (!err)
		err = keep_others(atomic_load(&r->moves), &ids, &list);
	if (!err)
		err = put_in_force(r, &list);
	for (size_t i = 0; err && i < list.count; i++)
		mem_free(list.at[i].moved);
	vec_release(&list);
	vec_release(&ids);
}

/* What is in force. The rest waits for its class to be linked. */
static void forget_known(struct rewrites *r)
{
	size_t kept = 0;
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->rewritten.count; i++) {
		struct rewritten *w = &r->rewritten.at[i];
		if (w->known || ++w->looks == LOOKS_MOST)
			free_rewritten(w);
		else
			r->rewritten.at[kept++] = *w;
	}
	r->rewritten.count = kept;
	atomic_store(&r->unsettled, kept);
	pthread_mutex_unlock(&r->lock);
}

static void forget_rewritten(struct rewrites *r)
{
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->rewritten.count; i++)
		free_rewritten(&r->rewritten.at[i]);
	vec_release(&r->rewritten);
	atomic_store(&r->unsettled, 0);
	pthread_mutex_unlock(&r->lock);
}

static int listen(struct rewrites *r, bool on)
{
	atomic_store(&r->on, on);
	return (*r->env)->SetEventNotificationMode(r->env, on ? JVMTI_ENABLE : JVMTI_DISABLE,
		       JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) == JVMTI_ERROR_NONE
		       ? ERR_NONE
		       : ERR_JVM;
}

static struct wishes exchange(struct rewrites *r, struct wishes wishes)
{
	pthread_mutex_lock(&r->lock);
	struct wishes before = r->wishes;
	r->wishes = wishes;
	pthread_mutex_unlock(&r->lock);
	return before;
}

/* Of classes that stay as they are what became of their wishes holds on. */
static void inherit(struct rewrites *r, struct wishes *to)
{
	pthread_mutex_lock(&r->lock);
	wishes_follow(to->at, to->count, &r->wishes);
	pthread_mutex_unlock(&r->lock);
}

static int rewrite_loaded(struct rewrites *r, JNIEnv *jni, struct change *c)
{
	struct loaded_classes b;
	int err = loaded_classes_find(&b, r->env, is_changed, c);
	if (!err) {
		drop_unmodifiable(r, &b);
		leave_running(r, jni, c, &b);
		retransform(r, &b);
		publish(r, &b);
		forget_known(r);
	}
	loaded_classes_release(&b, jni);
	return err;
}

int rewrites_apply(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct wishes copy;
	if (wishes_copy(&copy, wishes, count))
		return ERR_NOMEM;
	inherit(r, &copy);
	struct change c = {.r = r, .before = exchange(r, copy)};
	int err = listen(r, true);
	if (!err)
		err = rewrite_loaded(r, jni, &c);
	if (err)
		c.before = exchange(r, c.before);
	wishes_release(&c.before);
	r->searches = SEARCHES;
	if (r->wishes.count == 0)
		listen(r, false);
	rewrites_look(r, wishes, count);
	return err;
}

bool rewrites_unsettled(struct rewrites *r)
{
	return atomic_load(&r->unsettled) > 0 || r->searches > 0 || late_is_due(&r->late);
}

size_t rewrites_late(const struct rewrites *r)
{
	return r->late.names.count;
}

/* What was running is taken back now, where it has come to its end. */
static void try_late(struct rewrites *r, JNIEnv *jni)
{
	struct change same = {.r = r, .before = r->wishes};
	if (late_is_due(&r->late) && listen(r, true) == ERR_NONE)
		(void)!rewrite_loaded(r, jni, &same);
	if (r->wishes.count == 0 && !r->late.names.count)
		listen(r, false);
}

/* Loaded, and nobody has asked us about it. */
static bool is_missed(void *arg, const char *name)
{
	struct rewrites *r = arg;
	bool missed = false;
	pthread_mutex_lock(&r->lock);
	struct wishes of = wishes_of(&r->wishes, name);
	for (size_t i = 0; i < of.count && !missed; i++)
		missed = of.at[i].state == WISH_WAITS;
	pthread_mutex_unlock(&r->lock);
	return missed;
}

static void find_missed(struct rewrites *r, JNIEnv *jni)
{
	struct loaded_classes b;
	if (r->searches == 0)
		return;
	r->searches = r->wishes.count ? r->searches - 1 : 0;
	if (loaded_classes_find(&b, r->env, is_missed, r) == ERR_NONE) {
		drop_unmodifiable(r, &b);
		retransform(r, &b);
	}
	loaded_classes_release(&b, jni);
}

void rewrites_settle(struct rewrites *r, JNIEnv *jni)
{
	struct loaded_classes b;
	find_missed(r, jni);
	try_late(r, jni);
	if (atomic_load(&r->unsettled) == 0)
		return;
	if (loaded_classes_find(&b, r->env, is_rewritten, r) == ERR_NONE)
		publish(r, &b);
	forget_known(r);
	loaded_classes_release(&b, jni);
}

static bool is_named(void *arg, const char *name)
{
	return strcmp(name, (const char *)arg) == 0;
}

static bool is_method(struct rewrites *r, jmethodID id, const char *name, const char *descriptor)
{
	char *own_name = NULL, *own_descriptor = NULL;
	if ((*r->env)->GetMethodName(r->env, id, &own_name, &own_descriptor, NULL) !=
		JVMTI_ERROR_NONE)
		return false;
	bool same = strcmp(own_name, name) == 0 && strcmp(own_descriptor, descriptor) == 0;
	vm_free(r->vm, own_name);
	vm_free(r->vm, own_descriptor);
	return same;
}

static uint64_t method_in(struct rewrites *r, jclass k, const char *name, const char *descriptor)
{
	jint count = 0;
	jmethodID *methods = NULL;
	uint64_t found = 0;
	if ((*r->env)->GetClassMethods(r->env, k, &count, &methods) != JVMTI_ERROR_NONE)
		return 0;
	for (jint i = 0; i < count && !found; i++)
		if (is_method(r, methods[i], name, descriptor))
			found = (uint64_t)(uintptr_t)methods[i];
	vm_free(r->vm, methods);
	return found;
}

uint64_t rewrites_method(
	struct rewrites *r, JNIEnv *jni, char *class_name, const char *name, const char *descriptor)
{
	struct loaded_classes b;
	uint64_t found = 0;
	if (loaded_classes_find(&b, r->env, is_named, class_name) == ERR_NONE)
		for (size_t i = 0; i < b.wanted.count && !found; i++)
			found = method_in(r, b.wanted.at[i], name, descriptor);
	loaded_classes_release(&b, jni);
	return found;
}

void rewrites_look(struct rewrites *r, struct wish *wishes, size_t count)
{
	pthread_mutex_lock(&r->lock);
	wishes_follow(wishes, count, &r->wishes);
	pthread_mutex_unlock(&r->lock);
}

static void free_moves(struct moves *m)
{
	while (m) {
		struct moves *older = m->older;
		for (size_t i = 0; i < m->count; i++)
			mem_free(m->at[i].moved);
		mem_free(m);
		m = older;
	}
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
	forget_rewritten(r);
	if (r->late.names.count == 0) /* else frames of those are still to be told */
		free_moves(atomic_exchange(&r->moves, NULL));
}
