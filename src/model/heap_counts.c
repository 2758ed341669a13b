#include "model/heap_counts.h"

#include <string.h>

#include "base/error.h"

void heap_counts_release(struct heap_counts *h)
{
	vec_release(&h->sites);
	vec_release(&h->by_site);
	vec_release(&h->rest);
}

bool heap_counts_found(const struct heap_counts *h)
{
	return h->whole && h->wanted && h->head.young == h->wanted_young &&
	       h->head.full == h->wanted_full;
}

/* The first record behind a whole one begins another. */
static void begin(struct heap_counts *h)
{
	if (!h->whole)
		return;
	for (size_t i = 0; i < h->sites.count; i++)
		h->by_site.at[h->sites.at[i].site] = 0;
	h->sites.count = h->rest.count = 0;
	h->whole = false;
}

static int reach(struct heap_counts *h, uint32_t site)
{
	if (site < h->by_site.count)
		return ERR_NONE;
	size_t more = site + 1 - h->by_site.count;
	if (vec_reserve(&h->by_site, more))
		return ERR_NOMEM;
	memset(h->by_site.at + h->by_site.count, 0, more * sizeof(*h->by_site.at));
	h->by_site.count += more;
	return ERR_NONE;
}

/* NULL: out of memory. */
static struct heap_site *site_of(struct heap_counts *h, uint32_t site)
{
	begin(h);
	if (reach(h, site))
		return NULL;
	if (!h->by_site.at[site]) {
		if (vec_push(&h->sites, (struct heap_site){.site = site}))
			return NULL;
		h->by_site.at[site] = (uint32_t)h->sites.count;
	}
	return &h->sites.at[h->by_site.at[site] - 1];
}

int heap_counts_old(struct heap_counts *h, uint32_t site, const struct record_site_old *r)
{
	if (heap_counts_found(h))
		return ERR_NONE;
	struct heap_site *s = site_of(h, site);
	if (!s)
		return ERR_NOMEM;
	quantity_add(&s->old, (struct quantity){r->objects, r->bytes});
	return ERR_NONE;
}

int heap_counts_young(struct heap_counts *h, uint32_t site, const struct record_site_young *r)
{
	if (heap_counts_found(h))
		return ERR_NONE;
	struct heap_site *s = site_of(h, site);
	if (!s)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < COUNTS_AGES; i++)
		quantity_add(
			&s->young[i], (struct quantity){i < r->objects.count ? r->objects.at[i] : 0,
					      i < r->bytes.count ? r->bytes.at[i] : 0});
	return ERR_NONE;
}

int heap_counts_older(struct heap_counts *h, uint32_t class, const struct record_class_older *r)
{
	if (heap_counts_found(h))
		return ERR_NONE;
	begin(h);
	struct heap_rest rest = {class, {0}};
	quantity_add(&rest.all, (struct quantity){r->objects, r->bytes});
	return vec_push(&h->rest, rest);
}

void heap_counts_head(struct heap_counts *h, const struct record_heap_count *r)
{
	if (heap_counts_found(h))
		return;
	begin(h);
	h->head = *r;
	h->whole = true;
}
