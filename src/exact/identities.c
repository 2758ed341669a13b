#include "exact/identities.h"

#include "base/error.h"
#include "exact/pages.h"

enum {
	SLOTS_MIN = 1025,
	SLOTS_MAX = INT32_MAX,
	NEIGHBOURS_LOG = 9,
	NEIGHBOURS = 1 << NEIGHBOURS_LOG,
	TURN_SHIFT = 16,
	TRIES = 1024 /* slots at most that are looked at: a pause must not last for ever */
};
#define IDENTITY_MASK ((1u << IDENTITY_BITS) - 1)
#define TWIN          (1u << IDENTITY_BITS)
/* Spreads the numbers over all bits; its inverse modulo 2^31 leads back. */
#define ODD     0x5851f42du
#define INVERSE 0x7bcc7ba5u

/* The objects fill two thirds of them. An odd number: who goes on by NEIGHBOURS comes by all. */
static uint64_t slots_for(uint64_t objects)
{
	uint64_t slots = (objects + objects / 2) | 1;
	return slots < SLOTS_MIN ? SLOTS_MIN : slots > SLOTS_MAX ? SLOTS_MAX : slots;
}

uint64_t identities_bytes(uint64_t objects)
{
	return slots_for(objects) * sizeof(struct identity);
}

/* By all tables of this process before: the marks of what an earlier recording has followed still
 * have their numbers. */
static _Atomic uint64_t proposed_before;

int identities_init(struct identities *t, uint64_t most)
{
	*t = (struct identities){
		.most = most, .room = slots_for(most), .proposed = atomic_load(&proposed_before)};
	t->at = pages_map(t->most * sizeof(*t->at));
	t->others = pages_map(t->room * sizeof(*t->others));
	if (t->at && t->others)
		return ERR_NONE;
	identities_release(t);
	return ERR_NOMEM;
}

void identities_release(struct identities *t)
{
	pages_unmap(t->at, t->most * sizeof(*t->at));
	pages_unmap(t->others, t->room * sizeof(*t->others));
	if (t->proposed > atomic_load(&proposed_before))
		atomic_store(&proposed_before, t->proposed);
	*t = (struct identities){.room = 0};
}

void identities_begin(struct identities *t, uint64_t objects)
{
	uint64_t slots = slots_for(objects);
	t->slots = slots < t->room ? slots : t->room;
	t->first = atomic_load(&t->proposed) + 1;
	atomic_store(&t->count, 0);
}

void identities_end(struct identities *t)
{
	pages_clear(t->at, t->most * sizeof(*t->at));
	pages_clear(t->others, t->room * sizeof(*t->others));
}

uint32_t identities_propose(struct identities *t)
{
	uint32_t id;
	do
		id = (uint32_t)(atomic_fetch_add_explicit(&t->proposed, 1, memory_order_relaxed) +
				1) *
			     ODD &
		     IDENTITY_MASK;
	while (!id);
	return id;
}

/* Which proposal a number is. */
static uint32_t proposal(uint32_t id)
{
	return id * INVERSE & IDENTITY_MASK;
}

static uint64_t own_places(const struct identities *t)
{
	uint64_t proposed = atomic_load_explicit(&t->proposed, memory_order_relaxed) + 1 - t->first;
	return proposed < t->most ? proposed : t->most;
}

/* Its own place, if it can be one of the first so many that are proposed in this collection; NULL.
 */
static struct identity *own(const struct identities *t, uint32_t id, uint64_t places)
{
	uint64_t i = (proposal(id) - (uint32_t)t->first) & IDENTITY_MASK;
	return i < places ? &t->at[i] : NULL;
}

/* Of a row for each group, which begins somewhere in it: a program that keeps every other object of
 * those it makes would fill every other column, and leave the rest empty. */
static uint64_t home(const struct identities *t, uint32_t id)
{
	uint32_t p = proposal(id), group = p >> NEIGHBOURS_LOG;
	uint64_t spread = group * 0x9e3779b97f4a7c15ull;
	uint64_t row = (spread >> 32) * (t->slots >> NEIGHBOURS_LOG) >> 32;
	return (row << NEIGHBOURS_LOG) + ((p + (spread >> TURN_SHIFT)) & (NEIGHBOURS - 1));
}

/* Not the next slot: neighbours that come to others' would fill row after row there, and each would
 * have to go by all of them. */
static uint64_t after(const struct identities *t, uint64_t i)
{
	i += NEIGHBOURS;
	return i < t->slots ? i : i - t->slots;
}

static uint32_t number(const struct identity *slot)
{
	return atomic_load_explicit(&slot->id, memory_order_relaxed) & IDENTITY_MASK;
}

