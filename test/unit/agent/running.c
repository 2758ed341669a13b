#include "agent/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "support/tap.h"

/* A VM that has stacks and nothing else: threads and classes are numbers, as references. */
enum { CLASSES = 3, METHODS_EACH = 4, THREADS = 2, DEEPEST = 5 };

struct scene {
	jvmtiFrameInfo frames[THREADS][DEEPEST];
	jint depth[THREADS];
};

static struct {
	struct scene (*at)(int look);
	int looks;
	long references;
} vm;

static jmethodID method_of(int class, int number)
{
	return (jmethodID)(uintptr_t)(0x1000 + class * METHODS_EACH + number);
}

static jvmtiError JNICALL get_class_methods(
	jvmtiEnv *env, jclass k, jint *count, jmethodID **methods)
{
	(void)env;
	*count = METHODS_EACH;
	*methods = malloc(METHODS_EACH * sizeof(**methods));
	for (int i = 0; i < METHODS_EACH; i++)
		(*methods)[i] = method_of((int)(uintptr_t)k - 1, i);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_all_stack_traces(
	jvmtiEnv *env, jint most, jvmtiStackInfo **stacks, jint *count)
{
	(void)env;
	struct block {
		jvmtiStackInfo info[THREADS];
		struct scene scene;
	} *b = calloc(1, sizeof(*b));
	b->scene = vm.at(vm.looks++);
	for (int i = 0; i < THREADS; i++) {
		EXPECT(b->scene.depth[i] <= most);
		b->info[i] = (jvmtiStackInfo){.thread = (jthread)(uintptr_t)(i + 1),
			.frame_buffer = b->scene.frames[i],
			.frame_count = b->scene.depth[i]};
	}
	vm.references += THREADS;
	*stacks = b->info;
	*count = THREADS;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *at)
{
	(void)env;
	free(at);
	return JVMTI_ERROR_NONE;
}

static jboolean JNICALL is_same_object(JNIEnv *jni, jobject a, jobject b)
{
	(void)jni;
	return a == b;
}

static jobject JNICALL new_local_ref(JNIEnv *jni, jobject o)
{
	(void)jni;
	vm.references++;
	return o;
}

static void JNICALL delete_local_ref(JNIEnv *jni, jobject o)
{
	(void)jni, (void)o;
	vm.references--;
}

/* Which of the classes run; all references are given back. */
static void find(struct scene (*at)(int), bool *runs)
{
	struct jvmtiInterface_1_ functions;
	struct JNINativeInterface_ native;
	memset(&functions, 0, sizeof(functions));
	memset(&native, 0, sizeof(native));
	functions.GetClassMethods = get_class_methods;
	functions.GetAllStackTraces = get_all_stack_traces;
	functions.Deallocate = deallocate;
	native.IsSameObject = is_same_object;
	native.NewLocalRef = new_local_ref;
	native.DeleteLocalRef = delete_local_ref;
	jvmtiEnv env = &functions;
	JNIEnv jni = &native;
	jclass classes[CLASSES];
	for (int i = 0; i < CLASSES; i++)
		classes[i] = (jclass)(uintptr_t)(i + 1);
	vm.at = at;
	vm.looks = 0;
	running_find(&env, &jni, classes, CLASSES, runs);
	EXPECT_INT(0, vm.references);
}

/* The first thread's stack: a frame of class 0 with something of nobody's above it or not. */
static struct scene one(jlocation at, bool below)
{
	struct scene s = {.depth = {below ? 3 : 2, 1}};
	s.frames[0][below ? 1 : 0] = (jvmtiFrameInfo){method_of(0, 1), at};
	return s;
}

static struct scene loops(int look)
{
	(void)look;
	return one(7, false);
}

static struct scene calls_too(int look)
{
	return one(7, look != RUNNING_LOOKS - 1);
}

static struct scene only_calls(int look)
{
	return one(look, true);
}

static struct scene native(int look)
{
	(void)look;
	return one(-1, false);
}

static struct scene comes_back(int look)
{
	return look == 5 ? (struct scene){.depth = {1, 1}} : one(7, false);
}

static struct scene climbs(int look)
{
	struct scene s = one(7, false);
	s.depth[0] += look % 2;
	return s;
}

static struct scene on_another_thread(int look)
{
	struct scene s = one(7, false), other = {.depth = {1, 2}};
	other.frames[1][0] = s.frames[0][0];
	return look % 2 ? other : s;
}

static struct scene two_classes(int look)
{
	struct scene s = {.depth = {3, 2}};
	s.frames[0][0] = (jvmtiFrameInfo){method_of(2, 0), look};
	s.frames[0][1] = (jvmtiFrameInfo){method_of(1, 3), 4};
	s.frames[1][1] = (jvmtiFrameInfo){method_of(0, 3), 4};
	return s;
}

static struct scene nothing(int look)
{
	(void)look;
	return (struct scene){.depth = {1, 1}};
}

static const struct {
	const char *what;
	struct scene (*at)(int look);
	bool runs[CLASSES];
	int looks;
} cases[] = {
	{"a loop stands at the top each time", loops, {true}, RUNNING_LOOKS},
	{"a loop that calls others is at the top now and then", calls_too, {true}, RUNNING_LOOKS},
	{"what only calls others does not count", only_calls, {false}, RUNNING_LOOKS},
	{"a native method that waits does not count", native, {false}, RUNNING_LOOKS},
	{"what was gone once came anew", comes_back, {false}, 6},
	{"at another height it is another call", climbs, {false}, 2},
	{"on another thread it is another call", on_another_thread, {false}, 2},
	{"each class by itself", two_classes, {false, false, true}, RUNNING_LOOKS},
	{"one look is enough where nothing stands", nothing, {false}, 1},
};

TEST(each_scene)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool runs[CLASSES];
		find(cases[i].at, runs);
		bool same = memcmp(runs, cases[i].runs, sizeof(runs)) == 0;
		if (!same)
			printf("# %s\n", cases[i].what);
		EXPECT(same);
		EXPECT_INT(cases[i].looks, vm.looks);
	}
}

/* Whoever can't look believes that everything runs. */
TEST(without_memory_all_run)
{
	for (uint64_t fail = 1; fail <= 2; fail++) {
		bool runs[CLASSES] = {false};
		mem_fail_at(fail);
		find(loops, runs);
		mem_fail_at(0);
		EXPECT(runs[0] && runs[1] && runs[2]);
	}
}
