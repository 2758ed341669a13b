#include "agent/quiet.h"

#include <link.h>
#include <string.h>

#include "agent/loaded_classes.h"
#include "agent/sound_ids.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "classfile/leak.h"

enum { CHAIN_MOST = 32, DEPTH_MOST = 16, ASKED_MOST = 256, MEDDLED_MOST = 1024 };

/* A class, or one that it extends. */
struct link {
	jclass k;   /* a local reference */
	char *name; /* the VM's memory, as are the methods */
	jmethodID *methods;
	jint count;
	struct buf bytes; /* of its pool; owned */
	struct pool pool;
};

/* A class, what it extends, and so on: the last is Object. */
struct chain {
	struct quiet *quiet;
	JNIEnv *jni;
	size_t count;
	struct link at[CHAIN_MOST];
	uint32_t asked;
};

static void give_back(struct quiet *q, void *at)
{
	if (at)
		(*q->env)->Deallocate(q->env, at);
}

void quiet_open(struct quiet *q, jvmtiEnv *env)
{
	jvmtiCapabilities want;
	memset(&want, 0, sizeof(want));
	want.can_get_bytecodes = 1;
	want.can_get_constant_pool = 1;
	q->env = env;
	q->can = (*env)->AddCapabilities(env, &want) == JVMTI_ERROR_NONE;
}

bool quiet_has(const char *text, struct slice descriptor)
{
	for (const char *end; text && (end = strchr(text, ' ')); text = end + 1)
		if (slice_equal(slice(text, (size_t)(end - text)), descriptor))
			return true;
	return false;
}

/* A library by which other agents give classes other code: Java's, and the debugger's. */
static int is_changer(struct dl_phdr_info *info, size_t size, void *arg)
{
	static const char *const names[] = {"libinstrument.so", "libjdwp.so"};
	const char *last = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	(void)size, (void)arg;
	for (size_t i = 0; last && i < ARRAY_SIZE(names); i++)
		if (strcmp(last + 1, names[i]) == 0)
			return 1;
	return 0;
}

/* Under the lock. */
static bool has_name(const quiet_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->at[i], name) == 0)
			return true;
	return false;
}

static int add_name(quiet_names *list, const char *name)
{
	char *copy = mem_strndup(name, strlen(name));
	int err = copy ? vec_push(list, copy) : ERR_NOMEM;
	if (err)
		mem_free(copy);
	return err;
}

/* From now on it is told when one of them is given other code; none has been yet. */
static bool announce(struct chain *c)
{
	struct quiet *q = c->quiet;
	bool good = true;
	pthread_mutex_lock(&q->lock);
	for (size_t i = 0; i < c->count && good; i++) {
		const char *name = c->at[i].name;
		good = !has_name(&q->meddled, name) &&
		       (has_name(&q->judged, name) || add_name(&q->judged, name) == ERR_NONE);
	}
	pthread_mutex_unlock(&q->lock);
	return good && !atomic_load(&q->broken);
}

/* Of these nothing was said after all. */
static void forget_names(struct quiet *q, size_t keep)
{
	pthread_mutex_lock(&q->lock);
	while (q->judged.count > keep)
		mem_free(q->judged.at[--q->judged.count]);
	pthread_mutex_unlock(&q->lock);
}

