#include "analyze/tally.h"

#include "base/error.h"

void tally_release(struct tally *t)
{
	for (int i = 0; i < MEASURES; i++)
		lifespans_release(&t->lives[i]);
	spans_release(&t->bytes);
	spans_release(&t->ns);
	counted_release(&t->counted);
}

void tally_merge_totals(struct tally *t, const struct tally *more)
{
	total_merge(&t->alloc, &more->alloc);
	total_merge(&t->stray, &more->stray);
	total_merge(&t->born, &more->born);
	total_merge(&t->died, &more->died);
	total_merge(&t->alive, &more->alive);
	total_merge(&t->untracked, &more->untracked);
	total_merge(&t->infant, &more->infant);
	total_merge(&t->outlived, &more->outlived);
	total_merge(&t->late, &more->late);
	total_merge(&t->late_young, &more->late_young);
	total_merge(&t->late_open, &more->late_open);
}

int tally_merge(struct tally *t, const struct tally *more)
{
	int err = ERR_NONE;
	tally_merge_totals(t, more);
	for (int i = 0; i < MEASURES && !err; i++)
		err = lifespans_merge(&t->lives[i], &more->lives[i]);
	err = err ? err : spans_merge(&t->bytes, &more->bytes);
	err = err ? err : spans_merge(&t->ns, &more->ns);
	return err ? err : counted_merge(&t->counted, &more->counted);
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

/* What met no other collection is surely found by the one of the young generation in the pause. */
static bool is_late(const struct life *l, uint64_t age)
{
	return l->died && l->full_found && (age || !l->young_too);
}

static void count(struct tally *t, const struct lived *l, uint64_t age)
{
	/* Weights were checked with their configuration. */
	struct total *fate = l->life.died ? &t->died : l->alive ? &t->alive : &t->untracked;
	(void)total_add(fate, l->size, l->weight);
	if (l->vague)
		total_vague(fate);
	if (is_late(&l->life, age))
		(void)total_add(&t->late, l->size, l->weight);
	if (is_late(&l->life, age) && l->life.was_young)
		(void)total_add(age ? &t->late_open : &t->late_young, l->size, l->weight);
	if (age)
		(void)total_add(&t->outlived, l->size, l->weight);
	else if (l->life.died)
		(void)total_add(&t->infant, l->size, l->weight);
}

int tally_life(struct tally *t, const struct lived *lived, unsigned clocks)
{
	const struct life *l = &lived->life;
	enum fate fate = l->died ? FATE_DIED : FATE_LOST;
	bool old = lived->deaths == DEATHS_OLD;
	double w = lived->weight;
	int err = ERR_NONE;
	if (lived->deaths == DEATHS_NONE)
		return count(t, lived, 0), ERR_NONE;
	count(t, lived, old ? l->full : l->young);
	if (old)
		clocks &= ~(1u << CLOCK_YOUNG);
	err = lifespans_add(&t->lives[MEASURE_OBJECTS], l, 1, w, clocks);
	err = err ? err : lifespans_add(&t->lives[MEASURE_BYTES], l, lived->size, w, clocks);
	if (!err && (clocks & 1u << CLOCK_BYTES))
		err = spans_add(&t->bytes, fate, 0, l->bytes.after, l->bytes.by, w);
	if (!err && (clocks & 1u << CLOCK_NS))
		err = spans_add(&t->ns, fate, 0, l->ns.after, l->ns.by, w);
	return err;
}
