#include "page/tables.h"

#include "support/page_of.h"
#include "support/page_sim.h"
#include "support/tap.h"

/* Columns lie one behind the other, aligned, and what is written is as long as was told. */
TEST(columns_lie_where_they_are_said_to)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 10; round++) {
		struct sim s = page_sim(&rng, rng_below(&rng, 300));
		struct page_of p;
		struct tables_layout l;
		struct buf out = {0};
		struct sink sink = sink_buf(&out);
		EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
		tables_lay_out(&l, &p.data);
		EXPECT_INT(0, tables_put(&l, &p.data, &sink));
		uint64_t end = 0;
		for (int c = 0; c < TABLES_COLUMNS; c++) {
			const struct tables_place *at = &l.at[c];
			EXPECT(at->offset % TABLES_ALIGN == 0);
			EXPECT(at->offset >= end && at->offset < end + TABLES_ALIGN);
			end = at->offset + at->count * strip_type_bytes(at->type);
		}
		EXPECT(out.len % TABLES_ALIGN == 0 && out.len >= end &&
			out.len < end + TABLES_ALIGN);
		buf_release(&out);
		page_of_release(&p);
	}
}

TEST(columns_of_a_table_have_one_length)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 300);
	struct page_of p;
	struct tables_layout l;
	EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
	tables_lay_out(&l, &p.data);
	for (int c = 1; c < TABLES_COLUMNS; c++) {
		const char *a = tables_strip((enum tables_column)(c - 1))->name;
		const char *b = tables_strip((enum tables_column)c)->name;
		size_t table = strcspn(a, ".") + 1;
		if (strncmp(a, b, table) == 0)
			EXPECT_INT(l.at[c - 1].count, l.at[c].count);
	}
	EXPECT_INT(300, l.at[TABLES_sample_time].count);
	EXPECT_STR("sample.time", tables_strip(TABLES_sample_time)->name);
	page_of_release(&p);
}

static double value(enum tables_column c, const struct page_of *p, size_t i)
{
	return tables_strip(c)->at(&p->data, i);
}

static void check_bounds(const struct page_of *p, size_t i)
{
	const struct kept *k = &p->collect.samples.list.at[i];
	double after = value(TABLES_sample_after_time, p, i) * 1000;
	double by = value(TABLES_sample_by_time, p, i) * 1000;
	EXPECT(after <= (double)k->ns.after && (double)k->ns.after < after + 1000);
	EXPECT(by >= (double)k->ns.by && (double)k->ns.by > by - 1000);
	after = value(TABLES_sample_after_alloc, p, i) * 1000;
	by = value(TABLES_sample_by_alloc, p, i) * 1000;
	EXPECT(after <= (double)k->bytes.after && (double)k->bytes.after < after + 1000);
	EXPECT(by >= (double)k->bytes.by && (double)k->bytes.by > by - 1000);
}

/* µs and kB: lower bounds are rounded down, upper ones up, so that the truth stays between. */
TEST(bounds_stay_bounds)
{
	struct rng rng = rng_init(tap_seed());
	size_t uneven = 0;
	for (int round = 0; round < 20; round++) {
		struct sim s = page_sim(&rng, 300);
		struct page_of p;
		EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
		for (size_t i = 0; i < p.collect.samples.list.count; i++) {
			check_bounds(&p, i);
			uneven += p.collect.samples.list.at[i].bytes.by % 1000 != 0;
		}
		page_of_release(&p);
	}
	EXPECT(uneven > 0);
}
