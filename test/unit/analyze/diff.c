#include "analyze/diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/fail_if.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/exact_of.h"
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

static const struct sim_site two_bodies[] = {
	{"byte[]", {"a.B.lambda$run$0:5", "a.Main.main:2"}, 640, 10, 100, 0, 0},
	{"byte[]", {"a.B.lambda$run$1:6", "a.Main.main:2"}, 640, 90, 100, 0, 0},
	{"byte[]", {"a.B.lambda$7:8", "a.Main.main:2"}, 640, 40, 100, 0, 0},
	{"a.lambda$x.C$3", {"a.lambda$x$1.take$5:9", "a.Main.main:2"}, 640, 40, 100, 0, 0},
};
static const struct sim_site one_before[] = {
	{"byte[]", {"a.B.lambda$run$1:6", "a.Main.main:2"}, 640, 10, 100, 0, 0},
	{"byte[]", {"a.B.lambda$run$2:7", "a.Main.main:2"}, 640, 90, 100, 0, 0},
	{"byte[]", {"a.B.lambda$7:8", "a.Main.main:2"}, 640, 40, 100, 0, 0},
	{"a.lambda$x.C$3", {"a.lambda$x$1.take$5:9", "a.Main.main:2"}, 640, 40, 100, 0, 0},
};

