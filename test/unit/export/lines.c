#include "export/lines.h"

#include "base/error.h"
#include "support/tap.h"

static void write_row(
	struct buf *got, enum lines_form form, enum relation_id id, const struct value *values)
{
	struct out o = {.sink = sink_buf(got)};
	static struct lines l;
	l = (struct lines){.out = &o, .form = form};
	struct rows rows = lines_rows(&l);
	EXPECT_INT(ERR_NONE, lines_head(&l, id));
	EXPECT_INT(ERR_NONE, rows.put(rows.arg, id, values));
	EXPECT_INT(ERR_NONE, out_flush(&o));
	out_release(&o);
}

static void expect_row(
	const char *want, enum lines_form form, enum relation_id id, const struct value *values)
{
	struct buf got = {0};
	write_row(&got, form, id, values);
	EXPECT_STR(want, buf_text(&got));
	buf_release(&got);
}

TEST(texts_are_quoted)
{
	const struct value v[] = {{.known = true, .text = slice_str("a\"b")},
		{.known = true, .text = slice_str("x,\n\xff")}};
	expect_row("key,value\n\"a\"\"b\",\"x,??\"\n", LINES_CSV, RELATION_meta, v);
	expect_row("{\"key\":\"a\\\"b\",\"value\":\"x,??\"}\n", LINES_JSON, RELATION_meta, v);
}

TEST(numbers_and_what_is_not_known)
{
	const struct value v[] = {{.known = true, .count = 7}, {.known = true, .count = 1},
		{.known = true, .number = 0.25}, {.known = false}, {.known = true, .number = 1}};
	expect_row("site,t,p,lo,hi\n7,1,0.25,,1\n", LINES_CSV, RELATION_survival, v);
	expect_row("{\"site\":7,\"t\":1,\"p\":0.25,\"lo\":null,\"hi\":1}\n", LINES_JSON,
		RELATION_survival, v);
}

TEST(a_sink_that_fails_ends_it)
{
	const struct value v[FIELDS_MAX] = {{.known = true, .text = slice_str("a")}};
	struct out o = {.err = ERR_IO};
	static struct lines l;
	l = (struct lines){.out = &o, .form = LINES_JSON};
	struct rows rows = lines_rows(&l);
	EXPECT_INT(ERR_IO, rows.put(rows.arg, RELATION_meta, v));
	out_release(&o);
}
