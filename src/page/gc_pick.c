#include "page/gc_pick.h"

void gc_pick_release(struct gc_pick *p)
{
	vec_release(&p->list);
}

static size_t longest(const struct gcs *g, size_t from, size_t to)
{
	size_t best = from;
	for (size_t i = from + 1; i < to; i++)
		if (g->list.at[i].pause > g->list.at[best].pause)
			best = i;
	return best;
}

int gc_pick_find(struct gc_pick *p, const struct gcs *g, size_t max)
{
	size_t count = g->list.count, picked = 0;
	*p = (struct gc_pick){.run = count > max ? (count + max - 1) / max : 1};
	if (vec_reserve(&p->list, count / p->run + 1))
		return ERR_NOMEM;
	for (size_t from = 0; from < count; from += p->run) {
		size_t to = from + p->run < count ? from + p->run : count;
		p->list.at[picked++] = (uint32_t)longest(g, from, to);
	}
	p->list.count = picked;
	return ERR_NONE;
}