/* javac numbers the bodies of a class's lambdas: one more before them is no change of theirs. */
TEST(numbers_of_lambdas_do_not_matter)
{
	struct pair_of p;
	struct sim a = program(two_bodies, 2000, tap_seed()),
		   b = program(one_before, 2000, tap_seed());
	compare(&p, &a, &b, BY_SITE);
	EXPECT_INT(4, p.diff.rows.count);
	EXPECT_INT(0, p.diff.changed);
	const struct diff_row *first = row_of(&p.diff, "byte[]", 5),
			      *second = row_of(&p.diff, "byte[]", 6),
			      *other = row_of(&p.diff, "byte[]", 8),
			      *named = row_of(&p.diff, "a.lambda$x.C$3", 9);
	EXPECT(first && first->line_b == 6 && strcmp(first->place, "a.B.lambda$run$1") == 0);
	EXPECT(second && second->line_b == 7 && strcmp(second->place, "a.B.lambda$run$2") == 0);
	EXPECT(other && strcmp(other->place, "a.B.lambda$7") == 0);
	EXPECT(named && strcmp(named->place, "a.lambda$x$1.take$5") == 0);
	pair_release(&p);
	compare(&p, &a, &b, BY_METHOD);
	EXPECT_INT(3, p.diff.rows.count); /* both bodies are one */
	EXPECT_INT(0, p.diff.changed);
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

/* -- By samples, and counted -- */

struct engines {
	struct exact_of o[2]; /* sampled, exact */
	struct ledger ledgers[2];
	struct diff diff;
};

/* `b` is recorded by the exact engine, `a` by the sampler alone. */
static void compare_engines(struct engines *e, struct exact_sim a, struct exact_sim b, enum by by)
{
	struct diff_query q = {.by = by, .per = PER_RUN};
	struct diff_run runs[2];
	a.sampled_only = true;
	*e = (struct engines){0};
	for (int i = 0; i < 2; i++) {
		struct ledger *l = &e->ledgers[i];
		l->clocks = 1u << CLOCK_YOUNG | 1u << CLOCK_FULL;
		struct listener listener = ledger_listener(l);
		EXPECT_INT(0, exact_of_sim(&e->o[i], i ? &b : &a, &listener));
		EXPECT_INT(0, ledger_settle(l, &e->o[i].model));
		EXPECT_INT(0, leaves_lay(l, &e->o[i].model));
		runs[i] = (struct diff_run){&e->o[i].model, l};
	}
	struct diff_group ga = {&runs[0], 1}, gb = {&runs[1], 1};
	EXPECT_INT(0, diff_find(&e->diff, &ga, &gb, &q));
}

static void engines_release(struct engines *e)
{
	diff_release(&e->diff);
	for (int i = 0; i < 2; i++) {
		ledger_release(&e->ledgers[i]);
		exact_of_release(&e->o[i]);
	}
}

/* Many lines that allocate next to nothing, as a VM at its start does: of a few the sampler happens
 * to catch an object. */
enum { RARE = 100, COMMON = 20, SITES_MOST = 120 };

static unsigned add_rare(struct sim_site *sites, const struct sim *sim, char names[][32])
{
	unsigned count = sim->count;
	memcpy(sites, sim->sites, count * sizeof(*sites));
	for (unsigned i = 0; i < count; i++)
		sites[i].rate *= COMMON;
	for (unsigned i = 0; i < RARE; i++) {
		sites[count] =
			(struct sim_site){names[i], {"com.acme.Start.run:1"}, 24, 1, 100, 0, 0};
		snprintf(names[i], sizeof(names[i]), "com.acme.Rare%u", i);
		count++;
	}
	return count;
}

/* The same run by both: what differs is the sampler's error, which p knows. At 5 % a diff, more
 * than 15 of 100 come by chance once in 10^5. */
TEST(an_engine_is_no_change)
{
	static const enum by groupings[] = {BY_SITE, BY_CLASS, BY_METHOD, BY_PACKAGE};
	int found = 0, lives = 0, held = 0, rows = 0;
	for (uint64_t run = 0; run < 100; run++) {
		struct exact_sim x = exact_of_program(tap_seed() + run);
		struct engines e;
		struct sim_site all[SITES_MOST];
		char names[RARE][32];
		x.sim.count = add_rare(all, &x.sim, names);
		x.sim.sites = all;
		x.sim.samples = 10000;
		x.sim.gc_bytes /= 3;
		x.interval = 16384;
		compare_engines(&e, x, x, groupings[run % ARRAY_SIZE(groupings)]);
		found += e.diff.changed > 0;
		for (size_t i = 0; i < e.diff.rows.count; i++) {
			const struct diff_row *r = &e.diff.rows.at[i];
			lives += r->lives_changed;
			if (!isfinite(r->alloc.lo) || !isfinite(r->alloc.hi))
				continue;
			rows++;
			held += r->alloc.lo <= 1 && 1 <= r->alloc.hi;
		}
		engines_release(&e);
	}
	EXPECT(found <= 15);
	EXPECT(lives <= 3);
	EXPECT(rows > 300 && held >= rows * 90 / 100);
}

/* The same program, once seen 32 times as closely: of much that it sees the other sees
 * nothing. At 5 % a diff, more than 8 of 40 come by chance once in 3000. */
TEST(an_interval_is_no_change)
{
	int found = 0;
	for (uint64_t run = 0; run < 40; run++) {
		struct exact_sim a = exact_of_program(tap_seed() + 2 * run), b;
		struct engines e;
		struct sim_site all[SITES_MOST];
		char names[RARE][32];
		a.sim.count = add_rare(all, &a.sim, names);
		a.sim.sites = all;
		a.sim.samples = 10000;
		a.interval = 2048;
		a.sampled_only = true;
		b = a;
		b.sim.seed++;
		b.interval = 65536;
		compare_engines(&e, run % 2 ? b : a, run % 2 ? a : b, BY_CLASS);
		for (size_t i = 0; i < e.diff.rows.count; i++) {
			const struct change *c = &e.diff.rows.at[i].alloc;
			found += e.diff.rows.at[i].changed && (isinf(c->ratio) || c->ratio <= 0);
		}
		engines_release(&e);
	}
	EXPECT(found <= 8);
}

static size_t broken(const char *rule, const struct diff *d)
{
	struct fail_if f = {0};
	struct notes n = {0};
	EXPECT_INT(0, fail_if_add(&f, rule, NULL));
	EXPECT_INT(0, fail_if_check(&f, d, &n));
	size_t count = n.list.count;
	notes_release(&n);
	return count;
}

/* A half as much of one class is seen; and the counted side has no error of its own: the interval
 * is that of the sampled side. Its 36 samples at the program's interval would show so much in seven
 * runs of eight; four times as many show it beyond chance: five standard errors. */
TEST(a_change_is_found_across_engines)
{
	struct exact_sim a = exact_of_program(tap_seed()), b = a;
	struct sim_site changed[16];
	struct engines e;
	a.interval /= 4;
	memcpy(changed, b.sim.sites, b.sim.count * sizeof(*changed));
	changed[3].rate *= 2;
	b.sim.sites = changed;
	compare_engines(&e, a, b, BY_CLASS);
	const struct diff_row *string = row_of(&e.diff, "java.lang.String", 0);
	EXPECT(string && string->alloc.ratio > 1.2 && string->alloc.ratio < 2.5);
	double truth = 0;
	for (size_t i = 0; i < e.o[1].truth.objects.count; i++)
		truth += e.o[1].truth.objects.at[i].size == 24 ? 24 : 0;
	EXPECT(string && fabs(string->alloc.b - truth) < 0.5);
	/* Half as much again is beyond, twice as much is not; nor is any other class. */
	EXPECT_INT(1, broken("class.alloc>+20%", &e.diff));
	EXPECT_INT(0, broken("class.alloc>+150%", &e.diff));
	engines_release(&e);
}

/* -- Several runs a side -- */

enum { STEADY = 60, GROUP = 2 };

struct groups_of {
	struct ledger_of l[2 * GROUP];
	struct diff_run runs[2 * GROUP];
	struct diff_group a, b;
	struct diff diff;
};

static double normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_unit(r))) * cos(2 * M_PI * rng_unit(r));
}

