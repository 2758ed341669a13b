#include "analyze/cells.h"

#include <math.h>

#include "base/error.h"
#include "stat/ages.h"

void cells_release(struct cells *c)
{
	vec_release(&c->list);
	map_release(&c->index);
}

static bool is_same(const struct cell *a, const struct cell *b)
{
	return a->site == b->site && a->thread == b->thread && a->age == b->age &&
	       a->fate == b->fate;
}

/* NULL: out of memory. */
static struct cell *cell_of(struct cells *c, const struct cell *wanted)
{
	uint64_t key = hash64_pair((uint64_t)wanted->site << 32 | wanted->thread,
		(uint64_t)wanted->age << 2 | (uint64_t)wanted->fate);
	uint64_t *i;
	/* Two cells of one hash lie side by side. */
	while ((i = map_find(&c->index, key))) {
		if (is_same(&c->list.at[*i], wanted))
			return &c->list.at[*i];
		key++;
	}
	if (map_put(&c->index, key, c->list.count) || vec_push(&c->list, *wanted))
		return NULL;
	return &c->list.at[c->list.count - 1];
}

static int add(struct cells *c, const struct model *m, const struct object *o, const struct life *l,
	enum cell_fate fate)
{
	uint64_t age = m->facts.deaths == DEATHS_OLD ? l->full : l->young;
	uint64_t ns = l->died ? l->ns.by : l->ns.after;
	struct cell wanted = {.site = o->site,
		.thread = c->by_thread ? o->thread : 0,
		.age = ages_round(age < UINT32_MAX ? (uint32_t)age : UINT32_MAX),
		.fate = fate,
		.ns_least = UINT64_MAX};
	struct cell *cell = cell_of(c, &wanted);
	if (!cell)
		return ERR_NOMEM;
	cell->samples++;
	cell->objects += o->weight;
	cell->bytes += o->weight * (double)o->size;
	cell->ns += o->weight * (double)ns;
	cell->ns2 += o->weight * (double)ns * (double)ns;
	cell->ns_least = ns < cell->ns_least ? ns : cell->ns_least;
	cell->ns_most = ns > cell->ns_most ? ns : cell->ns_most;
	return ERR_NONE;
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return add(arg, m, o, l, CELL_DIED);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	return add(arg, m, o, l, reason == UNTRACK_STOPPED ? CELL_ALIVE : CELL_LET_GO);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return add(arg, m, o, l, CELL_ALIVE);
}

struct listener cells_listener(struct cells *c)
{
	return (struct listener){
		.arg = c, .on_death = on_death, .on_untrack = on_untrack, .on_alive = on_alive};
}

double cell_mean(const struct cell *c)
{
	return c->objects > 0 ? c->ns / c->objects : 0;
}

double cell_deviation(const struct cell *c)
{
	double mean = cell_mean(c);
	return c->objects > 0 ? sqrt(fmax(0, c->ns2 / c->objects - mean * mean)) : 0;
}
