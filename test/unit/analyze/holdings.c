#include "analyze/holdings.h"

#include <string.h>

#include "base/rng.h"
#include "model/replay.h"
#include "support/tap.h"
#include "trace/writer.h"

/* Sites 1 to SITES: class 1 + i % CLASSES, at line i of one of two methods. */
enum { SITES = 12, CLASSES = 3 };

#define R(name_, ...)                                                                              \
	(struct record)                                                                            \
	{                                                                                          \
		.kind = RECORD_##name_, .name_ = { __VA_ARGS__ }                                   \
	}

static const char *const texts[] = {
	"acme.A", "acme.B", "lib.C", "make", "acme.app.Maker", "lib.Factory"};

struct made {
	struct buf bytes;
	struct model model;
	struct quantity young[SITES + 1], old[SITES + 1], rest[CLASSES + 1];
};

static void define(struct writer *w)
{
	for (uint32_t i = 0; i < ARRAY_SIZE(texts); i++)
		EXPECT_INT(0, writer_put(w, &R(string, .id = i + 1, .text = slice_str(texts[i]))));
	for (uint32_t i = 1; i <= CLASSES; i++)
		EXPECT_INT(0, writer_put(w, &R(class, .id = i, .name = i)));
	for (uint32_t i = 1; i <= 2; i++)
		EXPECT_INT(0, writer_put(w, &R(method, .id = i, .class_name = 4 + i, .name = 4)));
	for (uint32_t i = 1; i <= SITES; i++) {
		EXPECT_INT(
			0, writer_put(w, &R(frame, .id = i, .method = 1 + i % 2, .line = i / 2)));
		EXPECT_INT(
			0, writer_put(w, &R(site, .id = i, .class = 1 + i % CLASSES, .frame = i)));
	}
}

static struct quantity any(struct rng *r)
{
	uint64_t objects = rng_below(r, 50);
	return (struct quantity){objects, objects * 16};
}

static void count(struct made *m, struct writer *w, struct rng *r)
{
	struct record head = R(heap_count, .young = 5);
	for (uint32_t i = 1; i <= SITES; i++) {
		m->old[i] = any(r);
		m->young[i] = any(r);
		struct record young = R(site_young, .young = 5, .site = i);
		young.site_young.objects.count = young.site_young.bytes.count = 3;
		young.site_young.objects.at[2] = m->young[i].objects;
		young.site_young.bytes.at[2] = m->young[i].bytes;
		EXPECT_INT(0, writer_put(w, &young));
		EXPECT_INT(0, writer_put(w, &R(site_old, .young = 5, .site = i,
						    .objects = m->old[i].objects,
						    .bytes = m->old[i].bytes)));
	}
	for (uint32_t i = 0; i <= CLASSES; i++) {
		m->rest[i] = any(r);
		EXPECT_INT(0, writer_put(w, &R(class_older, .young = 5, .class = i,
						    .objects = m->rest[i].objects,
						    .bytes = m->rest[i].bytes)));
	}
	EXPECT_INT(0, writer_put(w, &head));
}

static void make(struct made *m, uint64_t seed)
{
	struct writer w;
	struct source source;
	struct reader reader;
	struct rng r = rng_init(seed);
	memset(m, 0, sizeof(*m));
	EXPECT_INT(0, writer_init(&w, sink_buf(&m->bytes), NULL, (struct ns){0}));
	define(&w);
	count(m, &w, &r);
	EXPECT_INT(0, writer_release(&w));
	EXPECT_INT(0, model_init(&m->model));
	EXPECT_INT(0, source_open_memory(&source, buf_slice(&m->bytes)));
	EXPECT_INT(0, reader_init(&reader, &source, NULL, NULL));
	EXPECT_INT(0, replay_run(&m->model, &reader, NULL, NULL));
	reader_release(&reader);
	source_close(&source);
}

static void end(struct made *m)
{
	model_release(&m->model);
	buf_release(&m->bytes);
}

/* The row's group, as the test numbers them; and a site's. */
static uint32_t group_of_site(enum by by, uint32_t site)
{
	return by == BY_SITE ? site : by == BY_CLASS ? 1 + site % CLASSES : 1 + site % 2;
}

static uint32_t group_of_row(const struct made *m, enum by by, const struct holdings_row *r)
{
	if (by == BY_CLASS)
		return r->class;
	if (r->rest)
		return 0;
	if (by == BY_SITE)
		return m->model.defs.frames.at[m->model.defs.sites.at[r->site].frame].line * 2 +
		       (strncmp(r->label, "lib", 3) == 0);
	return 1 + (strncmp(r->label, "lib", 3) == 0);
}

