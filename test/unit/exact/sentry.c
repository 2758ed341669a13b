#include "exact/sentry.h"

#include "exact/aged_mark.h"
#include "support/tap.h"

enum { HASHED = 0x1234 << 8 };

/* The object, and the VM's cell with its address. */
static uint64_t object[2];
static uintptr_t cell;

static struct sentry posted(uint64_t mark)
{
	struct sentry s = {0};
	object[0] = mark;
	cell = (uintptr_t)object;
	sentry_post(&s, &cell);
	return s;
}

TEST(one_that_keeps_its_mark_has_seen_nothing)
{
	struct sentry s = posted(MARK_UNLOCKED);
	EXPECT(!sentry_gone(&s));
	object[0] += AGE_ONE;
	EXPECT(!sentry_gone(&s));
	EXPECT_INT(MARK_UNLOCKED | AGE_ONE | BIRTH_SEEN_OLD, object[0]);
}

TEST(a_mark_that_was_made_anew_shows)
{
	struct sentry s = posted(MARK_UNLOCKED);
	object[0] = MARK_UNLOCKED;
	EXPECT(sentry_gone(&s));
	sentry_renew(&s);
	EXPECT(!sentry_gone(&s));
	object[0] = MARK_UNLOCKED;
	EXPECT(sentry_gone(&s));
}

TEST(it_is_looked_for_where_it_was_moved_to)
{
	static uint64_t moved[2];
	struct sentry s = posted(MARK_UNLOCKED);
	moved[0] = object[0], object[0] = MARK_FORWARDED;
	cell = (uintptr_t)moved;
	EXPECT(!sentry_gone(&s));
	moved[0] = MARK_UNLOCKED;
	EXPECT(sentry_gone(&s));
}

/* With the greatest age it would look like one that has jumped over its ages. */
TEST(it_never_grows_old)
{
	struct sentry s = posted(MARK_UNLOCKED);
	for (int i = 0; i < 40; i++) {
		object[0] = aged_on(object[0]);
		EXPECT(!birth_jumped(object[0]));
		EXPECT(!sentry_gone(&s));
		sentry_renew(&s);
	}
}

/* A lock has the mark elsewhere, and a walk that is on just now has it altogether. */
TEST(marks_that_are_in_use_are_left_alone)
{
	static const uint64_t used[] = {MARK_FORWARDED, MARK_MONITOR | 0x7f00, 0x7f00};
	for (size_t i = 0; i < sizeof(used) / sizeof(*used); i++) {
		struct sentry s = posted(used[i]);
		EXPECT_INT(used[i], object[0]);
		object[0] = MARK_UNLOCKED;
		EXPECT(!sentry_gone(&s)); /* it never stood there */
	}
	struct sentry s = posted(MARK_UNLOCKED | HASHED);
	EXPECT_INT(MARK_UNLOCKED | HASHED | BIRTH_SEEN_OLD, object[0]);
	object[0] = MARK_MONITOR | 0x7f00;
	EXPECT(!sentry_gone(&s));
}

/* Walks set it to where something lies now, which may be where it lay before. */
TEST(a_variable_that_is_set_shows)
{
	struct sentry s = {0};
	uintptr_t variable = 4096;
	sentry_watch(&s, &variable);
	EXPECT_INT(4096, variable); /* a walk may be on */
	EXPECT(!sentry_gone(&s));
	variable = 8192;
	EXPECT(sentry_gone(&s));
	sentry_renew(&s);
	EXPECT(!variable && !sentry_gone(&s));
	variable = 8192;
	EXPECT(sentry_gone(&s));
}

TEST(without_the_variable_the_object_is_looked_at)
{
	struct sentry s = posted(MARK_UNLOCKED);
	sentry_watch(&s, NULL);
	EXPECT(!sentry_gone(&s));
	object[0] = MARK_UNLOCKED;
	EXPECT(sentry_gone(&s));
}

TEST(where_there_is_none_nothing_is_noticed)
{
	struct sentry s = {0};
	EXPECT(!sentry_gone(&s));
	sentry_renew(&s);
	EXPECT(!sentry_gone(&s));
}
