#include "analyze/leaf_fit.h"

#include <math.h>

#include "base/error.h"

#define ROUNDING 1e-9

/* A number of one account, by objects or by bytes, and between what it has to be. */
struct bound {
	double value, least, most;
};

/* The same of several accounts, and what they have once each is held to its own. */
struct fit {
	struct bound sum;
	double held;
};

enum { BY_OBJECTS, BY_BYTES, UNITS };

/* Of a leaf or a group, by its number less 1. */
struct fits {
	struct fit of[UNITS];
};

static struct total_sum *sum_of(struct total *t, int unit)
{
	return unit == BY_OBJECTS ? &t->objects : &t->bytes;
}

static struct bound bound_of(struct tally *t, int unit)
{
	double infant = sum_of(&t->infant, unit)->sum;
	return (struct bound){.value = sum_of(&t->outlived, unit)->sum,
		.least = fmax(sum_of(&t->died, unit)->sum - infant, 0),
		.most = fmax(sum_of(&t->alloc, unit)->sum - infant, 0)};
}

/* There is no way to hold them where all have too much. */
static bool is_open(const struct fit *f)
{
	return f->sum.value <= f->sum.most * (1 + ROUNDING);
}

/* Where all of them have too little, some that died later were lost from sight: no account says
 * that these outlived a collection. */
static double least_of(const struct fit *f, const struct bound *b)
{
	return f->sum.least > f->sum.value ? 0 : fmin(b->least, b->most);
}

static double held(const struct fit *f, const struct bound *b)
{
	return fmin(fmax(b->value, least_of(f, b)), b->most);
}

/* What they have too little is shared out by the room that is left, what they have too much by what
 * there is above the least. */
static double fitted(const struct fit *f, const struct bound *b)
{
	double at = held(f, b), lack = f->sum.value - f->held;
	double least = f->sum.least > f->sum.value ? 0 : f->sum.least;
	double room = lack > 0 ? f->sum.most - f->held : f->held - least;
	double own = lack > 0 ? b->most - at : at - least_of(f, b);
	return room > 0 ? at + lack * fmin(own / room, 1) : at;
}

typedef uint32_t set_of(const struct leaves *l, size_t account);

/* 0: what it has is a whole leaf's. */
static uint32_t leaf_of(const struct leaves *l, size_t account)
{
	uint32_t of = l->of.at[account];
	return of && l->list.at[of - 1].parts > 1 ? of : 0;
}

/* 0: nothing was dealt out there. */
static uint32_t group_of(const struct leaves *l, size_t account)
{
	uint32_t of = l->of.at[account], group = of ? l->list.at[of - 1].group : 0;
	return group && l->list.at[group - 1].dealt ? group : 0;
}

static void add_sum(struct fit *f, const struct bound *b)
{
	f->sum.value += b->value;
	f->sum.least += fmin(b->least, b->most);
	f->sum.most += b->most;
}

static void add_held(struct fit *f, const struct bound *b)
{
	f->held += held(f, b);
}

static void each(struct ledger *l, struct fits *fits, set_of *set,
	void (*add)(struct fit *, const struct bound *))
{
	for (size_t i = 0; i < l->accounts.count; i++) {
		uint32_t of = set(&l->leaves, i);
		for (int unit = 0; of && unit < UNITS; unit++) {
			struct bound b = bound_of(&l->accounts.at[i].tally, unit);
			add(&fits[of - 1].of[unit], &b);
		}
	}
}

static void put(const struct fit *f, struct tally *t, int unit)
{
	struct total_sum *outlived = sum_of(&t->outlived, unit);
	struct bound b = bound_of(t, unit);
	if (!is_open(f) || fabs(f->sum.value - f->held) + fabs(b.value - held(f, &b)) <=
				   ROUNDING * f->sum.value)
		return;
	outlived->sum = fitted(f, &b);
	outlived->seen = fmin(outlived->seen, outlived->sum);
}

static int fit(struct ledger *l, set_of *set)
{
	struct fits *fits = mem_zalloc(l->leaves.list.count + 1, sizeof(*fits));
	if (!fits)
		return ERR_NOMEM;
	each(l, fits, set, add_sum);
	each(l, fits, set, add_held);
	for (size_t i = 0; i < l->accounts.count; i++) {
		uint32_t of = set(&l->leaves, i);
		for (int unit = 0; of && unit < UNITS; unit++)
			put(&fits[of - 1].of[unit], &l->accounts.at[i].tally, unit);
	}
	mem_free(fits);
	return ERR_NONE;
}

/* -- Balance -- */

