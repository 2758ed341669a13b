#include "tui/listing.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "report/column.h"
#include "report/table.h"

static const struct shown {
	enum columns set;
	enum place column;
	int least;
	const char *head[2];
} shown[] = {
#define SHOWN(set, column, least, head1, head2)                                                    \
	{COLUMNS_##set, PLACE_##column, least, {head1, head2}},
#include "tui/columns.def"
#undef SHOWN
};

static void clear(struct listing *l)
{
	for (size_t i = 0; i < l->rows.count; i++)
		mem_free(l->rows.at[i].key);
	l->rows.count = 0;
	scroll_clear(&l->text);
	l->heads = 0;
	if (l->found)
		lifetimes_release(&l->lifetimes);
	l->lifetimes = (struct lifetimes){0};
	l->found = false;
}

void listing_release(struct listing *l)
{
	clear(l);
	vec_release(&l->rows);
	scroll_release(&l->text);
}

struct view listing_view(const struct listing *l, const struct sight *s, const struct state *st)
{
	return (struct view){.lifetimes = &l->lifetimes,
		.model = s->model,
		.notes = s->notes,
		.file = s->name,
		.clock = state_clock(st),
		.look = s->look};
}

/* -- Finding -- */

static void put_key(struct buf *out, const struct view *v, const struct row *r)
{
	column_at(PLACE_CLASS)->text(out, v, r);
	buf_put_u8(out, ' ');
	column_at(PLACE_PLACE)->text(out, v, r);
}

static int add_row(struct listing *l, size_t row, struct slice key)
{
	char *copy = mem_strndup((const char *)key.at, key.len);
	int err = copy ? vec_push(&l->rows, ((struct listing_row){row, copy})) : ERR_NOMEM;
	if (err)
		mem_free(copy);
	return err;
}

/* Those that have the text, if one is asked for. */
static int pick(struct listing *l, const struct view *v, const char *text)
{
	struct buf key = {0};
	int err = ERR_NONE;
	for (size_t i = 0; i < l->lifetimes.rows.count && !err; i++) {
		buf_clear(&key);
		put_key(&key, v, &l->lifetimes.rows.at[i]);
		err = key.failed;
		if (!err && strcasestr(buf_text(&key), text))
			err = add_row(l, i, buf_slice(&key));
	}
	buf_release(&key);
	return err;
}

int listing_find(struct listing *l, const struct sight *s, const struct state *st)
{
	struct query q = state_query(st);
	clear(l);
	int err = lifetimes_find(&l->lifetimes, s->model, s->ledger, &q);
	if (err)
		return err;
	l->found = true;
	struct view v = listing_view(l, s, st);
	err = pick(l, &v, state_text(st));
	if (err)
		clear(l);
	return err;
}

size_t listing_place(const struct listing *l, const char *key)
{
	size_t i = 0;
	while (i < l->rows.count && strcmp(l->rows.at[i].key, key) != 0)
		i++;
	return i;
}

/* -- Laying out -- */

/* A column that the report has only as a number. */
static void put_number(struct buf *out, double number, enum place column)
{
	char text[UNITS_MAX];
	bool counts = column == PLACE_OBJECTS || column == PLACE_SAMPLES;
	if (isnan(number))
		buf_put_str(out, "?");
	else if (counts)
		buf_put_str(out, units_count((uint64_t)(number + 0.5), text));
	else
		buf_put_str(out, units_bytes(number, text));
}

static void put_cell(
	struct buf *out, const struct view *v, const struct row *r, const struct shown *which)
{
	const struct column *c = column_at(which->column);
	if (c->put)
		c->put(out, v, r);
	else
		put_number(out, c->number(v, r), which->column);
}

static bool is_place(enum place column)
{
	return column == PLACE_CLASS || column == PLACE_PLACE || column == PLACE_WHY;
}

/* The columns of a set that this view has room for. */
static size_t choose(const struct view *v, enum columns set, bool with_place,
	const struct shown *out[ARRAY_SIZE(shown)])
{
	size_t count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		const struct shown *s = &shown[i];
		bool fits = !v->look.width || v->look.width >= s->least;
		if (s->set == set && fits && (with_place || !is_place(s->column)) &&
			column_in(column_at(s->column), v))
			out[count++] = s;
	}
	return count;
}

static void add_columns(
	struct table *t, const struct view *v, const struct shown *const *which, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct column *c = column_at(which[i]->column);
		const char *heads[LISTING_HEADS];
		for (int line = 0; line < LISTING_HEADS; line++)
			heads[line] = which[i]->head[line] ? which[i]->head[line]
							   : column_head(c, v, line);
		table_column(t, heads[0], heads[1], c->right, which[i]->column == PLACE_PLACE);
	}
}

int listing_put(struct buf *out, const struct view *v, const struct row *const *rows, size_t count,
	enum columns set, bool with_place)
{
	const struct shown *which[ARRAY_SIZE(shown)];
	size_t columns = choose(v, set, with_place, which);
	struct table t = {0};
	int err = ERR_NONE;
	add_columns(&t, v, which, columns);
	for (size_t r = 0; r < count; r++)
		for (size_t i = 0; i < columns && !err; i++) {
			put_cell(table_cell(&t), v, rows[r], which[i]);
			err = table_next(&t);
		}
	err = err ? err : table_put(&t, out, &v->look);
	table_release(&t);
	return err;
}

int listing_lay(struct listing *l, const struct sight *s, const struct state *st, int width)
{
	struct view v = listing_view(l, s, st);
	const struct row **rows = mem_zalloc(l->rows.count + 1, sizeof(const struct row *));
	if (!rows)
		return ERR_NOMEM;
	v.look.width = width;
	for (size_t i = 0; i < l->rows.count; i++)
		rows[i] = &l->lifetimes.rows.at[l->rows.at[i].row];
	scroll_clear(&l->text);
	l->heads = 0;
	int err = l->rows.count
			  ? listing_put(&l->text.text, &v, rows, l->rows.count, st->columns, true)
			  : ERR_NONE;
	err = err ? err : scroll_split(&l->text);
	if (!err)
		l->heads = l->text.lines.count - l->rows.count;
	mem_free(rows);
	return err;
}
