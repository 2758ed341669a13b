#include "exact/remains.h"

#include <string.h>

#include "base/mem.h"
#include "support/tap.h"

enum { SITES = 2 * REMAINS_WORTH, ACCOUNT = 7 };

/* Sites of which the first half is retired; nobody speaks of any. */
struct rig {
	struct births births;
	struct newborns newborns;
	struct census census;
	struct remains remains;
};

static struct rig *begin(void)
{
	struct rig *r = mem_zalloc(1, sizeof(*r));
	int fresh;
	EXPECT_INT(0, site_table_init(&r->births.sites, SITE_FIRST));
	EXPECT_INT(0, newborns_init(&r->newborns));
	EXPECT_INT(0, census_init(&r->census));
	EXPECT_INT(0, remains_init(&r->remains));
	r->census.first = SITE_FIRST;
	for (uint32_t i = 0; i < SITES; i++)
		site_table_find(&r->births.sites, i, 1, SITES_MAX, &fresh);
	for (uint32_t i = 0; i < SITES / 2; i++)
		site_table_retire(&r->births.sites, SITE_FIRST + i);
	return r;
}

static void end(struct rig *r)
{
	remains_release(&r->remains);
	census_release(&r->census);
	newborns_release(&r->newborns);
	site_table_release(&r->births.sites);
	mem_free(r);
}

static struct exact_site *site(struct rig *r, uint32_t i)
{
	return &r->births.sites.at[SITE_FIRST + i];
}

static void account(struct rig *r, uint32_t number)
{
	remains_tell(&r->remains, &r->newborns, &r->census, number);
	r->newborns.sum = (struct birth_sum){0};
	birth_sums_clear(&r->newborns.of);
	census_clear(&r->census);
}

static void is_born(struct rig *r, uint32_t i, bool outside)
{
	newborns_add(&r->newborns, &(struct birth_sum){SITE_FIRST + i, 1, 16, outside, 16});
}

static void lives(struct rig *r, uint32_t i, bool promoted)
{
	census_add(&r->census, SITE_FIRST + i, 3, promoted, 16);
}

/* Whether that one's number may be given again behind the account; all others' may. */
static bool is_spared(struct rig *r, uint32_t i, uint32_t number, uint32_t read)
{
	uint32_t spared = remains_spare(&r->remains, &r->births, number, read);
	EXPECT(spared >= SITES / 2 - 2 && spared <= SITES / 2);
	return !site(r, i)->retired;
}

TEST(numbers_that_nothing_has_are_spared)
{
	struct rig *r = begin();
	account(r, ACCOUNT);
	EXPECT_INT(SITES / 2, remains_spare(&r->remains, &r->births, ACCOUNT, 0));
	EXPECT_INT(SITES / 2, r->births.sites.spare_count);
	EXPECT(!site(r, 0)->retired && site(r, SITES / 2)->key == SITES / 2);
	EXPECT_INT(0, site_table_retired(&r->births.sites));
	EXPECT_INT(0, remains_spare(&r->remains, &r->births, ACCOUNT + 1, ACCOUNT));
	end(r);
}

TEST(for_a_few_nothing_is_looked_at)
{
	struct rig *r = begin();
	int fresh;
	site_table_spare(&r->births.sites, SITE_FIRST);
	site_table_find(&r->births.sites, SITES, 1, SITES_MAX, &fresh);
	account(r, ACCOUNT);
	EXPECT_INT(REMAINS_WORTH - 1, site_table_retired(&r->births.sites));
	EXPECT_INT(0, remains_spare(&r->remains, &r->births, ACCOUNT, 0));
	end(r);
}

/* Of the births and the young of the account, and of those that are not written yet. */
TEST(who_is_spoken_of_keeps_its_number)
{
	for (int born = 0; born < 2; born++) {
		struct rig *r = begin();
		if (born)
			is_born(r, 5, false);
		else
			lives(r, 5, false);
		account(r, ACCOUNT);
		EXPECT(!is_spared(r, 5, ACCOUNT, ACCOUNT - 1));
		end(r);
	}
	struct rig *r = begin();
	lives(r, 5, false);
	account(r, ACCOUNT);
	account(r, ACCOUNT + 1);
	EXPECT(!is_spared(r, 5, ACCOUNT + 1, ACCOUNT - 1));
	end(r);
	r = begin();
	lives(r, 5, false);
	account(r, ACCOUNT);
	account(r, ACCOUNT + 1);
	EXPECT(is_spared(r, 5, ACCOUNT + 1, ACCOUNT));
	end(r);
}

