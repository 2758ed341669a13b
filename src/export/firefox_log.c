#include "export/firefox_log.h"

#include "base/error.h"

enum { LEVEL_MAX = 40 };

void firefox_log_release(struct firefox_log *l)
{
	vec_release(&l->events);
}

static bool is_kept(const struct firefox_log *l, uint64_t object)
{
	return (hash64_pair(object, l->seed) & ((1ull << l->level) - 1)) == 0;
}

static void thin(struct firefox_log *l)
{
	size_t kept = 0;
	l->level++;
	for (size_t i = 0; i < l->events.count; i++)
		if (is_kept(l, l->events.at[i].object))
			l->events.at[kept++] = l->events.at[i];
	l->events.count = kept;
}

/* Thread clocks interleave, but the model's only rises. */
static int add(struct firefox_log *l, const struct model *m, const struct object *o, double sign)
{
	if (!is_kept(l, o->id))
		return ERR_NONE;
	while (l->events.count >= l->most && l->level < LEVEL_MAX)
		thin(l);
	struct firefox_event e = {.time = m->now.time,
		.object = o->id,
		.bytes = sign * o->weight * (double)o->size,
		.site = o->site,
		.thread = o->thread};
	return is_kept(l, o->id) ? vec_push(&l->events, e) : ERR_NONE;
}

static int on_birth(void *arg, const struct model *m, const struct object *o)
{
	return add(arg, m, o, 1);
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	(void)l;
	return add(arg, m, o, -1);
}

struct listener firefox_log_listener(struct firefox_log *l)
{
	return (struct listener){.arg = l, .on_birth = on_birth, .on_death = on_death};
}

double firefox_log_weight(const struct firefox_log *l)
{
	return (double)(1ull << l->level);
}
