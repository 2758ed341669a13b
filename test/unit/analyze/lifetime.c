#include "analyze/lifetime.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "stat/weight.h"
#include "support/ledger_of.h"
#include "support/tap.h"

enum { ROUNDS = 10, SITES = 8, AGES = 400 };

static const struct sim_site sites[SITES] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 64, 5, 90, 1, 4},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 320, 3, 10, 1, 9},
	{"a.Cache", {"a.b.C.e:4"}, 48, 1, 0, SIM_FOREVER, 0},
	{"byte[]", {"a.b.C.e:5", "a.Main.main:2"}, 4096, 2, 50, 2, 2},
	{"byte[]", {NULL}, 16, 1, 100, 0, 0},
	{"x.List", {"java.util.List.of:1", "a.Main.main:2"}, 24, 1, 95, 1, 1},
	/* Of one line, in two sizes that live differently. */
	{"char[]", {"a.b.C.f:6"}, 16, 1, 100, 0, 0},
	{"char[]", {"a.b.C.f:6"}, 40000, 3, 10, 1, 12},
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

struct naive_ages {
	double dead[AGES], lost[AGES];
};

/* The naive account of some sites: sums over all pairs of records. */
struct naive {
	double alloc, died, alive, untracked, infant, outlived; /* bytes */
	uint64_t samples;
	struct naive_ages ages[MEASURES][CLOCKS_GC];
};

/* The last collection before record `to`; NULL: none. */
static const struct record_gc *gc_before(const struct ledger_of *l, size_t to)
{
	while (to-- > 0)
		if (l->records.at[to].kind == RECORD_gc)
			return &l->records.at[to].gc;
	return NULL;
}

static uint64_t clock_before(const struct ledger_of *l, size_t to, enum clock clock)
{
	const struct record_gc *gc = gc_before(l, to);
	return !gc ? 0 : clock == CLOCK_YOUNG ? gc->young : gc->full;
}

/* Whether the last collection before record `to` moved the clock. */
static bool moved_before(const struct ledger_of *l, size_t to, enum clock clock)
{
	while (to > 0 && l->records.at[to - 1].kind != RECORD_gc)
		to--;
	return to > 0 && clock_before(l, to, clock) > clock_before(l, to - 1, clock);
}

static void naive_age(const struct ledger_of *l, size_t birth, size_t end, enum clock clock,
	bool died, double weight, struct naive_ages *out)
{
	uint64_t age = clock_before(l, end, clock) - clock_before(l, birth, clock);
	bool found = moved_before(l, end, clock);
	/* Found between two of this clock's collections: proves nothing unless another came. */
	died &= found || clock_before(l, l->records.count, clock) > clock_before(l, end, clock);
	(died ? out->dead : out->lost)[died && found ? age - 1 : age] += weight;
}

