#include "agent/class_batch.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/jvmti_memory.h"
#include "support/tap.h"

/* A VM of classes with names, two of which have a method that stands on top of a stack. */
enum { CLASSES = 4 };

static struct fake_class {
	const char *signature;
	bool works;
} classes[CLASSES] = {{"La/A;", false}, {"La/B;", true}, {"[La/A;", false}, {"La/A;", true}};
static long references_out;
static jint exchanged; /* classes, last */
static bool refuses, lists, exchanges;

static jclass class_at(int i)
{
	return (jclass)(void *)&classes[i];
}

static jvmtiError JNICALL loaded(jvmtiEnv *e, jint *count, jclass **out)
{
	(void)e;
	if (!lists)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*out = jvmti_memory(sizeof(**out) * CLASSES);
	*count = CLASSES;
	for (int i = 0; i < CLASSES; i++)
		(*out)[i] = class_at(i);
	references_out += CLASSES;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv *e, jclass k, char **out, char **generic)
{
	const char *text = ((const struct fake_class *)(void *)k)->signature;
	(void)e, (void)generic;
	*out = jvmti_text(text);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL loader_of(jvmtiEnv *e, jclass k, jobject *out)
{
	(void)e, (void)k;
	*out = NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL methods_of(jvmtiEnv *e, jclass k, jint *count, jmethodID **out)
{
	(void)e;
	*out = jvmti_memory(sizeof(**out));
	**out = (jmethodID)(void *)k;
	*count = 1;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL stacks(jvmtiEnv *e, jint most, jvmtiStackInfo **out, jint *count)
{
	static jvmtiFrameInfo frames[CLASSES];
	jvmtiStackInfo *at = *out = jvmti_memory(sizeof(*at) * CLASSES);
	(void)e, (void)most;
	*count = 0;
	for (int i = 0; i < CLASSES; i++)
		if (classes[i].works) {
			frames[i].method = (jmethodID)(void *)&classes[i];
			at[(*count)++] = (jvmtiStackInfo){.thread = class_at(i),
				.frame_buffer = &frames[i],
				.frame_count = 1};
			references_out++;
		}
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
	(void)e, (void)o;
	references_out--;
}

/* A global reference; only that is good in Java code that runs in the same thread. */
static struct fake_global {
	jobject of;
} globals[CLASSES];

static jobject JNICALL new_global(JNIEnv *e, jobject o)
{
	struct fake_global *g = &globals[(struct fake_class *)(void *)o - classes];
	(void)e;
	references_out++;
	g->of = o;
	return (jobject)(void *)g;
}

static jboolean JNICALL is_same(JNIEnv *e, jobject a, jobject b)
{
	const struct fake_global *g = (void *)a;
	bool global = g >= globals && g < globals + CLASSES;
	(void)e;
	EXPECT(global || !exchanges);
	return (global ? g->of : a) == b;
}

static const struct JNINativeInterface_ jni_calls = {.NewLocalRef = new_local,
	.DeleteLocalRef = delete_local,
	.NewGlobalRef = new_global,
	.DeleteGlobalRef = delete_local,
	.IsSameObject = is_same};
static JNIEnv jni = &jni_calls;

/* Meanwhile the VM asks about the classes, and about one that another agent exchanges. */
static jvmtiError JNICALL retransform(jvmtiEnv *e, jint count, const jclass *which)
{
	(void)e;
	exchanged = count;
	exchanges = true;
	for (jint i = 0; i < count; i++)
		EXPECT(class_batch_own(&jni, which[i]) == which[i]);
	EXPECT(!class_batch_own(&jni, class_at(2)));
	exchanges = false;
	return refuses ? JVMTI_ERROR_FAILS_VERIFICATION : JVMTI_ERROR_NONE;
}

static const struct jvmtiInterface_1_ calls = {.GetLoadedClasses = loaded,
	.GetClassSignature = signature,
	.GetClassLoader = loader_of,
	.GetClassMethods = methods_of,
	.GetAllStackTraces = stacks,
	.RetransformClasses = retransform,
	.Deallocate = jvmti_memory_back};
static jvmtiEnv env = &calls;

static bool is_named(void *arg, const char *name)
{
	return strstr(arg, name);
}

static void find(struct class_batch *b, char *names)
{
	lists = true;
	EXPECT_INT(0, class_batch_find(b, &env, &jni, is_named, names));
}

static void end(struct class_batch *b)
{
	class_batch_release(b);
	EXPECT_INT(0, jvmti_memory_out());
	EXPECT_INT(0, references_out);
}

static bool is_idle(void *arg, const struct batch_class *c)
{
	int *asked = arg;
	++*asked;
	EXPECT_STR("a/A", c->name);
	EXPECT_INT(0, c->loader);
	return !class_batch_works(c->batch, c->k);
}

TEST(classes_at_work_are_left_out)
{
	static char names[] = "a/A";
	struct class_batch b;
	int asked = 0;
	find(&b, names);
	EXPECT_INT(2, b.found.wanted.count);
	class_batch_watch(&b);
	class_batch_keep(&b, is_idle, &asked);
	EXPECT_INT(2, asked);
	EXPECT(b.found.wanted.count == 1 && b.found.wanted.at[0] == class_at(0));
	EXPECT(class_batch_works(&b, class_at(3))); /* as it was seen */
	EXPECT(class_batch_works(&b, class_at(2))); /* nobody has looked */
	end(&b);
}

static bool never(void *arg, const struct batch_class *c)
{
	(void)arg, (void)c;
	return false;
}

/* The VM can unload what is left out while the batch is at work. */
TEST(what_is_left_out_is_not_held)
{
	static char names[] = "a/A";
	struct class_batch b;
	find(&b, names);
	EXPECT_INT(2, references_out);
	EXPECT(!class_batch_cut(&b, 2));
	EXPECT(class_batch_cut(&b, 1));
	EXPECT(b.found.wanted.count == 1 && references_out == 1);
	class_batch_keep(&b, never, NULL);
	EXPECT(b.found.wanted.count == 0 && references_out == 0);
	end(&b);
}

TEST(all_may_work_where_nobody_could_look)
{
	static char names[] = "a/A";
	struct class_batch b;
	find(&b, names);
	mem_fail_at(1);
	class_batch_watch(&b);
	mem_fail_at(0);
	EXPECT(class_batch_works(&b, class_at(0)));
	end(&b);
}

TEST(who_exchanges_knows_its_own)
{
	static char names[] = "a/A a/B";
	struct class_batch b;
	find(&b, names);
	EXPECT(class_batch_exchange(&env, &jni, b.found.wanted.at, b.found.wanted.count));
	EXPECT_INT(3, exchanged);
	refuses = true;
	EXPECT(!class_batch_exchange(&env, &jni, b.found.wanted.at, 1));
	EXPECT_INT(1, exchanged);
	refuses = false;
	mem_fail_at(1);
	EXPECT(!class_batch_exchange(&env, &jni, b.found.wanted.at, 1));
	mem_fail_at(0);
	EXPECT(!class_batch_own(&jni, class_at(0)));
	end(&b);
}

TEST(a_vm_that_does_not_list_its_classes)
{
	static char names[] = "a/A";
	struct class_batch b;
	lists = false;
	EXPECT_INT(ERR_JVM, class_batch_find(&b, &env, &jni, is_named, names));
	EXPECT_INT(0, b.found.wanted.count);
	class_batch_watch(&b);
	end(&b);
}