/* A run of a program that makes each class a fifth more or less than the last time. */
static int set_run(struct ledger_of *l, struct rng *r, bool doubled)
{
	static char names[STEADY][32];
	struct sim_site sites[STEADY];
	for (unsigned i = 0; i < STEADY; i++) {
		snprintf(names[i], sizeof(names[i]), "a.C%u", i);
		double rate = 1000 * exp(0.2 * normal(r)) * (doubled && !i ? 4 : 1);
		sites[i] = (struct sim_site){
			names[i], {"a.Main.main:2"}, 640, (unsigned)rate, 50, 1, 3};
	}
	struct sim s = program(sites, STEADY * 40, rng_u64(r));
	s.count = STEADY;
	return ledger_of_sim(l, &s, false);
}

static void compare_groups(struct groups_of *g, struct rng *r, bool doubled)
{
	struct diff_query q = {.by = BY_CLASS, .per = PER_RUN};
	for (size_t i = 0; i < 2 * GROUP; i++) {
		EXPECT_INT(0, set_run(&g->l[i], r, doubled && i >= GROUP));
		g->runs[i] = (struct diff_run){&g->l[i].model, &g->l[i].ledger};
	}
	g->a = (struct diff_group){g->runs, GROUP};
	g->b = (struct diff_group){g->runs + GROUP, GROUP};
	EXPECT_INT(0, diff_find(&g->diff, &g->a, &g->b, &q));
}

static void groups_release(struct groups_of *g)
{
	diff_release(&g->diff);
	for (size_t i = 0; i < 2 * GROUP; i++)
		ledger_of_release(&g->l[i]);
}

/* Two runs of a row tell little of how they differ; those of all rows do. At 5 % a diff, more than
 * 8 of 40 come by chance once in 3000. */
TEST(runs_that_vary_are_no_change)
{
	struct rng r = rng_init(tap_seed());
	int found = 0, survived = 0;
	for (int i = 0; i < 40; i++) {
		struct groups_of g;
		bool any = false;
		compare_groups(&g, &r, false);
		for (size_t k = 0; k < g.diff.rows.count; k++)
			any |= g.diff.rows.at[k].survived_p <= DIFF_ALPHA;
		found += g.diff.changed > 0;
		survived += any;
		groups_release(&g);
	}
	EXPECT(found <= 8);
	EXPECT(survived <= 8);
}

