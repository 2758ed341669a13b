/* Steps over a made-up stack: what the next walk may meet, and what not. */
#include "hotspot/java_trail.h"

#include <string.h>

#include "hotspot/java_code.h"
#include "support/tap.h"

enum { WORDS = 4096, DEPTH = 8 };

static const struct method_key no_key;
static struct java_trail trail;
static uintptr_t stack[WORDS];

static uintptr_t base(void)
{
	return (uintptr_t)&stack[WORDS];
}

static uintptr_t sp_of(unsigned frame)
{
	return base() - 64 * (uintptr_t)(frame + 1);
}

/* Frame n is of 64 bytes, and goes by the last word of them. */
static struct trail_frame *step(unsigned frame, unsigned words)
{
	struct trail_frame *f = java_trail_step(&trail, 1000 + frame, sp_of(frame), 0);
	f->tells = true;
	f->part = frame * 12345ull + 1;
	for (unsigned i = 0; i < words; i++) {
		uintptr_t at = sp_of(frame) + 56 - 8 * (i % 8);
		java_trail_note(&trail, at, *(const uintptr_t *)at);
	}
	return f;
}

static void begin(unsigned youngest)
{
	java_trail_begin(&trail, &no_key, base(), sp_of(youngest), DEPTH);
}

/* All frames from this one to the root, each with so many words. */
static uint64_t walk(unsigned youngest, unsigned words)
{
	memset(&trail, 0, sizeof(trail));
	begin(youngest);
	for (unsigned i = youngest + 1; i-- > 0;)
		step(i, words);
	EXPECT_INT(youngest + 1, java_trail_end(&trail, false));
	uint64_t hash = java_trail_hash(&trail);
	java_trail_keep(&trail, 3);
	return hash;
}

static bool meets(unsigned frame)
{
	return java_trail_meet(&trail, 1000 + frame, sp_of(frame), 0);
}

TEST(a_walk_meets_the_one_before)
{
	uint64_t alone = walk(30, 1);
	walk(25, 1);
	begin(30);
	for (unsigned i = 30; i > 25; i--) {
		EXPECT(!meets(i));
		step(i, 1);
	}
	EXPECT(meets(25));
	EXPECT_INT(31, java_trail_end(&trail, true));
	EXPECT(java_trail_hash(&trail) == alone);
	EXPECT_INT(3, trail.end);
	java_trail_keep(&trail, trail.end);
	EXPECT_INT(31, trail.count);
	begin(30);
	EXPECT(meets(30));
}

TEST(what_stands_elsewhere_is_not_met)
{
	walk(20, 1);
	begin(18);
	EXPECT(!java_trail_meet(&trail, 17, sp_of(18), 0));
	EXPECT(java_trail_meet(&trail, 1018, sp_of(18), 0));
	EXPECT(!java_trail_meet(&trail, 1017, sp_of(17) - 8, 0));
	EXPECT(meets(17));
	/* Those above have been passed. */
	EXPECT(!meets(18));
	java_trail_begin(&trail, &no_key, base() - 8, sp_of(17), DEPTH);
	EXPECT(!meets(17));
}

TEST(a_word_that_changed_takes_what_is_above_it)
{
	for (unsigned frame = 0; frame <= 20; frame++) {
		walk(20, 1);
		uintptr_t *word = (uintptr_t *)(sp_of(frame) + 56);
		*word += 1;
		begin(20);
		EXPECT_INT(frame, trail.count);
		*word -= 1;
	}
}

TEST(a_frame_by_rbp_is_met_with_the_same)
{
	memset(&trail, 0, sizeof(trail));
	begin(0);
	struct trail_frame *f = java_trail_step(&trail, 1, sp_of(0), 77);
	f->by_fp = true;
	java_trail_end(&trail, false);
	java_trail_keep(&trail, 0);
	EXPECT(!java_trail_meet(&trail, 1, sp_of(0), 78));
	EXPECT(java_trail_meet(&trail, 1, sp_of(0), 77));
}

TEST(the_hash_is_of_the_youngest)
{
	uint64_t deep = walk(30, 1);
	memset(&trail, 0, sizeof(trail));
	begin(30);
	for (unsigned i = 30; i > 30 - DEPTH; i--)
		step(i, 1);
	java_trail_end(&trail, false);
	EXPECT(java_trail_hash(&trail) == deep);
	EXPECT(walk(29, 1) != deep);
}

TEST(code_that_came_takes_all)
{
	walk(20, 1);
	java_code_changed();
	begin(20);
	EXPECT_INT(0, trail.count);
}

TEST(what_finds_no_room_is_not_kept)
{
	walk(40, TRAIL_WORDS / 40);
	EXPECT_INT(0, trail.count);
	walk(39, TRAIL_WORDS / 40);
	EXPECT_INT(40, trail.count);
	begin(20);
	java_trail_drop(&trail);
	EXPECT(!meets(20));
	memset(&trail, 0, sizeof(trail));
	begin(0);
	for (unsigned i = 0; i < TRAIL_FRAMES; i++)
		EXPECT(java_trail_step(&trail, 1, sp_of(0), 0));
	EXPECT(!java_trail_step(&trail, 1, sp_of(0), 0));
}