static void expect_row(const struct made *m, enum by by, const struct holdings_row *r)
{
	uint32_t group = group_of_row(m, by, r);
	struct quantity young = {0}, old = {0}, unknown = {0}, all;
	for (uint32_t i = 1; i <= SITES; i++)
		if (group_of_site(by, i) == group && !r->rest) {
			quantity_add(&young, m->young[i]);
			quantity_add(&old, m->old[i]);
		}
	for (uint32_t i = 0; i <= CLASSES; i++)
		if (by == BY_CLASS ? i == group : r->rest)
			quantity_add(&unknown, m->rest[i]);
	all = young;
	quantity_add(&all, old);
	quantity_add(&all, unknown);
	EXPECT_INT(young.bytes, r->young[2].bytes);
	EXPECT_INT(old.objects, r->old.objects);
	EXPECT_INT(unknown.bytes, r->unknown.bytes);
	EXPECT_INT(all.objects, r->all.objects);
	EXPECT_INT(all.bytes, r->all.bytes);
}

static struct quantity everything(const struct made *m)
{
	struct quantity all = {0};
	for (uint32_t i = 1; i <= SITES; i++) {
		quantity_add(&all, m->young[i]);
		quantity_add(&all, m->old[i]);
	}
	for (uint32_t i = 0; i <= CLASSES; i++)
		quantity_add(&all, m->rest[i]);
	return all;
}

static struct quantity rest_of(const struct made *m)
{
	struct quantity rest = {0};
	for (uint32_t i = 0; i <= CLASSES; i++)
		quantity_add(&rest, m->rest[i]);
	return rest;
}

TEST(rows_by_what_is_asked)
{
	static const struct {
		enum by by;
		size_t rows;
	} cases[] = {
		{BY_SITE, SITES + 1}, {BY_CLASS, CLASSES + 1}, {BY_METHOD, 3}, {BY_PACKAGE, 3}};
	for (uint64_t seed = 1; seed < 10; seed++)
		for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
			struct made m;
			struct holdings h;
			struct query q = {.by = cases[c].by};
			make(&m, seed);
			EXPECT_INT(0, holdings_find(&h, &m.model, &q));
			EXPECT_INT(cases[c].rows, h.rows.count);
			EXPECT_INT(everything(&m).bytes, h.all.bytes);
			for (size_t i = 0; i < h.rows.count; i++) {
				expect_row(&m, q.by, &h.rows.at[i]);
				EXPECT(!i || h.rows.at[i].all.bytes <= h.rows.at[i - 1].all.bytes);
			}
			holdings_release(&h);
			end(&m);
		}
}

TEST(what_is_left_out)
{
	struct made m;
	struct holdings h;
	struct query q = {.by = BY_SITE, .limit = 4};
	make(&m, 3);
	EXPECT_INT(0, holdings_find(&h, &m.model, &q));
	EXPECT_INT(4, h.rows.count);
	EXPECT_INT(SITES + 1 - 4, h.hidden);
	EXPECT(h.limited);
	struct quantity shown = h.hidden_sum;
	for (size_t i = 0; i < h.rows.count; i++)
		quantity_add(&shown, h.rows.at[i].all);
	EXPECT_INT(h.all.bytes, shown.bytes);
	holdings_release(&h);
	q = (struct query){.by = BY_SITE, .least = 0.05};
	EXPECT_INT(0, holdings_find(&h, &m.model, &q));
	EXPECT(h.hidden > 0 && !h.limited);
	double told = (double)(h.all.bytes - rest_of(&m).bytes);
	for (size_t i = 0; i < h.rows.count; i++)
		EXPECT((double)h.rows.at[i].all.bytes >= 0.05 * told);
	holdings_release(&h);
	end(&m);
}

/* What is older than the recording does not hide what was made since. */
TEST(little_of_the_heap_is_known)
{
	struct made m;
	struct holdings h;
	struct query q = {.by = BY_SITE, .least = 0.05};
	make(&m, 3);
	EXPECT_INT(0, holdings_find(&h, &m.model, &q));
	size_t rows = h.rows.count;
	holdings_release(&h);
	m.model.heap.rest.at[0].all.bytes += 1 << 30;
	m.model.heap.head.unknown_bytes += 1 << 30;
	EXPECT_INT(0, holdings_find(&h, &m.model, &q));
	EXPECT(h.rows.at[0].rest && h.rows.at[0].all.bytes >= 1 << 30);
	/* A full collection takes sites, too. */
	EXPECT_STR("(older than the recording, or without a site)", h.rows.at[0].label);
	EXPECT_INT(rows, h.rows.count);
	holdings_release(&h);
	end(&m);
}

TEST(filters)
{
	struct made m;
	struct holdings h;
	struct query q = {.by = BY_SITE};
	struct diag d;
	make(&m, 4);
	EXPECT_INT(0, where_add(&q.where, "class=acme.B", &d));
	EXPECT_INT(0, holdings_find(&h, &m.model, &q));
	EXPECT_INT(SITES / CLASSES, h.rows.count);
	EXPECT_INT(everything(&m).bytes, h.all.bytes);
	for (size_t i = 0; i < h.rows.count; i++)
		EXPECT(!h.rows.at[i].rest && h.rows.at[i].class == 2);
	holdings_release(&h);
	end(&m);
}
