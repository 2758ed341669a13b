#include "agent/sought_methods.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/jvmti_memory.h"
#include "support/tap.h"

/* A VM of classes with few names, by few loaders, not all of them linked; and all that is found is
 * held against a search through all of them for each method. */
enum { CLASSES = 8, METHODS = 3, SOUGHT = 12, LOADERS = 3 };

struct method {
	int name, descriptor;
};
static struct fake_class {
	int name, loader; /* loader 0: the boot loader */
	bool linked;
	struct method methods[METHODS]; /* each once */
} classes[CLASSES];
static size_t class_count;
static const char *const class_names[] = {"a/A", "a/B", "b/C"}, *const names[] = {"m", "n"},
			 *const descriptors[] = {"()V", "(I)V"};
static int loaders[LOADERS];
static int listings;
static long references_out;
static bool refuses;

static jvmtiError JNICALL loaded(jvmtiEnv *e, jint *count, jclass **out)
{
	(void)e;
	listings++;
	if (refuses)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*out = jvmti_memory(sizeof(**out) * CLASSES);
	for (size_t i = 0; i < class_count; i++)
		(*out)[i] = (jclass)(void *)&classes[i];
	*count = (jint)class_count;
	references_out += *count;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv *e, jclass k, char **out, char **generic)
{
	const struct fake_class *c = (void *)k;
	char *to = *out = jvmti_memory(32);
	(void)e, (void)generic;
	*to++ = 'L';
	strcpy(to, class_names[c->name]);
	strcat(to, ";");
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL loader_of(jvmtiEnv *e, jclass k, jobject *out)
{
	const struct fake_class *c = (void *)k;
	(void)e;
	*out = c->loader ? (jobject)(void *)&loaders[c->loader] : NULL;
	references_out += *out != NULL;
	return JVMTI_ERROR_NONE;
}

static int32_t number(int loader)
{
	return loader ? 1000 + loader : 0;
}

static jvmtiError JNICALL hash_of(jvmtiEnv *e, jobject o, jint *out)
{
	(void)e;
	*out = number((int)((int *)(void *)o - loaders));
	return JVMTI_ERROR_NONE;
}

static uint64_t id_of(const struct method *m)
{
	return (uint64_t)(uintptr_t)m;
}

static jvmtiError JNICALL methods_of(jvmtiEnv *e, jclass k, jint *count, jmethodID **out)
{
	struct fake_class *c = (void *)k;
	(void)e;
	if (!c->linked)
		return JVMTI_ERROR_CLASS_NOT_PREPARED;
	*out = jvmti_memory(sizeof(**out) * METHODS);
	for (int i = 0; i < METHODS; i++)
		(*out)[i] = (jmethodID)(void *)&c->methods[i];
	*count = METHODS;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL method_name(
	jvmtiEnv *e, jmethodID id, char **name, char **descriptor, char **generic)
{
	const struct method *m = (void *)id;
	(void)e, (void)generic;
	*name = jvmti_text(names[m->name]);
	*descriptor = jvmti_text(descriptors[m->descriptor]);
	return JVMTI_ERROR_NONE;
}

static void JNICALL delete_local(JNIEnv *e, jobject o)
{
	(void)e, (void)o;
	references_out--;
}

static const struct jvmtiInterface_1_ calls = {.GetLoadedClasses = loaded,
	.GetClassSignature = signature,
	.GetClassLoader = loader_of,
	.GetObjectHashCode = hash_of,
	.GetClassMethods = methods_of,
	.GetMethodName = method_name,
	.Deallocate = jvmti_memory_back};
static const struct JNINativeInterface_ jni_calls = {.DeleteLocalRef = delete_local};
static jvmtiEnv env = &calls;
static JNIEnv jni = &jni_calls;

static void draw_classes(struct rng *r)
{
	class_count = rng_below(r, CLASSES + 1);
	for (size_t i = 0; i < class_count; i++) {
		struct fake_class *c = &classes[i];
		int from = (int)rng_below(r, 4);
		c->name = (int)rng_below(r, 3);
		c->loader = (int)rng_below(r, LOADERS);
		c->linked = rng_below(r, 4);
		for (int k = 0; k < METHODS; k++)
			c->methods[k] = (struct method){(from + k) % 2, (from + k) / 2 % 2};
	}
}

static struct sought_method any(struct rng *r, size_t of)
{
	return (struct sought_method){.class_name = class_names[rng_below(r, 3)],
		.name = names[rng_below(r, 2)],
		.descriptor = descriptors[rng_below(r, 2)],
		.one_loader = rng_below(r, 2),
		.loader = number((int)rng_below(r, LOADERS)),
		.of = of};
}

static uint64_t find_in(const struct fake_class *c, const struct sought_method *m)
{
	for (int i = 0; i < METHODS && c->linked; i++)
		if (!strcmp(names[c->methods[i].name], m->name) &&
			!strcmp(descriptors[c->methods[i].descriptor], m->descriptor))
			return id_of(&c->methods[i]);
	return 0;
}

static uint64_t want(const struct sought_method *m)
{
	uint64_t found = 0;
	int named = 0;
	for (size_t i = 0; i < class_count; i++) {
		const struct fake_class *c = &classes[i];
		bool same = !strcmp(class_names[c->name], m->class_name);
		named += same;
		if (!found && same && (!m->one_loader || number(c->loader) == m->loader))
			found = find_in(c, m);
	}
	return m->one_loader || named == 1 ? found : 0;
}

TEST(all_are_found_in_one_listing)
{
	struct rng r = rng_init(tap_seed());
	int found = 0, lost = 0;
	for (int round = 0; round < 500; round++) {
		struct sought_method list[SOUGHT], asked[SOUGHT];
		size_t count = rng_below(&r, SOUGHT + 1);
		draw_classes(&r);
		for (size_t i = 0; i < count; i++)
			list[i] = asked[i] = any(&r, i);
		listings = 0;
		EXPECT_INT(0, sought_methods_find(list, count, &env, &jni));
		EXPECT_INT(count > 0, listings);
		for (size_t i = 0; i < count; i++) {
			EXPECT_INT(want(&asked[list[i].of]), list[i].found);
			asked[list[i].of].found = list[i].found;
			found += list[i].found != 0;
			lost += list[i].found == 0;
		}
		EXPECT(jvmti_memory_out() == 0 && references_out == 0);
	}
	EXPECT(found > 500 && lost > 500);
}

TEST(a_vm_that_does_not_list_its_classes)
{
	struct rng r = rng_init(tap_seed());
	struct sought_method one = any(&r, 0);
	refuses = true;
	EXPECT_INT(ERR_JVM, sought_methods_find(&one, 1, &env, &jni));
	EXPECT_INT(0, one.found);
	refuses = false;
	EXPECT(jvmti_memory_out() == 0 && references_out == 0);
}
