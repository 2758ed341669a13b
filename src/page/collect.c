#include "page/collect.h"

#include "base/error.h"

#define SEED 0x6d61796679ull /* any: the same trace makes the same page */

struct collect collect_init(size_t samples)
{
	return (struct collect){.ledger = {.clocks = 1u << CLOCK_YOUNG | 1u << CLOCK_FULL},
		.samples = {.max = samples, .sieve = {.seed = SEED}},
		.ticks = {.max = PAGE_TICKS}};
}

void collect_release(struct collect *c)
{
	ledger_release(&c->ledger);
	samples_release(&c->samples);
	ticks_release(&c->ticks);
}

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	struct collect *c = arg;
	int err = ledger_listener(&c->ledger).on_sample(&c->ledger, m, s);
	return err ? err : samples_add(&c->samples, s);
}

static int on_birth(void *arg, const struct model *m, const struct object *o)
{
	(void)m;
	return samples_follow(&((struct collect *)arg)->samples, o);
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	struct collect *c = arg;
	samples_end(&c->samples, o, l, KEPT_DIED);
	return ledger_listener(&c->ledger).on_death(&c->ledger, m, o, l);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	struct collect *c = arg;
	/* As the ledger: followed to the last, and let go only because the recording ended. */
	samples_end(&c->samples, o, l, reason == UNTRACK_STOPPED ? KEPT_ALIVE : KEPT_LET_GO);
	return ledger_listener(&c->ledger).on_untrack(&c->ledger, m, o, l, reason);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	struct collect *c = arg;
	samples_end(&c->samples, o, l, KEPT_ALIVE);
	return ledger_listener(&c->ledger).on_alive(&c->ledger, m, o, l);
}

static int on_tick(void *arg, const struct model *m, const struct record_tick *t)
{
	(void)m;
	return ticks_add(&((struct collect *)arg)->ticks, t);
}

struct listener collect_listener(struct collect *c)
{
	return (struct listener){.arg = c,
		.on_sample = on_sample,
		.on_birth = on_birth,
		.on_death = on_death,
		.on_untrack = on_untrack,
		.on_alive = on_alive,
		.on_tick = on_tick};
}

int collect_settle(struct collect *c, const struct model *m)
{
	return ledger_settle(&c->ledger, m);
}
