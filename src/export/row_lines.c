#include "export/row_lines.h"

#include <math.h>

#include "export/digits.h"
#include "report/quote.h"
#include "report/column.h"

static void put_number(struct buf *out, double number)
{
	if (isfinite(number))
		digits_number(out, number, NULL);
	else
		buf_put_str(out, "null");
}

static void put_cell(struct buf *out, const struct column *c, const struct view *v,
	const struct row *r, struct buf *scratch)
{
	if (c->number) {
		put_number(out, c->number(v, r));
		return;
	}
	buf_clear(scratch);
	c->text(scratch, v, r);
	quote_json(out, buf_slice(scratch));
	out->failed = scratch->failed ? scratch->failed : out->failed;
}

static void put_row(struct buf *out, const struct view *v, const struct row *r, struct buf *scratch)
{
	const struct column *c;
	const char *before = "{";
	for (size_t i = 0; (c = column_at(i)); i++) {
		if (!c->csv || (!c->number && !c->text) || !column_in(c, v))
			continue;
		buf_printf(out, "%s\"%s\":", before, c->csv);
		put_cell(out, c, v, r, scratch);
		before = ",";
	}
	buf_put_str(out, "}\n");
}

int row_lines_put(struct buf *out, const struct view *v)
{
	struct buf scratch = {0};
	for (size_t i = 0; i < v->lifetimes->rows.count; i++)
		put_row(out, v, &v->lifetimes->rows.at[i], &scratch);
	buf_release(&scratch);
	return out->failed;
}