/* Not looked at first: a fresh page that is read costs two faults, one that is written one. */
static bool claim(struct identity *slot, uint32_t id)
{
	uint32_t there = 0;
	while (!(there & IDENTITY_MASK))
		if (atomic_compare_exchange_weak(&slot->id, &there, there | id))
			return true;
	return false;
}

static void set_twin(struct identity *slot)
{
	if (slot)
		atomic_fetch_or(&slot->id, TWIN);
}

static bool is_twin(const struct identity *slot)
{
	return atomic_load_explicit(&slot->id, memory_order_relaxed) & TWIN;
}

/* NULL: no room, or too far off. Who has the same number stands on the way to its slot, or in its
 * own place. */
static struct identity *claim_other(struct identities *t, uint32_t id)
{
	if (atomic_fetch_add_explicit(&t->count, 1, memory_order_relaxed) >= t->slots / 8 * 7)
		return NULL;
	struct identity *twin = own(t, id, t->most); /* now or later */
	uint64_t i = home(t, id);
	set_twin(twin);
	for (uint32_t tries = 1; !claim(&t->others[i], id); i = after(t, i)) {
		if (number(&t->others[i]) == id)
			set_twin(twin = &t->others[i]);
		if (++tries > TRIES)
			return NULL;
	}
	if (twin)
		set_twin(&t->others[i]);
	return &t->others[i];
}

/* slot: NULL for no room. */
static bool put(struct identity *slot, const struct resident *o, uint32_t flags)
{
	if (!slot)
		return false;
	slot->packed = flags | o->site << 8 | o->survived;
	slot->from = o->address;
	return true;
}

bool identities_put(struct identities *t, uint32_t id, const struct resident *o, bool left)
{
	return put(claim_other(t, id), o, left ? IDENTITY_LEFT : 0u);
}

bool identities_put_given(struct identities *t, uint32_t id, const struct resident *o, bool left)
{
	struct identity *slot = own(t, id, own_places(t));
	if (!slot || !claim(slot, id))
		slot = claim_other(t, id);
	return put(slot, o, left ? IDENTITY_LEFT : 0u);
}

bool identities_put_other(struct identities *t, uint32_t id, const struct resident *o)
{
	return put(claim_other(t, id), o, IDENTITY_OTHER);
}

static bool may_be(
	const struct identity *slot, uint32_t id, uintptr_t address, identity_same *same, void *arg)
{
	return slot && number(slot) == id && same(arg, identity_site(slot), address);
}

/* Through the others, to where its number may stand. */
struct way {
	uint64_t at;
	uint32_t tries;
};

/* The next one on its way that may be it; NULL: there is none. */
static struct identity *next(const struct identities *t, struct way *w, uint32_t id,
	uintptr_t address, identity_same *same, void *arg)
{
	while (w->tries < TRIES && number(&t->others[w->at])) {
		struct identity *slot = &t->others[w->at];
		w->at = after(t, w->at);
		w->tries++;
		if (may_be(slot, id, address, same, arg))
			return slot;
	}
	return NULL;
}

void identities_ahead(const struct identities *t, uint32_t id)
{
	const struct identity *first = own(t, id, own_places(t));
	__builtin_prefetch(first ? first : &t->others[home(t, id)], 1);
}

void identities_found(
	struct identities *t, uint32_t id, uintptr_t address, identity_same *same, void *arg)
{
	struct way w = {home(t, id), 0};
	bool others = atomic_load_explicit(&t->count, memory_order_relaxed) > 0;
	struct identity *first = own(t, id, own_places(t)), *other;
	/* Else it may be the one that the number was given to, and is not here. */
	bool alone = !first || number(first);
	if (!may_be(first, id, address, same, arg))
		first = others ? next(t, &w, id, address, same, arg) : NULL;
	if (!first)
		return;
	while (is_twin(first) && (other = next(t, &w, id, address, same, arg)) != NULL) {
		atomic_store_explicit(&other->now, IDENTITY_UNSURE, memory_order_relaxed);
		alone = false;
	}
	uintptr_t lost = IDENTITY_LOST;
	if (!alone || !atomic_compare_exchange_strong(&first->now, &lost, address))
		atomic_store_explicit(&first->now, IDENTITY_UNSURE, memory_order_relaxed);
}

uint64_t identities_places(const struct identities *t)
{
	return own_places(t) + (t->count ? t->slots : 0);
}

const struct identity *identities_at(const struct identities *t, uint64_t place)
{
	uint64_t own_count = own_places(t);
	const struct identity *slot =
		place < own_count ? &t->at[place] : &t->others[place - own_count];
	return number(slot) ? slot : NULL;
}
