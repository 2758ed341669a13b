#include "exact/remains.h"

#include "base/error.h"
#include "exact/pages.h"

int remains_init(struct remains *r)
{
	*r = (struct remains){.at = pages_map(SITE_NUMBERS * sizeof(*r->at))};
	return r->at ? ERR_NONE : ERR_NOMEM;
}

void remains_release(struct remains *r)
{
	pages_unmap(r->at, SITE_NUMBERS * sizeof(*r->at));
	r->at = NULL;
}

static bool any_promoted(const struct census_row *row)
{
	uint32_t any = 0;
	for (int age = 0; age < CENSUS_AGES; age++)
		any |= row->promoted[age];
	return any;
}

void remains_tell(
	struct remains *r, const struct newborns *n, const struct census *c, uint32_t account)
{
	for (uint32_t i = 0; i < n->of.count; i++) {
		struct remain *at = &r->at[n->of.rows[i].site];
		at->account = account;
		at->outside |= n->of.rows[i].outside_objects > 0;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		struct remain *at = &r->at[c->rows[i].site];
		at->account = account;
		at->old |= any_promoted(&c->rows[i]);
	}
}

static uint32_t end_of(const struct site_table *t)
{
	return atomic_load_explicit(&t->count, memory_order_acquire);
}

static void set_old(struct remains *r, const struct site_table *t, bool old)
{
	for (uint32_t i = t->first; i < end_of(t); i++)
		r->at[i].old = old;
}

void remains_doubt(struct remains *r, const struct site_table *t)
{
	set_old(r, t, true);
}

void remains_look(struct remains *r, const struct site_table *t)
{
	set_old(r, t, false);
}

/* Counted on, they begin anew behind 2^32. */
static bool is_behind(uint32_t account, uint32_t read)
{
	return !account || (int32_t)(read - account) >= 0;
}

static bool is_gone(const struct remain *at, uint32_t account, uint32_t read)
{
	return !at->old && !at->outside && at->account != account && is_behind(at->account, read);
}

static bool may_go(const struct exact_site *s)
{
	return s->retired && !atomic_load(&s->waits) && !atomic_load(&s->bare);
}

static uint64_t how_many(struct remains *r, const struct site_table *t)
{
	uint64_t many = REMAINS_SOME + REMAINS_OF_NEW * (t->made - r->made);
	r->made = t->made;
	return many < REMAINS_MOST ? many : REMAINS_MOST;
}

uint32_t remains_spare(struct remains *r, struct births *b, uint32_t account, uint32_t read)
{
	uint32_t spared = 0;
	uint64_t many = how_many(r, &b->sites);
	if (site_table_retired(&b->sites) < REMAINS_WORTH)
		return 0;
	for (uint64_t i = 0; i < many; i++) {
		if (r->next < b->sites.first || r->next >= end_of(&b->sites))
			r->next = b->sites.first;
		uint32_t id = r->next++;
		if (may_go(&b->sites.at[id]) && is_gone(&r->at[id], account, read)) {
			births_spare(b, id);
			r->at[id] = (struct remain){0};
			spared++;
		}
	}
	return spared;
}
