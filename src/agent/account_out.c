#include "agent/account_out.h"

#include <stddef.h>

/* outside: of the births, those outside of the young generation; NULL: none. */
static void put_births(struct account_out *o, const struct account *a,
	const struct account_cell *births, const struct account_cell *outside)
{
	bool known;
	struct record record = {.kind = RECORD_site_births};
	struct record_site_births *b = &record.site_births;
	*b = (struct record_site_births){.young = a->young,
		.site = o->site(o->arg, births->site, &known),
		.objects = births->objects,
		.bytes = births->bytes};
	if (outside) {
		b->outside_objects = outside->objects;
		b->outside_bytes = outside->bytes;
	}
	o->attributed += known ? births->objects - b->outside_objects : 0;
	o->put(o->arg, &record);
}

static void set_cell(
	struct record_list *objects, struct record_list *bytes, const struct account_cell *c)
{
	while (objects->count < c->survived) {
		objects->at[objects->count++] = 0;
		bytes->at[bytes->count++] = 0;
	}
	objects->at[c->survived - 1] = c->objects;
	bytes->at[c->survived - 1] = c->bytes;
}

static void add_age(struct record_site_ages *ages, const struct account_cell *c)
{
	if (c->what == ACCOUNT_YOUNG)
		set_cell(&ages->objects, &ages->bytes, c);
	else
		set_cell(&ages->promoted_objects, &ages->promoted_bytes, c);
}

/* All cells of one site, which stand together. Returns how many. */
static uint32_t put_ages(
	struct account_out *o, const struct accounts *all, const struct account *a, uint32_t first)
{
	bool known;
	struct record record = {.kind = RECORD_site_ages};
	struct record_site_ages *ages = &record.site_ages;
	uint32_t site = accounts_at(all, a, first)->site, i = first;
	*ages = (struct record_site_ages){.young = a->young, .full = a->full};
	for (; i < a->cells; i++) {
		const struct account_cell *c = accounts_at(all, a, i);
		if (c->site != site || c->what < ACCOUNT_YOUNG)
			break;
		add_age(ages, c);
	}
	ages->site = o->site(o->arg, site, &known);
	o->put(o->arg, &record);
	return i - first;
}

/* A site's births, and what of them stands outside, if that is behind them. As put_ages. */
static uint32_t put_born(
	struct account_out *o, const struct accounts *all, const struct account *a, uint32_t first)
{
	const struct account_cell *next =
		first + 1 < a->cells ? accounts_at(all, a, first + 1) : NULL;
	bool outside = next && next->what == ACCOUNT_OUTSIDE;
	put_births(o, a, accounts_at(all, a, first), outside ? next : NULL);
	return outside ? 2 : 1;
}

static void put_audit(const struct account_out *o, const struct account *a)
{
	struct record record = {.kind = RECORD_audit};
	record.audit = (struct record_audit){.young = a->young,
		.walked = a->audit.walked,
		.seen = a->audit.seen,
		.attributed = o->attributed,
		.walked_bytes = a->audit.walked_bytes,
		.seen_bytes = a->audit.seen_bytes,
		.fillers = a->audit.fillers,
		.filler_bytes = a->audit.filler_bytes};
	o->put(o->arg, &record);
}

void account_out_sites(struct account_out *o, const struct accounts *all, const struct account *a)
{
	o->attributed = 0;
	for (uint32_t i = 0; i < a->cells;)
		i += accounts_at(all, a, i)->what >= ACCOUNT_YOUNG ? put_ages(o, all, a, i)
								   : put_born(o, all, a, i);
	if (a->audit.walked)
		put_audit(o, a);
}

void account_out_gc(const struct account_out *o, const struct account *a, uint64_t start)
{
	struct record record = {.kind = RECORD_exact_gc};
	record.exact_gc = (struct record_exact_gc){.time = start,
		.young = a->young,
		.full = a->full,
		.kind = a->kind,
		.births = a->births,
		.birth_bytes = a->birth_bytes,
		.survivors = a->survivors,
		.survivor_bytes = a->survivor_bytes,
		.promoted = a->promoted,
		.promoted_bytes = a->promoted_bytes,
		.unknown = a->unknown,
		.unknown_bytes = a->unknown_bytes,
		.failed = a->failed,
		.cost = a->cost,
		.flags = a->flags};
	o->put(o->arg, &record);
}
