#include "exact/identities.h"

#include "base/error.h"
#include "exact/pages.h"

enum { SLOTS_MIN = 1024, SLOTS_MAX = INT32_MAX };
#define IDENTITY_MASK ((1u << IDENTITY_BITS) - 1)
#define ODD           0x5851f42du /* spreads the numbers over all bits */

/* The objects fill three quarters of them. */
static uint64_t slots_for(uint64_t objects)
{
	uint64_t slots = objects + objects / 3;
	return slots < SLOTS_MIN ? SLOTS_MIN : slots > SLOTS_MAX ? SLOTS_MAX : slots;
}

int identities_init(struct identities *t, uint64_t most)
{
	*t = (struct identities){.room = slots_for(most)};
	t->at = pages_map(t->room * sizeof(*t->at));
	return t->at ? ERR_NONE : ERR_NOMEM;
}

void identities_release(struct identities *t)
{
	pages_unmap(t->at, t->room * sizeof(*t->at));
	*t = (struct identities){.room = 0};
}

void identities_begin(struct identities *t, uint64_t objects)
{
	uint64_t slots = slots_for(objects);
	t->slots = slots < t->room ? slots : t->room;
	atomic_store(&t->count, 0);
}

void identities_end(struct identities *t)
{
	pages_clear(t->at, t->room * sizeof(*t->at));
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

static uint64_t home(const struct identities *t, uint32_t id)
{
	return (id * 0x9e3779b97f4a7c15ull >> 32) * t->slots >> 32;
}

static uint64_t after(const struct identities *t, uint64_t i)
{
	return i + 1 < t->slots ? i + 1 : 0;
}

bool identities_put(struct identities *t, uint32_t id, const struct resident *o)
{
	if (atomic_fetch_add_explicit(&t->count, 1, memory_order_relaxed) >= t->slots / 8 * 7)
		return false;
	uint64_t i = home(t, id);
	for (uint32_t empty = 0; !atomic_compare_exchange_strong(&t->at[i].id, &empty, id);
		empty = 0)
		i = after(t, i);
	t->at[i].packed = o->site << 8 | o->survived;
	t->at[i].from = o->address;
	return true;
}

/* The next slot with that id and such an object, from *i on; NULL: there is none. */
static struct identity *next(const struct identities *t, uint64_t *i, uint32_t id,
	uintptr_t address, identity_same *same, void *arg)
{
	uint32_t has;
	for (; (has = atomic_load_explicit(&t->at[*i].id, memory_order_relaxed)) != 0;
		*i = after(t, *i))
		if (has == id && same(arg, t->at[*i].packed >> 8, address)) {
			struct identity *slot = &t->at[*i];
			*i = after(t, *i);
			return slot;
		}
	return NULL;
}

void identities_found(
	struct identities *t, uint32_t id, uintptr_t address, identity_same *same, void *arg)
{
	uint64_t i = home(t, id);
	struct identity *first = next(t, &i, id, address, same, arg), *other;
	if (!first)
		return;
	uintptr_t lost = IDENTITY_LOST;
	bool alone = true;
	for (; (other = next(t, &i, id, address, same, arg)) != NULL; alone = false)
		atomic_store_explicit(&other->now, IDENTITY_UNSURE, memory_order_relaxed);
	if (!alone || !atomic_compare_exchange_strong(&first->now, &lost, address))
		atomic_store_explicit(&first->now, IDENTITY_UNSURE, memory_order_relaxed);
}
