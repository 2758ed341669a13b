#include "agent/sentry_post.h"

#include "exact/aged_mark.h"
#include "support/tap.h"

/* The array lies in memory of ours, and the VM hands out cells with its address. */
static struct {
	uint64_t array[4];
	uintptr_t cell;
	uintptr_t tag; /* of references */
	bool copies;   /* what is asked for to stay is a copy, as with -Xcheck:jni */
	bool full;     /* no room for the array */
	bool pending;
	int held, globals, locals;
} vm;

static jbyteArray JNICALL make(JNIEnv *jni, jsize n)
{
	(void)jni;
	EXPECT_INT(1, n);
	vm.pending = vm.full;
	vm.locals += !vm.full;
	return vm.full ? NULL : (jbyteArray)(void *)&vm.locals;
}

static jobject JNICALL global(JNIEnv *jni, jobject o)
{
	(void)jni;
	EXPECT(o == (jobject)(void *)&vm.locals);
	vm.globals++;
	vm.cell = (uintptr_t)vm.array;
	return (jobject)((uintptr_t)&vm.cell | vm.tag);
}

static void JNICALL drop_local(JNIEnv *jni, jobject o)
{
	(void)jni, (void)o;
	vm.locals--;
}

static void JNICALL drop_global(JNIEnv *jni, jobject o)
{
	(void)jni, (void)o;
	vm.globals--;
}

static void *JNICALL hold(JNIEnv *jni, jarray a, jboolean *copied)
{
	static char copy[8];
	(void)jni, (void)a, (void)copied;
	vm.held++;
	return vm.copies ? copy : (char *)(vm.array + 2);
}

static void JNICALL let_go(JNIEnv *jni, jarray a, void *bytes, jint mode)
{
	(void)jni, (void)a, (void)bytes, (void)mode;
	vm.held--;
}

static void JNICALL clear(JNIEnv *jni)
{
	(void)jni;
	vm.pending = false;
}

static const struct JNINativeInterface_ functions = {.NewByteArray = make,
	.NewGlobalRef = global,
	.DeleteLocalRef = drop_local,
	.DeleteGlobalRef = drop_global,
	.GetPrimitiveArrayCritical = hold,
	.ReleasePrimitiveArrayCritical = let_go,
	.ExceptionClear = clear};
static JNIEnv jni = &functions;
static const struct vm_objects objects = {.header = 12, .array_length = 12};

static jobject make_in(struct sentry *s, const struct vm_objects *o)
{
	*s = (struct sentry){0};
	vm.array[0] = MARK_UNLOCKED;
	return sentry_make(s, &jni, o);
}

static void expect_nothing_held(int globals)
{
	EXPECT_INT(0, vm.held);
	EXPECT_INT(0, vm.locals);
	EXPECT_INT(globals, vm.globals);
	EXPECT(!vm.pending);
}

TEST(an_array_stands_watch_until_it_is_dismissed)
{
	struct sentry s;
	jobject object = make_in(&s, &objects);
	EXPECT(object && s.at == &vm.cell);
	EXPECT_INT(MARK_UNLOCKED | BIRTH_SEEN_OLD, vm.array[0]);
	expect_nothing_held(1);
	vm.array[0] = MARK_UNLOCKED;
	EXPECT(sentry_gone(&s));
	sentry_dismiss(&s, &jni, object);
	EXPECT(!sentry_gone(&s));
	expect_nothing_held(0);
}

TEST(where_references_are_not_as_expected_there_is_none)
{
	struct sentry s;
	vm.tag = 2;
	EXPECT(!make_in(&s, &objects) && !s.at);
	vm.tag = 0, vm.copies = true;
	EXPECT(!make_in(&s, &objects) && !s.at);
	vm.copies = false, vm.full = true;
	EXPECT(!make_in(&s, &objects) && !s.at);
	vm.full = false;
	const struct vm_objects compact = {.compact = true, .header = 8, .array_length = 8};
	EXPECT(!make_in(&s, &compact) && !s.at);
	EXPECT_INT(MARK_UNLOCKED, vm.array[0]);
	expect_nothing_held(0);
	sentry_dismiss(&s, &jni, NULL);
	expect_nothing_held(0);
}
