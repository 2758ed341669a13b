#include "exact/identities.h"

#include "support/tap.h"

enum { MANY = 20000 };

static bool same(void *arg, uint32_t site, uintptr_t address)
{
	(void)arg;
	return site % 10 == address % 10;
}

/* Where the object ended that was at the address. */
static uintptr_t now(const struct identities *t, uintptr_t from)
{
	for (uint64_t i = 0; i < identities_places(t); i++) {
		const struct identity *o = identities_at(t, i);
		if (o && o->from == from)
			return o->now;
	}
	return UINTPTR_MAX;
}

static void put(struct identities *t, uint32_t id, uintptr_t from, uint32_t site)
{
	EXPECT(identities_put(t, id, &(struct resident){from, site, 2}, false));
}

static void put_given(struct identities *t, uint32_t id, uintptr_t from, uint32_t site)
{
	EXPECT(identities_put_given(t, id, &(struct resident){from, site, 2}, false));
}

static void find(struct identities *t, uint32_t id, uintptr_t address)
{
	identities_found(t, id, address, same, NULL);
}

TEST(proposals_differ)
{
	struct identities t;
	EXPECT_INT(0, identities_init(&t, MANY));
	identities_begin(&t, MANY);
	for (uintptr_t i = 1; i <= MANY; i++) {
		uint32_t id = identities_propose(&t);
		EXPECT(id != 0 && id >> IDENTITY_BITS == 0);
		put_given(&t, id, i, (uint32_t)(i % 10));
		find(&t, id, i + 10 * MANY);
	}
	for (uint64_t i = 0; i < identities_places(&t); i++) {
		const struct identity *o = identities_at(&t, i);
		EXPECT(o && o->now == o->from + 10 * MANY); /* else two had it */
		EXPECT_INT(2, o ? identity_was(o).survived : 0);
		EXPECT(o && o->from % 10 == identity_was(o).site);
	}
	EXPECT_INT(MANY, identities_places(&t));
	identities_end(&t);
	identities_release(&t);
}

TEST(who_may_have_left)
{
	struct identities t;
	const struct resident most = {101, (1u << 20) - 1, RESIDENT_SURVIVED_MAX};
	EXPECT_INT(0, identities_init(&t, 100));
	identities_begin(&t, 10);
	for (int left = 0; left < 2; left++) {
		EXPECT(identities_put(&t, 7 + (uint32_t)left, &most, left));
		find(&t, 7 + (uint32_t)left,
			most.site % 10); /* by the site, and nothing beside it */
	}
	unsigned count = 0, who_left = 0;
	for (uint64_t i = 0; i < identities_places(&t); i++) {
		const struct identity *o = identities_at(&t, i);
		if (!o)
			continue;
		EXPECT_INT(most.site, identity_was(o).site);
		EXPECT_INT(most.survived, identity_was(o).survived);
		EXPECT(o->now == most.site % 10);
		EXPECT(identity_left(o) == (o->id == 8));
		count++;
		who_left += identity_left(o);
	}
	EXPECT_INT(2, count);
	EXPECT_INT(1, who_left);
	identities_end(&t);
	identities_release(&t);
}

/* Not followed, and known only so that nobody is taken for it. */
TEST(of_others)
{
	struct identities t;
	EXPECT_INT(0, identities_init(&t, 100));
	identities_begin(&t, 10);
	put(&t, 7, 101, 11);
	EXPECT(identities_put_other(&t, 7, &(struct resident){102, 21, 0}));
	EXPECT(identities_put_other(&t, 8, &(struct resident){103, 31, 0}));
	find(&t, 7, 501); /* the other one: who had the number is dead, or it is he */
	find(&t, 8, 601);
	unsigned others = 0;
	for (uint64_t i = 0; i < identities_places(&t); i++) {
		const struct identity *o = identities_at(&t, i);
		others += o && identity_other(o);
		if (o && !identity_other(o)) {
			EXPECT_INT(IDENTITY_UNSURE, o->now);
			EXPECT_INT(11, identity_site(o));
		}
	}
	EXPECT_INT(2, others);
	identities_end(&t);
	identities_release(&t);
}