/* The VM gives the constants without their count. */
static int read_pool(struct chain *c, struct link *l)
{
	jvmtiEnv *e = c->quiet->env;
	jint count = 0, len = 0;
	unsigned char *bytes = NULL;
	if ((*e)->GetConstantPool(e, l->k, &count, &len, &bytes) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	buf_put_be16(&l->bytes, (uint16_t)count);
	buf_put(&l->bytes, bytes, (size_t)len);
	give_back(c->quiet, bytes);
	struct slice all = buf_slice(&l->bytes);
	struct cursor at = cursor_init(all);
	return l->bytes.failed ? ERR_NOMEM : pool_read(&l->pool, all, &at, NULL);
}

static int read_methods(struct chain *c, struct link *l)
{
	jvmtiEnv *e = c->quiet->env;
	jmethodID *methods = NULL;
	jint count = 0;
	if ((*e)->GetClassMethods(e, l->k, &count, &methods) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	l->methods = methods;
	l->count = count;
	return ERR_NONE;
}

static int add_link(struct chain *c, jclass k)
{
	struct link *l = &c->at[c->count];
	if (c->count == CHAIN_MOST)
		return ERR_LIMIT;
	*l = (struct link){.k = (*c->jni)->NewLocalRef(c->jni, k)};
	c->count++;
	l->name = loaded_class_name(c->quiet->env, k);
	return l->name ? ERR_NONE : ERR_JVM;
}

/* The classes alone. */
static int find_chain(struct chain *c, jclass k)
{
	int err = add_link(c, k);
	while (!err) {
		jclass next = (*c->jni)->GetSuperclass(c->jni, c->at[c->count - 1].k);
		if (!next)
			break;
		err = add_link(c, next);
		(*c->jni)->DeleteLocalRef(c->jni, next);
	}
	return err;
}

static int read_chain(struct chain *c)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < c->count && !err; i++) {
		err = read_methods(c, &c->at[i]);
		err = err ? err : read_pool(c, &c->at[i]);
	}
	return err;
}

static void release_chain(struct chain *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct link *l = &c->at[i];
		give_back(c->quiet, l->name);
		give_back(c->quiet, l->methods);
		pool_release(&l->pool);
		buf_release(&l->bytes);
		(*c->jni)->DeleteLocalRef(c->jni, l->k);
	}
}

typedef bool method_wanted(void *arg, const char *name, const char *descriptor);

/* The first that is wanted; NULL. */
static jmethodID find_method(
	struct quiet *q, const struct link *l, method_wanted *wanted, void *arg)
{
	jvmtiEnv *e = q->env;
	bool found = false;
	jint i;
	for (i = 0; i < l->count && !found; i++) {
		char *name = NULL, *descriptor = NULL;
		if (!sound_id(l->methods[i]) || (*e)->GetMethodName(e, l->methods[i], &name,
							&descriptor, NULL) != JVMTI_ERROR_NONE)
			continue;
		found = wanted(arg, name, descriptor);
		give_back(q, name);
		give_back(q, descriptor);
	}
	return found ? l->methods[i - 1] : NULL;
}

static bool is_finalizer(void *arg, const char *name, const char *descriptor)
{
	(void)arg;
	return strcmp(name, "finalize") == 0 && strcmp(descriptor, "()V") == 0;
}

/* The VM keeps a list of such objects. Object's own does nothing. */
static bool is_finalized(struct chain *c)
{
	for (size_t i = 0; i + 1 < c->count; i++)
		if (find_method(c->quiet, &c->at[i], is_finalizer, NULL))
			return true;
	return false;
}

/* Which constructor of which class. */
struct question {
	struct chain *chain;
	size_t link;
	uint32_t depth;
	struct slice descriptor;
};

static bool is_constructor(void *arg, const char *name, const char *descriptor)
{
	const struct question *w = arg;
	return strcmp(name, "<init>") == 0 && slice_equal(w->descriptor, slice_str(descriptor));
}

static bool is_quiet(struct question *w);

/* On an object that is not constructed yet only its own class's and the next one's can be called.
 */
static bool is_safe(void *arg, struct slice owner, struct slice descriptor)
{
	const struct question *w = arg;
	struct question next = {w->chain, w->link, w->depth + 1, descriptor};
	while (next.link < w->chain->count && next.link < w->link + 2) {
		if (slice_equal(owner, slice_str(w->chain->at[next.link].name)))
			return is_quiet(&next);
		next.link++;
	}
	return false;
}

