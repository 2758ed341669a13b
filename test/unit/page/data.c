#include "page/data.h"

#include <math.h>

#include "analyze/lifetime.h"
#include "base/error.h"
#include "support/page_of.h"
#include "support/page_sim.h"
#include "support/tap.h"

enum { ROUNDS = 20, ROWS_MAX = 64 };

/* Weights are stored to 24 bits. */
static void same(double want, double got)
{
	EXPECT_NEAR(want, got, 1e-6 * fabs(want));
}

/* The columns of a page that the sums are made of. */
struct sums {
	struct page_read r;
	size_t count;
	double *site, *size, *weight, *fate, *lives, *young, *full, *row;
};

static double *column(const struct page_read *r, const char *name)
{
	double *out = page_read_column(r, name);
	EXPECT(out != NULL);
	return out;
}

static void sums_read(struct sums *s, const struct page_of *p)
{
	EXPECT_INT(0, page_read_data(&s->r, buf_slice(&p->bytes)));
	s->count = page_read_count(&s->r, "sample.site");
	s->site = column(&s->r, "sample.site");
	s->size = column(&s->r, "sample.size");
	s->weight = column(&s->r, "sample.weight");
	s->fate = column(&s->r, "sample.fate");
	s->lives = column(&s->r, "sample.lives");
	s->young = column(&s->r, "sample.young");
	s->full = column(&s->r, "sample.full");
	s->row = column(&s->r, "site.row");
}

static void sums_release(struct sums *s)
{
	double *all[] = {s->site, s->size, s->weight, s->fate, s->lives, s->young, s->full, s->row};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		mem_free(all[i]);
	page_read_release(&s->r);
}

/* What a row of the report says, summed up from the page; row < 0: of all. */
struct want {
	double alloc, objects, fates[4], infant, outlived;
};

static struct want sum_up(const struct sums *s, double row, bool old)
{
	struct want w = {0};
	for (size_t i = 0; i < s->count; i++) {
		if (row >= 0 && s->row[(size_t)s->site[i]] != row)
			continue;
		double age = old ? s->full[i] : s->young[i], lives = s->lives[i] * s->size[i];
		w.alloc += s->weight[i] * s->size[i];
		w.objects += s->weight[i];
		w.fates[(int)s->fate[i]] += lives;
		if (s->fate[i] > 0 && age > 0)
			w.outlived += lives;
		else if (s->fate[i] == KEPT_DIED)
			w.infant += lives;
	}
	return w;
}

static void compare(const struct tally *t, const struct want *w)
{
	same(t->alloc.bytes.sum, w->alloc);
	same(t->alloc.objects.sum, w->objects);
	EXPECT(w->fates[KEPT_NOT_FOLLOWED] == 0);
	same(t->died.bytes.sum, w->fates[KEPT_DIED]);
	same(t->alive.bytes.sum, w->fates[KEPT_ALIVE]);
	same(t->untracked.bytes.sum, w->fates[KEPT_LET_GO]);
	same(t->infant.bytes.sum, w->infant);
	same(t->outlived.bytes.sum, w->outlived);
}

/* The page's row that the report's is: of one site, with as many frames. */
static double row_like(const struct page_of *p, const struct row *r)
{
	for (size_t i = 0; i < p->data.rows.list.count; i++) {
		const struct context *c = &p->data.rows.list.at[i];
		if (c->site == r->context.site && c->frames == r->context.frames &&
			c->callers == r->context.callers)
			return (double)i;
	}
	return -2;
}

TEST(rows_are_those_of_the_report)
{
	struct rng rng = rng_init(tap_seed());
	size_t split = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct sim s = page_sim(&rng, 2000);
		struct page_of p;
		struct sums sums;
		struct lifetimes l;
		struct query q = {.by = BY_SITE, .split = true};
		EXPECT_INT(0, page_of_sim(&p, &s, 5000, 1000));
		EXPECT_INT(0, lifetimes_find(&l, &p.model, &p.collect.ledger, &q));
		sums_read(&sums, &p);
		bool old = p.model.facts.deaths == DEATHS_OLD, taken[ROWS_MAX] = {false};
		EXPECT_INT(l.rows.count, page_read_count(&sums.r, "row.site"));
		for (size_t i = 0; i < l.rows.count; i++) {
			double row = row_like(&p, &l.rows.at[i]);
			EXPECT(row >= 0 && row < ROWS_MAX && !taken[(size_t)row]);
			taken[row >= 0 ? (size_t)row : 0] = true;
			struct want w = sum_up(&sums, row, old);
			compare(&l.rows.at[i].tally, &w);
			split += l.rows.at[i].context.split;
		}
		struct want all = sum_up(&sums, -1, old);
		same(l.alloc.bytes.sum, all.alloc);
		sums_release(&sums);
		lifetimes_release(&l);
		page_of_release(&p);
	}
	EXPECT(split > 0);
}

/* What is thinned still adds up: each kind of sample to its number in the trace times a factor
 * near 1, and the rules of the page hold. */
