#include "stat/late.h"

#include "base/compiler.h"
#include "support/tap.h"

enum { S = 1000000000, MS = 1000000 };

/* One collection, and the deaths told after it of objects born before it. */
static void collect(struct late *l, uint64_t young, int deaths)
{
	late_collection(l, young, 0, young * S, LATE_UNSEEN);
	for (int i = 0; i < deaths; i++) {
		uint64_t y = young, f = 0;
		late_death(l, young - 1, 0, &y, &f);
		EXPECT_INT(young, y);
	}
}

/* From the first one to this, each tells as many. */
static void collect_until(struct late *l, uint64_t last, int deaths)
{
	for (uint64_t young = 1; young <= last; young++)
		collect(l, young, deaths);
}

TEST(a_silent_collection_gets_its_deaths_back)
{
	struct late l = {0};
	uint64_t young, full;
	collect_until(&l, 10, 20);
	late_collection(&l, 11, 3, 11ull * S, LATE_UNSEEN); /* tells nothing … */
	late_collection(&l, 12, 4, 12ull * S, LATE_UNSEEN); /* … before this one */
	EXPECT_INT(1, l.collections);
	young = 12, full = 4;
	late_death(&l, 10, 0, &young, &full); /* born before 11 */
	EXPECT_INT(11, young);
	EXPECT_INT(3, full);
	young = 12, full = 4;
	late_death(&l, 11, 0, &young, &full); /* born between the two */
	EXPECT_INT(12, young);
	EXPECT_INT(4, full);
	EXPECT_INT(1, l.deaths);
	collect(&l, 13, 20); /* and on as before */
}

TEST(few_deaths_prove_nothing)
{
	struct late l = {0};
	for (uint64_t young = 1; young <= 50; young++)
		collect(&l, young, young % 5 == 0 ? 3 : 0);
	EXPECT_INT(0, l.collections);
	EXPECT_INT(0, l.deaths);
}

/* A program that stops making garbage: silence becomes usual, and no death moves by more than one.
 */
TEST(a_program_that_falls_silent)
{
	struct late l = {0};
	collect_until(&l, 10, 20);
	for (uint64_t now = 11; now <= 40; now++) {
		late_collection(&l, now, 0, now * S, LATE_UNSEEN);
		uint64_t young = now, full = 0;
		struct late probe = l;
		late_death(&probe, 5, 0, &young, &full);
		EXPECT(young == now || young == now - 1);
	}
	EXPECT(l.collections > 0 && l.collections < 10);
	EXPECT_INT(0, l.silent_count);
}

/* A cycle of the old generation ends before the deaths of the collection before it are told. */
TEST(a_cycle_gets_no_deaths_of_what_is_young)
{
	static const struct {
		uint64_t birth, full;
	} cases[] = {{19, 7}, {18, 8}, {3, 8}, {19, 7}};
	struct late l = {0};
	uint64_t young, full;
	collect_until(&l, 19, 20);
	late_collection(&l, 20, 7, 20ull * S, LATE_UNSEEN);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		young = 20, full = 8;
		late_death(&l, cases[i].birth, 0, &young, &full);
		EXPECT_INT(20, young);
		EXPECT_INT(cases[i].full, full);
	}
	EXPECT_INT(1, l.collections);
	EXPECT_INT(2, l.deaths);
}

/* What a collection has told, the cycle after it is believed. */
TEST(a_cycle_after_deaths_were_told)
{
	struct late l = {0};
	uint64_t young, full;
	collect_until(&l, 20, 20);
	young = 20, full = 8;
	late_death(&l, 19, 0, &young, &full);
	EXPECT_INT(8, full);
	EXPECT_INT(0, l.deaths);
	late_collection(&l, 21, 8, 21ull * S, LATE_UNSEEN);
	young = 21, full = 8;
	late_death(&l, 20, 0, &young, &full);
	EXPECT_INT(0, l.collections);
}

struct late_case {
	uint64_t birth, young, full; /* an object's, and the collection that found it */
};

/* Told after the fourteenth, of which the first four come late. */
static void tell_five(struct late *l)
{
	static const struct late_case cases[] = {
		{2, 11, 1}, {10, 11, 1}, {11, 12, 2}, {12, 13, 2}, {13, 14, 3}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t young = 14, full = 3;
		late_death(l, cases[i].birth, 0, &young, &full);
		EXPECT_INT(cases[i].young, young);
		EXPECT_INT(cases[i].full, full);
	}
	EXPECT_INT(4, l->deaths);
}

