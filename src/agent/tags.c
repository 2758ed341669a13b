#include "agent/tags.h"

#include "base/clock.h"

#define CLASS_TAG (1ll << 62)

enum { RECORDING_BITS = 30, PATIENCE_S = 10 };

int64_t tags_of_class(uint32_t recording, uint32_t class_id)
{
	uint64_t low = recording & ((1u << RECORDING_BITS) - 1);
	return (int64_t)((uint64_t)CLASS_TAG | low << 32 | class_id);
}

bool tags_is_class(int64_t tag)
{
	return (tag & CLASS_TAG) != 0;
}

uint32_t tags_class(uint32_t recording, int64_t tag)
{
	uint32_t id = (uint32_t)tag;
	return tag == tags_of_class(recording, id) ? id : 0;
}

static void take_out(const struct vm *vm, JNIEnv *jni, const int64_t *tags, uint32_t count)
{
	jvmtiEnv *jvmti = vm->jvmti;
	jobject *objects = NULL;
	jint found = 0;
	jlong wanted[LIVE_BATCH];
	for (uint32_t i = 0; i < count; i++)
		wanted[i] = tags[i];
	if ((*jvmti)->GetObjectsWithTags(jvmti, (jint)count, wanted, &found, &objects, NULL) !=
		JVMTI_ERROR_NONE)
		return;
	/* Hidden classes of one name share a tag: there may be more than were asked for. */
	(*jni)->EnsureLocalCapacity(jni, found);
	for (jint i = 0; i < found; i++) {
		(*jvmti)->SetTag(jvmti, objects[i], 0);
		(*jni)->DeleteLocalRef(jni, objects[i]);
	}
	vm_free(vm, objects);
}

static uint32_t next_classes(
	uint32_t recording, uint32_t class_count, uint32_t *from, int64_t *tags)
{
	uint32_t count = 0;
	while (*from < class_count && count < LIVE_BATCH)
		tags[count++] = tags_of_class(recording, ++*from);
	return count;
}

void tags_take_out(const struct vm *vm, JNIEnv *jni, const struct live *live, uint32_t recording,
	uint32_t class_count, const _Atomic bool *quit)
{
	int64_t tags[LIVE_BATCH];
	uint32_t slot = 0, class_id = 0;
	uint64_t deadline = clock_now().v + PATIENCE_S * 1000000000ull;
	while (!atomic_load(quit) && clock_now().v < deadline) {
		uint32_t count = live_tags(live, &slot, tags);
		if (!count)
			count = next_classes(recording, class_count, &class_id, tags);
		if (!count)
			return;
		take_out(vm, jni, tags, count);
	}
}
