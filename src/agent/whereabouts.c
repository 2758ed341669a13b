#include "agent/whereabouts.h"

#include <string.h>

#include "agent/sound_ids.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/outline.h"

/* Under the lock. */
static void count_waiting(struct whereabouts *w)
{
	atomic_store(&w->waiting, rewritten_waiting(&w->rewritten));
}

static char *text_of(struct slice s)
{
	return mem_strndup((const char *)s.at, s.len);
}

static uint64_t outline_of(const struct class_file *f, const struct moved_method *m)
{
	struct code code;
	struct diag d;
	size_t method = class_file_method(f, m->name, m->descriptor);
	if (method == f->methods.count || code_read(&code, f->methods.at[method].code, &d))
		return 0;
	return code_outline(code.bytes);
}

/* Under the lock. */
static void add_method(struct whereabouts *w, const char *class_name, int32_t loader,
	const struct class_file *file, const struct moved_method *m)
{
	char *name = text_of(m->name), *descriptor = text_of(m->descriptor);
	struct method_key key = {class_name, loader, name, descriptor};
	if (name && descriptor)
		(void)!rewritten_add(&w->rewritten, &key, m, outline_of(file, m)); /* or not */
	mem_free(name);
	mem_free(descriptor);
}

static void add_methods(
	struct whereabouts *w, const char *class_name, int32_t loader, const struct rewriting *done)
{
	struct class_file file;
	struct diag d;
	if (class_file_read(&file, buf_slice(&done->bytes), &d) == ERR_NONE)
		for (size_t i = 0; i < done->method_count; i++)
			add_method(w, class_name, loader, &file, &done->methods[i]);
	class_file_release(&file);
}

void whereabouts_class(
	struct whereabouts *w, const char *class_name, int32_t loader, const struct rewriting *done)
{
	pthread_mutex_lock(&w->lock);
	rewritten_class(&w->rewritten, class_name, loader);
	if (done && done->method_count) {
		atomic_store(&w->any, true);
		add_methods(w, class_name, loader, done);
	}
	count_waiting(w);
	pthread_mutex_unlock(&w->lock);
}

typedef VEC(struct moves_change) changes;

static struct method_key key_of(const struct loaded_method *m)
{
	return (struct method_key){m->class_name, m->loader, m->name, m->descriptor};
}

static void forget_changes(struct whereabouts *w, changes *list)
{
	pthread_mutex_lock(&w->lock);
	for (size_t i = 0; i < list->count; i++)
		moved_code_drop(list->at[i].code);
	pthread_mutex_unlock(&w->lock);
	vec_release(list);
}

static int see_method(struct whereabouts *w, JNIEnv *jni, jmethodID id, changes *list)
{
	struct loaded_method m;
	struct moves_found before;
	struct moves_change c = {.vm_method = (uint64_t)(uintptr_t)id};
	int err = vec_reserve(list, 1);
	if (!err && loaded_method_ask(&m, w->env, jni, id)) {
		struct method_key key = key_of(&m);
		pthread_mutex_lock(&w->lock);
		c.code = rewritten_known(&w->rewritten, &key);
		if (c.code)
			c.code->users++; /* of the list */
		/* Most methods of a class never were rewritten. */
		bool news = c.code || moves_find(&w->moves, c.vm_method, 0, &before);
		pthread_mutex_unlock(&w->lock);
		if (news)
			list->at[list->count++] = c;
	}
	if (!err)
		loaded_method_release(&m, w->env);
	return err;
}

static int see_class(struct whereabouts *w, JNIEnv *jni, jclass k, changes *list)
{
	jint count = 0;
	jmethodID *methods = NULL;
	int err = ERR_NONE;
	if ((*w->env)->GetClassMethods(w->env, k, &count, &methods) != JVMTI_ERROR_NONE)
		return ERR_NONE; /* it is not linked yet */
	for (jint i = 0; i < count && !err; i++)
		err = see_method(w, jni, methods[i], list);
	(*w->env)->Deallocate(w->env, (unsigned char *)methods);
	return err;
}

void whereabouts_publish(struct whereabouts *w, JNIEnv *jni, const jclass *classes, size_t count)
{
	changes list = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < count && !err; i++)
		err = see_class(w, jni, classes[i], &list);
	pthread_mutex_lock(&w->lock);
	if (list.count)
		(void)!moves_change(&w->moves, list.at, list.count);
	count_waiting(w);
	pthread_mutex_unlock(&w->lock);
	forget_changes(w, &list);
}