/* Three in a row, 3 ms apart: each object was found by the first that it met. */
TEST(several_that_follow_closely)
{
	struct late l = {0};
	uint64_t first;
	collect_until(&l, 10, 20);
	first = 11ull * S;
	EXPECT_INT(10, late_known(&l));
	late_collection(&l, 11, 1, first, LATE_UNSEEN);
	EXPECT_INT(10, late_known(&l));
	late_collection(&l, 12, 2, first + 3 * MS, LATE_UNSEEN);
	EXPECT_INT(10, late_known(&l));
	late_collection(&l, 13, 2, first + 6 * MS, LATE_UNSEEN);
	late_collection(&l, 14, 3, first + 9 * MS, LATE_UNSEEN);
	EXPECT_INT(10, late_known(&l));
	EXPECT_INT(3, l.collections);
	tell_five(&l);
	EXPECT_INT(13, late_known(&l)); /* there may be more to come */
	for (int i = 0; i < 70; i++)
		late_death(&l, 13, 0, &(uint64_t){14}, &(uint64_t){3});
	EXPECT_INT(14, late_known(&l));
	late_collection(&l, 15, 3, first + 12 * MS, LATE_UNSEEN);
	EXPECT(l.usual > 18 && l.usual < 21); /* 75 of four collections */
	EXPECT_INT(0, l.silent_count);
}

/* What lies further apart, or is too long in a row, told none because there was none. */
TEST(silence_that_lasts_is_believed)
{
	static const struct {
		uint64_t apart, moved; /* ns; clocks that the oldest object moves at most */
	} cases[] = {{3 * MS, LATE_MOST}, {10 * MS, 5}, {20 * MS, 2}, {30 * MS, 1}, {60 * MS, 1},
		{S, 1}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct late l = {0};
		uint64_t most = 0;
		collect_until(&l, 10, 20);
		for (uint64_t now = 11; now <= 60; now++) {
			late_collection(&l, now, 0, 11ull * S + now * cases[i].apart, LATE_UNSEEN);
			uint64_t young = now, full = 0;
			struct late probe = l;
			late_death(&probe, 5, 0, &young, &full);
			most = now - young > most ? now - young : most;
		}
		EXPECT_INT(cases[i].moved, most);
		EXPECT_INT(0, l.silent_count);
	}
}

static void tell(struct late *l, int deaths, uint64_t birth, uint64_t now, uint64_t want)
{
	for (int i = 0; i < deaths; i++) {
		uint64_t young = now, full = 0;
		late_death(l, birth, 0, &young, &full);
		EXPECT_INT(want, young);
	}
}

/* One tells what the silent one before it found, and its own come with the next one's. */
TEST(a_collection_that_tells_what_another_found)
{
	struct late l = {0};
	collect_until(&l, 10, 20);
	late_collection(&l, 11, 0, 11ull * S, LATE_UNSEEN);
	late_collection(&l, 12, 0, 12ull * S, LATE_UNSEEN);
	tell(&l, 5, 3, 12, 11);
	tell(&l, 20, 10, 12, 11);
	EXPECT_INT(11, late_known(&l));
	late_collection(&l, 13, 0, 13ull * S, LATE_UNSEEN);
	tell(&l, 20, 11, 13, 12);
	tell(&l, 5, 10, 13, 12);
	tell(&l, 20, 12, 13, 13);
	EXPECT_INT(13, late_known(&l));
	EXPECT_INT(2, l.collections);
	EXPECT_INT(50, l.deaths);
	collect(&l, 14, 20);
	EXPECT_INT(2, l.collections);
}

/* Nothing dies at once: then it says nothing that none did. */
TEST(a_program_of_which_nothing_dies_at_once)
{
	struct late l = {0};
	uint64_t now = 10;
	for (; now <= 20; now++) {
		late_collection(&l, now, 0, now * S, LATE_UNSEEN);
		tell(&l, 20, now - 6, now, now);
	}
	late_collection(&l, 21, 0, 21ull * S, LATE_UNSEEN);
	late_collection(&l, 22, 0, 22ull * S, LATE_UNSEEN);
	tell(&l, 40, 15, 22, 21);
	for (now = 23; now <= 30; now++) {
		late_collection(&l, now, 0, now * S, LATE_UNSEEN);
		tell(&l, 20, now - 6, now, now);
	}
	EXPECT_INT(1, l.collections);
}

/* And where it is no longer so, that is noticed. */
TEST(a_program_of_which_nothing_dies_at_once_any_more)
{
	struct late l = {0};
	collect_until(&l, 10, 40);
	late_collection(&l, 11, 0, 11ull * S, LATE_UNSEEN);
	for (uint64_t now = 12; now <= 60; now++) {
		late_collection(&l, now, 0, now * S, LATE_UNSEEN);
		for (int i = 0; i < 40; i++)
			late_death(&l, now - 6, 0, &(uint64_t){now}, &(uint64_t){0});
	}
	EXPECT(l.collections > 1 && l.collections < 20);
	late_collection(&l, 61, 0, 61ull * S, LATE_UNSEEN);
	tell(&l, 40, 55, 61, 61);
}

