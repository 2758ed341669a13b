#include "tui/listing.h"

#include "base/error.h"
#include "support/tap.h"
#include "unit/tui/sight_of.h"

static void expect_line(const struct listing *l, size_t i, const char *part)
{
	struct buf line = {0};
	if (i < l->text.lines.count)
		buf_put(&line, l->text.lines.at[i].at, l->text.lines.at[i].len);
	tap_check(strstr(buf_text(&line), part) != NULL, __FILE__, __LINE__, "\"%s\" in \"%s\"",
		part, buf_text(&line));
	buf_release(&line);
}

static void make(struct listing *l, const struct sight *s, const struct state *st, int width)
{
	EXPECT_INT(0, listing_find(l, s, st));
	EXPECT_INT(0, listing_lay(l, s, st, width));
}

TEST(rows_are_those_of_the_report)
{
	struct sight_of shop;
	struct listing l = {0};
	struct state st;
	struct lifetimes want;
	state_init(&st);
	struct query q = state_query(&st);
	EXPECT_INT(0, sight_of_shop(&shop, 8000));
	make(&l, &shop.sight, &st, 120);
	EXPECT_INT(0, lifetimes_find(&want, shop.sight.model, shop.sight.ledger, &q));
	EXPECT_INT(want.rows.count, l.rows.count);
	for (size_t i = 0; i < l.rows.count; i++)
		EXPECT_STR(want.rows.at[i].label, l.lifetimes.rows.at[l.rows.at[i].row].label);
	EXPECT_INT(2, l.heads);
	EXPECT_INT(l.heads + l.rows.count, l.text.lines.count);
	expect_line(&l, 0, "SHAPE");
	expect_line(&l, 2, "ByteBlockPool.nextB");
	lifetimes_release(&want);
	listing_release(&l);
	sight_of_release(&shop);
}

TEST(narrow_screens_have_fewer_columns)
{
	struct sight_of shop;
	struct listing l = {0};
	struct state st;
	state_init(&st);
	EXPECT_INT(0, sight_of_shop(&shop, 8000));
	make(&l, &shop.sight, &st, 80);
	for (size_t i = 0; i < l.text.lines.count; i++)
		EXPECT(text_width(l.text.lines.at[i]) <= 80);
	st.columns = COLUMNS_BYTES;
	EXPECT_INT(0, listing_lay(&l, &shop.sight, &st, 80));
	expect_line(&l, 0, "DIED");
	expect_line(&l, 1, "bytes");
	EXPECT_INT(0, listing_lay(&l, &shop.sight, &st, 200));
	expect_line(&l, 0, "SAMPLES");
	listing_release(&l);
	sight_of_release(&shop);
}

TEST(a_text_is_looked_for_in_class_and_site)
{
	struct sight_of shop;
	struct listing l = {0};
	struct state st;
	state_init(&st);
	EXPECT_INT(0, sight_of_shop(&shop, 8000));
	strcpy(st.filter, "bitMAP");
	make(&l, &shop.sight, &st, 100);
	EXPECT_INT(1, l.rows.count);
	expect_line(&l, 2, "int[]");
	strcpy(st.filter, "hashmap$node");
	make(&l, &shop.sight, &st, 100);
	EXPECT_INT(1, l.rows.count); /* a small one, too */
	strcpy(st.filter, "no such");
	make(&l, &shop.sight, &st, 100);
	EXPECT_INT(0, l.rows.count);
	EXPECT_INT(0, l.text.lines.count);
	strcpy(st.filter, "class=*[]");
	make(&l, &shop.sight, &st, 100);
	EXPECT(l.rows.count >= 4);
	listing_release(&l);
	sight_of_release(&shop);
}

TEST(rows_are_known_by_class_and_site)
{
	struct sight_of shop;
	struct listing l = {0};
	struct state st;
	state_init(&st);
	EXPECT_INT(0, sight_of_shop(&shop, 8000));
	make(&l, &shop.sight, &st, 100);
	for (size_t i = 0; i < l.rows.count; i++)
		EXPECT_INT(i, listing_place(&l, l.rows.at[i].key));
	EXPECT_INT(l.rows.count, listing_place(&l, "nobody"));
	listing_release(&l);
	sight_of_release(&shop);
}

TEST(memory_may_be_short)
{
	struct sight_of shop;
	struct listing l = {0};
	struct state st;
	int err = ERR_NOMEM;
	state_init(&st);
	EXPECT_INT(0, sight_of_shop(&shop, 500));
	for (uint64_t n = 1; err && n < 100000; n++) {
		mem_fail_at(n);
		err = listing_find(&l, &shop.sight, &st);
		err = err ? err : listing_lay(&l, &shop.sight, &st, 100);
		mem_fail_at(0);
		EXPECT(err == ERR_NONE || err == ERR_NOMEM);
	}
	EXPECT_INT(0, err);
	listing_release(&l);
	sight_of_release(&shop);
}
