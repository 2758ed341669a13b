#include "analyze/diff.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/ledger_of.h"
#include "support/tap.h"

#define MB 1000000u

static const struct sim_site before[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 640, 60, 90, 1, 3},
	{"a.Order", {"a.b.C.d:30", "a.Main.main:2"}, 320, 30, 20, 1, 9},
	{"a.Order", {"a.b.C.d:40", "a.Main.main:2"}, 320, 10, 20, 1, 9},
	{"a.Gone", {"a.b.K.k:4", "a.Main.main:5"}, 64, 10, 50, 1, 4},
};

/* The first makes a third, lines moved by 7, the third's objects live longer, one is gone, one new.
 */
static const struct sim_site after[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 640, 20, 90, 1, 3},
	{"a.Order", {"a.b.C.d:37", "a.Main.main:2"}, 320, 30, 20, 1, 9},
	{"a.Order", {"a.b.C.d:47", "a.Main.main:2"}, 320, 10, 0, 6, 9},
	{"a.New", {"a.b.N.n:4", "a.Main.main:5"}, 64, 10, 50, 1, 4},
};

static struct sim program(const struct sim_site *sites, uint64_t samples, uint64_t seed)
{
	return (struct sim){.sites = sites,
		.count = 4,
		.seed = seed,
		.samples = samples,
		.interval = 100000,
		.gc_bytes = 8 * MB,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.bytes_per_s = 40 * MB};
}

struct pair_of {
	struct ledger_of l[2];
	struct diff_run runs[2];
	struct diff diff;
};

static void compare(struct pair_of *p, const struct sim *a, const struct sim *b, enum by by)
{
	struct diff_query q = {.by = by, .per = PER_RUN};
	EXPECT_INT(0, ledger_of_sim(&p->l[0], a, false));
	EXPECT_INT(0, ledger_of_sim(&p->l[1], b, false));
	for (int i = 0; i < 2; i++)
		p->runs[i] = (struct diff_run){&p->l[i].model, &p->l[i].ledger};
	struct diff_group ga = {&p->runs[0], 1}, gb = {&p->runs[1], 1};
	EXPECT_INT(0, diff_find(&p->diff, &ga, &gb, &q));
}

static void pair_release(struct pair_of *p)
{
	diff_release(&p->diff);
	ledger_of_release(&p->l[0]);
	ledger_of_release(&p->l[1]);
}

static const struct diff_row *row_of(const struct diff *d, const char *class, uint32_t line_a)
{
	for (size_t i = 0; i < d->rows.count; i++)
		if (strcmp(d->rows.at[i].class, class) == 0 && d->rows.at[i].line_a == line_a)
			return &d->rows.at[i];
	return NULL;
}

TEST(changes_are_found_and_nothing_else)
{
	struct pair_of p;
	struct sim a = program(before, 11000, tap_seed()), b = program(after, 7000, tap_seed() + 1);
	compare(&p, &a, &b, BY_SITE);
	EXPECT_INT(5, p.diff.rows.count);
	const struct diff_row *bytes = row_of(&p.diff, "byte[]", 1),
			      *moved = row_of(&p.diff, "a.Order", 30),
			      *lives = row_of(&p.diff, "a.Order", 40),
			      *gone = row_of(&p.diff, "a.Gone", 4),
			      *new = row_of(&p.diff, "a.New", 0);
	EXPECT(bytes && moved && lives && gone && new);
	if (bytes && moved && lives && gone && new) {
		EXPECT(bytes->changed && bytes->alloc.ratio > 0.3 && bytes->alloc.ratio < 0.37);
		EXPECT(!bytes->lives_changed);
		EXPECT_INT(37, moved->line_b);
		EXPECT(!moved->lives_changed);
		EXPECT_INT(47, lives->line_b);
		EXPECT(lives->lives_changed && lives->one_b > lives->one_a);
		EXPECT(gone->changed && gone->alloc.ratio <= 0);
		EXPECT(new->changed &&isinf(new->alloc.ratio));
		EXPECT(p.diff.changed >= 4);
	}
	pair_release(&p);
}

/* The same program twice: at 5 % a diff, more than 15 of 100 come by chance once in 10^5. */
TEST(no_change_is_seldom_found)
{
	int found = 0;
	for (uint64_t run = 0; run < 100; run++) {
		struct pair_of p;
		struct sim a = program(before, 1500, tap_seed() + 2 * run),
			   b = program(before, 1500, tap_seed() + 2 * run + 1);
		compare(&p, &a, &b, BY_CLASS);
		found += p.diff.changed > 0;
		pair_release(&p);
	}
	EXPECT(found <= 15);
}

/* Whatever the rows, they sum up to what was allocated. */
TEST(rows_hold_all_there_is)
{
	for (int by = 0; by < BY_COUNT; by++) {
		struct pair_of p;
		struct sim a = program(before, 2000, tap_seed()),
			   b = program(after, 2000, tap_seed());
		compare(&p, &a, &b, (enum by)by);
		double sum[2] = {0};
		for (size_t i = 0; i < p.diff.rows.count; i++) {
			sum[0] += p.diff.rows.at[i].alloc.a;
			sum[1] += p.diff.rows.at[i].alloc.b;
		}
		EXPECT_NEAR(p.diff.figures[FIGURE_ALLOC].a, sum[0], 1e-9 * sum[0]);
		EXPECT_NEAR(p.diff.figures[FIGURE_ALLOC].b, sum[1], 1e-9 * sum[1]);
		pair_release(&p);
	}
}

TEST(out_of_memory_is_told)
{
	struct pair_of p;
	struct sim a = program(before, 300, tap_seed()), b = program(after, 300, tap_seed());
	struct diff_query q = {.by = BY_SITE};
	compare(&p, &a, &b, BY_SITE);
	struct diff_group ga = {&p.runs[0], 1}, gb = {&p.runs[1], 1};
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err && n < 2000; n++) {
		struct diff d;
		mem_fail_at(n);
		err = diff_find(&d, &ga, &gb, &q);
		mem_fail_at(0);
		if (!err)
			diff_release(&d);
		else
			EXPECT_INT(ERR_NOMEM, err);
	}
	EXPECT_INT(0, err);
	pair_release(&p);
}