/* A cyclic trace has gaps: behind one it is as at the beginning. */
TEST(a_gap_tells_nothing)
{
	struct late l = {0};
	collect_until(&l, 10, 20);
	late_collection(&l, 11, 0, 11ull * S, LATE_UNSEEN);
	late_collection(&l, 12, 0, 12ull * S, LATE_UNSEEN);
	tell(&l, 3, 10, 12, 11);
	late_gap(&l, 40, 2);
	EXPECT_INT(40, late_known(&l));
	tell(&l, 1, 10, 40, 40);
	late_collection(&l, 41, 2, 41ull * S, LATE_UNSEEN);
	tell(&l, 1, 39, 41, 41);
	EXPECT_INT(1, l.collections);
	EXPECT_INT(3, l.deaths);
}

/* A few deaths prove nothing, what was seen does: three that waited, a second apart. */
TEST(what_was_seen_to_wait)
{
	struct late l = {0};
	collect_until(&l, 10, 1);
	late_collection(&l, 11, 1, 11ull * S, LATE_UNSEEN);
	late_collection(&l, 12, 2, 12ull * S, LATE_WAITED);
	EXPECT_INT(10, late_known(&l));
	late_collection(&l, 13, 2, 13ull * S, LATE_WAITED);
	late_collection(&l, 14, 3, 14ull * S, LATE_WAITED);
	EXPECT_INT(10, late_known(&l));
	EXPECT_INT(3, l.collections);
	tell_five(&l);
	EXPECT_INT(14, late_known(&l));
	late_collection(&l, 15, 3, 15ull * S, LATE_UNSEEN);
	EXPECT_INT(0, l.silent_count);
}

/* Of very many in a row those that there is no room for are none, and from then on it is anew. */
TEST(waiting_for_long)
{
	struct late l = {0};
	uint64_t young = 2 * LATE_ROOM, full = 0;
	for (uint64_t now = 1; now <= young; now++)
		late_collection(&l, now, 0, now * S, now > 1 ? LATE_WAITED : LATE_UNSEEN);
	EXPECT(l.silent_count <= LATE_ROOM);
	late_death(&l, young - 1, 0, &young, &full);
	EXPECT_INT(2 * LATE_ROOM, young);
	late_death(&l, 0, 0, &young, &full);
	EXPECT_INT(LATE_ROOM + 2, young);
}

/* Where many die usually, silence is believed of a collection that found nothing. */
TEST(what_was_seen_to_find_nothing)
{
	struct late l = {0};
	collect_until(&l, 10, 20);
	late_collection(&l, 11, 0, 11ull * S, LATE_UNSEEN);
	late_collection(&l, 12, 0, 12ull * S, LATE_NOTHING);
	tell(&l, 20, 5, 12, 12);
	EXPECT_INT(0, l.collections);
	EXPECT_INT(0, l.deaths);
}

/* What was told all the same did not wait. */
TEST(deaths_are_told_of_what_was_seen_to_wait)
{
	struct late l = {0};
	collect_until(&l, 10, 3);
	late_collection(&l, 11, 0, 11ull * S, LATE_WAITED);
	tell(&l, 3, 5, 11, 11);
	EXPECT_INT(0, l.collections);
}

/* All of that place die in the third collection that they meet, all of the other in their first. */
TEST(a_place_of_which_it_is_known_when_its_objects_die)
{
	enum { OLD = 1, YOUNG = 2 };
	static const struct {
		uint64_t birth, place, young;
	} cases[] = {{8, OLD, 11}, {9, OLD, 12}, {10, OLD, 13}, {10, YOUNG, 11}, {11, YOUNG, 12},
		{12, YOUNG, 13}, {11, OLD, 12}};
	struct late l = {0};
	uint64_t young, full;
	for (uint64_t now = 1; now <= 10; now++) {
		late_collection(&l, now, 0, now * S, LATE_UNSEEN);
		for (int i = 0; i < 2000; i++) {
			young = now, full = 0;
			late_death(&l, now - 1, YOUNG, &young, &full);
			young = now, full = 0;
			if (now >= 3)
				late_death(&l, now - 3, OLD, &young, &full);
			EXPECT_INT(now, young);
		}
	}
	late_collection(&l, 11, 0, 11ull * S, LATE_UNSEEN);
	late_collection(&l, 12, 0, 12ull * S, LATE_WAITED);
	late_collection(&l, 13, 0, 13ull * S, LATE_WAITED);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		young = 13, full = 0;
		late_death(&l, cases[i].birth, cases[i].place, &young, &full);
		EXPECT_INT(cases[i].young, young);
	}
}
