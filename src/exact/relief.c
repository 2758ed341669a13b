#include "exact/relief.h"

#include "base/spare_memory.h"

enum {
	OBJECT_BYTES = 24, /* of one, about */
	BIRTHS_SHARE = 4,  /* of the memory that is left births that wait to be written may take one
			      part in so many */
};
#define LOOK_NS 50000000ull /* at what is left, so often at most */

/* Of the time, or memory. Where marks have sites the counts need no single object. */
static void lighten(struct relief *r, uint32_t share, bool amid)
{
	if (!r->tracing || !r->tracing->began || !r->stamps->objects->sites) {
		atomic_store(&r->too_heavy, share);
		return;
	}
	uint64_t lost = r->tracing->follow.totals.lost_intervals;
	tracing_abandon(r->tracing, amid);
	r->stamps->meets = NULL;
	atomic_store(&r->lost_before, lost);
	atomic_store(&r->abandoned, share);
}

static bool is_short(struct shortage *s, uint64_t need, uint64_t spare)
{
	if (spare >= need)
		return false;
	atomic_store(&s->need, need);
	atomic_store(&s->spare, spare);
	return true;
}

/* As far as is known. */
static bool lacks_memory(struct shortage *s, uint64_t need)
{
	uint64_t spare;
	return need && spare_memory("/", &spare) && is_short(s, need, spare);
}

void relief_look(struct relief *r)
{
	uint64_t spare;
	if (!r->tracing || !spare_memory("/", &spare))
		return;
	chunk_pool_grow(&r->tracing->pool, spare / BIRTHS_SHARE);
	if (is_short(&r->following, tracing_need(r->tracing), spare))
		atomic_store(&r->starved, true);
}

/* Each pause may bring another tenth of the heap. */
static void look_memory(struct relief *r, uint64_t now)
{
	if (!r->tracing || now < r->looks_again)
		return;
	r->looks_again = now + LOOK_NS;
	relief_look(r);
}

/* Somebody may have looked before all was given up. */
static bool starves(struct relief *r)
{
	return atomic_exchange(&r->starved, false) && r->tracing && tracing_need(r->tracing);
}

static uint64_t bytes_of(const struct heap_regions *now, bool young)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < now->count; i++)
		if (young ? region_is_young(&now->at[i]) : now->at[i].kind == REGION_OLD)
			bytes += now->at[i].top - now->at[i].bottom;
	return bytes;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Objects with a number of ours that may outlive the full collection that begins: of the young
 * generation as many as in the last one, or all where a young one has just failed; of the old one
 * those that came to it in full collections. */
static uint64_t may_live(const struct relief *r, enum stamps_young young)
{
	uint64_t stand = bytes_of(&r->stamps->now, true) / OBJECT_BYTES;
	uint64_t old = bytes_of(&r->stamps->now, false) / OBJECT_BYTES;
	return (young == STAMPS_YOUNG_FAILED ? stand : least(r->lived, stand)) +
	       least(r->kept, old);
}

/* For a full collection the VM keeps the marks with numbers, and we keep who is followed. What is
 * not there for that would end the program: single objects are given up first. Whether young ones
 * can have numbers. */
bool relief_full_begins(struct relief *r, enum stamps_young young)
{
	uint64_t marks = may_live(r, young) * IDENTITY_VM_BYTES;
	struct tracing *t = r->tracing;
	if (t && t->began && !t->stamped && lacks_memory(&r->following, tracing_need(t) + marks)) {
		lighten(r, BURDEN_MEMORY, true);
		if (t->began)
			tracing_forget(t, t->follow.young);
	}
	if (!lacks_memory(&r->marks, marks))
		return true;
	r->unstamped++;
	return false;
}

void relief_lived(struct relief *r, uint64_t objects, uint64_t promoted, bool followed)
{
	r->lived = objects;
	r->kept += followed ? promoted : 0;
}

void relief_pause_ends(struct relief *r, uint64_t own, uint64_t now)
{
	uint32_t share = burden_add(&r->burden, own, now);
	look_memory(r, now);
	if (!share && starves(r))
		share = BURDEN_MEMORY;
	if (share)
		lighten(r, share, false);
}
