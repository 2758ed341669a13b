#include "page/tables.h"

#include "base/error.h"

#define DEFS    d->model->defs
#define SAMPLES d->collect->samples

enum { SCALE = 1000 }; /* ns in a µs, bytes in a kB */

static double thousands(uint64_t value)
{
	uint64_t whole = value / SCALE;
	return (double)whole;
}

/* Rounded up: an upper bound stays one. */
static double thousands_up(uint64_t value)
{
	uint64_t whole = value / SCALE + (value % SCALE != 0);
	return (double)whole;
}

static double text(const struct data *d, uint32_t number)
{
	return numbering_get(&d->used.texts, number);
}

/* Accounts are told by site alone (collect_init), and each has a row. */
static double row_of(const struct data *d, uint32_t site)
{
	const struct ledger *l = &d->collect->ledger;
	uint32_t account = site < l->by_site.count ? l->by_site.at[site] : 0;
	return account ? d->rows.of.at[account - 1] : 0;
}

#define TABLE(name, type, rows, row)                                                               \
	static size_t count_##name(const struct data *d)                                           \
	{                                                                                          \
		return rows;                                                                       \
	}                                                                                          \
	static const type *row_##name(const struct data *d, size_t i)                              \
	{                                                                                          \
		return row;                                                                        \
	}
#define COLUMN(table, name, form, value)
#include "page/tables.def"
#undef TABLE
#undef COLUMN

#define TABLE(name, type, rows, row) typedef type row_type_##name;
#define COLUMN(table, name, form, value)                                                           \
	static double value_##table##_##name(const void *of, size_t i)                             \
	{                                                                                          \
		const struct data *d = of;                                                         \
		const row_type_##table *x = row_##table(d, i);                                     \
		(void)x;                                                                           \
		return value;                                                                      \
	}
#include "page/tables.def"
#undef TABLE
#undef COLUMN

static const struct {
	struct strip strip;
	size_t (*count)(const struct data *d);
} columns[TABLES_COLUMNS] = {
#define TABLE(name, type, rows, row)
#define COLUMN(table, name, form, value)                                                           \
	{{#table "." #name, STRIP_##form, value_##table##_##name}, count_##table},
#include "page/tables.def"
#undef TABLE
#undef COLUMN
};

const struct strip *tables_strip(enum tables_column column)
{
	return &columns[column].strip;
}

static uint64_t aligned(uint64_t at)
{
	return (at + TABLES_ALIGN - 1) / TABLES_ALIGN * TABLES_ALIGN;
}

static uint64_t size_of(const struct tables_place *p)
{
	return p->count * strip_type_bytes(p->type);
}

void tables_lay_out(struct tables_layout *l, const struct data *d)
{
	uint64_t offset = 0;
	for (int c = 0; c < TABLES_COLUMNS; c++) {
		struct tables_place *p = &l->at[c];
		p->count = columns[c].count(d);
		p->type = strip_type_for(&columns[c].strip, d, p->count);
		p->offset = offset;
		offset = aligned(offset + size_of(p));
	}
}

int tables_put(const struct tables_layout *l, const struct data *d, const struct sink *out)
{
	static const uint8_t zeros[TABLES_ALIGN];
	int err = ERR_NONE;
	for (int c = 0; c < TABLES_COLUMNS && !err; c++) {
		const struct tables_place *p = &l->at[c];
		uint64_t end = p->offset + size_of(p);
		err = strip_put(&columns[c].strip, d, p->count, p->type, out);
		if (!err && aligned(end) > end)
			err = out->write(out->arg, zeros, aligned(end) - end);
	}
	return err;
}
