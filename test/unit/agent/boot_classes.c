#include "agent/boot_classes.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/jvmti_memory.h"
#include "support/tap.h"

/* A VM of classes a/0, a/1, …, of which every third is another loader's, and every fifth is there
 * a second time, of another loader. */
enum { NAMES = 60, CLASSES = NAMES + NAMES / 5 };

static char classes[CLASSES];
static char the_loader;
static int listings;
static long references_out;
static bool refuses;

static jclass class_at(int i)
{
	return (jclass)(void *)&classes[i];
}

static int index_of(jclass k)
{
	return (int)((char *)(void *)k - classes);
}

/* The second ones come first. */
static jvmtiError JNICALL loaded(jvmtiEnv *e, jint *count, jclass **out)
{
	(void)e;
	listings++;
	if (refuses)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*out = jvmti_memory(sizeof(**out) * CLASSES);
	for (int i = 0; i < CLASSES; i++)
		(*out)[i] = class_at(CLASSES - 1 - i);
	*count = CLASSES;
	references_out += CLASSES;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv *e, jclass k, char **out, char **generic)
{
	int i = index_of(k);
	(void)e, (void)generic;
	*out = jvmti_memory(16);
	snprintf(*out, 16, "La/%d;", i < NAMES ? i : (i - NAMES) * 5);
	return JVMTI_ERROR_NONE;
}

static bool is_boot(int i)
{
	return i < NAMES && i % 3;
}

static jvmtiError JNICALL loader_of(jvmtiEnv *e, jclass k, jobject *out)
{
	(void)e;
	*out = is_boot(index_of(k)) ? NULL : (jobject)(void *)&the_loader;
	references_out += *out != NULL;
	return JVMTI_ERROR_NONE;
}

static jobject JNICALL new_local(JNIEnv *e, jobject o)
{
	(void)e;
	references_out++;
	return o;
}

static void JNICALL delete_local(JNIEnv *e, jobject o)
{
	(void)e;
	references_out -= o != NULL;
}

static const struct jvmtiInterface_1_ calls = {.GetLoadedClasses = loaded,
	.GetClassSignature = signature,
	.GetClassLoader = loader_of,
	.Deallocate = jvmti_memory_back};
static const struct JNINativeInterface_ jni_calls = {
	.NewLocalRef = new_local, .DeleteLocalRef = delete_local};
static jvmtiEnv env = &calls;
static JNIEnv jni = &jni_calls;

static int find(struct boot_classes *b, const char *const *names, size_t count)
{
	listings = 0;
	return boot_classes_find(b, &env, &jni, names, count);
}

static void end(struct boot_classes *b)
{
	boot_classes_release(b, &jni);
	EXPECT_INT(0, jvmti_memory_out());
	EXPECT_INT(0, references_out);
}

/* Each name twice, in no order; and some that no class has. */
TEST(all_are_found_in_one_listing)
{
	static char texts[2 * NAMES][16];
	const char *names[4 * NAMES];
	struct boot_classes b;
	for (int i = 0; i < 2 * NAMES; i++) {
		snprintf(texts[i], sizeof(texts[i]), "a/%d", i);
		names[i * 7 % (2 * NAMES)] = names[2 * NAMES + i] = texts[i];
	}
	EXPECT_INT(0, find(&b, names, ARRAY_SIZE(names)));
	EXPECT_INT(1, listings);
	EXPECT_INT(2 * NAMES, b.count);
	for (int i = 0; i < 2 * NAMES; i++)
		EXPECT(boot_classes_get(&b, texts[i]) == (is_boot(i) ? class_at(i) : NULL));
	EXPECT(!boot_classes_get(&b, "b/0"));
	end(&b);
}

TEST(none_is_asked_for)
{
	struct boot_classes b;
	EXPECT_INT(0, find(&b, NULL, 0));
	EXPECT_INT(0, listings);
	EXPECT(!boot_classes_get(&b, "a/1"));
	end(&b);
}

TEST(a_vm_that_does_not_list_its_classes)
{
	const char *name = "a/1";
	struct boot_classes b;
	refuses = true;
	EXPECT_INT(ERR_JVM, find(&b, &name, 1));
	EXPECT(!boot_classes_get(&b, name));
	end(&b);
	refuses = false;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, find(&b, &name, 1));
	mem_fail_at(0);
	end(&b);
}
