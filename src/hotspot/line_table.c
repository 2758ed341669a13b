#include "hotspot/line_table.h"

#include <stdlib.h>

bool unsigned5_read(struct slice bytes, enum unsigned5 kind, size_t *at, uint32_t *out)
{
	enum { MOST = 5, DIGIT_BITS = 6, LOW_FROM_HIGH = 192 };
	/* Without zeroes, all bytes are one more than the digits that they stand for. */
	const uint32_t least = kind == UNSIGNED5_NO_ZERO ? 1 : 0;
	uint32_t sum = 0;
	for (size_t i = 0; i < MOST; i++) {
		if (*at >= bytes.len || bytes.at[*at] < least)
			return false;
		uint32_t byte = bytes.at[(*at)++];
		sum += (byte - least) << (DIGIT_BITS * i);
		if (byte < LOW_FROM_HIGH)
			break;
	}
	*out = sum;
	return true;
}

static bool read_signed(struct slice bytes, enum unsigned5 kind, size_t *at, uint32_t *sum)
{
	uint32_t value;
	if (!unsigned5_read(bytes, kind, at, &value))
		return false;
	*sum += (value >> 1) ^ (0 - (value & 1));
	return true;
}

/* The next pair; false: there is none. */
static bool next(struct slice table, enum unsigned5 kind, size_t *at, uint32_t *bci, uint32_t *line)
{
	enum { END = 0, LONG = 0xff, LINE_BITS = 3 };
	uint8_t byte = *at < table.len ? table.at[(*at)++] : END;
	if (byte == END)
		return false;
	if (byte == LONG)
		return read_signed(table, kind, at, bci) && read_signed(table, kind, at, line);
	*bci += byte >> LINE_BITS;
	*line += byte & ((1u << LINE_BITS) - 1);
	return true;
}

uint32_t line_table_line(struct slice table, enum unsigned5 kind, uint32_t bci)
{
	size_t at = 0;
	uint32_t from = 0, line = 0, best = 0, best_from = 0;
	/* Not always in order: the last that begins at or before bci, and latest. */
	while (next(table, kind, &at, &from, &line)) {
		if (from == bci)
			return line;
		if (from < bci && from >= best_from) {
			best_from = from;
			best = line;
		}
	}
	return best;
}

static bool next_entry(struct slice table, enum unsigned5 kind, size_t *at, struct line_entry *e)
{
	return next(table, kind, at, &e->bci, &e->line) && e->bci < LINE_TABLE_MOST;
}

size_t line_table_count(struct slice table, enum unsigned5 kind)
{
	size_t at = 0, count = 0;
	struct line_entry e = {0, 0};
	while (count < LINE_TABLE_MOST && next_entry(table, kind, &at, &e))
		count++;
	return count;
}

static int by_bci(const void *a, const void *b)
{
	const struct line_entry *x = a, *y = b;
	return (x->bci > y->bci) - (x->bci < y->bci);
}

/* Those of one bci stay in order: where each stood is part of what is sorted by. */
static void sort(struct line_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		entries[i].bci = entries[i].bci * LINE_TABLE_MOST + (uint32_t)i;
	qsort(entries, count, sizeof(*entries), by_bci);
	for (size_t i = 0; i < count; i++)
		entries[i].bci /= LINE_TABLE_MOST;
}

size_t line_table_read(struct slice table, enum unsigned5 kind, struct line_entry *out, size_t room)
{
	size_t at = 0, count = 0;
	uint32_t last = 0;
	bool rising = true;
	struct line_entry e = {0, 0};
	while (count < room && count < LINE_TABLE_MOST && next_entry(table, kind, &at, &e)) {
		rising = rising && e.bci >= last;
		last = e.bci;
		out[count++] = e;
	}
	if (!rising)
		sort(out, count);
	return count;
}
