#include "hotspot/line_table.h"

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

/* Nearly in order as they come. */
static void insert(struct line_entry *entries, size_t count, struct line_entry e)
{
	size_t at = count;
	for (; at > 0 && entries[at - 1].bci > e.bci; at--)
		entries[at] = entries[at - 1];
	entries[at] = e;
}

size_t line_table_read(struct slice table, enum unsigned5 kind, struct line_entry *out, size_t room)
{
	size_t at = 0, count = 0;
	struct line_entry e = {0, 0};
	while (count < room && next(table, kind, &at, &e.bci, &e.line))
		insert(out, count++, e);
	return count;
}