bool whereabouts_waits(struct whereabouts *w, const char *class_name)
{
	pthread_mutex_lock(&w->lock);
	bool waits = rewritten_waits(&w->rewritten, class_name);
	pthread_mutex_unlock(&w->lock);
	return waits;
}

bool whereabouts_waits_in(struct whereabouts *w, const char *class_name, int32_t loader)
{
	pthread_mutex_lock(&w->lock);
	bool waits = rewritten_waits_in(&w->rewritten, class_name, loader);
	pthread_mutex_unlock(&w->lock);
	return waits;
}

bool whereabouts_waiting(struct whereabouts *w)
{
	return atomic_load(&w->waiting) > 0;
}

bool whereabouts_overdue(struct whereabouts *w)
{
	pthread_mutex_lock(&w->lock);
	bool overdue = rewritten_overdue(&w->rewritten);
	pthread_mutex_unlock(&w->lock);
	return overdue;
}

void whereabouts_looked(struct whereabouts *w)
{
	pthread_mutex_lock(&w->lock);
	rewritten_looked(&w->rewritten);
	count_waiting(w);
	pthread_mutex_unlock(&w->lock);
}

static _Atomic uint64_t *plain_slot(struct whereabouts *w, uint64_t vm_method)
{
	return &w->plain[hash64(vm_method) % WHEREABOUTS_PLAIN];
}

/* Whether the id is that of a version which the VM has exchanged. */
static bool is_exchanged(struct whereabouts *w, uint64_t vm_method, jmethodID id)
{
	_Atomic uint64_t *slot = plain_slot(w, vm_method);
	jboolean obsolete = JNI_FALSE;
	if (atomic_load_explicit(slot, memory_order_relaxed) == vm_method)
		return false;
	if (!sound_id(id))
		return false;
	if ((*w->env)->IsMethodObsolete(w->env, id, &obsolete) == JVMTI_ERROR_NONE && obsolete)
		return true;
	atomic_store_explicit(slot, vm_method, memory_order_relaxed);
	return false;
}

/* Whether what was published of the id is of the code that the VM has for it. */
static bool stands(
	struct whereabouts *w, jmethodID id, const struct moves_found *found, bool waiting)
{
	return loaded_method_len(w->env, id) == (jlocation)found->len &&
	       (!waiting || loaded_method_outline(w->env, id) == found->outline);
}

/* Under the lock. Later it is found by its id. */
static void keep_version(struct whereabouts *w, uint64_t vm_method, struct moved_code *code)
{
	struct moves_change c = {vm_method, code};
	if (code)
		(void)!moves_change(&w->moves, &c, 1);
	else
		atomic_store(plain_slot(w, vm_method), vm_method);
}

static int32_t bci_of_version(
	struct whereabouts *w, jmethodID id, int32_t bci, const struct method_key *key, bool keep)
{
	pthread_mutex_lock(&w->lock);
	bool has = rewritten_has(&w->rewritten, key);
	pthread_mutex_unlock(&w->lock);
	uint64_t outline = has ? loaded_method_outline(w->env, id) : 0;
	pthread_mutex_lock(&w->lock);
	struct moved_code *code = has ? rewritten_version(&w->rewritten, key, outline) : NULL;
	if (code)
		bci = moved_code_was(code, bci);
	if (keep)
		keep_version(w, (uint64_t)(uintptr_t)id, code);
	pthread_mutex_unlock(&w->lock);
	return bci;
}

static int32_t bci_by_name(struct whereabouts *w, jmethodID id, int32_t bci, bool keep)
{
	void *jni = NULL;
	struct loaded_method m;
	if ((*w->java)->GetEnv(w->java, &jni, JNI_VERSION_10) != JNI_OK)
		return bci;
	if (loaded_method_ask(&m, w->env, jni, id)) {
		struct method_key key = key_of(&m);
		bci = bci_of_version(w, id, bci, &key, keep);
	}
	loaded_method_release(&m, w->env);
	return bci;
}

int32_t whereabouts_bci(struct whereabouts *w, uint64_t vm_method, int32_t bci)
{
	jmethodID id;
	struct moves_found found;
	if (bci < 0 || !atomic_load_explicit(&w->any, memory_order_relaxed))
		return bci;
	bool waiting = whereabouts_waiting(w);
	memcpy(&id, &vm_method, sizeof(id));
	if (moves_find(&w->moves, vm_method, bci, &found) && stands(w, id, &found, waiting))
		return found.was;
	bool exchanged = is_exchanged(w, vm_method, id);
	return waiting || exchanged ? bci_by_name(w, id, bci, exchanged) : bci;
}