TEST(thinned_pages_keep_the_rules)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		struct sim s = page_sim(&rng, 2000);
		struct page_of p;
		struct sums sums;
		EXPECT_INT(0, page_of_sim(&p, &s, 100, 5));
		sums_read(&sums, &p);
		EXPECT(sums.count > 0 && sums.count <= 100);
		EXPECT(page_read_count(&sums.r, "gc.start") <= 5);
		json_t *thinned = json_object_get(sums.r.document, "thinned");
		EXPECT_NEAR(2000 / (double)sums.count, json_number_value(thinned), 1e-3);
		const struct samples *samples = &p.collect.samples;
		for (size_t i = 0; i < sums.count; i++) {
			const struct kept *k = &samples->list.at[i];
			double factor = ldexp(1, (int)samples->sieve.level[k->followed]);
			same(k->weight * factor, sums.weight[i]);
			same(k->lives * factor, sums.lives[i]);
			EXPECT((sums.fate[i] > 0) == (sums.lives[i] > 0));
		}
		bool said = false;
		for (size_t i = 0; i < p.notes.list.count; i++)
			said |= strstr(p.notes.list.at[i], "drawn at random") != NULL;
		EXPECT(said);
		sums_release(&sums);
		page_of_release(&p);
	}
}

/* Definitions of the page name what the trace's do. */
TEST(stacks_are_those_of_the_trace)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 300);
	struct page_of p;
	struct page_read r;
	EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
	EXPECT_INT(0, page_read_data(&r, buf_slice(&p.bytes)));
	double *frame = column(&r, "site.frame"), *parent = column(&r, "frame.parent");
	double *method = column(&r, "frame.method"), *line = column(&r, "frame.line");
	double *name = column(&r, "method.name"), *class = column(&r, "method.class");
	size_t frames = page_read_count(&r, "frame.parent"), stacks = 0;
	for (size_t i = 0; i < frames; i++)
		EXPECT(i ? parent[i] < (double)i : parent[i] == 0);
	for (size_t i = 0; i < page_read_count(&r, "site.frame"); i++) {
		/* "java.util.Arrays.copyOf:1" < "a.B.d:1" < "a.Main.main:2" */
		size_t f = (size_t)frame[i];
		if (strcmp(page_read_text(&r, name[(size_t)method[f]]), "copyOf") != 0)
			continue;
		EXPECT_STR("java.util.Arrays", page_read_text(&r, class[(size_t)method[f]]));
		EXPECT(line[f] == 1);
		f = (size_t)parent[f];
		EXPECT_STR("a.B", page_read_text(&r, class[(size_t)method[f]]));
		f = (size_t)parent[f];
		EXPECT_STR("main", page_read_text(&r, name[(size_t)method[f]]));
		EXPECT(line[f] == 2 && parent[f] == 0);
		stacks++;
	}
	EXPECT_INT(2, stacks);
	double *all[] = {frame, parent, method, line, name, class};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		mem_free(all[i]);
	page_read_release(&r);
	page_of_release(&p);
}

/* One of 95 % under the first line of the JDK's, two of 50 % under the second. */
static const struct sim_site called[] = {
	{"byte[]", {"java.util.Arrays.copyOf:1", "a.B.c:1", "a.Main.main:2"}, 64, 95, 90, 1, 1},
	{"byte[]", {"java.util.Arrays.copyOf:1", "a.B.d:1", "a.Main.main:2"}, 64, 5, 90, 1, 1},
	{"byte[]", {"java.util.List.of:1", "a.B.e:1", "a.Main.main:2"}, 64, 50, 90, 1, 1},
	{"byte[]", {"java.util.List.of:1", "a.B.f:1", "a.Main.main:2"}, 64, 50, 90, 1, 1},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 64, 10, 90, 1, 1}};

static uint32_t callers_alike(const struct page_of *p, const struct lifetimes *l)
{
	struct page_read r;
	uint32_t named = 0;
	EXPECT_INT(0, page_read_data(&r, buf_slice(&p->bytes)));
	double *got = column(&r, "row.caller"), *site = column(&r, "row.site");
	EXPECT_INT(l->rows.count, page_read_count(&r, "row.caller"));
	for (size_t i = 0; i < l->rows.count; i++)
		for (size_t k = 0; k < l->rows.count; k++) {
			const struct row *row = &l->rows.at[k];
			if (site[i] != numbering_get(&p->data.used.sites, row->context.site))
				continue;
			EXPECT_INT(numbering_get(&p->data.used.frames, row->caller), got[i]);
			named += row->caller != 0;
		}
	mem_free(got);
	mem_free(site);
	page_read_release(&r);
	return named;
}

TEST(application_callers_are_the_reports)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 2000);
	struct query q = {.by = BY_SITE, .split = true};
	struct lifetimes l;
	struct page_of p;
	s.sites = called;
	s.count = ARRAY_SIZE(called);
	EXPECT_INT(0, page_of_sim(&p, &s, 3000, 1000));
	EXPECT_INT(0, lifetimes_find(&l, &p.model, &p.collect.ledger, &q));
	EXPECT_INT(3, l.rows.count);
	EXPECT_INT(1, callers_alike(&p, &l));
	lifetimes_release(&l);
	page_of_release(&p);
}

TEST(out_of_memory_at_every_allocation)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 60);
	struct buf trace = {0};
	EXPECT_INT(0, page_of_trace(&trace, &s));
	uint64_t n = 0, held = mem_held();
	int err = ERR_NOMEM;
	while (err == ERR_NOMEM) {
		struct page_of p;
		mem_fail_at(++n);
		err = page_of_bytes(&p, buf_slice(&trace), 20, 5);
		mem_fail_at(0);
		page_of_release(&p);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(0, err);
	EXPECT(n > 100);
	buf_release(&trace);
}
