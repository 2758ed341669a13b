#include "exact/birth_paths.h"

#include "exact/birth_blocks.h"
#include "exact/birth_count.h"
#include "exact/birth_sites.h"

/* Where it is remembered that there was no room for the path. */
static uint64_t *refusal_of(struct birth_walks *w, uint64_t tag)
{
	return &w->refused[(tag ^ tag >> 32) & (PATHS_REFUSED - 1)];
}

static struct birth_slot *fill_path(
	struct births *b, struct birth_walks *w, const struct birth *e, bool vm, uint32_t klass)
{
	const struct birth_place p = {.caller = vm ? CALLER_VM : CALLER_COMPILED,
		.key = w->stack.hash,
		.leaf = w->stack.probe,
		.stack = &w->stack};
	uint64_t tag = birth_tag(p.key, klass), *refusal = refusal_of(w, tag);
	if (*refusal == tag)
		return NULL;
	b->oracle.stack(b->oracle.arg, e, &w->code, true, &w->stack);
	uint32_t id = birth_site_of(b, e, &p, klass);
	if (id)
		return birth_slot_put(b, &w->slots, p.key, klass, id);
	*refusal = tag;
	return NULL;
}

static void grow(_Atomic uint64_t *total)
{
	atomic_store_explicit(
		total, atomic_load_explicit(total, memory_order_relaxed) + 1, memory_order_relaxed);
}

bool birth_path_count(struct births *b, struct birth_thread *t, const struct birth *e)
{
	struct birth_walks *w = birth_block_walks(t);
	if (!w) {
		atomic_fetch_add_explicit(&b->unwalked, 1, memory_order_relaxed);
		return false;
	}
	bool vm = b->oracle.stack(b->oracle.arg, e, &w->code, false, &w->stack);
	grow(&w->totals.walks);
	grow(&w->totals.ends[w->stack.end]);
	if (!w->stack.any)
		return false;
	uint32_t klass = birth_klass(e->object);
	struct birth_slot *s = birth_slots_find(&w->slots, w->stack.hash, klass);
	if (!s)
		s = fill_path(b, w, e, vm, klass);
	if (!s) {
		grow(&w->totals.refused);
		return false;
	}
	if (birth_count_asked(b, t, s, e, vm ? CALLER_VM : CALLER_COMPILED))
		birth_count_log(b, t, s, e->object);
	return true;
}

bool birth_path_due(const struct births *b, struct birth_thread *t)
{
	if (!(atomic_load_explicit(&births_on, memory_order_relaxed) & BIRTHS_WALKED) ||
		--t->countdown)
		return false;
	t->countdown = stride_next(&b->stride, &t->random);
	return true;
}

void births_walk(struct births *b, uint64_t every, uint64_t seed)
{
	b->every = every;
	b->seed = seed;
	if (every)
		stride_init(&b->stride, every);
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next)
		birth_block_seed(b, t);
}

static void sum_up(struct walk_totals *sum, const struct walk_totals *t)
{
	sum->walks += atomic_load_explicit(&t->walks, memory_order_relaxed);
	sum->refused += atomic_load_explicit(&t->refused, memory_order_relaxed);
	for (int i = 0; i < STACK_ENDS; i++)
		sum->ends[i] += atomic_load_explicit(&t->ends[i], memory_order_relaxed);
}

void births_walked(struct births *b, struct walk_totals *sum)
{
	*sum = (struct walk_totals){.refused = b->unwalked};
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		const struct birth_walks *w = t->walks;
		if (w)
			sum_up(sum, &w->totals);
	}
}
