#include "agent/in_sight.h"

#include <stdlib.h>
#include <string.h>

#include "support/tap.h"

/* A VM whose objects are numbers, with references that are counted. */
enum { WEAK_MOST = 4096 };

static struct fake_weak {
	uintptr_t object; /* 0: given back */
} weak[WEAK_MOST + 1];
static size_t weak_count, weak_out;
static uint8_t dead[1 << 16];
static bool no_memory, pending;

static uintptr_t object_of(jobject reference)
{
	uintptr_t at = (uintptr_t)reference;
	return at > WEAK_MOST ? at - WEAK_MOST : weak[at].object;
}

static jobject local(size_t number)
{
	return (jobject)(WEAK_MOST + number); // NOLINT(performance-no-int-to-ptr)
}

static jweak JNICALL new_weak(JNIEnv *jni, jobject object)
{
	(void)jni;
	pending |= no_memory;
	if (no_memory || weak_count == WEAK_MOST)
		return NULL;
	weak[++weak_count].object = object_of(object);
	weak_out++;
	return (jweak)weak_count; // NOLINT(performance-no-int-to-ptr)
}

static void JNICALL delete_weak(JNIEnv *jni, jweak reference)
{
	(void)jni;
	EXPECT(weak[(uintptr_t)reference].object != 0);
	weak[(uintptr_t)reference].object = 0;
	weak_out--;
}

static jboolean JNICALL same(JNIEnv *jni, jobject a, jobject b)
{
	(void)jni;
	EXPECT(a && !b);
	return dead[object_of(a)];
}

static jobject JNICALL new_local(JNIEnv *jni, jobject reference)
{
	(void)jni;
	uintptr_t object = object_of(reference);
	return dead[object] ? NULL : local(object);
}

static void JNICALL clear(JNIEnv *jni)
{
	(void)jni;
	pending = false;
}

static const struct JNINativeInterface_ calls = {.NewWeakGlobalRef = new_weak,
	.DeleteWeakGlobalRef = delete_weak,
	.IsSameObject = same,
	.NewLocalRef = new_local,
	.ExceptionClear = clear};
static JNIEnv jni = &calls;
static struct in_sight s;

static void begin(void)
{
	memset(&s, 0, sizeof(s));
	memset(dead, 0, sizeof(dead));
	weak_count = weak_out = 0;
	no_memory = pending = false;
	in_sight_want(&s, true);
}

static void end(void)
{
	in_sight_end(&s, &jni);
	EXPECT_INT(0, weak_out);
}

/* Slot and second try. */
static uint64_t slots(uint32_t first, uint32_t second)
{
	return (uint64_t)second << 32 | first;
}

static void offer(size_t object, uint32_t first, uint32_t second)
{
	in_sight_offer(&s, &jni, local(object), 7, 10, slots(first, second));
}

static size_t take(uint32_t *from, uint64_t young)
{
	jobject got = in_sight_take(&s, &jni, from, young);
	return got ? object_of(got) : 0;
}

TEST(what_has_survived_is_taken_once)
{
	uint32_t from = 0;
	begin();
	offer(1, 5, 6);
	offer(2, 900, 6);
	EXPECT_INT(0, take(&from, 10)); /* no collection since */
	EXPECT_INT(IN_SIGHT_ROOM, from);
	from = 0;
	EXPECT_INT(1, take(&from, 11));
	EXPECT_INT(2, take(&from, 11));
	EXPECT_INT(0, take(&from, 11));
	EXPECT_INT(0, weak_out);
	end();
}

TEST(the_dead_make_room_and_the_living_do_not)
{
	uint32_t from = 0;
	begin();
	offer(1, 5, 5);
	offer(2, 5, 5); /* no room */
	dead[1] = 1;
	offer(3, 5, 5);
	offer(4, 5, 9); /* at the second try */
	EXPECT_INT(2, weak_out);
	EXPECT_INT(3, take(&from, 11));
	EXPECT_INT(4, take(&from, 11));
	offer(5, 5, 5);
	dead[5] = 1;
	from = 0;
	EXPECT_INT(0, take(&from, 11));
	end();
}

TEST(only_what_is_wanted_is_taken_in)
{
	begin();
	in_sight_want(&s, false);
	offer(1, 1, 1);
	EXPECT_INT(0, weak_out);
	in_sight_want(&s, true);
	in_sight_pass_over(&s, 7, true);
	offer(1, 1, 1);
	EXPECT_INT(0, weak_out);
	in_sight_offer(&s, &jni, local(1), 0, 10, 1); /* of no class that is known */
	in_sight_offer(&s, &jni, local(1), IN_SIGHT_CLASSES, 10, 1);
	EXPECT_INT(0, weak_out);
	in_sight_offer(&s, &jni, local(1), 8, 10, 1);
	EXPECT_INT(1, weak_out);
	in_sight_pass_over(&s, 7, false);
	offer(2, 2, 2);
	EXPECT_INT(2, weak_out);
	end();
}

/* What is there of a class that is passed over makes room, and is not taken. */
TEST(what_is_passed_over_goes)
{
	uint32_t from = 0;
	begin();
	offer(1, 1, 1);
	offer(2, 2, 2);
	in_sight_pass_over(&s, 7, true);
	in_sight_offer(&s, &jni, local(3), 8, 10, slots(1, 1));
	EXPECT_INT(2, weak_out);
	EXPECT_INT(0, take(&from, 10));
	EXPECT_INT(1, weak_out); /* however young */
	from = 0;
	EXPECT_INT(3, take(&from, 11));
	EXPECT_INT(0, weak_out);
	end();
}

TEST(a_vm_without_memory_is_left_as_it_was)
{
	uint32_t from = 0;
	begin();
	no_memory = true;
	offer(1, 1, 1);
	EXPECT(!pending);
	EXPECT_INT(0, take(&from, 11));
	no_memory = false;
	offer(1, 1, 1);
	EXPECT_INT(1, weak_out);
	end();
}

TEST(never_more_than_there_is_room_for)
{
	begin();
	for (size_t i = 0; i < 3000; i++)
		offer(i + 1, (uint32_t)i, (uint32_t)i + 1);
	EXPECT_INT(IN_SIGHT_ROOM, weak_out);
	size_t taken = 0;
	for (uint32_t from = 0; take(&from, 11);)
		taken++;
	EXPECT_INT(IN_SIGHT_ROOM, taken);
	end();
}
