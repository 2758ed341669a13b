/* Objects in pages, against one array of all places. */
#include "trace/image_pages.h"

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { PAGES = 5, PLACES = PAGES * IMAGE_PLACES, OBJECTS = 9000 };
#define LOW ((uint64_t)77 << IMAGE_PAGE_BITS)

static uint32_t first_at[PLACES]; /* the site that came first; 0: none */

static uint64_t address_of(uint64_t place)
{
	return LOW + 8 * place;
}

static uint32_t fill(struct image_pages *p, struct rng *rng)
{
	uint32_t doubles = 0;
	memset(first_at, 0, sizeof(first_at));
	for (uint32_t i = 1; i <= OBJECTS; i++) {
		uint64_t place = rng_below(rng, PLACES);
		struct image_object o = {.site = i};
		EXPECT_INT(0, image_pages_put(p, address_of(place), &o));
		doubles += first_at[place] != 0;
		first_at[place] = first_at[place] ? first_at[place] : i;
	}
	return doubles;
}

TEST(the_first_at_a_place_stands_there)
{
	struct image_pages p = {0};
	struct rng rng = rng_init(tap_seed());
	uint32_t doubles = fill(&p, &rng), left_out = 0;
	EXPECT(doubles > 100);
	EXPECT_INT(PAGES, p.touched.count);
	for (size_t i = 0; i < p.touched.count; i++) {
		struct image_page *page = image_pages_touched(&p, i);
		EXPECT(!page->touched);
		left_out += image_pages_lay(&p, page);
		image_page_shrink(page);
		for (uint16_t at = 0; at < IMAGE_PLACES; at++) {
			uint32_t want =
				first_at[((page->number << IMAGE_PAGE_BITS) - LOW) / 8 + at];
			const struct image_object *o = image_pages_at(&p, page, at);
			EXPECT(o ? o->site == want && o->at == at : want == 0);
		}
		image_page_sort(page);
		for (uint16_t at = 0; at < IMAGE_PLACES; at++) {
			uint32_t want =
				first_at[((page->number << IMAGE_PAGE_BITS) - LOW) / 8 + at];
			const struct image_object *o = image_page_search(page, at);
			EXPECT(o ? o->site == want && o->at == at : want == 0);
		}
	}
	EXPECT_INT(doubles, left_out);
	image_pages_release(&p);
}

struct visited {
	uint64_t last, count;
};

static int visit(void *arg, uint64_t address, const struct image_object *o)
{
	struct visited *v = arg;
	EXPECT(address > v->last && first_at[(address - LOW) / 8] == o->site);
	v->last = address;
	return ++v->count == 3000 ? ERR_USAGE : ERR_NONE;
}

TEST(all_by_rising_address)
{
	struct image_pages p = {0};
	struct rng rng = rng_init(tap_seed() + 1);
	struct visited v = {0};
	uint32_t doubles = fill(&p, &rng);
	for (size_t i = 0; i < p.list.count; i++)
		image_pages_lay(&p, &p.list.at[i]);
	EXPECT_INT(ERR_USAGE, image_pages_each(&p, visit, &v)); /* as far as it is wanted */
	EXPECT_INT(3000, v.count);
	v = (struct visited){.count = 3000};
	EXPECT_INT(0, image_pages_each(&p, visit, &v));
	EXPECT_INT(OBJECTS - doubles, v.count - 3000);
	image_pages_release(&p);
}

/* Those with objects that a range reaches into, also where it reaches over more than there are. */
TEST(ranges_touch_pages)
{
	struct rng rng = rng_init(tap_seed() + 2);
	for (int n = 0; n < 300; n++) {
		struct image_pages p = {0};
		struct ranges r = {0};
		struct image_object o = {.site = 1};
		uint64_t from = LOW + rng_below(&rng, 64ull * PLACES),
			 to = from + 1 +
			      rng_below(&rng, rng_below(&rng, 4) ? 16ull * PLACES : UINT64_MAX / 2);
		for (unsigned i = 0; i < 20; i++)
			EXPECT_INT(0, image_pages_put(
					      &p, address_of(rng_below(&rng, 8ull * PLACES)), &o));
		for (size_t i = 0; i < p.list.count; i++)
			p.list.at[i].touched = false;
		p.touched.count = 0;
		EXPECT_INT(0, ranges_add(&r, from, to));
		EXPECT_INT(0, image_pages_touch_ranges(&p, &r));
		for (size_t i = 0; i < p.list.count; i++) {
			uint64_t first = p.list.at[i].number << IMAGE_PAGE_BITS;
			bool in = first < to && first + (1u << IMAGE_PAGE_BITS) > from;
			EXPECT(p.list.at[i].touched == in);
		}
		image_pages_release(&p);
		ranges_release(&r);
	}
}