static bool code_is_quiet(struct question *w, struct slice code, jint locals)
{
	enum leak leak;
	struct leak_judge judge = {is_safe, w};
	struct bare_constructor bare = {.pool = &w->chain->at[w->link].pool,
		.code = code,
		.descriptor = w->descriptor,
		.max_locals = (uint16_t)locals};
	return bare_constructor_leaks(&bare, &judge, &leak) == ERR_NONE && leak == LEAK_NONE;
}

static bool is_quiet(struct question *w)
{
	struct quiet *q = w->chain->quiet;
	unsigned char *code = NULL;
	jint len = 0, locals = 0;
	if (w->depth == DEPTH_MOST || ++w->chain->asked > ASKED_MOST)
		return false;
	jmethodID id = find_method(q, &w->chain->at[w->link], is_constructor, w);
	if (!id || (*q->env)->GetMaxLocals(q->env, id, &locals) != JVMTI_ERROR_NONE ||
		(*q->env)->GetBytecodes(q->env, id, &len, &code) != JVMTI_ERROR_NONE)
		return false;
	bool quiet = code_is_quiet(w, slice(code, (size_t)len), locals);
	give_back(q, code);
	return quiet;
}

struct listing {
	struct chain *chain;
	struct buf text;
};

/* Adds it, where it is quiet; never stops the search. */
static bool list_constructor(void *arg, const char *name, const char *descriptor)
{
	struct listing *l = arg;
	struct question w = {l->chain, 0, 0, slice_str(descriptor)};
	if (strcmp(name, "<init>") == 0 && is_quiet(&w)) {
		buf_put_str(&l->text, descriptor);
		buf_put_u8(&l->text, ' ');
	}
	return false;
}

/* "" where none is, or where it can't be told; to be freed. NULL: no memory. */
static char *list_constructors(struct chain *c)
{
	struct listing l = {.chain = c};
	if (announce(c) && read_chain(c) == ERR_NONE && !is_finalized(c))
		find_method(c->quiet, &c->at[0], list_constructor, &l);
	char *text = l.text.failed ? NULL : mem_strndup((const char *)l.text.at, l.text.len);
	buf_release(&l.text);
	return text;
}

static char *judge(struct quiet *q, JNIEnv *jni, jclass k)
{
	struct chain c = {.quiet = q, .jni = jni};
	size_t before = q->judged.count; /* nobody else adds any */
	int err = find_chain(&c, k);
	char *text = err ? mem_strndup("", 0) : list_constructors(&c);
	if (!text || !*text)
		forget_names(q, before);
	release_chain(&c);
	return text;
}

/* "java/util/HashMap" → "java.util.HashMap", as Java has it. */
static jstring java_name(JNIEnv *jni, char *name)
{
	for (char *at = strchr(name, '/'); at; at = strchr(at, '/'))
		*at = '.';
	return (*jni)->NewStringUTF(jni, name);
}

/* What the loader has been found to give for that name: it is not asked to load any. */
static jclass find_in(JNIEnv *jni, jobject loader, char *name)
{
	jclass k = (*jni)->FindClass(jni, "java/lang/ClassLoader");
	jmethodID find = k ? (*jni)->GetMethodID(jni, k, "findLoadedClass0",
				     "(Ljava/lang/String;)Ljava/lang/Class;")
			   : NULL;
	jstring text = find ? java_name(jni, name) : NULL;
	jclass found = text ? (*jni)->CallObjectMethod(jni, loader, find, text) : NULL;
	if ((*jni)->ExceptionCheck(jni)) {
		(*jni)->ExceptionClear(jni);
		found = NULL;
	}
	(*jni)->DeleteLocalRef(jni, text);
	(*jni)->DeleteLocalRef(jni, k);
	return found;
}

static jclass find_in_boot(const struct boot_classes *boot, JNIEnv *jni, const char *name)
{
	jclass k = boot_classes_get(boot, name);
	return k ? (*jni)->NewLocalRef(jni, k) : NULL;
}

