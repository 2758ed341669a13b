#include "agent/rewrites.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

struct rewrites {
	jvmtiEnv *env; /* NULL: not open yet */
	const struct vm *vm;
	pthread_mutex_t lock; /* protects what follows, but the atomics; never held across a call
				 into the VM */
	struct wish *wishes;  /* owned, with their texts; by class name */
	size_t count;
	VEC(struct rewritten) rewritten;
	/* After a batch: a class that was on its way in when it began is neither told of to us nor
	 * loaded yet; it is looked for so often. Of the thread that applies. */
	uint32_t searches;
	uint64_t classes, batch_ns;
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

/* "Ljava/util/HashMap;" → "java/util/HashMap"; false for arrays. */
static bool strip(char *signature)
{
	size_t len = strlen(signature);
	if (len < 2 || signature[0] != 'L')
		return false;
	memmove(signature, signature + 1, len - 2);
	signature[len - 2] = '\0';
	return true;
}

static char *owner_of(const struct rewrites *r, jmethodID id)
{
	void *jni = NULL;
	jclass k = NULL;
	char *signature = NULL;
	if ((*r->vm->java)->GetEnv(r->vm->java, &jni, JNI_VERSION_10) != JNI_OK ||
		(*r->env)->GetMethodDeclaringClass(r->env, id, &k) != JVMTI_ERROR_NONE)
		return NULL;
	JNIEnv *own = jni;
	if ((*r->env)->GetClassSignature(r->env, k, &signature, NULL) == JVMTI_ERROR_NONE &&
		!strip(signature)) {
		vm_free(r->vm, signature);
		signature = NULL;
	}
	(*own)->DeleteLocalRef(own, k);
	return signature;
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

static void free_wishes(struct wish *w, size_t count)
{
	for (size_t i = 0; w && i < count; i++)
		mem_free(w[i].owned);
	mem_free(w);
}

static const char *append(char **to, const char *text)
{
	size_t room = strlen(text) + 1;
	const char *copy = memcpy(*to, text, room);
	*to += room;
	return copy;
}

/* opcode and why are static texts, or the caller's for as long as it is there. */
static bool copy_wish(struct wish *to, const struct wish *from)
{
	size_t room = strlen(from->class_name) + strlen(from->method) + strlen(from->descriptor) +
		      strlen(from->allocates) + 4;
	char *at = mem_alloc(room);
	*to = *from;
	to->owned = at;
	if (!at)
		return false;
	to->class_name = append(&at, from->class_name);
	to->method = append(&at, from->method);
	to->descriptor = append(&at, from->descriptor);
	to->allocates = append(&at, from->allocates);
	return true;
}

static char *copy_text(const char *text)
{
	size_t room = strlen(text) + 1;
	char *copy = mem_alloc(room);
	return copy ? memcpy(copy, text, room) : NULL;
}

static int by_class(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	int order = strcmp(x->class_name, y->class_name);
	order = order ? order : strcmp(x->method, y->method);
	order = order ? order : strcmp(x->descriptor, y->descriptor);
	return order ? order : (x->bci > y->bci) - (x->bci < y->bci);
}

/* Not those that are refused: a class that the VM did not take once is not tried again. */
static struct wish *copy_open_wishes(const struct wish *wishes, size_t *count)
{
	size_t open = 0;
	struct wish *copy = mem_zalloc(*count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < *count; i++)
		if (wishes[i].state != WISH_REFUSED && !copy_wish(&copy[open++], &wishes[i])) {
			free_wishes(copy, open);
			return NULL;
		}
	*count = open;
	return copy;
}

static struct wish *copy_wishes(const struct wish *wishes, size_t count)
{
	struct wish *copy = copy_open_wishes(wishes, &count);
	if (copy)
		qsort(copy, count, sizeof(*copy), by_class);
	return copy;
}

/* The wishes for a class: from *first on, as many as are returned. */
static size_t wishes_of(const struct wish *w, size_t count, const char *class_name, size_t *first)
{
	size_t from = 0, to = count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (strcmp(w[middle].class_name, class_name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	*first = from;
	while (to < count && strcmp(w[to].class_name, class_name) == 0)
		to++;
	return to - from;
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
static struct wish *wishes_for(struct rewrites *r, const char *name, size_t *count)
{
	size_t first;
	struct wish *own = NULL;
	pthread_mutex_lock(&r->lock);
	*count = wishes_of(r->wishes, r->count, name, &first);
	forget_class(r, name);
	if (*count)
		own = copy_open_wishes(r->wishes + first, count);
	pthread_mutex_unlock(&r->lock);
	return own;
}

static char *slice_text(struct slice s)
{
	char *copy = mem_alloc(s.len + 1);
	if (!copy)
		return NULL;
	memcpy(copy, s.at, s.len);
	copy[s.len] = '\0';
	return copy;
}

/* Under the lock. Where the memory is not there, frames of the method show where they are now. */
static void keep_moved(struct rewrites *r, const char *name, struct moved_method *m)
{
	struct rewritten w = {.class_name = copy_text(name),
		.method = slice_text(m->name),
		.descriptor = slice_text(m->descriptor),
		.moved = m->moved,
		.count = m->count,
		.len = m->len};
	m->moved = NULL;
	if (!w.class_name || !w.method || !w.descriptor || vec_push(&r->rewritten, w))
		free_rewritten(&w);
	atomic_store(&r->unsettled, r->rewritten.count);
}

/* What became of the wishes, where they are still wished. */
static void keep_outcome(struct rewrites *r, const char *name, const struct wish *own, size_t count,
	struct rewriting *w)
{
	size_t first;
	pthread_mutex_lock(&r->lock);
	size_t still = wishes_of(r->wishes, r->count, name, &first);
	for (size_t i = 0; i < still; i++)
		for (size_t k = 0; k < count; k++)
			if (by_class(&r->wishes[first + i], &own[k]) == 0) {
				struct wish *to = &r->wishes[first + i];
				to->state = own[k].state;
				to->why = own[k].why;
				to->hash = own[k].hash;
				to->has_hash = own[k].has_hash;
				to->opcode = own[k].opcode;
			}
	for (size_t i = 0; i < w->method_count; i++)
		keep_moved(r, name, &w->methods[i]);
	r->classes += w->method_count > 0;
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
	size_t count;
	struct rewriting done;
	struct wish *own = wishes_for(r, name, &count);
	if (own && count > 0) {
		if (rewrite_class(file, own, count, &done) == ERR_NONE) {
			give(r, &done.bytes, len, out);
			keep_outcome(r, name, own, count, &done);
		}
		rewriting_release(&done);
	}
	free_wishes(own, count);
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

/* Whether the class is to be rewritten anew: its wishes differ from before. */
static bool differs(const struct wish *a, size_t a_count, const struct wish *b, size_t b_count,
	const char *name)
{
	size_t i, k, n = wishes_of(a, a_count, name, &i), m = wishes_of(b, b_count, name, &k);
	if (n != m)
		return true;
	for (; n > 0; n--)
		if (by_class(&a[i++], &b[k++]) != 0)
			return true;
	return false;
}

/* Loaded classes; all of the VM's list is kept as references until batch_release. */
struct batch {
	jclass *loaded; /* the VM's memory */
	jint loaded_count;
	VEC(jclass) classes; /* of them */
	bool failed;         /* out of memory */
};

static void batch_release(struct rewrites *r, JNIEnv *jni, struct batch *b)
{
	for (jint i = 0; b->loaded && i < b->loaded_count; i++)
		(*jni)->DeleteLocalRef(jni, b->loaded[i]);
	vm_free(r->vm, b->loaded);
	vec_release(&b->classes);
}

typedef bool wanted_class(struct rewrites *r, const char *name, const void *arg);

static void look_at(
	struct rewrites *r, jclass k, wanted_class *wanted, const void *arg, struct batch *b)
{
	char *signature = NULL;
	if ((*r->env)->GetClassSignature(r->env, k, &signature, NULL) != JVMTI_ERROR_NONE)
		return;
	if (strip(signature) && wanted(r, signature, arg) && vec_push(&b->classes, k))
		b->failed = true;
	vm_free(r->vm, signature);
}

/* The loaded classes that are wanted, by their names. 0, ERR_NOMEM, ERR_JVM. */
static int gather(struct rewrites *r, wanted_class *wanted, const void *arg, struct batch *b)
{
	*b = (struct batch){.loaded = NULL};
	if ((*r->env)->GetLoadedClasses(r->env, &b->loaded_count, &b->loaded) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	for (jint i = 0; i < b->loaded_count; i++)
		look_at(r, b->loaded[i], wanted, arg, b);
	return b->failed ? ERR_NOMEM : ERR_NONE;
}

struct before {
	struct wish *wishes;
	size_t count;
};

/* The list itself is changed by this thread alone. */
static bool is_changed(struct rewrites *r, const char *name, const void *arg)
{
	const struct before *b = arg;
	return differs(b->wishes, b->count, r->wishes, r->count, name);
}

static bool is_rewritten(struct rewrites *r, const char *name, const void *arg)
{
	bool found = false;
	(void)arg;
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->rewritten.count && !found; i++)
		found = strcmp(r->rewritten.at[i].class_name, name) == 0;
	pthread_mutex_unlock(&r->lock);
	return found;
}

/* The class stays what it was: its wishes are refused, and are not tried again. */
static void refuse_class(struct rewrites *r, jclass k, const char *why)
{
	char *signature = NULL;
	size_t first, count = 0;
	if ((*r->env)->GetClassSignature(r->env, k, &signature, NULL) != JVMTI_ERROR_NONE)
		return;
	pthread_mutex_lock(&r->lock);
	if (strip(signature)) {
		count = wishes_of(r->wishes, r->count, signature, &first);
		forget_class(r, signature);
	}
	for (size_t i = 0; i < count; i++) {
		r->wishes[first + i].state = WISH_REFUSED;
		r->wishes[first + i].why = why;
	}
	pthread_mutex_unlock(&r->lock);
	vm_free(r->vm, signature);
}

static void drop_unmodifiable(struct rewrites *r, struct batch *b)
{
	size_t kept = 0;
	for (size_t i = 0; i < b->classes.count; i++) {
		jboolean modifiable = JNI_FALSE;
		if ((*r->env)->IsModifiableClass(r->env, b->classes.at[i], &modifiable) ==
				JVMTI_ERROR_NONE &&
			modifiable)
			b->classes.at[kept++] = b->classes.at[i];
		else
			refuse_class(r, b->classes.at[i], "its class can't be rewritten");
	}
	b->classes.count = kept;
}

/* All at once; where one is in the way, one by one. */
static void retransform(struct rewrites *r, const struct batch *b)
{
	if (b->classes.count == 0 || (*r->env)->RetransformClasses(r->env, (jint)b->classes.count,
					     b->classes.at) == JVMTI_ERROR_NONE)
		return;
	for (size_t i = 0; i < b->classes.count; i++)
		if ((*r->env)->RetransformClasses(r->env, 1, &b->classes.at[i]) != JVMTI_ERROR_NONE)
			refuse_class(
				r, b->classes.at[i], "the VM does not take the rewritten class");
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
	char *signature = NULL;
	jint count = 0;
	jmethodID *methods = NULL;
	int err = ERR_NONE;
	if ((*r->env)->GetClassSignature(r->env, k, &signature, NULL) != JVMTI_ERROR_NONE)
		return ERR_NONE;
	if (strip(signature) &&
		(*r->env)->GetClassMethods(r->env, k, &count, &methods) == JVMTI_ERROR_NONE)
		for (jint i = 0; i < count && !err; i++)
			err = add_method(r, methods[i], signature, list, ids);
	vm_free(r->vm, methods);
	vm_free(r->vm, signature);
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
static void publish(struct rewrites *r, const struct batch *b)
{
	moves_list list = {0};
	id_list ids = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < b->classes.count && !err; i++)
		err = add_class(r, b->classes.at[i], &list, &ids);
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

static struct before exchange(struct rewrites *r, struct wish *wishes, size_t count)
{
	pthread_mutex_lock(&r->lock);
	struct before before = {r->wishes, r->count};
	r->wishes = wishes;
	r->count = count;
	pthread_mutex_unlock(&r->lock);
	return before;
}

/* Wishes for classes that stay as they are: what became of them holds on. */
static void inherit(struct rewrites *r, struct wish *to, size_t count)
{
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < count; i++) {
		const struct wish *from =
			r->count ? bsearch(&to[i], r->wishes, r->count, sizeof(*to), by_class)
				 : NULL;
		if (!from)
			continue;
		to[i].state = from->state;
		to[i].why = from->why;
		to[i].hash = from->hash;
		to[i].has_hash = from->has_hash;
		to[i].opcode = from->opcode;
	}
	pthread_mutex_unlock(&r->lock);
}

static int rewrite_loaded(struct rewrites *r, JNIEnv *jni, const struct before *before)
{
	struct batch b;
	int err = gather(r, is_changed, before, &b);
	if (!err) {
		uint64_t begin = clock_now().v;
		drop_unmodifiable(r, &b);
		retransform(r, &b);
		r->batch_ns = clock_now().v - begin;
		publish(r, &b);
		forget_known(r);
	}
	batch_release(r, jni, &b);
	return err;
}

int rewrites_apply(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct wish *copy = copy_wishes(wishes, count);
	if (!copy)
		return ERR_NOMEM;
	inherit(r, copy, count);
	struct before before = exchange(r, copy, count);
	int err = listen(r, true);
	if (!err)
		err = rewrite_loaded(r, jni, &before);
	if (err)
		before = exchange(r, before.wishes, before.count);
	free_wishes(before.wishes, before.count);
	r->searches = SEARCHES;
	if (r->count == 0)
		listen(r, false);
	rewrites_look(r, wishes, count);
	return err;
}

bool rewrites_unsettled(struct rewrites *r)
{
	return atomic_load(&r->unsettled) > 0 || r->searches > 0;
}

/* Loaded, and nobody has asked us about it. */
static bool is_missed(struct rewrites *r, const char *name, const void *arg)
{
	size_t first;
	bool missed = false;
	(void)arg;
	pthread_mutex_lock(&r->lock);
	size_t count = wishes_of(r->wishes, r->count, name, &first);
	for (size_t i = 0; i < count && !missed; i++)
		missed = r->wishes[first + i].state == WISH_WAITS;
	pthread_mutex_unlock(&r->lock);
	return missed;
}

static void find_missed(struct rewrites *r, JNIEnv *jni)
{
	struct batch b;
	if (r->searches == 0)
		return;
	r->searches = r->count ? r->searches - 1 : 0;
	if (gather(r, is_missed, NULL, &b) == ERR_NONE) {
		drop_unmodifiable(r, &b);
		retransform(r, &b);
	}
	batch_release(r, jni, &b);
}

void rewrites_settle(struct rewrites *r, JNIEnv *jni)
{
	struct batch b;
	find_missed(r, jni);
	if (atomic_load(&r->unsettled) == 0)
		return;
	if (gather(r, is_rewritten, NULL, &b) == ERR_NONE)
		publish(r, &b);
	forget_known(r);
	batch_release(r, jni, &b);
}

static bool is_named(struct rewrites *r, const char *name, const void *arg)
{
	(void)r;
	return strcmp(name, arg) == 0;
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

uint64_t rewrites_method(struct rewrites *r, JNIEnv *jni, const char *class_name, const char *name,
	const char *descriptor)
{
	struct batch b;
	uint64_t found = 0;
	if (gather(r, is_named, class_name, &b) == ERR_NONE)
		for (size_t i = 0; i < b.classes.count && !found; i++)
			found = method_in(r, b.classes.at[i], name, descriptor);
	batch_release(r, jni, &b);
	return found;
}

void rewrites_look(struct rewrites *r, struct wish *wishes, size_t count)
{
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < count; i++) {
		const struct wish *now =
			bsearch(&wishes[i], r->wishes, r->count, sizeof(*r->wishes), by_class);
		if (!now)
			continue;
		wishes[i].state = now->state;
		wishes[i].why = now->why;
		wishes[i].hash = now->hash;
		wishes[i].has_hash = now->has_hash;
		wishes[i].opcode = now->opcode;
	}
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
	struct before before = exchange(r, NULL, 0);
	free_wishes(before.wishes, before.count);
	forget_rewritten(r);
	free_moves(atomic_exchange(&r->moves, NULL));
	r->classes = 0;
}

uint64_t rewrites_classes(const struct rewrites *r)
{
	return r->classes;
}

uint64_t rewrites_batch_ns(const struct rewrites *r)
{
	return r->batch_ns;
}
