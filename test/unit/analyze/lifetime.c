#include "analyze/lifetime.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "stat/weight.h"
#include "support/ledger_of.h"
#include "support/tap.h"

enum { ROUNDS = 10, SITES = 6, AGES = 400 };

static const struct sim_site sites[SITES] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 64, 5, 90, 1, 4},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 320, 3, 10, 1, 9},
	{"a.Cache", {"a.b.C.e:4"}, 48, 1, 0, SIM_FOREVER, 0},
	{"byte[]", {"a.b.C.e:5", "a.Main.main:2"}, 4096, 2, 50, 2, 2},
	{"byte[]", {NULL}, 16, 1, 100, 0, 0},
	{"x.List", {"java.util.List.of:1", "a.Main.main:2"}, 24, 1, 95, 1, 1},
};
static const struct sim_text facts[] = {
	{"deaths", "collection"}, {"tenuring.max", "5"}, {NULL, NULL}};

static struct sim random_sim(struct rng *rng, uint64_t samples)
{
	return (struct sim){.sites = sites,
		.count = SITES,
		.facts = facts,
		.seed = rng_u64(rng),
		.samples = samples,
		.interval = 1000,
		.track = 1 + rng_below(rng, 3),
		.walk = 1 + rng_below(rng, 2),
		.gc_bytes = 20000 + rng_below(rng, 100000),
		.full_every = rng_below(rng, 2) * 7,
		.promote = 5,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.bytes_per_s = 1000000,
		.untrack = (unsigned)rng_below(rng, 20),
		.threads = 3};
}

/* The naive account of one site: sums over all pairs of records. */
struct naive {
	double alloc, died, alive, untracked, infant, outlived; /* bytes */
	uint64_t samples;
	double dead_at[AGES], lost_at[AGES]; /* objects */
};

static uint64_t young_before(const struct ledger_of *l, size_t to)
{
	uint64_t young = 0;
	for (size_t i = 0; i < to; i++)
		if (l->records.at[i].kind == RECORD_gc)
			young = l->records.at[i].gc.young;
	return young;
}

static void naive_object(
	const struct ledger_of *l, const struct sim *s, size_t birth, struct naive *n)
{
	const struct record_birth *b = &l->records.at[birth].birth;
	double weight = weight_poisson(b->size, s->interval) * (double)s->walk * (double)s->track;
	double bytes = weight * (double)b->size;
	size_t i = birth + 1;
	uint8_t kind = 0;
	for (; i < l->records.count && !kind; i++) {
		const struct record *r = &l->records.at[i];
		if ((r->kind == RECORD_death && r->death.object == b->object) ||
			(r->kind == RECORD_untrack && r->untrack.object == b->object))
			kind = r->kind;
	}
	uint64_t seen = young_before(l, i) - young_before(l, birth);
	uint64_t age = kind == RECORD_death ? seen - 1 : seen;
	*(kind == RECORD_death ? &n->died : kind ? &n->untracked : &n->alive) += bytes;
	(kind == RECORD_death ? n->dead_at : n->lost_at)[age] += weight;
	if (age)
		n->outlived += bytes;
	else if (kind == RECORD_death)
		n->infant += bytes;
}

static void naive_site(
	const struct ledger_of *l, const struct sim *s, uint64_t site, struct naive *n)
{
	for (size_t i = 0; i < l->records.count; i++) {
		const struct record *r = &l->records.at[i];
		bool birth = r->kind == RECORD_birth && r->birth.site == site;
		if (!birth && !(r->kind == RECORD_alloc && r->alloc.site == site))
			continue;
		uint64_t size = birth ? r->birth.size : r->alloc.size;
		n->samples++;
		n->alloc += weight_poisson(size, s->interval) * (double)s->walk * (double)size;
		if (birth)
			naive_object(l, s, i, n);
	}
}

/* Kaplan and Meier's product, straight from its definition. */
static double naive_survival(const struct naive *n, uint64_t t)
{
	double p = 1;
	for (uint64_t age = 0; age < t; age++) {
		double risk = n->dead_at[age], later = 0;
		for (uint64_t k = age + 1; k < AGES; k++)
			later += n->dead_at[k] + n->lost_at[k];
		if (risk + later <= 0)
			return (double)NAN;
		p *= later / (risk + later);
	}
	return p;
}

static void same(double want, double got)
{
	EXPECT_NEAR(want, got, 1e-9 * (fabs(want) + 1));
}

static void check_row(const struct row *r, const struct naive *n)
{
	same(n->alloc, r->tally.alloc.bytes.sum);
	same(n->died, r->tally.died.bytes.sum);
	same(n->alive, r->tally.alive.bytes.sum);
	same(n->untracked, r->tally.untracked.bytes.sum);
	same(n->infant, r->tally.infant.bytes.sum);
	same(n->outlived, r->tally.outlived.bytes.sum);
	same(n->died + n->alive + n->untracked, r->tally.born.bytes.sum);
	EXPECT_INT(n->samples, r->tally.alloc.n);
	for (uint64_t t = 1; t < 20; t++) {
		double want = naive_survival(n, t), got = curve_at(&r->curves[CLOCK_YOUNG], t).p;
		EXPECT(isnan(want) || !isnan(got));
		if (!isnan(want))
			same(want, got);
	}
}

