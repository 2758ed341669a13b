#include "analyze/pairs.h"

#include "analyze/align.h"
#include "base/error.h"

void pairs_release(struct pairs *p)
{
	vec_release(&p->list);
}

/* The places of one name on one side, by line. */
struct stretch {
	const struct side *side;
	size_t from, count;
};

static const struct place *place_at(const struct stretch *s, size_t i)
{
	return &s->side->places.at[s->from + i];
}

static struct align_line line_of(const struct place *p, size_t runs)
{
	struct align_line l = {p->line, 0};
	for (size_t i = 0; i < runs; i++)
		l.bytes += p->alloc[i].bytes.sum / (double)runs;
	return l;
}

static void set_lines(struct align_line *to, const struct stretch *s)
{
	for (size_t i = 0; i < s->count; i++)
		to[i] = line_of(place_at(s, i), s->side->runs);
}

static int add(struct pairs *p, const struct place *a, const struct place *b)
{
	return vec_push(&p->list, ((struct pair){a, b}));
}

/* match: as of align_lines. What only B has comes where its line is. */
static int add_matches(
	struct pairs *p, const struct stretch *a, const struct stretch *b, const size_t *match)
{
	size_t next = 0;
	int err = ERR_NONE;
	for (size_t i = 0; i < a->count && !err; i++) {
		size_t to = match[i];
		for (; to != ALIGN_NONE && next < to && !err; next++)
			err = add(p, NULL, place_at(b, next));
		next += to != ALIGN_NONE;
		err = err ? err : add(p, place_at(a, i), to == ALIGN_NONE ? NULL : place_at(b, to));
	}
	for (; next < b->count && !err; next++)
		err = add(p, NULL, place_at(b, next));
	return err;
}

static int match_lines(struct pairs *p, const struct stretch *a, const struct stretch *b)
{
	struct align_line *lines = mem_zalloc(a->count + b->count, sizeof(*lines));
	size_t *match = mem_zalloc(a->count + 1, sizeof(*match));
	int err = lines && match ? ERR_NONE : ERR_NOMEM;
	if (!err) {
		set_lines(lines, a);
		set_lines(lines + a->count, b);
		err = align_lines(lines, a->count, lines + a->count, b->count, match);
	}
	err = err ? err : add_matches(p, a, b, match);
	mem_free(lines);
	mem_free(match);
	return err;
}

/* Behind the last: of no name. */
static uint32_t name_at(const struct side *s, size_t i)
{
	return i < s->places.count ? s->places.at[i].name : UINT32_MAX;
}

static struct stretch stretch_of(const struct side *s, size_t from, uint32_t name)
{
	struct stretch of = {s, from, 0};
	while (from + of.count < s->places.count && name_at(s, from + of.count) == name)
		of.count++;
	return of;
}

int pairs_match(struct pairs *out, const struct side *a, const struct side *b)
{
	size_t in_a = 0, in_b = 0;
	int err = ERR_NONE;
	*out = (struct pairs){0};
	while ((in_a < a->places.count || in_b < b->places.count) && !err) {
		uint32_t of_a = name_at(a, in_a), of_b = name_at(b, in_b);
		uint32_t name = of_a < of_b ? of_a : of_b;
		struct stretch sa = stretch_of(a, in_a, name), sb = stretch_of(b, in_b, name);
		err = match_lines(out, &sa, &sb);
		in_a += sa.count;
		in_b += sb.count;
	}
	return err;
}
