#include "trace/ranges.h"

#include <stdlib.h>

void ranges_release(struct ranges *r)
{
	vec_release(&r->list);
}

int ranges_add(struct ranges *r, uint64_t from, uint64_t to)
{
	size_t n = r->list.count;
	if (!n || r->list.at[n - 1].to != from)
		return vec_push(&r->list, ((struct range){from, to}));
	r->list.at[n - 1].to = to;
	return ERR_NONE;
}

static int compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;
	return (a->from > b->from) - (a->from < b->from);
}

void ranges_settle(struct ranges *r)
{
	size_t kept = 0;
	if (r->list.count)
		qsort(r->list.at, r->list.count, sizeof(*r->list.at), compare);
	for (size_t i = 0; i < r->list.count; i++) {
		struct range next = r->list.at[i];
		struct range *last = kept ? &r->list.at[kept - 1] : NULL;
		if (!last || next.from > last->to)
			r->list.at[kept++] = next;
		else if (next.to > last->to)
			last->to = next.to;
	}
	r->list.count = kept;
}

/* The first that ends behind the address; NULL. */
static const struct range *first_behind(const struct ranges *r, uint64_t address)
{
	size_t lo = 0, hi = r->list.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (r->list.at[middle].to > address)
			hi = middle;
		else
			lo = middle + 1;
	}
	return lo < r->list.count ? &r->list.at[lo] : NULL;
}

bool ranges_has(const struct ranges *r, uint64_t address)
{
	const struct range *at = first_behind(r, address);
	return at && at->from <= address;
}

enum ranges_part ranges_part(const struct ranges *r, uint64_t first, uint64_t last)
{
	const struct range *at = first_behind(r, first);
	if (!at || at->from > last)
		return RANGES_NONE;
	return at->from <= first && at->to > last ? RANGES_WHOLE : RANGES_PART;
}
