#include "report/csv.h"

#include <math.h>

#include "report/column.h"
#include "report/quote.h"

#define DIGITS_MOST 1e10
#define WHOLE_MOST  9007199254740992.0 /* 2^53: up to there doubles are exact */

/* To the whole byte where ten digits don't do: what was counted is exact, and so is JSON. */
static void put_number(struct buf *out, double number)
{
	bool large = fabs(number) >= DIGITS_MOST && fabs(number) < WHOLE_MOST;
	buf_printf(out, large ? "%.0f" : "%.10g", number);
}

static void put_cell(
	struct buf *out, const struct column *c, const struct view *v, const struct row *r)
{
	struct buf text = {0};
	if (c->number) {
		double number = c->number(v, r);
		if (isfinite(number))
			put_number(out, number);
		return;
	}
	c->text(&text, v, r);
	quote_csv(out, buf_slice(&text));
	if (!out->failed)
		out->failed = text.failed;
	buf_release(&text);
}

static bool has(const struct column *c, const struct view *v)
{
	return c->csv && (c->number || c->text) && column_in(c, v);
}

int csv_put(struct buf *out, const struct view *v)
{
	const struct column *c;
	const char *comma = "";
	for (size_t i = 0; (c = column_at(i)); i++) {
		if (!has(c, v))
			continue;
		buf_printf(out, "%s%s", comma, c->csv);
		comma = ",";
	}
	buf_put_u8(out, '\n');
	for (size_t r = 0; r < v->lifetimes->rows.count; r++) {
		comma = "";
		for (size_t i = 0; (c = column_at(i)); i++) {
			if (!has(c, v))
				continue;
			buf_put_str(out, comma);
			put_cell(out, c, v, &v->lifetimes->rows.at[r]);
			comma = ",";
		}
		buf_put_u8(out, '\n');
	}
	return out->failed;
}
