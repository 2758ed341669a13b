#include "tenure/round.h"

#include <math.h>
#include <string.h>

void round_clear(struct round *r)
{
	memset(r, 0, sizeof(*r));
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a == ROUND_UNKNOWN || b == ROUND_UNKNOWN ? ROUND_UNKNOWN : a + b;
}

static void join(struct round_collection *to, const struct round_collection *c)
{
	to->allocated = plus(to->allocated, c->allocated);
	to->survivors = plus(to->survivors, c->survivors);
	to->promoted = plus(to->promoted, c->promoted);
	to->pause = plus(to->pause, c->pause);
	to->cpu = plus(to->cpu, c->cpu);
	to->cards = plus(to->cards, c->cards);
	to->blind += c->blind;
	to->found = plus(to->found, c->found);
}

static uint32_t each_of(const struct round *r)
{
	return r->each ? r->each : 1;
}

/* Twice as many in one. */
static void halve(struct round *r)
{
	for (size_t i = 0; i < ROUND_ROOM / 2; i++) {
		r->collection[i] = r->collection[2 * i];
		join(&r->collection[i], &r->collection[2 * i + 1]);
	}
	r->each = 2 * each_of(r);
}

static void note_pause(struct round *r, uint64_t pause)
{
	r->last = plus(r->last, pause);
	if (r->last != ROUND_UNKNOWN && r->last > r->longest)
		r->longest = r->last;
}

void round_add(struct round *r, const struct round_collection *c)
{
	if (r->count == ROUND_ROOM * each_of(r))
		halve(r);
	struct round_collection *to = &r->collection[r->count / each_of(r)];
	if (r->count++ % each_of(r))
		join(to, c);
	else
		*to = *c;
	r->last = 0;
	note_pause(r, c->pause);
}

static struct round_collection *newest(struct round *r)
{
	return r->count ? &r->collection[(r->count - 1) / each_of(r)] : NULL;
}

void round_go_on(struct round *r, uint64_t pause)
{
	struct round_collection *c = newest(r);
	if (!c)
		return;
	c->pause = plus(c->pause, pause);
	note_pause(r, pause);
}

/* Of several in one nobody knows which of them copied what. */
void round_go_blind(struct round *r)
{
	struct round_collection *c = newest(r);
	if (!c)
		return;
	c->survivors = c->promoted = c->found = 0;
	c->blind = c->allocated;
}

struct round round_end(const struct round *r, uint32_t count)
{
	uint32_t each = each_of(r), from = (r->count > count ? r->count - count : 0) / each;
	uint32_t ones = (r->count + each - 1) / each;
	struct round end = {
		.count = r->count - from * each, .each = r->each, .process_cpu = ROUND_UNKNOWN};
	memcpy(end.collection, r->collection + from, (ones - from) * sizeof(*end.collection));
	return end;
}

static uint64_t figure(const struct round_collection *c, enum round_figure f)
{
	const uint64_t value[ROUND_FIGURES] = {
		[ROUND_ALLOCATED] = c->allocated,
		[ROUND_FOUND] = c->found,
		[ROUND_PROMOTED] = c->promoted,
		[ROUND_COPIED] = plus(c->survivors, c->promoted),
		[ROUND_PAUSE] = c->pause,
		[ROUND_CPU] = c->cpu,
		[ROUND_CARDS] = c->cards,
		[ROUND_BLIND] = c->blind,
	};
	return value[f];
}

static double told(const struct round *r, enum round_figure f, uint32_t from, uint32_t to)
{
	double sum = 0;
	uint32_t each = each_of(r), end = to < r->count ? to : r->count;
	for (uint32_t i = from / each; i * each < end; i++) {
		uint64_t value = figure(&r->collection[i], f);
		if (value == ROUND_UNKNOWN)
			return (double)NAN;
		sum += (double)value;
	}
	return sum;
}

/* What all would have copied, over what those did of which it is known. */
static double times_known(const struct round *r, uint32_t from, uint32_t to)
{
	double blind = told(r, ROUND_BLIND, from, to), all = told(r, ROUND_ALLOCATED, from, to);
	if (!(blind > 0))
		return 1;
	return all > blind ? all / (all - blind) : (double)NAN;
}

double round_sum(const struct round *r, enum round_figure f, uint32_t from, uint32_t to)
{
	static const bool copies[ROUND_FIGURES] = {
		[ROUND_FOUND] = true, [ROUND_PROMOTED] = true, [ROUND_COPIED] = true};
	return told(r, f, from, to) * (copies[f] ? times_known(r, from, to) : 1);
}

double round_total(const struct round *r, enum round_figure f)
{
	return round_sum(r, f, 0, r->count);
}

uint32_t round_group(const struct round *r, uint32_t g)
{
	uint32_t first = (uint32_t)((uint64_t)r->count * g / ROUND_GROUPS);
	return g < ROUND_GROUPS ? first - first % each_of(r) : r->count;
}

double round_rate(const struct round *r, enum round_figure f, uint32_t g)
{
	uint32_t from = round_group(r, g), to = round_group(r, g + 1);
	double allocated = round_sum(r, ROUND_ALLOCATED, from, to);
	return allocated > 0 ? round_sum(r, f, from, to) / allocated : (double)NAN;
}
