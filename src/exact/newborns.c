#include "exact/newborns.h"

#include "base/error.h"
#include "exact/pages.h"
#include "exact/site_table.h"

int newborns_init(struct newborns *n)
{
	*n = (struct newborns){.of = pages_map(SITE_NUMBERS * sizeof(*n->of)),
		.sites = pages_map(SITE_NUMBERS * sizeof(*n->sites))};
	return n->of && n->sites ? ERR_NONE : ERR_NOMEM;
}

void newborns_release(struct newborns *n)
{
	pages_unmap(n->of, SITE_NUMBERS * sizeof(*n->of));
	pages_unmap(n->sites, SITE_NUMBERS * sizeof(*n->sites));
	*n = (struct newborns){.of = NULL};
}

static void add(struct birth_sum *to, const struct birth_sum *s)
{
	to->objects += s->objects;
	to->bytes += s->bytes;
	to->outside_objects += s->outside_objects;
	to->outside_bytes += s->outside_bytes;
}

void newborns_add(void *arg, const struct birth_sum *s)
{
	struct newborns *n = arg;
	if (!n->of[s->site].objects)
		n->sites[n->count++] = s->site;
	add(&n->of[s->site], s);
	add(&n->sum, s);
}

uint64_t newborns_cells(const struct newborns *n)
{
	uint64_t count = n->count;
	for (uint32_t i = 0; i < n->count; i++)
		count += n->of[n->sites[i]].outside_objects > 0;
	return count;
}

void newborns_tell(struct newborns *n, struct accounts *a)
{
	for (uint32_t i = 0; i < n->count; i++) {
		uint32_t site = n->sites[i];
		struct birth_sum *s = &n->of[site];
		accounts_count(a, site, ACCOUNT_BIRTHS, 0, s->objects, s->bytes);
		accounts_count(a, site, ACCOUNT_OUTSIDE, 0, s->outside_objects, s->outside_bytes);
		*s = (struct birth_sum){0};
	}
	n->count = 0;
	n->sum = (struct birth_sum){0};
}
