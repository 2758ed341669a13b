#include "tui/detail.h"

#include "base/error.h"
#include "support/tap.h"
#include "unit/tui/golden_grid.h"
#include "unit/tui/sight_of.h"

static void detail_of(const char *name, const char *filter, enum by by, enum sort sort, bool utf8)
{
	struct sight_of shop;
	struct listing l = {0};
	struct state st;
	struct buf out = {0};
	state_init(&st);
	st.by = by;
	st.sort = sort;
	strcpy(st.filter, filter);
	EXPECT_INT(0, sight_of_shop(&shop, 8000));
	shop.sight.look = (struct look){.utf8 = utf8};
	EXPECT_INT(0, listing_find(&l, &shop.sight, &st));
	EXPECT(l.rows.count > 0);
	if (l.rows.count)
		EXPECT_INT(0, detail_put(&out, &l, &shop.sight, &st,
				      &l.lifetimes.rows.at[l.rows.at[0].row], 80));
	golden_text(name, buf_text(&out));
	buf_release(&out);
	listing_release(&l);
	sight_of_release(&shop);
}

TEST(a_site)
{
	detail_of("detail-site", "Order", BY_SITE, SORT_ALLOC, true);
}

TEST(a_site_that_was_split_by_its_callers)
{
	detail_of("detail-split", "Session.remember:77", BY_SITE, SORT_SURVIVED, true);
}

TEST(a_class_in_ascii)
{
	detail_of("detail-class", "String", BY_CLASS, SORT_ALLOC, false);
}

TEST(what_never_dies)
{
	detail_of("detail-immortal", "Cache", BY_SITE, SORT_ALIVE, true);
}

TEST(memory_may_be_short)
{
	struct sight_of shop;
	struct listing l = {0};
	struct state st;
	int err = ERR_NOMEM;
	state_init(&st);
	EXPECT_INT(0, sight_of_shop(&shop, 500));
	EXPECT_INT(0, listing_find(&l, &shop.sight, &st));
	for (uint64_t n = 1; err && n < 100000 && l.rows.count; n++) {
		struct buf out = {0};
		mem_fail_at(n);
		err = detail_put(&out, &l, &shop.sight, &st, &l.lifetimes.rows.at[0], 80);
		mem_fail_at(0);
		buf_release(&out);
		EXPECT(err == ERR_NONE || err == ERR_NOMEM);
	}
	EXPECT_INT(0, err);
	listing_release(&l);
	sight_of_release(&shop);
}