enum { FATE_LATER, FATE_ALIVE, FATE_LET_GO, FATE_INFANT, FATES }; /* which is given up last */

struct fates {
	double of[FATES];
};

static double sum_fates(const struct fates *f)
{
	double sum = 0;
	for (int i = 0; i < FATES; i++)
		sum += f->of[i];
	return sum;
}

static struct fates fates_of(struct tally *t, int unit)
{
	double infant = sum_of(&t->infant, unit)->sum;
	return (struct fates){.of = {[FATE_LATER] = fmax(sum_of(&t->died, unit)->sum - infant, 0),
				      [FATE_ALIVE] = sum_of(&t->alive, unit)->sum,
				      [FATE_LET_GO] = sum_of(&t->untracked, unit)->sum,
				      [FATE_INFANT] = infant}};
}

/* What accounts of a leaf give up, and what others take. */
struct pool {
	struct fates given;
	double taken;
};

struct pools {
	struct pool of[UNITS];
};

/* What an account has above what it allocated: of those that lived on as there is of each, and only
 * then of the infants. */
static struct fates surplus_of(const struct fates *f, double over)
{
	double infant = f->of[FATE_INFANT], rest = sum_fates(f) - infant;
	struct fates out = {.of = {[FATE_INFANT] = fmin(fmax(over - rest, 0), infant)}};
	for (int i = 0; i < FATE_INFANT && rest > 0; i++)
		out.of[i] = f->of[i] * fmin(over / rest, 1);
	return out;
}

static double over_of(struct tally *t, const struct fates *f, int unit)
{
	return sum_fates(f) - sum_of(&t->alloc, unit)->sum;
}

static void add_to_pool(struct pool *p, struct tally *t, int unit)
{
	struct fates f = fates_of(t, unit);
	double over = over_of(t, &f, unit);
	struct fates given = surplus_of(&f, fmax(over, 0));
	for (int i = 0; i < FATES; i++)
		p->given.of[i] += given.of[i];
	p->taken += fmax(-over, 0);
}

static void add_fates(struct tally *t, int unit, const struct fates *f, double times)
{
	sum_of(&t->infant, unit)->sum += times * f->of[FATE_INFANT];
	sum_of(&t->died, unit)->sum += times * (f->of[FATE_INFANT] + f->of[FATE_LATER]);
	sum_of(&t->alive, unit)->sum += times * f->of[FATE_ALIVE];
	sum_of(&t->untracked, unit)->sum += times * f->of[FATE_LET_GO];
}

static void balance_account(const struct pool *p, struct tally *t, int unit)
{
	struct fates f = fates_of(t, unit);
	double over = over_of(t, &f, unit);
	struct fates given = surplus_of(&f, fmax(over, 0));
	if (over > 0)
		add_fates(t, unit, &given, -1);
	else if (p->taken > 0)
		add_fates(t, unit, &p->given, -over / p->taken);
}

/* What became of samples that nobody followed was counted: the fates of the others, all that
 * samples tell, are then more than what these made. */
static bool has_strays(const struct leaf *leaf)
{
	return leaf_sampled(leaf)->stray.n && !leaf->counts.unseen.objects;
}

/* 0: what it allocated is the sum of its fates. */
static uint32_t untold_of(const struct leaves *l, size_t account)
{
	uint32_t of = leaf_of(l, account);
	return of && (l->list.at[of - 1].untold || has_strays(&l->list.at[of - 1])) ? of : 0;
}

static void pool_all(struct ledger *l, struct pools *pools)
{
	for (size_t i = 0; i < l->accounts.count; i++) {
		uint32_t of = untold_of(&l->leaves, i);
		for (int unit = 0; of && unit < UNITS; unit++)
			add_to_pool(&pools[of - 1].of[unit], &l->accounts.at[i].tally, unit);
	}
}

static int balance(struct ledger *l)
{
	struct pools *pools = mem_zalloc(l->leaves.list.count + 1, sizeof(*pools));
	if (!pools)
		return ERR_NOMEM;
	pool_all(l, pools);
	for (size_t i = 0; i < l->accounts.count; i++) {
		uint32_t of = untold_of(&l->leaves, i);
		for (int unit = 0; of && unit < UNITS; unit++)
			balance_account(&pools[of - 1].of[unit], &l->accounts.at[i].tally, unit);
	}
	mem_free(pools);
	return ERR_NONE;
}

int leaves_fit(struct ledger *l)
{
	int err = balance(l);
	err = err ? err : fit(l, leaf_of);
	return err ? err : fit(l, group_of);
}
