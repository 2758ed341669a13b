#include "exact/door_wishes.h"

#include <stdbool.h>
#include <string.h>

void door_wishes_clear(struct door_wishes *w)
{
	memset(w, 0, sizeof(*w));
}

void door_wishes_add(struct door_wishes *w, uint32_t site, uint64_t objects)
{
	struct door_wish *at = &w->at[site & (DOOR_WISHES - 1)];
	if (at->site == site)
		at->objects += objects;
	else if (at->objects < objects)
		*at = (struct door_wish){site, objects};
}

/* Of equals the older site, so that the order is one. */
static bool is_hotter(const struct door_wish *a, const struct door_wish *b)
{
	return a->objects != b->objects ? a->objects > b->objects : a->site < b->site;
}

/* Those that make enough objects, at the table's beginning; how many. */
static uint32_t keep_hot(struct door_wishes *w)
{
	uint64_t share = w->births / DOOR_WISH_SHARE;
	uint64_t least = share > DOOR_WISH_LEAST ? share : DOOR_WISH_LEAST;
	uint32_t count = 0;
	for (uint32_t i = 0; i < DOOR_WISHES; i++)
		if (w->at[i].site && w->at[i].objects >= least)
			w->at[count++] = w->at[i];
	return count;
}

static void swap(struct door_wish *a, struct door_wish *b)
{
	struct door_wish was = *a;
	*a = *b;
	*b = was;
}

/* The hottest of those from `from` on comes there. There are few, mostly. */
static void pick(struct door_wishes *w, uint32_t from, uint32_t count)
{
	uint32_t best = from;
	for (uint32_t i = from + 1; i < count; i++)
		if (is_hotter(&w->at[i], &w->at[best]))
			best = i;
	swap(&w->at[from], &w->at[best]);
}

uint32_t door_wishes_take(struct door_wishes *w, struct door_wish *out, uint32_t most)
{
	uint32_t count = keep_hot(w), taken = count < most ? count : most;
	for (uint32_t i = 0; i < taken; i++) {
		pick(w, i, count);
		out[i] = w->at[i];
	}
	door_wishes_clear(w);
	return taken;
}
