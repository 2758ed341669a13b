#include "exact/site_homes.h"

#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "exact/pages.h"
#include "exact/site_table.h"

int site_homes_init(struct site_homes_table *t)
{
	*t = (struct site_homes_table){.at = pages_map(SITES_MAX * sizeof(*t->at)), .count = 1};
	return t->at ? ERR_NONE : ERR_NOMEM;
}

void site_homes_release(struct site_homes_table *t)
{
	pages_unmap(t->at, SITES_MAX * sizeof(*t->at));
	t->at = NULL;
}

static bool same(const struct site_homes *a, const struct site_homes *b)
{
	return a->loader == b->loader && a->home == b->home && a->many == b->many &&
	       memcmp(a->callers, b->callers, sizeof(a->callers)) == 0;
}

static uint32_t *head_of(struct site_homes_table *t, const struct site_homes *h)
{
	uint64_t hash = hash64_pair(h->loader, h->home);
	for (int i = 0; i < SITE_HOMES; i++)
		hash = h->callers[i] ? hash64_pair(hash, h->callers[i]) : hash;
	return &t->heads[hash % SITE_HOMES_HEADS];
}

/* One site less has it. */
static void leave(struct site_homes_table *t, uint32_t row)
{
	struct site_homes_row *r = &t->at[row];
	if (!row || --r->sites)
		return;
	uint32_t *link = head_of(t, &r->homes);
	while (*link != row)
		link = &t->at[*link].next;
	*link = r->next;
	r->next = t->free;
	t->free = row;
}

static uint32_t fresh(struct site_homes_table *t)
{
	uint32_t row = t->free;
	if (!row)
		return t->count++;
	t->free = t->at[row].next;
	return row;
}

static uint32_t add(struct site_homes_table *t, uint32_t *head, const struct site_homes *h)
{
	uint32_t row = fresh(t);
	t->at[row] = (struct site_homes_row){*h, 1, *head};
	return *head = row;
}

uint32_t site_homes_move(struct site_homes_table *t, uint32_t from, const struct site_homes *to)
{
	leave(t, from);
	if (same(to, &t->at[0].homes))
		return 0;
	uint32_t *head = head_of(t, to), row = *head;
	while (row && !same(&t->at[row].homes, to))
		row = t->at[row].next;
	if (!row)
		return add(t, head, to);
	t->at[row].sites++;
	return row;
}
