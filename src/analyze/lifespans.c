#include "analyze/lifespans.h"

#include "base/error.h"

void lifespans_release(struct lifespans *l)
{
	ages_release(&l->young);
	ages_release(&l->full);
	ages_release(&l->open);
}

static uint32_t age_of(uint64_t survived)
{
	return survived < UINT32_MAX ? (uint32_t)survived : UINT32_MAX;
}

/* A full collection came: what died before it did so at its full age. */
static int close_open(struct lifespans *l)
{
	int err = ages_merge(&l->full, &l->open);
	if (!err)
		ages_clear(&l->open);
	return err;
}

static int add_full(struct lifespans *l, const struct life *life, uint64_t size, double weight)
{
	enum fate fate = life->died ? FATE_DIED : FATE_LOST;
	int err = ERR_NONE;
	if (!life->died || life->full_found)
		return ages_add_bytes(&l->full, fate, 0, age_of(life->full), size, weight);
	if (l->open_clock < life->full_clock) {
		err = close_open(l);
		l->open_clock = err ? l->open_clock : life->full_clock;
	}
	return err ? err : ages_add_bytes(&l->open, fate, 0, age_of(life->full), size, weight);
}

int lifespans_add(
	struct lifespans *l, const struct life *life, uint64_t size, double weight, unsigned clocks)
{
	enum fate fate = life->died ? FATE_DIED : FATE_LOST;
	int err = ERR_NONE;
	if (clocks & 1u << CLOCK_YOUNG)
		err = ages_add_bytes(&l->young, fate, 0, age_of(life->young), size, weight);
	if (!err && (clocks & 1u << CLOCK_FULL))
		err = add_full(l, life, size, weight);
	return err;
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

int lifespans_settle(struct lifespans *l, uint64_t now)
{
	if (l->open_clock == now)
		reopen(&l->open);
	return close_open(l);
}

int lifespans_merge(struct lifespans *l, const struct lifespans *more)
{
	int err = ages_merge(&l->young, &more->young);
	return err ? err : ages_merge(&l->full, &more->full);
}

const struct ages *lifespans_ages(const struct lifespans *l, enum clock clock)
{
	return clock == CLOCK_FULL ? &l->full : &l->young;
}