static void naive_object(
	const struct ledger_of *l, const struct sim *s, size_t birth, struct naive *n)
{
	const struct record_birth *b = &l->records.at[birth].birth;
	double weight = weight_poisson(b->size, s->interval) * (double)s->walk * (double)s->track;
	double bytes = weight * (double)b->size;
	const double weights[MEASURES] = {[MEASURE_OBJECTS] = weight, [MEASURE_BYTES] = bytes};
	size_t i = birth + 1;
	uint8_t kind = 0;
	for (; i < l->records.count && !kind; i++) {
		const struct record *r = &l->records.at[i];
		if ((r->kind == RECORD_death && r->death.object == b->object) ||
			(r->kind == RECORD_untrack && r->untrack.object == b->object))
			kind = r->kind;
	}
	bool died = kind == RECORD_death;
	uint64_t seen = clock_before(l, i, CLOCK_YOUNG) - clock_before(l, birth, CLOCK_YOUNG);
	uint64_t age = died ? seen - 1 : seen;
	*(died ? &n->died : kind ? &n->untracked : &n->alive) += bytes;
	for (int m = 0; m < MEASURES; m++)
		for (int c = 0; c < CLOCKS_GC; c++)
			naive_age(l, birth, i, (enum clock)c, died, weights[m], &n->ages[m][c]);
	if (age)
		n->outlived += bytes;
	else if (died)
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
static double naive_survival(const struct naive_ages *n, uint64_t t)
{
	double p = 1;
	for (uint64_t age = 0; age < t; age++) {
		double risk = n->dead[age], later = 0;
		for (uint64_t k = age + 1; k < AGES; k++)
			later += n->dead[k] + n->lost[k];
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

static void check_curve(const struct curve *c, const struct naive_ages *n)
{
	for (uint64_t t = 1; t < 20; t++) {
		double want = naive_survival(n, t), got = curve_at(c, t).p;
		EXPECT(isnan(want) || !isnan(got));
		if (!isnan(want))
			same(want, got);
	}
}

/* full: there were full collections; else nothing is known of those. */
static void check_row(const struct row *r, const struct naive *n, bool full)
{
	same(n->alloc, r->tally.alloc.bytes.sum);
	same(n->died, r->tally.died.bytes.sum);
	same(n->alive, r->tally.alive.bytes.sum);
	same(n->untracked, r->tally.untracked.bytes.sum);
	same(n->infant, r->tally.infant.bytes.sum);
	same(n->outlived, r->tally.outlived.bytes.sum);
	same(n->died + n->alive + n->untracked, r->tally.born.bytes.sum);
	EXPECT_INT(n->samples, r->tally.alloc.n);
	for (int c = 0; c < CLOCKS_GC; c++) {
		if (c == CLOCK_FULL && !full)
			continue;
		check_curve(&r->curves[c], &n->ages[MEASURE_OBJECTS][c]);
		check_curve(&r->by_bytes[c], &n->ages[MEASURE_BYTES][c]);
	}
}

/* The first of the sites with this one's class and line; indices are ids, from 1. */
static uint64_t first_alike(uint64_t site)
{
	const char *line = sites[site - 1].frames[0];
	for (uint64_t i = 1; line && i < site; i++)
		if (strcmp(sites[i - 1].class, sites[site - 1].class) == 0 &&
			sites[i - 1].frames[0] && strcmp(sites[i - 1].frames[0], line) == 0)
			return i;
	return site;
}

/* The records of all sites that are in the row. */
static void naive_row(
	const struct ledger_of *l, const struct sim *s, const struct row *r, struct naive *n)
{
	for (uint64_t i = 1; i <= SITES; i++)
		if (first_alike(i) == first_alike(r->context.site))
			naive_site(l, s, i, n);
}

TEST(agrees_with_sums_over_all_pairs)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		struct sim s = random_sim(&rng, 20 + rng_below(&rng, 500));
		struct ledger_of l;
		struct lifetimes found;
		struct query q = {.by = BY_SITE, .clocks = CLOCKS_ALL};
		EXPECT_INT(0, ledger_and_records_of_sim(&l, &s, false));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		double sum = 0;
		for (size_t i = 0; i < found.rows.count; i++) {
			struct naive n = {0};
			naive_row(&l, &s, &found.rows.at[i], &n);
			check_row(&found.rows.at[i], &n, l.model.now.full > 0);
			sum += n.alloc;
		}
		same(sum, found.alloc.bytes.sum);
		lifetimes_release(&found);
		ledger_of_release(&l);
	}
}

static void expect_equal(const struct curve *a, const struct curve *b)
{
	EXPECT_INT(a->points.count, b->points.count);
	EXPECT(a->known == b->known);
	same(a->n_eff, b->n_eff);
	for (size_t i = 0; i < a->points.count && i < b->points.count; i++) {
		const struct curve_point *x = &a->points.at[i], *y = &b->points.at[i];
		EXPECT_INT(x->t, y->t);
		same(x->p, y->p);
		EXPECT_NEAR(x->lo, y->lo, 1e-6); /* found by bisection */
		EXPECT_NEAR(x->hi, y->hi, 1e-6);
	}
}

/* Where all objects are of one size it is the same what is counted. */
TEST(rows_of_one_size_live_alike_by_objects_and_by_bytes)
{
	struct rng rng = rng_init(tap_seed());
	int compared = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct sim s = random_sim(&rng, 20 + rng_below(&rng, 1000));
		struct ledger_of l;
		struct lifetimes found;
		struct query q = {.by = BY_SITE, .clocks = CLOCKS_ALL};
		s.count = SITES - 2; /* without the line of two sizes */
		EXPECT_INT(0, ledger_and_records_of_sim(&l, &s, false));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		for (size_t i = 0; i < found.rows.count; i++) {
			const struct row *r = &found.rows.at[i];
			for (int c = 0; c < CLOCKS_GC; c++)
				expect_equal(&r->curves[c], &r->by_bytes[c]);
			const struct evidence *e = r->evidence;
			EXPECT_INT(e[MEASURE_OBJECTS].seen, e[MEASURE_BYTES].seen);
			EXPECT_INT(e[MEASURE_OBJECTS].followed, r->tally.born.n);
			same(e[MEASURE_OBJECTS].effective, e[MEASURE_BYTES].effective);
			compared += r->by_bytes[CLOCK_YOUNG].points.count > 0;
		}
		lifetimes_release(&found);
		ledger_of_release(&l);
	}
	EXPECT(compared > ROUNDS);
}

#define POOL "a.Pool.next:1"

/* A few small arrays stand for most objects of the line, and say next to nothing; its bytes are
 * well known, and live long. */
static const struct sim_site mixed[] = {
	{"byte[]", {POOL, "a.Small.s:1"}, 24, 1, 100, 0, 0},
	{"byte[]", {POOL, "a.Large.l:1"}, 65536, 99, 2, 16, 60},
};