/* Until a full collection does not find it there. */
TEST(what_is_old_keeps_its_number)
{
	for (int found = 0; found < 2; found++) {
		struct rig *r = begin();
		lives(r, 5, true);
		account(r, ACCOUNT);
		remains_look(&r->remains, &r->births.sites);
		if (found)
			remains_met(&r->remains, SITE_FIRST + 5);
		account(r, ACCOUNT + 1);
		EXPECT_INT(!found, is_spared(r, 5, ACCOUNT + 1, ACCOUNT));
		end(r);
	}
	struct rig *r = begin();
	lives(r, 5, true);
	account(r, ACCOUNT);
	account(r, ACCOUNT + 1);
	EXPECT(!is_spared(r, 5, ACCOUNT + 1, ACCOUNT));
	end(r);
}

/* Not even a full collection looks at all of that. */
TEST(what_was_born_outside_keeps_its_number)
{
	struct rig *r = begin();
	is_born(r, 5, true);
	account(r, ACCOUNT);
	remains_look(&r->remains, &r->births.sites);
	account(r, ACCOUNT + 1);
	EXPECT(!is_spared(r, 5, ACCOUNT + 1, ACCOUNT));
	end(r);
}

TEST(where_not_all_was_seen_all_keep_their_numbers)
{
	struct rig *r = begin();
	remains_doubt(&r->remains, &r->births.sites);
	account(r, ACCOUNT);
	EXPECT_INT(0, remains_spare(&r->remains, &r->births, ACCOUNT, ACCOUNT - 1));
	remains_look(&r->remains, &r->births.sites);
	account(r, ACCOUNT + 1);
	EXPECT(is_spared(r, 5, ACCOUNT + 1, ACCOUNT));
	end(r);
}

/* The agent's threads speak of them. */
TEST(who_waits_for_its_place_keeps_its_number)
{
	for (int bare = 0; bare < 2; bare++) {
		struct rig *r = begin();
		account(r, ACCOUNT);
		site(r, 5)->waits = !bare;
		site(r, 5)->bare = bare;
		EXPECT(!is_spared(r, 5, ACCOUNT, 0));
		end(r);
	}
}

TEST(accounts_are_counted_on)
{
	struct rig *r = begin();
	lives(r, 5, false);
	account(r, UINT32_MAX);
	account(r, 1);
	EXPECT(!is_spared(r, 5, 1, UINT32_MAX - 1));
	end(r);
	r = begin();
	lives(r, 5, false);
	account(r, UINT32_MAX);
	account(r, 1);
	EXPECT(is_spared(r, 5, 1, 1));
	end(r);
}

/* Its door is nobody's, and what is told of it goes. */
TEST(a_spared_site_leaves_nothing)
{
	struct rig *r = begin();
	site(r, 5)->door = 3;
	site(r, 5)->told = 9;
	r->births.doors.at[2].site = SITE_FIRST + 5;
	site(r, 6)->door = 4;
	r->births.doors.at[3].site = SITE_FIRST + 77;
	account(r, ACCOUNT);
	EXPECT(is_spared(r, 5, ACCOUNT, 0));
	EXPECT_INT(0, r->births.doors.at[2].site);
	EXPECT_INT(SITE_FIRST + 77, r->births.doors.at[3].site);
	EXPECT(!site(r, 5)->told && !site(r, 5)->door && !site(r, 5)->key);
	end(r);
}

/* A few in each pause, in turn. */
TEST(no_pause_looks_at_all)
{
	enum { MANY = 3 * REMAINS_SOME };
	struct rig *r = begin();
	int fresh;
	for (uint32_t i = SITES; i < MANY; i++)
		site_table_retire(&r->births.sites,
			site_table_find(&r->births.sites, i, 1, SITES_MAX, &fresh));
	account(r, ACCOUNT);
	uint32_t spared = 0;
	r->remains.made = r->births.sites.made;
	for (int i = 0; i < 3; i++) {
		uint32_t now = remains_spare(&r->remains, &r->births, ACCOUNT, 0);
		EXPECT(now && now <= REMAINS_SOME);
		spared += now;
	}
	EXPECT_INT(MANY - SITES / 2, spared);
	end(r);
}

/* And more of them where many were made. */
TEST(a_pause_looks_at_more_where_more_is_new)
{
	struct rig *r = begin();
	int fresh;
	EXPECT_INT(SITES / 2, remains_spare(&r->remains, &r->births, ACCOUNT, 0));
	for (uint32_t i = 0; i < 2 * REMAINS_SOME; i++)
		site_table_retire(&r->births.sites,
			site_table_find(&r->births.sites, i + SITES, 1, SITES_MAX, &fresh));
	EXPECT_INT(2 * REMAINS_SOME, remains_spare(&r->remains, &r->births, ACCOUNT + 1, 0));
	for (uint32_t i = 0; i < REMAINS_MOST * 2; i++)
		site_table_retire(&r->births.sites,
			site_table_find(&r->births.sites, i + SITES, 1, SITES_MAX, &fresh));
	EXPECT(remains_spare(&r->remains, &r->births, ACCOUNT + 2, 0) <= REMAINS_MOST);
	end(r);
}