TEST(agrees_with_sums_over_all_pairs)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		struct sim s = random_sim(&rng, 20 + rng_below(&rng, 500));
		struct ledger_of l;
		struct lifetimes found;
		struct query q = {.by = BY_SITE, .clocks = CLOCKS_ALL};
		EXPECT_INT(0, ledger_of_sim(&l, &s, false));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		double sum = 0;
		for (size_t i = 0; i < found.rows.count; i++) {
			struct naive n = {0};
			naive_site(&l, &s, found.rows.at[i].context.site, &n);
			check_row(&found.rows.at[i], &n);
			sum += n.alloc;
		}
		same(sum, found.alloc.bytes.sum);
		lifetimes_release(&found);
		ledger_of_release(&l);
	}
}

/* However it is grouped, and whether threads are told apart or not, nothing is lost or counted
 * twice. */
TEST(every_grouping_has_the_same_sums)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = random_sim(&rng, 2000);
	double alloc = 0, died = 0;
	for (int i = 0; i < 2 * BY_COUNT; i++) {
		struct ledger_of l;
		struct lifetimes found;
		struct query q = {.by = (enum by)(i / 2), .split = i % 2};
		EXPECT_INT(0, ledger_of_sim(&l, &s, q.by == BY_THREAD || i % 2));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		double a = 0, d = 0;
		for (size_t r = 0; r < found.rows.count; r++) {
			a += found.rows.at[r].tally.alloc.bytes.sum;
			d += found.rows.at[r].tally.died.bytes.sum;
		}
		alloc = i ? alloc : a;
		died = i ? died : d;
		EXPECT_NEAR(alloc, a, 1e-6 * alloc);
		EXPECT_NEAR(died, d, 1e-6 * died);
		EXPECT_INT(0, found.hidden);
		lifetimes_release(&found);
		ledger_of_release(&l);
	}
}

TEST(filters_limits_and_order)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = random_sim(&rng, 2000);
	struct ledger_of l;
	struct lifetimes found;
	struct query q = {.by = BY_CLASS, .limit = 2};
	EXPECT_INT(0, ledger_of_sim(&l, &s, false));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	EXPECT_INT(2, found.rows.count);
	EXPECT_INT(2, found.hidden);
	EXPECT(found.limited);
	EXPECT(lifetimes_sorted_by(&found.rows.at[0], SORT_ALLOC) >=
		lifetimes_sorted_by(&found.rows.at[1], SORT_ALLOC));
	lifetimes_release(&found);
	q = (struct query){.by = BY_SITE};
	EXPECT_INT(0, where_add(&q.where, "class=byte[]", NULL));
	EXPECT_INT(0, where_add(&q.where, "package=a.*", NULL));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	EXPECT_INT(1, found.rows.count);
	EXPECT_STR("a.b.C.e:5", found.rows.count ? found.rows.at[0].label : NULL);
	lifetimes_release(&found);
	ledger_of_release(&l);
}

/* The JDK's own frame names its one application caller. */
TEST(the_application_caller_is_named)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = random_sim(&rng, 2000);
	struct ledger_of l;
	struct lifetimes found;
	struct query q = {.by = BY_SITE};
	struct buf name = {0};
	EXPECT_INT(0, ledger_of_sim(&l, &s, false));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	for (size_t i = 0; i < found.rows.count; i++) {
		const struct row *r = &found.rows.at[i];
		bool jdk = strcmp(r->label, "java.util.List.of:1") == 0;
		EXPECT_INT(jdk, r->caller != 0);
		if (jdk)
			label_frame(&name, &l.model, r->caller);
	}
	EXPECT_STR("a.Main.main:2", buf_text(&name));
	buf_release(&name);
	lifetimes_release(&found);
	ledger_of_release(&l);
}

TEST(out_of_memory_at_every_allocation)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = random_sim(&rng, 80);
	struct query q = {.by = BY_SITE, .split = true, .clocks = CLOCKS_ALL};
	struct ledger_of l;
	EXPECT_INT(0, ledger_of_sim(&l, &s, true));
	int err = ERR_NOMEM;
	uint64_t n = 0;
	while (err == ERR_NOMEM) {
		struct lifetimes found;
		mem_fail_at(++n);
		err = lifetimes_find(&found, &l.model, &l.ledger, &q);
		mem_fail_at(0);
		lifetimes_release(&found);
	}
	EXPECT_INT(0, err);
	EXPECT(n > 10);
	ledger_of_release(&l);
}