TEST(what_changed_is_found_among_runs_that_vary)
{
	struct rng r = rng_init(tap_seed());
	struct groups_of g;
	compare_groups(&g, &r, true);
	const struct diff_row *first = row_of(&g.diff, "a.C0", 0);
	EXPECT(first && first->changed && first->survived_p <= DIFF_ALPHA);
	EXPECT(first && first->alloc.lo > 1.5 && first->alloc.hi < 10);
	EXPECT_INT(1, g.diff.changed);
	groups_release(&g);
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

static const struct sim_text launched[] = {{"start", "launch"}, {NULL, NULL}};

static enum diff_per per_of(struct pair_of *p)
{
	struct diff_query q = {.by = BY_SITE};
	struct diff_group ga = {&p->runs[0], 1}, gb = {&p->runs[1], 1};
	diff_release(&p->diff);
	EXPECT_INT(0, diff_find(&p->diff, &ga, &gb, &q));
	return p->diff.per;
}

/* Of a run beside a part of one amounts would say that the part did less. */
TEST(a_part_of_a_run_is_compared_by_the_second)
{
	struct pair_of p;
	struct sim a = program(before, 500, tap_seed()), b = program(before, 500, tap_seed() + 1);
	a.facts = b.facts = launched;
	compare(&p, &a, &b, BY_SITE);
	struct model *m = &p.l[1].model;
	EXPECT_INT(PER_RUN, per_of(&p));
	m->begin.forgotten.blocks = 3; /* --cyclic */
	EXPECT_INT(PER_SECOND, per_of(&p));
	m->begin.forgotten.blocks = 0;
	m->facts.waited = 7; /* --delay, --paused */
	EXPECT_INT(PER_SECOND, per_of(&p));
	m->facts.waited = 0;
	m->end_reason = END_DURATION;
	EXPECT_INT(PER_SECOND, per_of(&p));
	pair_release(&p);
}

/* ZGC's and Shenandoah's are all concurrent; of G1 the pauses of its cycles are among the others.
 */
TEST(the_mean_pause_is_of_collections_of_all_kinds)
{
	struct pair_of p;
	struct sim a = program(before, 500, tap_seed()), b = program(before, 500, tap_seed() + 1);
	compare(&p, &a, &b, BY_SITE);
	struct gcs *g = &p.l[1].model.gcs;
	for (size_t i = 0; i < GC_KINDS; i++)
		g->count[i] = 0;
	g->pause_total = 600;
	per_of(&p);
	EXPECT(isnan(p.diff.figures[FIGURE_PAUSE_MEAN].b));
	g->count[GC_KIND_CONCURRENT] = 3;
	per_of(&p);
	EXPECT_NEAR(200, p.diff.figures[FIGURE_PAUSE_MEAN].b, 1e-9);
	g->count[GC_KIND_YOUNG] = 1;
	per_of(&p);
	EXPECT_NEAR(150, p.diff.figures[FIGURE_PAUSE_MEAN].b, 1e-9);
	pair_release(&p);
}

/* It did nothing, and not nothing a second; among others it does not count. */
TEST(no_time_has_no_rate)
{
	struct pair_of p;
	struct sim a = program(before, 500, tap_seed()), b = program(before, 500, tap_seed() + 1);
	compare(&p, &a, &b, BY_SITE);
	struct model *m = &p.l[1].model;
	uint64_t time = m->now.time;
	m->now.time = 0;
	EXPECT_INT(PER_SECOND, per_of(&p));
	EXPECT(isnan(p.diff.figures[FIGURE_ALLOC].b) && isnan(p.diff.figures[FIGURE_ALLOC].ratio));
	EXPECT(isnan(p.diff.figures[FIGURE_YOUNG].b) && p.diff.figures[FIGURE_YOUNG].a > 0);
	for (size_t i = 0; i < p.diff.rows.count; i++)
		EXPECT(isnan(p.diff.rows.at[i].alloc.b) && !p.diff.rows.at[i].changed);
	m->now.time = time;
	pair_release(&p);
}

TEST(out_of_memory_is_told_among_groups)
{
	struct rng r = rng_init(tap_seed());
	struct groups_of g;
	struct diff_query q = {.by = BY_CLASS};
	compare_groups(&g, &r, false);
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err && n < 5000; n++) {
		struct diff d;
		mem_fail_at(n);
		err = diff_find(&d, &g.a, &g.b, &q);
		mem_fail_at(0);
		if (!err)
			diff_release(&d);
		else
			EXPECT_INT(ERR_NOMEM, err);
	}
	EXPECT_INT(0, err);
	groups_release(&g);
}
