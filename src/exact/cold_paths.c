#include "exact/cold_paths.h"

/* What is asked of each number. */
struct look {
	const struct births *births;
	const struct remains *remains;
	uint32_t account, retired;
	uint32_t next; /* behind the last that was asked about while some more could go */
};

static bool is_cold(void *arg, const struct exact_site *s)
{
	struct look *l = arg;
	uint32_t id = (uint32_t)(s - l->births->sites.at);
	if (l->retired >= COLD_PATHS_AT_ONCE)
		return false;
	l->next = id + 1;
	if (!s->path || atomic_load(&s->waits) ||
		!remains_quiet(l->remains, id, l->account, COLD_PATHS_AFTER))
		return false;
	l->retired++;
	return true;
}

static bool is_due(struct cold_paths *c, struct births *b, uint32_t account)
{
	struct walk_totals sum;
	if (!b->every || atomic_load(&b->paths_stay) || account - c->account < COLD_PATHS_PERIOD)
		return false;
	births_walked(b, &sum);
	bool any = sum.refused != c->refused;
	c->refused = sum.refused;
	c->account = account;
	return any && site_table_retired(&b->sites) <= COLD_PATHS_WAIT;
}

uint32_t cold_paths_retire(
	struct cold_paths *c, struct births *b, const struct remains *r, uint32_t account)
{
	struct look l = {.births = b, .remains = r, .account = account};
	if (!is_due(c, b, account))
		return 0;
	uint32_t end = atomic_load(&b->sites.count);
	uint32_t from = c->next ? c->next : b->sites.first;
	uint32_t to = end - from < COLD_PATHS_LOOK ? end : from + COLD_PATHS_LOOK;
	births_forget_some(b, from, to, is_cold, &l);
	c->next = l.retired < COLD_PATHS_AT_ONCE ? to : l.next;
	if (c->next == end)
		c->next = 0;
	return l.retired;
}
