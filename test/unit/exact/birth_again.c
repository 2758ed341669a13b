#include "exact/birth_again.h"

#include "exact/birth_mark.h"
#include "exact/shape.h"
#include "hotspot/objects.h"
#include "support/tap.h"

enum { SITE = 9, OBJECTS = 3 * BIRTH_AGAIN_ROOM };

static uint64_t marks[OBJECTS];
static struct birth_again again;
static uint32_t collections;
static struct birth_clock clock_of_vm;

/* Objects as the VM has made them anew. */
static void begin(void)
{
	for (int i = 0; i < OBJECTS; i++)
		marks[i] = MARK_UNLOCKED;
	again = (struct birth_again){.count = 0};
	collections = 5;
	clock_of_vm = (struct birth_clock){&collections, 5};
}

static void put(int from, int to)
{
	for (int i = from; i < to; i++)
		birth_again_put(&again, &clock_of_vm, (uintptr_t)&marks[i], SITE);
}

static int stamped(int from, int to)
{
	int count = 0;
	for (int i = from; i < to; i++)
		count += marks[i] >> SITE_SHIFT == SITE;
	return count;
}

TEST(all_are_stamped_once)
{
	begin();
	put(0, 7);
	EXPECT_INT(0, stamped(0, OBJECTS));
	birth_again_stamp(&again);
	EXPECT_INT(7, stamped(0, 7));
	EXPECT_INT(7, stamped(0, OBJECTS));
	marks[0] = MARK_UNLOCKED;
	birth_again_stamp(&again);
	EXPECT(marks[0] == MARK_UNLOCKED);
}

TEST(where_there_is_no_room)
{
	begin();
	put(0, BIRTH_AGAIN_ROOM);
	EXPECT_INT(0, stamped(0, OBJECTS));
	put(BIRTH_AGAIN_ROOM, BIRTH_AGAIN_ROOM + 1);
	EXPECT_INT(BIRTH_AGAIN_ROOM, stamped(0, BIRTH_AGAIN_ROOM));
	put(BIRTH_AGAIN_ROOM + 1, OBJECTS);
	birth_again_stamp(&again);
	EXPECT_INT(OBJECTS, stamped(0, OBJECTS));
}

/* 0 for the last bits: its mark is on the stack of whoever has the lock. */
static void lock(int from, int to)
{
	for (int i = from; i < to; i++)
		marks[i] = 0;
}

TEST(one_that_is_locked_waits)
{
	begin();
	put(0, BIRTH_AGAIN_ROOM);
	lock(3, 5);
	put(BIRTH_AGAIN_ROOM, BIRTH_AGAIN_ROOM + 1);
	EXPECT_INT(BIRTH_AGAIN_ROOM - 2, stamped(0, BIRTH_AGAIN_ROOM));
	EXPECT_INT(3, (int)again.count);
	marks[3] = marks[4] = MARK_UNLOCKED;
	put(BIRTH_AGAIN_ROOM + 1, 2 * BIRTH_AGAIN_ROOM);
	EXPECT_INT(BIRTH_AGAIN_ROOM + 30, stamped(0, OBJECTS));
	lock(2 * BIRTH_AGAIN_ROOM - 1, 2 * BIRTH_AGAIN_ROOM);
	birth_again_stamp(&again);
	EXPECT_INT(0, (int)again.count);
}

TEST(many_that_stay_locked_are_not_waited_for)
{
	begin();
	lock(0, BIRTH_AGAIN_ROOM / 2 + 1);
	put(0, BIRTH_AGAIN_ROOM + 1);
	EXPECT_INT(1, (int)again.count);
	EXPECT_INT(BIRTH_AGAIN_ROOM / 2 - 1, stamped(0, OBJECTS));
}

/* They are no more where they were. */
TEST(behind_a_collection_that_nobody_told_of)
{
	begin();
	put(0, BIRTH_AGAIN_ROOM);
	collections++;
	put(BIRTH_AGAIN_ROOM, BIRTH_AGAIN_ROOM + 1);
	EXPECT_INT(0, stamped(0, OBJECTS));
	clock_of_vm.seen = collections;
	put(BIRTH_AGAIN_ROOM + 1, 2 * BIRTH_AGAIN_ROOM + 1);
	EXPECT_INT(0, stamped(0, BIRTH_AGAIN_ROOM));
	EXPECT_INT(BIRTH_AGAIN_ROOM, stamped(BIRTH_AGAIN_ROOM, OBJECTS));
}

TEST(without_a_clock)
{
	begin();
	clock_of_vm.now = NULL;
	put(0, 3);
	EXPECT_INT(0, again.count);
}

TEST(a_mark_that_is_in_use_stays)
{
	const uint64_t used[] = {0, 3, 5, MARK_UNLOCKED | 1 << 3,
		MARK_UNLOCKED | 8ull << SITE_SHIFT, (uintptr_t)&again, (uintptr_t)&again | 2};
	begin();
	for (int i = 0; i < 7; i++)
		marks[i] = used[i];
	put(0, 7);
	birth_again_stamp(&again);
	for (int i = 0; i < 7; i++)
		EXPECT(marks[i] == used[i]);
}

TEST(a_hash_stays)
{
	begin();
	marks[0] |= 77 << 8;
	put(0, 1);
	birth_again_stamp(&again);
	EXPECT(marks[0] == (MARK_UNLOCKED | 77 << 8 | (uint64_t)SITE << SITE_SHIFT));
}

TEST(who_is_to_jump_does)
{
	begin();
	birth_again_put(&again, &clock_of_vm, (uintptr_t)&marks[0], SITE | SHAPE_JUMPS);
	birth_again_stamp(&again);
	EXPECT(birth_jumped(marks[0]));
	EXPECT_INT(SITE, marks[0] >> SITE_SHIFT);
}

/* What the clone's caller gave an age is as young as it was. */
TEST(who_jumps_already_is_stamped)
{
	begin();
	marks[0] |= BIRTH_JUMPED;
	put(0, 1);
	birth_again_stamp(&again);
	EXPECT(birth_jumped(marks[0]));
	EXPECT_INT(SITE, marks[0] >> SITE_SHIFT);
}

TEST(who_has_grown_old_stays)
{
	begin();
	marks[0] |= BIRTH_AGES;
	put(0, 1);
	birth_again_stamp(&again);
	EXPECT(marks[0] == (MARK_UNLOCKED | BIRTH_AGES));
}