TEST(who_has_the_same_is_unsure)
{
	struct identities t;
	EXPECT_INT(0, identities_init(&t, 100));
	identities_begin(&t, 10);
	put(&t, 7, 101, 11);
	put(&t, 7, 102, 21);
	put(&t, 7, 103, 32); /* of another class */
	put(&t, 8, 104, 1);
	put(&t, 9, 105, 1);
	put(&t, 10, 106, 1);
	find(&t, 7, 501); /* the first or the second: both may be dead, or one */
	find(&t, 7, 502);
	find(&t, 8, 601);
	find(&t, 8, 611); /* one of these two is a stranger */
	find(&t, 9, 702); /* a stranger of another class */
	find(&t, 10, 801);
	find(&t, 11, 901);
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 101));
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 102));
	EXPECT_INT(502, now(&t, 103));
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 104));
	EXPECT_INT(IDENTITY_LOST, now(&t, 105));
	EXPECT_INT(801, now(&t, 106));
	identities_end(&t);
	identities_begin(&t, 10);
	EXPECT_INT(UINTPTR_MAX, now(&t, 101));
	identities_release(&t);
}

TEST(no_more_than_its_room)
{
	struct identities t;
	uint32_t held = 0;
	EXPECT_INT(0, identities_init(&t, 1));
	identities_begin(&t, MANY);
	for (uint32_t i = 1; i <= MANY; i++)
		held += identities_put(&t, i, &(struct resident){i, 1, 1}, false);
	EXPECT(held >= 500 && held < t.slots);
	find(&t, MANY, 1); /* ends */
	identities_release(&t);
}

static uint32_t scattered(uintptr_t i)
{
	return (uint32_t)(i * 0x9e3779b1u) >> 1 | 1;
}

/* Hashes of the program's own are in no order, and as many as there is room for. */
TEST(numbers_that_are_no_neighbours)
{
	struct identities t;
	EXPECT_INT(0, identities_init(&t, MANY));
	identities_begin(&t, MANY);
	for (uintptr_t i = 0; i < MANY; i++)
		put(&t, scattered(i), 10 * i + 10, 0);
	for (uintptr_t i = 0; i < MANY; i++)
		find(&t, scattered(i), 10 * (i + MANY));
	uint64_t right = 0;
	for (uint64_t i = 0; i < identities_places(&t); i++) {
		const struct identity *o = identities_at(&t, i);
		right += o && o->now == o->from + 10 * MANY - 10;
	}
	EXPECT_INT(MANY, right);
	identities_release(&t);
}

/* What one full collection has numbered, the next one finds numbered. */
TEST(again_and_again)
{
	struct identities t;
	static uint32_t ids[MANY];
	EXPECT_INT(0, identities_init(&t, MANY));
	for (uintptr_t round = 0; round < 4; round++) {
		identities_begin(&t, MANY);
		for (uintptr_t i = 0; i < MANY; i++) {
			bool given = i % 4 >= round; /* a part of it is new */
			if (given)
				ids[i] = identities_propose(&t);
			(given ? put_given : put)(&t, ids[i], 10 * i + 10, 0);
		}
		for (uintptr_t i = 0; i < MANY; i += 3)
			find(&t, ids[i], 10 * (i + MANY));
		uint64_t seen = 0, lost = 0;
		for (uint64_t i = 0; i < identities_places(&t); i++) {
			const struct identity *o = identities_at(&t, i);
			seen += o != NULL;
			lost += o && o->now == IDENTITY_LOST;
			EXPECT(!o || o->now == IDENTITY_LOST || o->now == o->from + 10 * MANY - 10);
		}
		EXPECT_INT(MANY, seen);
		EXPECT_INT(MANY - (MANY + 2) / 3, lost);
		identities_end(&t);
	}
	identities_release(&t);
}