static jclass find_class(
	struct quiet *q, JNIEnv *jni, jclass k, const char *name, const struct boot_classes *boot)
{
	jobject loader = NULL;
	char *copy = mem_strndup(name, strlen(name));
	jclass found = NULL;
	if (copy && (*q->env)->GetClassLoader(q->env, k, &loader) == JVMTI_ERROR_NONE)
		found = loader ? find_in(jni, loader, copy) : find_in_boot(boot, jni, copy);
	(*jni)->DeleteLocalRef(jni, loader);
	mem_free(copy);
	return found;
}

static struct quiet_class *known(struct quiet *q, JNIEnv *jni, jclass k)
{
	for (size_t i = 0; i < q->classes.count; i++)
		if ((*jni)->IsSameObject(jni, q->classes.at[i].k, k))
			return &q->classes.at[i];
	return NULL;
}

static const char *add_class(struct quiet *q, JNIEnv *jni, jclass k)
{
	char *text = judge(q, jni, k);
	struct quiet_class fresh = {.constructors = text};
	if (!text || !*text) {
		mem_free(text);
		return text ? "" : NULL;
	}
	fresh.k = (*jni)->NewWeakGlobalRef(jni, k);
	if (fresh.k && vec_push(&q->classes, fresh) == ERR_NONE)
		return text;
	if (fresh.k)
		(*jni)->DeleteWeakGlobalRef(jni, fresh.k);
	mem_free(text);
	return NULL;
}

const char *quiet_constructors(
	struct quiet *q, JNIEnv *jni, jclass k, const char *name, const struct boot_classes *boot)
{
	if (!q->can || atomic_load(&q->broken) || dl_iterate_phdr(is_changer, NULL))
		return NULL;
	jclass made = find_class(q, jni, k, name, boot);
	if (!made)
		return NULL;
	const struct quiet_class *old = known(q, jni, made);
	const char *text = old ? old->constructors : add_class(q, jni, made);
	(*jni)->DeleteLocalRef(jni, made);
	return text;
}

static bool still_holds(struct quiet *q, JNIEnv *jni, const struct quiet_class *of)
{
	jclass k = (*jni)->NewLocalRef(jni, of->k);
	if (!k)
		return true; /* unloaded: nobody makes such objects any more */
	char *text = judge(q, jni, k);
	bool same = text && strcmp(text, of->constructors) == 0;
	mem_free(text);
	(*jni)->DeleteLocalRef(jni, k);
	return same;
}

/* Of what was unloaded nobody makes objects any more. */
static void forget_unloaded(struct quiet *q, JNIEnv *jni)
{
	size_t kept = 0;
	for (size_t i = 0; i < q->classes.count; i++) {
		struct quiet_class *c = &q->classes.at[i];
		if ((*jni)->IsSameObject(jni, c->k, NULL)) {
			(*jni)->DeleteWeakGlobalRef(jni, c->k);
			mem_free(c->constructors);
		} else {
			q->classes.at[kept++] = *c;
		}
	}
	q->classes.count = kept;
}

bool quiet_holds(struct quiet *q, JNIEnv *jni)
{
	forget_unloaded(q, jni);
	for (size_t i = 0; i < q->classes.count && !atomic_load(&q->broken); i++)
		if (!still_holds(q, jni, &q->classes.at[i]))
			atomic_store(&q->broken, true);
	return q->classes.count > 0 && !atomic_load(&q->broken);
}

bool quiet_meddle(struct quiet *q, const char *name)
{
	pthread_mutex_lock(&q->lock);
	bool hit = has_name(&q->judged, name);
	if (!has_name(&q->meddled, name))
		hit = hit || q->meddled.count == MEDDLED_MOST || add_name(&q->meddled, name);
	pthread_mutex_unlock(&q->lock);
	if (hit)
		atomic_store(&q->broken, true);
	return hit;
}

void quiet_close(struct quiet *q, JNIEnv *jni)
{
	for (size_t i = 0; i < q->classes.count; i++) {
		(*jni)->DeleteWeakGlobalRef(jni, q->classes.at[i].k);
		mem_free(q->classes.at[i].constructors);
	}
	vec_release(&q->classes);
	forget_names(q, 0);
}
