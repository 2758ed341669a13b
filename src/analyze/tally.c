#include "analyze/tally.h"

#include "base/error.h"

/* No sample stands for more bytes: what only a broken trace tells weighs as much. */
#define BYTES_MAX 0x1p52

void tally_release(struct tally *t)
{
	for (int i = 0; i < MEASURES; i++)
		lifespans_release(&t->lives[i]);
	spans_release(&t->bytes);
	spans_release(&t->ns);
}

int tally_merge(struct tally *t, const struct tally *more)
{
	total_merge(&t->alloc, &more->alloc);
	total_merge(&t->born, &more->born);
	total_merge(&t->died, &more->died);
	total_merge(&t->alive, &more->alive);
	total_merge(&t->untracked, &more->untracked);
	total_merge(&t->infant, &more->infant);
	total_merge(&t->outlived, &more->outlived);
	int err = ERR_NONE;
	for (int i = 0; i < MEASURES && !err; i++)
		err = lifespans_merge(&t->lives[i], &more->lives[i]);
	err = err ? err : spans_merge(&t->bytes, &more->bytes);
	return err ? err : spans_merge(&t->ns, &more->ns);
}

int tally_sample(struct tally *t, const struct sample *s)
{
	return total_add(&t->alloc, s->size, s->weight);
}

int tally_settle(struct tally *t, uint64_t now)
{
	t->born = t->died;
	total_merge(&t->born, &t->alive);
	total_merge(&t->born, &t->untracked);
	int err = ERR_NONE;
	for (int i = 0; i < MEASURES && !err; i++)
		err = lifespans_settle(&t->lives[i], now);
	return err;
}

static void count(
	struct tally *t, const struct object *o, const struct life *l, bool alive, uint64_t age)
{
	/* Weights were checked with their configuration. */
	struct total *fate = l->died ? &t->died : alive ? &t->alive : &t->untracked;
	(void)total_add(fate, o->size, o->weight);
	if (age)
		(void)total_add(&t->outlived, o->size, o->weight);
	else if (l->died)
		(void)total_add(&t->infant, o->size, o->weight);
}

static double bytes_of(const struct object *o)
{
	double bytes = o->weight * (double)(o->size ? o->size : 1);
	return bytes < BYTES_MAX ? bytes : BYTES_MAX;
}

int tally_life(struct tally *t, const struct object *o, const struct life *l, bool alive,
	enum deaths deaths, unsigned clocks)
{
	enum fate fate = l->died ? FATE_DIED : FATE_LOST;
	bool old = deaths == DEATHS_OLD;
	int err = ERR_NONE;
	if (deaths == DEATHS_NONE)
		return count(t, o, l, alive, 0), ERR_NONE;
	count(t, o, l, alive, old ? l->full : l->young);
	if (old)
		clocks &= ~(1u << CLOCK_YOUNG);
	err = lifespans_add(&t->lives[MEASURE_OBJECTS], l, o->weight, clocks);
	err = err ? err : lifespans_add(&t->lives[MEASURE_BYTES], l, bytes_of(o), clocks);
	if (!err && (clocks & 1u << CLOCK_BYTES))
		err = spans_add(&t->bytes, fate, 0, l->bytes.after, l->bytes.by, o->weight);
	if (!err && (clocks & 1u << CLOCK_NS))
		err = spans_add(&t->ns, fate, 0, l->ns.after, l->ns.by, o->weight);
	return err;
}
