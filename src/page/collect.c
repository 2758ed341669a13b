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
	vec_release(&c->factors);
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

static double bytes_of(const struct collect *c, size_t account)
{
	return c->ledger.accounts.at[account].tally.alloc.bytes.sum;
}

/* Before: what was sampled; after leaves_lay: the factors. */
static int note_sampled(struct collect *c)
{
	size_t count = c->ledger.accounts.count;
	if (vec_reserve(&c->factors, count + 1))
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++)
		c->factors.at[c->factors.count++] = bytes_of(c, i);
	return ERR_NONE;
}

static void find_factors(struct collect *c)
{
	for (size_t i = 0; i < c->factors.count; i++)
		c->factors.at[i] = c->factors.at[i] > 0 ? bytes_of(c, i) / c->factors.at[i] : 1;
	for (size_t i = c->factors.count; i < c->ledger.accounts.count; i++)
		c->unsampled += bytes_of(c, i);
}

int collect_settle(struct collect *c, const struct model *m)
{
	int err = ledger_settle(&c->ledger, m);
	if (err || !m->exact.births.objects)
		return err;
	err = note_sampled(c);
	err = err ? err : leaves_lay(&c->ledger, m);
	if (!err)
		find_factors(c);
	return err;
}

double collect_factor(const struct collect *c, uint32_t site)
{
	const struct ledger *l = &c->ledger;
	uint32_t account = site < l->by_site.count ? l->by_site.at[site] : 0;
	return account && account <= c->factors.count ? c->factors.at[account - 1] : 1;
}
