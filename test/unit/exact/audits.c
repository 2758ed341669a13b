#include "exact/audits.h"

#include "support/tap.h"

enum { PATIENCE = 30, FULL = 300, MANY = 100 };

static struct account_audit audit(uint64_t walked, uint64_t seen)
{
	return (struct account_audit){.walked = walked, .seen = seen};
}

static bool try(struct audits *a, uint64_t walked, uint64_t seen, bool last)
{
	struct account_audit one = audit(walked, seen);
	return audits_try(a, &one, last);
}

static void add(struct audits *a, uint64_t walked, uint64_t seen)
{
	struct account_audit one = audit(walked, seen);
	audits_add(a, &one);
}

/* One part in 1000, and 400 objects for each audit, may be off, to either side. */
TEST(how_far_off_they_may_be)
{
	static const struct {
		uint64_t walked, seen;
		bool off;
	} cases[] = {
		{1000000, 1000000, false},
		{1000000, 998600, false},
		{1000000, 998599, true},
		{1000000, 1001400, false},
		{1000000, 1001401, true},
		{99999, 0, false}, /* too few to judge by */
		{100000, 99500, false},
		{100000, 99499, true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct audits a = {.trusted = true};
		add(&a, cases[i].walked, cases[i].seen);
		EXPECT_INT(cases[i].off, audits_off(&a));
	}
}

/* The slack is each audit's: small ones add up, and one that was not made gives none. */
TEST(slack_is_for_each_audit)
{
	struct audits a = {.trusted = true};
	for (int i = 0; i < MANY; i++)
		add(&a, 2000, 1600);
	EXPECT(!audits_off(&a));
	add(&a, 0, 0);
	EXPECT_INT(MANY, a.count);
	add(&a, 2000, 997); /* 400 of its own and 202 by the thousand, of all */
	EXPECT(audits_off(&a));
}

/* What is counted before an audit holds is not in the sum. */
TEST(trust_comes_with_an_audit_that_holds)
{
	struct audits a = {.trusted = false};
	EXPECT(!try(&a, 0, 0, false)); /* none was made */
	EXPECT(!try(&a, 5000, 100, false));
	EXPECT_INT(5000, a.sum.walked);
	EXPECT_INT(100, a.sum.seen);
	EXPECT(!try(&a, 5000, 5000, true)); /* nothing comes after it that would be counted */
	EXPECT(try(&a, 5000, 4999, false));
	EXPECT(a.trusted);
	EXPECT_INT(0, a.sum.walked);
	add(&a, 700, 699);
	EXPECT_INT(700, a.sum.walked);
	EXPECT_INT(699, a.sum.seen);
	EXPECT_INT(1, a.count);
}

TEST(patience_ends)
{
	struct audits a = {.trusted = false};
	for (int i = 0; i < PATIENCE; i++)
		try(&a, 5000, 100, false);
	EXPECT(!audits_off(&a));
	try(&a, 5000, 100, false);
	EXPECT(audits_off(&a));
}

/* Collections that can't be audited say nothing against the counts. */
TEST(patience_is_longer_where_none_can_be_made)
{
	struct audits a = {.trusted = false};
	for (int i = 0; i < FULL; i++)
		try(&a, 0, 0, false);
	try(&a, 0, 0, true);
	EXPECT(!audits_off(&a));
	EXPECT(try(&a, 5000, 5000, false));
	a = (struct audits){.unaudited = FULL};
	try(&a, 0, 0, false);
	EXPECT(audits_off(&a));
}