/* Of what is numbered the program keeps one of so many: how many of them find no room near their
 * place in a later collection. */
static uint32_t refused_where_one_is_kept_of(uint32_t each)
{
	enum { KEPT = 16 * MANY };
	struct identities t;
	static uint32_t ids[KEPT];
	uint32_t refused = 0;
	EXPECT_INT(0, identities_init(&t, KEPT));
	identities_begin(&t, KEPT);
	for (uint32_t i = 0; i < KEPT * each; i++) {
		uint32_t id = identities_propose(&t);
		if (i % each == 0)
			ids[i / each] = id;
	}
	identities_end(&t);
	identities_begin(&t, KEPT);
	for (uint32_t i = 0; i < KEPT; i++)
		refused += !identities_put(&t, ids[i], &(struct resident){i + 1, 1, 1}, false);
	identities_release(&t);
	return refused;
}

TEST(what_is_kept_at_regular_distances_has_room)
{
	EXPECT_INT(0, refused_where_one_is_kept_of(2));
	EXPECT_INT(0, refused_where_one_is_kept_of(3));
	EXPECT_INT(0, refused_where_one_is_kept_of(64));
}

/* Of an earlier recording, whose objects still have them: one that is dead is not found again in
 * one of those. */
TEST(no_table_proposes_what_another_has)
{
	struct identities t;
	uint32_t ids[50];
	EXPECT_INT(0, identities_init(&t, 100));
	identities_begin(&t, 100);
	for (int i = 0; i < 50; i++)
		ids[i] = identities_propose(&t);
	identities_release(&t);
	EXPECT_INT(0, identities_init(&t, 100));
	identities_begin(&t, 100);
	for (uintptr_t i = 0; i < 50; i++)
		put_given(&t, identities_propose(&t), 200 + i, 1);
	for (int i = 0; i < 50; i++)
		find(&t, ids[i], 501);
	for (uintptr_t i = 0; i < 50; i++)
		EXPECT_INT(IDENTITY_LOST, now(&t, 200 + i));
	identities_release(&t);
}

/* A hash of the VM's that is what will be proposed, or would be. */
TEST(a_proposal_that_is_taken)
{
	struct identities t;
	uint32_t ids[50];
	EXPECT_INT(0, identities_init(&t, 100));
	uint64_t first = t.proposed;
	identities_begin(&t, 100);
	for (int i = 0; i < 50; i++)
		ids[i] = identities_propose(&t);
	t.proposed = first; /* proposes the same again */
	identities_begin(&t, 100);
	put(&t, ids[40], 101, 1);
	put(&t, ids[30], 102, 1);
	for (uintptr_t i = 0; i < 35; i++) {
		EXPECT_INT(ids[i], identities_propose(&t));
		put_given(&t, ids[i], 200 + i, 1);
	}
	put(&t, ids[10], 103, 1); /* it is given already */
	find(&t, ids[10], 531);
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 103));
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 210));
	find(&t, ids[40], 501);
	find(&t, ids[30], 511);
	find(&t, ids[20], 521);
	EXPECT_INT(501, now(&t, 101));
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 102));
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 230));
	EXPECT_INT(521, now(&t, 220));
	identities_release(&t);
}

/* A hash of the VM's, and an object that is not put was given the same: it is one of the two that
 * is found. */
TEST(who_is_not_here_was_given_the_same)
{
	struct identities t;
	EXPECT_INT(0, identities_init(&t, 100));
	identities_begin(&t, 100);
	uint32_t before = identities_propose(&t);
	put(&t, before, 101, 1); /* put once it was given, or */
	uint64_t first = t.proposed;
	uint32_t id = identities_propose(&t);
	t.proposed = first;
	put(&t, id, 102, 1); /* before it is */
	EXPECT_INT(id, identities_propose(&t));
	find(&t, before, 501);
	find(&t, id, 511);
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 101));
	EXPECT_INT(IDENTITY_UNSURE, now(&t, 102));
	identities_release(&t);
}
