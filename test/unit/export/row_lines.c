#include "export/row_lines.h"

#include <jansson.h>

#include "base/error.h"
#include "base/mem.h"
#include "report/csv.h"
#include "support/export_of.h"
#include "support/tap.h"

static const struct query query = {.split = true, .clocks = CLOCKS_ALL};

static struct view view_of(const struct export_of *x, const struct lifetimes *l)
{
	return (struct view){.lifetimes = l, .model = &x->model, .notes = &x->notes};
}

/* Every line is an object with the keys of the CSV's header, in their order. */
static void expect_line(char *line, const char *header)
{
	json_error_t error;
	json_t *object = json_loads(line, 0, &error);
	struct buf keys = {0};
	const char *key;
	json_t *value;
	EXPECT(json_is_object(object));
	json_object_foreach(object, key, value) buf_printf(&keys, "%s%s", keys.len ? "," : "", key);
	EXPECT_STR(header, buf_text(&keys));
	json_decref(object);
	buf_release(&keys);
}

TEST(keys_are_the_csv_columns)
{
	struct export_of x;
	struct lifetimes l;
	struct buf lines = {0}, csv = {0};
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	EXPECT_INT(ERR_NONE, lifetimes_find(&l, &x.model, &x.ledger, &query));
	struct view v = view_of(&x, &l);
	EXPECT_INT(ERR_NONE, row_lines_put(&lines, &v));
	EXPECT_INT(ERR_NONE, csv_put(&csv, &v));
	char *rest = NULL, *text = mem_strndup(buf_text(&lines), lines.len);
	char *header = mem_strndup(buf_text(&csv), strcspn(buf_text(&csv), "\n"));
	size_t count = 0;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		expect_line(line, header);
		count++;
	}
	EXPECT_INT(l.rows.count, count);
	mem_free(text);
	mem_free(header);
	lifetimes_release(&l);
	buf_release(&lines);
	buf_release(&csv);
	export_of_release(&x);
}

TEST(out_of_memory)
{
	struct export_of x;
	struct lifetimes l;
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	EXPECT_INT(ERR_NONE, lifetimes_find(&l, &x.model, &x.ledger, &query));
	struct view v = view_of(&x, &l);
	for (uint64_t n = 1; n < 4; n++) {
		struct buf lines = {0};
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, row_lines_put(&lines, &v));
		mem_fail_at(0);
		buf_release(&lines);
	}
	lifetimes_release(&l);
	export_of_release(&x);
}
