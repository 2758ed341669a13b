#include "exact/birth_sites.h"

#include <string.h>

#include "exact/pages.h"
#include "exact/shape.h"

uint64_t birth_slot_bytes(const struct births *b, const struct birth_slot *s)
{
	return s->site & SHAPE_ARRAY ? s->bytes
				     : s->objects * b->sites.at[s->site & SITE_MASK].bytes1;
}

void birth_slot_flush(struct births *b, struct birth_slot *s)
{
	const struct birth_sum held = {
		s->site & SITE_MASK, s->objects, birth_slot_bytes(b, s), 0, 0};
	birth_sums_add(&b->sums, &held);
	s->objects = s->bytes = 0;
}

static bool is_bytecode(const struct birth_place *p)
{
	return p->method && p->bcp && !p->stack && !p->whole;
}

static uint32_t room_for(const struct births *b, const struct birth_place *p)
{
	if (p->stack)
		return PATHS_MAX;
	if (is_bytecode(p))
		return births_bytecodes_max(b);
	return p->key ? PLACES_MAX : SITES_MAX;
}

static uint32_t find(struct births *b, const struct birth_place *p, uint32_t klass, int *fresh)
{
	pthread_mutex_lock(&b->lock);
	uint32_t id = site_table_find(&b->sites, p->key, klass, room_for(b, p), fresh);
	b->unlined |= !id && is_bytecode(p);
	b->unplaced |= !id && !p->stack && !is_bytecode(p);
	pthread_mutex_unlock(&b->lock);
	return id;
}

/* What a native method makes that it calls counts with it. */
static struct birth_place whole_method(const struct birth_place *p)
{
	struct birth_place whole = *p;
	whole.key = method_key_at(&births_method_key, p->method, 0);
	whole.native = 0;
	whole.whole = true;
	return whole;
}

/* One site for all would have no size, and each birth would go the slow way for good. */
static const struct birth_place nowhere = {.caller = CALLER_VM};

static void define(
	struct births *b, struct exact_site *s, const struct birth *e, const struct birth_place *p)
{
	s->leaf = p->leaf;
	s->path = p->stack != NULL;
	b->oracle.define(b->oracle.arg, s, e, p);
}

uint32_t birth_site_of(
	struct births *b, const struct birth *e, const struct birth_place *p, uint32_t klass)
{
	int fresh;
	struct birth_place whole;
	uint32_t id = find(b, p, klass, &fresh);
	if (!id && is_bytecode(p)) {
		whole = whole_method(p);
		p = &whole;
		id = find(b, p, klass, &fresh);
	}
	if (!id && !p->stack) {
		p = &nowhere;
		id = find(b, p, klass, &fresh);
	}
	if (fresh)
		define(b, &b->sites.at[id], e, p);
	return id;
}

/* Not so java.lang.Class: its objects differ in size without being arrays; nor a site that another
 * thread is just defining. */
static bool sized(const struct exact_site *s)
{
	return s->shape || s->bytes1;
}

/* What a slot has of it. Under the lock. */
static uint32_t word_of(const struct births *b, uint32_t id)
{
	const struct exact_site *s = &b->sites.at[id];
	return id | s->shape | (s->jumps ? (uint32_t)SHAPE_JUMPS : 0u);
}

struct birth_slot *birth_slot_put(
	struct births *b, struct birth_slots *s, uint64_t key, uint32_t klass, uint32_t id)
{
	uint64_t tag = birth_tag(key, klass);
	uint32_t at = birth_slots_at(s, tag);
	struct birth_slot *set = s->sets[at], *last = &set[BIRTH_WAYS - 1];
	pthread_mutex_lock(&b->lock);
	bool empty = !set[0].site;
	s->crowded += last->site != 0;
	if (last->site)
		birth_slot_flush(b, last);
	memmove(set + 1, set, (BIRTH_WAYS - 1) * sizeof(*set));
	set[0] = (struct birth_slot){.tag = sized(&b->sites.at[id]) ? tag : 0};
	set[0].site = word_of(b, id);
	pthread_mutex_unlock(&b->lock);
	if (empty)
		birth_slots_began(s, at);
	return set;
}

/* Whether there is room for it among the threads. Under the lock. */
static bool may_widen(struct births *b, struct birth_thread *t)
{
	if (b->wide >= BIRTHS_WIDE_MOST)
		return false;
	t->wide = t->wide ? t->wide : pages_map(sizeof(*t->wide));
	return t->wide;
}

/* Where there is no room it is asked again after as many. */
static void widen(struct births *b, struct birth_thread *t)
{
	pthread_mutex_lock(&b->lock);
	t->slots.crowded = 0;
	if (may_widen(b, t)) {
		birth_slots_widen(&t->slots, t->wide);
		b->wide++;
	}
	pthread_mutex_unlock(&b->lock);
}

struct birth_slot *birth_slot_make(struct births *b, struct birth_thread *t, const struct birth *e,
	const struct birth_place *p, uint32_t klass)
{
	struct birth_slots *s = &t->slots;
	uint32_t id = birth_site_of(b, e, p, klass);
	if (s->crowded >= BIRTH_CROWDED && !birth_slots_wide(s))
		widen(b, t);
	return birth_slot_put(b, s, p->key, klass, id);
}
