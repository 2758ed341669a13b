#include "report/csv.h"

#include <stdlib.h>
#include <string.h>

#include "support/tap.h"

/* The cell of a column in the first row; *out ends there. */
static const char *cell(struct buf *out, const char *column)
{
	char *head = (char *)out->at, *row = strchr(head, '\n') + 1;
	size_t at = 0;
	*strchr(row, '\n') = '\0';
	for (char *c = strstr(head, column); c > head; c--)
		at += c[-1] == ',';
	for (; at; at--)
		row = strchr(row, ',') + 1;
	row[strcspn(row, ",")] = '\0';
	return row;
}

static void expect_bytes(const char *want, double bytes)
{
	struct model m;
	char label[] = "a.B";
	struct notes notes = {0};
	struct lifetimes l = {.model = &m};
	struct view v = {.lifetimes = &l, .model = &m, .notes = &notes};
	struct row row = {.by = BY_CLASS, .label = label};
	struct buf out = {0};
	EXPECT_INT(0, model_init(&m));
	row.tally.alloc.bytes.sum = bytes;
	EXPECT_INT(0, vec_push(&l.rows, row));
	EXPECT_INT(0, csv_put(&out, &v));
	buf_put_u8(&out, '\0');
	EXPECT_STR(want, cell(&out, "alloc_bytes"));
	buf_release(&out);
	vec_release(&l.rows);
	model_release(&m);
}

TEST(what_was_counted_keeps_its_digits)
{
	expect_bytes("1234567890123456", 1234567890123456);
	expect_bytes("4398046511111", 4398046511111);
	expect_bytes("4398046511111", 4398046511110.9);
	expect_bytes("9999999999", 9999999999);
	expect_bytes("0", 0);
	/* An estimate has no more than it can know. */
	expect_bytes("12345.67891", 12345.678912345);
}
