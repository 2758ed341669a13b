#include "analyze/tally.h"

#include "base/error.h"

void tally_release(struct tally *t)
{
	ages_release(&t->young);
	ages_release(&t->full);
	ages_release(&t->open);
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
	int err = ages_merge(&t->young, &more->young);
	err = err ? err : ages_merge(&t->full, &more->full);
	err = err ? err : spans_merge(&t->bytes, &more->bytes);
	return err ? err : spans_merge(&t->ns, &more->ns);
}

int tally_sample(struct tally *t, const struct sample *s)
{
	return total_add(&t->alloc, s->size, s->weight);
}

/* Deaths that prove nothing become sightings: alive at that age. */
static void reopen(struct ages *a)
{
	for (size_t i = 0; i < a->rows.count; i++) {
		struct ages_row *row = &a->rows.at[i];
		mass_add(&row->lost, row->died);
		row->died = (struct mass){0};
	}
}

int tally_settle(struct tally *t, uint64_t now)
{
	t->born = t->died;
	total_merge(&t->born, &t->alive);
	total_merge(&t->born, &t->untracked);
	if (t->open_clock == now)
		reopen(&t->open);
	int err = ages_merge(&t->full, &t->open);
	if (!err)
		ages_clear(&t->open);
	return err;
}

static uint32_t age_of(uint64_t survived)
{
	return survived < UINT32_MAX ? (uint32_t)survived : UINT32_MAX;
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

static int add_full(struct tally *t, const struct object *o, const struct life *l)
{
	enum fate fate = l->died ? FATE_DIED : FATE_LOST;
	int err = ERR_NONE;
	if (!l->died || l->full_found)
		return ages_add(&t->full, fate, 0, age_of(l->full), o->weight);
	if (t->open_clock < l->full_clock) {
		err = ages_merge(&t->full, &t->open);
		if (err)
			return err;
		ages_clear(&t->open);
		t->open_clock = l->full_clock;
	}
	return ages_add(&t->open, fate, 0, age_of(l->full), o->weight);
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
	if (!old && (clocks & 1u << CLOCK_YOUNG))
		err = ages_add(&t->young, fate, 0, age_of(l->young), o->weight);
	if (!err && (clocks & 1u << CLOCK_FULL))
		err = add_full(t, o, l);
	if (!err && (clocks & 1u << CLOCK_BYTES))
		err = spans_add(&t->bytes, fate, 0, l->bytes.after, l->bytes.by, o->weight);
	if (!err && (clocks & 1u << CLOCK_NS))
		err = spans_add(&t->ns, fate, 0, l->ns.after, l->ns.by, o->weight);
	return err;
}
