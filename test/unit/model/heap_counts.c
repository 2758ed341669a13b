#include "model/heap_counts.h"

#include <string.h>

#include "base/rng.h"
#include "support/tap.h"

enum { SITES = 20, CLASSES = 5 };

struct plain {
	struct quantity young[SITES][COUNTS_AGES], old[SITES], rest[CLASSES];
};

static struct quantity any(struct rng *r)
{
	uint64_t objects = rng_below(r, 100);
	return (struct quantity){objects, objects * (8 + 8 * rng_below(r, 5))};
}

static void feed_old(struct heap_counts *h, struct plain *p, struct rng *r)
{
	uint32_t site = (uint32_t)rng_below(r, SITES);
	struct quantity q = any(r);
	struct record_site_old record = {.objects = q.objects, .bytes = q.bytes};
	EXPECT_INT(0, heap_counts_old(h, site, &record));
	quantity_add(&p->old[site], q);
}

static void feed_young(struct heap_counts *h, struct plain *p, struct rng *r)
{
	uint32_t site = (uint32_t)rng_below(r, SITES);
	struct record_site_young record = {.objects.count = 0};
	uint32_t ages = (uint32_t)rng_below(r, COUNTS_AGES + 1);
	for (uint32_t i = 0; i < ages; i++) {
		struct quantity q = any(r);
		record.objects.at[record.objects.count++] = q.objects;
		record.bytes.at[record.bytes.count++] = q.bytes;
		quantity_add(&p->young[site][i], q);
	}
	EXPECT_INT(0, heap_counts_young(h, site, &record));
}

static void feed_rest(struct heap_counts *h, struct plain *p, struct rng *r)
{
	uint32_t class = (uint32_t)rng_below(r, CLASSES);
	struct quantity q = any(r);
	struct record_class_older record = {.objects = q.objects, .bytes = q.bytes};
	EXPECT_INT(0, heap_counts_older(h, class, &record));
	quantity_add(&p->rest[class], q);
}

static bool same(struct quantity a, struct quantity b)
{
	return a.objects == b.objects && a.bytes == b.bytes;
}

static void expect_all(const struct heap_counts *h, struct plain *p)
{
	for (size_t i = 0; i < h->sites.count; i++) {
		const struct heap_site *s = &h->sites.at[i];
		EXPECT(same(s->old, p->old[s->site]));
		p->old[s->site] = (struct quantity){0};
		for (int k = 0; k < COUNTS_AGES; k++) {
			EXPECT(same(s->young[k], p->young[s->site][k]));
			p->young[s->site][k] = (struct quantity){0};
		}
	}
	for (size_t i = 0; i < h->rest.count; i++)
		p->rest[h->rest.at[i].class] =
			quantity_less(p->rest[h->rest.at[i].class], h->rest.at[i].all);
	/* Nothing is left. */
	static const struct plain none;
	EXPECT(memcmp(p, &none, sizeof(none)) == 0);
}

/* One after the other: the last one holds. */
TEST(the_last_one)
{
	struct rng r = rng_init(1);
	struct heap_counts h = {.whole = false};
	for (uint64_t number = 1; number < 20; number++) {
		struct plain p = {0};
		for (uint64_t i = rng_below(&r, 100); i-- > 0;) {
			feed_old(&h, &p, &r);
			feed_young(&h, &p, &r);
			feed_rest(&h, &p, &r);
			EXPECT(!h.whole);
		}
		heap_counts_head(&h, &(struct record_heap_count){.young = number});
		EXPECT(h.whole);
		EXPECT_INT(number, h.head.young);
		expect_all(&h, &p);
	}
	heap_counts_release(&h);
}

/* The one that is wanted stays, whatever comes after it; where it does not come, the last one. */
TEST(the_one_wanted)
{
	for (uint64_t wanted = 3; wanted <= 9; wanted += 3) {
		struct rng r = rng_init(2);
		struct plain p = {0}, other;
		struct heap_counts h = {.wanted = true, .wanted_young = wanted, .wanted_full = 1};
		for (uint64_t number = 1; number <= 6; number++) {
			struct plain *now = number == wanted ? &p : &other;
			other = (struct plain){0};
			for (int i = 0; i < 50; i++) {
				feed_old(&h, now, &r);
				feed_young(&h, now, &r);
				feed_rest(&h, now, &r);
			}
			heap_counts_head(&h,
				&(struct record_heap_count){.young = number, .full = number > 1});
		}
		EXPECT(heap_counts_found(&h) == (wanted <= 6));
		expect_all(&h, wanted <= 6 ? &p : &other);
		heap_counts_release(&h);
	}
}