/* The row of both, which are of one class. */
static void find_mixed(
	uint64_t samples, uint64_t gc_bytes, struct ledger_of *l, struct lifetimes *found)
{
	struct sim s = {.sites = mixed,
		.count = ARRAY_SIZE(mixed),
		.facts = facts,
		.seed = 7,
		.samples = samples,
		.interval = 524288,
		.gc_bytes = gc_bytes,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.bytes_per_s = 1000000};
	struct query q = {.by = BY_CLASS, .clocks = CLOCKS_ALL};
	EXPECT_INT(0, ledger_and_records_of_sim(l, &s, false));
	EXPECT_INT(0, lifetimes_find(found, &l->model, &l->ledger, &q));
	EXPECT_INT(1, found->rows.count);
}

static void release(struct ledger_of *l, struct lifetimes *found)
{
	lifetimes_release(found);
	ledger_of_release(l);
}

TEST(where_objects_cannot_say_bytes_can)
{
	struct ledger_of l;
	struct lifetimes found;
	find_mixed(250, 3000000, &l, &found);
	const struct row *r = &found.rows.at[0];
	EXPECT_INT(250, r->evidence[MEASURE_BYTES].followed);
	EXPECT(r->evidence[MEASURE_OBJECTS].too_few);
	EXPECT(!r->evidence[MEASURE_BYTES].too_few);
	EXPECT(r->evidence[MEASURE_BYTES].effective > 200);
	EXPECT(curve_at(&r->curves[CLOCK_YOUNG], 1).p < 0.1);
	EXPECT(curve_at(&r->by_bytes[CLOCK_YOUNG], 1).p > 0.9);
	EXPECT_STR("immortal", shape_text(r->shape));
	EXPECT(curve_at(&found.outlived, 1).p > 0.9);
	release(&l, &found);
}

/* What is too large to be followed is not what the followed ones say of all. */
TEST(how_much_is_known_of_what_outlived)
{
	static const struct sim_site sizes[] = {{"byte[]", {"a.B.large:1"}, 1000000, 80, 0, 1, 1},
		{"char[]", {"a.B.small:2"}, 1000, 20, 0, SIM_FOREVER, 0}};
	struct sim s = {.sites = sizes,
		.count = 2,
		.seed = tap_seed(),
		.samples = 5000,
		.interval = 524288,
		.walk = 1,
		.track = 1,
		.gc_bytes = 20000000,
		.bytes_per_s = 100000000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL};
	struct query q = {.by = BY_CLASS, .sort = SORT_ALLOC, .clocks = UINT32_MAX};
	static const struct sim_text told[] = {{"follow.max", "524288"}, {NULL, NULL}};
	for (int i = 0; i < 3; i++) {
		struct ledger_of l;
		struct lifetimes found;
		s.follow_max = i ? 524288 : 0;
		s.track = i == 2 ? 4 : 1; /* nobody stands for a large one then either */
		s.facts = i == 2 ? told : NULL;
		EXPECT_INT(0, ledger_and_records_of_sim(&l, &s, false));
		EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
		double small = found.rows.at[1].tally.alloc.bytes.sum / found.alloc.bytes.sum;
		EXPECT(curve_at(&found.outlived, 1).p > 0.9);
		EXPECT(small > 0.05 && small < 0.3);
		EXPECT_NEAR(i ? small : 1, found.known, 0.03);
		release(&l, &found);
	}
}

/* One collection, after half of the samples: what was born later says nothing of how long it
 * lives. */
TEST(what_no_collection_saw_is_no_evidence)
{
	struct ledger_of l;
	struct lifetimes found;
	find_mixed(18, 0, &l, &found);
	uint64_t alloc = l.model.now.alloc;
	EXPECT_INT(0, found.rows.at[0].evidence[MEASURE_BYTES].seen);
	EXPECT(!found.rows.at[0].evidence[MEASURE_BYTES].too_few); /* there was no collection */
	release(&l, &found);
	find_mixed(18, alloc * 51 / 100, &l, &found);
	const struct evidence *e = &found.rows.at[0].evidence[MEASURE_BYTES];
	EXPECT_INT(1, l.model.now.young);
	EXPECT_INT(18, e->followed);
	EXPECT(e->seen > 5 && e->seen < 10);
	EXPECT(e->too_few && found.rows.at[0].shape == SHAPE_UNKNOWN);
	EXPECT(found.rows.at[0].by_bytes[CLOCK_YOUNG].n_eff > 10);
	release(&l, &found);
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
		EXPECT_INT(0, ledger_and_records_of_sim(&l, &s, q.by == BY_THREAD || i % 2));
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
	EXPECT_INT(0, ledger_and_records_of_sim(&l, &s, false));
	EXPECT_INT(0, lifetimes_find(&found, &l.model, &l.ledger, &q));
	EXPECT_INT(2, found.rows.count);
	EXPECT_INT(2, found.rows.room); /* those that were hidden take nothing */
	EXPECT_INT(3, found.hidden);
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
	EXPECT_INT(0, ledger_and_records_of_sim(&l, &s, false));
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
	EXPECT_INT(0, ledger_and_records_of_sim(&l, &s, true));
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
