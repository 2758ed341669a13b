/* Call paths that made nothing lately make room where walks found none. */
#include "exact/cold_paths.h"

#include "base/mem.h"
#include "exact/birth_blocks.h"
#include "exact/birth_sites.h"
#include "support/tap.h"

enum { KLASS = 3, PATHS = 40, LINES = 8, EARLY = 5, LATE = EARLY + COLD_PATHS_AFTER };

struct rig {
	struct births *births;
	uint32_t lines, paths; /* their first numbers; a recording's go on where the last's ended */
	struct newborns newborns;
	struct census census;
	struct remains remains;
	struct cold_paths cold;
};

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg, (void)b, (void)p;
	s->bytes1 = 24;
}

static uint32_t path(struct rig *r, uint64_t hash)
{
	static const struct java_stack stack;
	const struct birth_place p = {.key = hash, .stack = &stack};
	return birth_site_of(r->births, &(struct birth){0}, &p, KLASS);
}

static uint32_t line(struct rig *r, uint64_t key)
{
	const struct birth_place p = {.key = key};
	return birth_site_of(r->births, &(struct birth){0}, &p, KLASS);
}

/* A walk that found no room. */
static void refuse(struct rig *r)
{
	atomic_fetch_add(&r->births->unwalked, 1);
}

/* An account that speaks of these numbers alone. */
static void account(struct rig *r, uint32_t number, uint32_t from, uint32_t to)
{
	for (uint32_t id = from; id < to; id++)
		newborns_add(&r->newborns, &(struct birth_sum){id, 1, 24, 0, 0});
	remains_tell(&r->remains, &r->newborns, &r->census, number);
	r->newborns.sum = (struct birth_sum){0};
	birth_sums_clear(&r->newborns.of);
}

/* Lines, and behind them paths, all of which were born of in the account EARLY. */
static struct rig *begin(void)
{
	static const struct birth_oracle oracle = {.define = define};
	struct rig *r = mem_zalloc(1, sizeof(*r));
	r->births = births_get();
	EXPECT_INT(0, births_open(r->births, &oracle, NULL));
	births_walk(r->births, 1, 1);
	EXPECT_INT(0, newborns_init(&r->newborns));
	EXPECT_INT(0, census_init(&r->census));
	EXPECT_INT(0, remains_init(&r->remains));
	r->census.first = r->lines = r->births->sites.first;
	r->paths = r->lines + LINES;
	for (uint32_t i = 0; i < LINES; i++)
		EXPECT_INT(r->lines + i, line(r, (1ull << 32) + i));
	for (uint32_t i = 0; i < PATHS; i++)
		EXPECT_INT(r->paths + i, path(r, i + 1));
	account(r, EARLY, r->lines, r->paths + PATHS);
	return r;
}

static void end(struct rig *r)
{
	remains_release(&r->remains);
	census_release(&r->census);
	newborns_release(&r->newborns);
	births_close(r->births);
	mem_free(r);
}

static uint32_t retire(struct rig *r, uint32_t account)
{
	return cold_paths_retire(&r->cold, r->births, &r->remains, account);
}

static bool is_retired(const struct rig *r, uint32_t id)
{
	return r->births->sites.at[id].retired;
}

TEST(paths_that_made_nothing_lately_make_room)
{
	struct rig *r = begin();
	account(r, EARLY + 1, r->paths, r->paths + 10);
	refuse(r);
	EXPECT_INT(PATHS - 10, retire(r, LATE));
	for (uint32_t i = 0; i < PATHS; i++)
		EXPECT(is_retired(r, r->paths + i) == (i >= 10));
	for (uint32_t i = 0; i < LINES; i++)
		EXPECT(!is_retired(r, r->lines + i));
	EXPECT_INT(r->paths, path(r, 1));
	EXPECT_INT(r->paths + PATHS, path(r, 11)); /* which comes again */
	end(r);
}

TEST(they_stay_where_all_have_room)
{
	struct rig *r = begin();
	EXPECT_INT(0, retire(r, LATE));
	refuse(r);
	EXPECT_INT(0, retire(r, LATE + COLD_PATHS_PERIOD - 1));
	EXPECT_INT(PATHS, retire(r, LATE + COLD_PATHS_PERIOD));
	end(r);
}

TEST(they_stay_while_they_are_warm)
{
	struct rig *r = begin();
	refuse(r);
	EXPECT_INT(0, retire(r, LATE - 1));
	refuse(r);
	EXPECT_INT(PATHS, retire(r, LATE - 1 + COLD_PATHS_PERIOD));
	end(r);
}

TEST(they_stay_where_names_are_scarce)
{
	struct rig *r = begin();
	refuse(r);
	atomic_store(&r->births->paths_stay, true);
	EXPECT_INT(0, retire(r, LATE));
	end(r);
}

TEST(those_that_wait_for_their_code_stay)
{
	struct rig *r = begin();
	atomic_store(&r->births->sites.at[r->paths].waits, true);
	refuse(r);
	EXPECT_INT(PATHS - 1, retire(r, LATE));
	EXPECT(!is_retired(r, r->paths) && is_retired(r, r->paths + 1));
	end(r);
}

TEST(some_go_at_a_time)
{
	struct rig *r = begin();
	uint32_t more = 2 * COLD_PATHS_AT_ONCE;
	for (uint32_t i = PATHS; i < more; i++)
		EXPECT(path(r, i + 1));
	refuse(r);
	EXPECT_INT(COLD_PATHS_AT_ONCE, retire(r, LATE));
	refuse(r);
	EXPECT_INT(COLD_PATHS_AT_ONCE, retire(r, LATE + COLD_PATHS_PERIOD));
	refuse(r);
	EXPECT_INT(0, retire(r, LATE + 2 * COLD_PATHS_PERIOD));
	end(r);
}

TEST(they_stay_while_too_many_numbers_wait)
{
	struct rig *r = begin();
	for (uint32_t i = PATHS; i <= COLD_PATHS_WAIT + 1; i++)
		EXPECT(path(r, i + 1));
	for (uint32_t i = 0; i <= COLD_PATHS_WAIT; i++)
		site_table_retire(&r->births->sites, r->paths + i);
	refuse(r);
	EXPECT_INT(0, retire(r, LATE));
	births_spare(r->births, r->paths);
	uint32_t gone = 0;
	const uint32_t last = (LINES + COLD_PATHS_WAIT + 1) / COLD_PATHS_LOOK + 1; /* comes to it */
	for (uint32_t looks = 1; looks <= last; looks++) {
		refuse(r);
		EXPECT_INT(0, gone);
		gone = retire(r, LATE + looks * COLD_PATHS_PERIOD);
	}
	EXPECT_INT(1, gone);
	end(r);
}
