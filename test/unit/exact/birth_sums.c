/* Births by site, against a plain array. */
#include "exact/birth_sums.h"

#include "base/rng.h"
#include "support/tap.h"

enum { SITES = 50 };

static unsigned differs(const struct birth_sums *s, const struct birth_sum *want)
{
	unsigned wrong = 0, count = 0;
	for (uint32_t i = 0; i < SITES; i++) {
		struct birth_sum is = birth_sums_of(s, i);
		wrong += is.site != i || is.objects != want[i].objects ||
			 is.bytes != want[i].bytes ||
			 is.outside_objects != want[i].outside_objects ||
			 is.outside_bytes != want[i].outside_bytes;
		count += want[i].objects != 0;
	}
	return wrong + (count != s->count);
}

TEST(each_site_has_its_own)
{
	struct birth_sums s;
	struct rng r = rng_init(tap_seed());
	EXPECT_INT(0, birth_sums_init(&s));
	for (int round = 0; round < 3; round++) {
		struct birth_sum want[SITES] = {{0}};
		for (int i = 0; i < 300; i++) {
			uint32_t site = (uint32_t)rng_below(&r, SITES);
			struct birth_sum more = {site, rng_below(&r, 3), 0, 0, 0};
			more.bytes = more.objects * 24;
			more.outside_objects = more.objects / 2;
			more.outside_bytes = more.outside_objects * 24;
			birth_sums_add(&s, &more);
			want[site].objects += more.objects;
			want[site].bytes += more.bytes;
			want[site].outside_objects += more.outside_objects;
			want[site].outside_bytes += more.outside_bytes;
		}
		EXPECT_INT(0, differs(&s, want));
		birth_sums_clear(&s);
		EXPECT_INT(0, differs(&s, (struct birth_sum[SITES]){{0}}));
	}
	birth_sums_release(&s);
}
