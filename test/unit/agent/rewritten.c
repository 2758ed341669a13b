#include "agent/rewritten.h"

#include <stdio.h>

#include "base/mem.h"
#include "support/tap.h"

static const struct method_key in_a = {"T", 1, "m", "()V"}, in_b = {"T", 2, "m", "()V"},
			       other = {"T", 1, "n", "()V"};

static void add(struct rewritten *r, const struct method_key *key, uint64_t outline)
{
	struct moved at = {4, 0};
	struct moved_method m = {.moved = &at, .count = 1, .len = (uint32_t)outline};
	EXPECT_INT(0, rewritten_add(r, key, &m, outline));
}

TEST(classes_of_one_name_are_told_apart_by_their_loaders)
{
	struct rewritten r = {.oldest = 0};
	add(&r, &in_a, 7);
	add(&r, &in_b, 8);
	EXPECT(rewritten_has(&r, &in_a) && rewritten_has(&r, &in_b) && !rewritten_has(&r, &other));
	EXPECT_INT(7, rewritten_version(&r, &in_a, 7)->len);
	EXPECT(!rewritten_version(&r, &in_b, 7));
	EXPECT_INT(8, rewritten_known(&r, &in_b)->len);
	rewritten_class(&r, "T", 2);
	EXPECT(!rewritten_known(&r, &in_b));
	EXPECT_INT(7, rewritten_known(&r, &in_a)->len);
	rewritten_release(&r);
}

/* Exchanged versions stay; what is put in force again is not added again. */
TEST(versions_stay)
{
	struct rewritten r = {.oldest = 0};
	for (int round = 0; round < 3; round++)
		for (uint64_t outline = 5; outline < 9; outline++) {
			rewritten_class(&r, "T", 1);
			add(&r, &in_a, outline);
			EXPECT_INT(outline, rewritten_known(&r, &in_a)->len);
		}
	EXPECT_INT(4, r.list.count);
	for (uint64_t outline = 5; outline < 9; outline++)
		EXPECT_INT(outline, rewritten_version(&r, &in_a, outline)->len);
	rewritten_release(&r);
}

TEST(who_waits_is_looked_for_so_often)
{
	struct rewritten r = {.oldest = 0};
	add(&r, &in_a, 7);
	add(&r, &other, 9);
	EXPECT_INT(2, rewritten_waiting(&r));
	EXPECT(rewritten_waits(&r, "T") && !rewritten_waits(&r, "U"));
	EXPECT(rewritten_waits_in(&r, "T", 1) && !rewritten_waits_in(&r, "T", 2));
	EXPECT(rewritten_known(&r, &in_a) != NULL);
	for (int i = 0; i < REWRITTEN_LOOKS; i++) {
		EXPECT_INT(1, rewritten_waiting(&r));
		rewritten_looked(&r);
	}
	EXPECT_INT(0, rewritten_waiting(&r));
	EXPECT(!rewritten_waits(&r, "T"));
	/* Given to the VM again, as it was: the one that was known has its id. */
	rewritten_class(&r, "T", 1);
	add(&r, &in_a, 7);
	EXPECT_INT(0, rewritten_waiting(&r));
	add(&r, &other, 9);
	EXPECT_INT(1, rewritten_waiting(&r));
	rewritten_release(&r);
}

/* They are found by their classes, which are many. */
TEST(the_oldest_go_from_any_class)
{
	enum { LOADERS = 37, GONE = 100 };
	struct rewritten r = {.oldest = 0};
	struct method_key key = in_a;
	for (uint64_t i = 1; i <= REWRITTEN_MOST + GONE; i++) {
		key.loader = (int32_t)(i % LOADERS);
		add(&r, &key, i);
	}
	for (uint64_t i = 1; i <= REWRITTEN_MOST + GONE; i++) {
		key.loader = (int32_t)(i % LOADERS);
		EXPECT_INT(i > GONE, rewritten_version(&r, &key, i) != NULL);
	}
	rewritten_release(&r);
}

TEST(the_oldest_go)
{
	struct rewritten r = {.oldest = 0};
	for (uint64_t i = 1; i <= REWRITTEN_MOST + 3; i++)
		add(&r, &in_a, i);
	EXPECT_INT(REWRITTEN_MOST, r.list.count);
	EXPECT(!rewritten_version(&r, &in_a, 3) && rewritten_version(&r, &in_a, 4));
	EXPECT(rewritten_version(&r, &in_a, REWRITTEN_MOST + 3) != NULL);
	rewritten_release(&r);
}

TEST(no_memory_at_any_step)
{
	for (uint64_t fail = 1; fail <= 3; fail++) {
		struct rewritten r = {.oldest = 0};
		struct moved at = {4, 0};
		struct moved_method m = {.moved = &at, .count = 1, .len = 5};
		mem_fail_at(fail);
		EXPECT(rewritten_add(&r, &in_a, &m, 5) != 0);
		mem_fail_at(0);
		EXPECT_INT(0, r.list.count);
		rewritten_release(&r);
	}
}
