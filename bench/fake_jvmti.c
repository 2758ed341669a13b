#include "fake_jvmti.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/rng.h"

enum { METHODS = 512, INNERMOST = 4, LINES = 8 };

static struct {
	jvmtiFrameInfo stacks[FAKE_STACKS][FAKE_DEPTH_MAX];
	uint32_t depth, next_stack;
	jlong class_tags[FAKE_CLASSES];
	int64_t tags[FAKE_TAGS_MAX];
	uint32_t tag_count;
	char object;
	char methods[METHODS + 1]; /* only their addresses count */
	char name[48], signature[48];
} vm;

static jclass class_at(jlong *place)
{
	return (jclass)(void *)place;
}

static jvmtiError JNICALL get_stack(
	jvmtiEnv *env, jthread thread, jint start, jint max, jvmtiFrameInfo *out, jint *count)
{
	(void)env, (void)thread, (void)start;
	jint depth = max < (jint)vm.depth ? max : (jint)vm.depth;
	memcpy(out, vm.stacks[vm.next_stack++ % FAKE_STACKS], (size_t)depth * sizeof(*out));
	*count = depth;
	return JVMTI_ERROR_NONE;
}

/* The class's place in class_tags, or NULL for another object. */
static jlong *class_tag(jobject object)
{
	jlong *place = (jlong *)(void *)object;
	return place >= vm.class_tags && place < vm.class_tags + FAKE_CLASSES ? place : NULL;
}

static jvmtiError JNICALL get_tag(jvmtiEnv *env, jobject object, jlong *tag)
{
	(void)env;
	const jlong *place = class_tag(object);
	*tag = place ? *place : 0;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_tag(jvmtiEnv *env, jobject object, jlong tag)
{
	(void)env;
	jlong *place = class_tag(object);
	if (place)
		*place = tag;
	else if (vm.tag_count < FAKE_TAGS_MAX)
		vm.tags[vm.tag_count++] = tag;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_signature(
	jvmtiEnv *env, jclass klass, char **signature, char **generic)
{
	(void)env, (void)generic;
	const jlong *place = class_tag(klass);
	long number = place ? place - vm.class_tags : -1;
	snprintf(vm.signature, sizeof(vm.signature), "Lshop/Class%ld;", number);
	*signature = vm.signature;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_method_name(
	jvmtiEnv *env, jmethodID method, char **name, char **descriptor, char **generic)
{
	static char void_descriptor[] = "()V";
	(void)env, (void)generic;
	snprintf(vm.name, sizeof(vm.name), "method%ld", (long)((const char *)method - vm.methods));
	*name = vm.name;
	*descriptor = void_descriptor;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_modifiers(jvmtiEnv *env, jmethodID method, jint *modifiers)
{
	(void)env, (void)method;
	*modifiers = 1;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_declaring_class(jvmtiEnv *env, jmethodID method, jclass *owner)
{
	(void)env, (void)method;
	*owner = class_at(&vm.class_tags[0]);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_source(jvmtiEnv *env, jclass klass, char **source)
{
	(void)env, (void)klass, (void)source;
	return JVMTI_ERROR_ABSENT_INFORMATION;
}

static jvmtiError JNICALL get_lines(
	jvmtiEnv *env, jmethodID method, jint *count, jvmtiLineNumberEntry **entries)
{
	static jvmtiLineNumberEntry lines[LINES];
	(void)env, (void)method;
	for (int i = 0; i < LINES; i++)
		lines[i] = (jvmtiLineNumberEntry){.start_location = 16 * i, .line_number = 10 + i};
	*count = LINES;
	*entries = lines;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_thread(jvmtiEnv *env, jthread thread, jvmtiThreadInfo *info)
{
	static char name[] = "main";
	(void)env, (void)thread;
	*info = (jvmtiThreadInfo){.name = name};
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_objects(
	jvmtiEnv *env, jint count, const jlong *tags, jint *found, jobject **objects, jlong **out)
{
	(void)env, (void)count, (void)tags;
	*found = 0;
	*objects = NULL;
	*out = NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *at)
{
	(void)env, (void)at;
	return JVMTI_ERROR_NONE;
}

static void JNICALL delete_local(JNIEnv *env, jobject object)
{
	(void)env, (void)object;
}

void fake_jvmti_init(uint32_t depth, uint64_t seed)
{
	struct rng rng = rng_init(seed);
	memset(&vm, 0, sizeof(vm));
	vm.depth = depth < FAKE_DEPTH_MAX ? depth : FAKE_DEPTH_MAX;
	for (uint32_t s = 0; s < FAKE_STACKS; s++)
		for (uint32_t f = 0; f < vm.depth; f++) {
			uint32_t outer = f < INNERMOST ? 0 : f + METHODS / 2;
			uint64_t method = outer ? outer : rng_below(&rng, METHODS / 2);
			vm.stacks[s][f].method = (jmethodID)(void *)(vm.methods + method);
			vm.stacks[s][f].location =
				outer ? 16 : (jlocation)rng_below(&rng, 16 * LINES);
		}
}

struct vm fake_jvmti_vm(void)
{
	static const struct jvmtiInterface_1_ functions = {
		.GetStackTrace = get_stack,
		.GetTag = get_tag,
		.SetTag = set_tag,
		.GetClassSignature = get_signature,
		.GetMethodName = get_method_name,
		.GetMethodModifiers = get_modifiers,
		.GetMethodDeclaringClass = get_declaring_class,
		.GetSourceFileName = get_source,
		.GetLineNumberTable = get_lines,
		.GetThreadInfo = get_thread,
		.GetObjectsWithTags = get_objects,
		.Deallocate = deallocate,
	};
	static jvmtiEnv env = &functions;
	return (struct vm){.jvmti = &env, .major = 17};
}

JNIEnv *fake_jvmti_jni(void)
{
	static const struct JNINativeInterface_ functions = {.DeleteLocalRef = delete_local};
	static JNIEnv env = &functions;
	return &env;
}

jclass fake_jvmti_class(uint32_t n)
{
	return class_at(&vm.class_tags[n % FAKE_CLASSES]);
}

jobject fake_jvmti_object(void)
{
	return (jobject)(void *)&vm.object;
}

uint32_t fake_jvmti_take_tags(int64_t tags[FAKE_TAGS_MAX])
{
	uint32_t count = vm.tag_count;
	memcpy(tags, vm.tags, count * sizeof(*tags));
	vm.tag_count = 0;
	return count;
}
