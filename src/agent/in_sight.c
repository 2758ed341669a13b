#include "agent/in_sight.h"

#include <stddef.h>

enum slot_state { SLOT_FREE, SLOT_HELD, SLOT_BUSY };
enum { TRIES = 2 };

void in_sight_want(struct in_sight *s, bool wanted)
{
	atomic_store_explicit(&s->wanted, wanted, memory_order_relaxed);
}

void in_sight_pass_over(struct in_sight *s, uint32_t class_id, bool over)
{
	uint64_t bit = 1ull << class_id % 64;
	if (class_id >= IN_SIGHT_CLASSES)
		return;
	if (over)
		atomic_fetch_or(&s->passed_over[class_id / 64], bit);
	else
		atomic_fetch_and(&s->passed_over[class_id / 64], ~bit);
}

bool in_sight_is_passed_over(const struct in_sight *s, uint32_t class_id)
{
	if (!class_id || class_id >= IN_SIGHT_CLASSES)
		return true;
	return atomic_load_explicit(&s->passed_over[class_id / 64], memory_order_relaxed) >>
		       class_id % 64 &
	       1;
}

/* The slot is the caller's, until `leave`. Nobody waits for one. */
static bool enter(struct in_sight_slot *slot, uint32_t state)
{
	return atomic_compare_exchange_strong(&slot->state, &state, SLOT_BUSY);
}

static void leave(struct in_sight_slot *slot)
{
	atomic_store(&slot->state, slot->object ? SLOT_HELD : SLOT_FREE);
}

static void drop(struct in_sight_slot *slot, JNIEnv *jni)
{
	if (slot->object)
		(*jni)->DeleteWeakGlobalRef(jni, slot->object);
	slot->object = NULL;
}

/* Whether what is there is of no use: dead, or of a class that nobody wants any more. */
static bool is_useless(const struct in_sight *s, const struct in_sight_slot *slot, JNIEnv *jni)
{
	return in_sight_is_passed_over(s, slot->class_id) ||
	       (*jni)->IsSameObject(jni, slot->object, NULL);
}

/* Whether there was room. */
static bool put(struct in_sight *s, struct in_sight_slot *slot, JNIEnv *jni, jobject object,
	uint32_t class_id, uint64_t young)
{
	if (!enter(slot, SLOT_FREE) && !enter(slot, SLOT_HELD))
		return false;
	bool room = !slot->object || is_useless(s, slot, jni);
	if (room) {
		drop(slot, jni);
		slot->object = (*jni)->NewWeakGlobalRef(jni, object);
		slot->class_id = class_id;
		slot->young = young;
	}
	/* The program must not be told that the VM is out of memory for us. */
	if (room && !slot->object)
		(*jni)->ExceptionClear(jni);
	leave(slot);
	return room;
}

void in_sight_offer(struct in_sight *s, JNIEnv *jni, jobject object, uint32_t class_id,
	uint64_t young, uint64_t random)
{
	if (!atomic_load_explicit(&s->wanted, memory_order_relaxed) ||
		in_sight_is_passed_over(s, class_id))
		return;
	for (int i = 0; i < TRIES; i++, random >>= 32)
		if (put(s, &s->slot[random % IN_SIGHT_ROOM], jni, object, class_id, young))
			return;
}

static jobject take(
	const struct in_sight *s, struct in_sight_slot *slot, JNIEnv *jni, uint64_t young)
{
	jobject object = NULL;
	if (!enter(slot, SLOT_HELD))
		return NULL;
	bool over = in_sight_is_passed_over(s, slot->class_id);
	if (slot->young < young && !over)
		object = (*jni)->NewLocalRef(jni, slot->object);
	if (slot->young < young || over)
		drop(slot, jni);
	leave(slot);
	return object;
}

jobject in_sight_take(struct in_sight *s, JNIEnv *jni, uint32_t *from, uint64_t young)
{
	jobject object = NULL;
	while (!object && *from < IN_SIGHT_ROOM)
		object = take(s, &s->slot[(*from)++], jni, young);
	return object;
}

void in_sight_end(struct in_sight *s, JNIEnv *jni)
{
	in_sight_want(s, false);
	for (uint32_t i = 0; i < IN_SIGHT_ROOM; i++)
		if (enter(&s->slot[i], SLOT_HELD)) {
			drop(&s->slot[i], jni);
			leave(&s->slot[i]);
		}
}
