#include "analyze/cells.h"

#include <math.h>

#include "base/error.h"
#include "stat/ages.h"

void cells_release(struct cells *c)
{
	vec_release(&c->list);
	map_release(&c->index);
}

static bool is_same(const struct cell *a, const struct cell *b)
{
	return a->site == b->site && a->thread == b->thread && a->age == b->age &&
	       a->fate == b->fate;
}

/* NULL: out of memory. */
static struct cell *cell_of(struct cells *c, const struct cell *wanted)
{
	uint64_t key = hash64_pair((uint64_t)wanted->site << 32 | wanted->thread,
		(uint64_t)wanted->age << 2 | (uint64_t)wanted->fate);
	uint64_t *i;
	/* Two cells of one hash lie side by side. */
	while ((i = map_find(&c->index, key))) {
		if (is_same(&c->list.at[*i], wanted))
			return &c->list.at[*i];
		key++;
	}
	if (map_put(&c->index, key, c->list.count) || vec_push(&c->list, *wanted))
		return NULL;
	return &c->list.at[c->list.count - 1];
}

static int add(struct cells *c, const struct model *m, const struct object *o, const struct life *l,
	enum cell_fate fate)
{
	uint64_t age = m->facts.deaths == DEATHS_OLD ? l->full : l->young;
	uint64_t ns = l->died ? l->ns.by : l->ns.after;
	struct cell wanted = {.site = o->site,
		.thread = c->by_thread ? o->thread : 0,
		.age = ages_round(age < UINT32_MAX ? (uint32_t)age : UINT32_MAX),
		.fate = fate,
		.ns_least = UINT64_MAX};
	struct cell *cell = cell_of(c, &wanted);
	if (!cell)
		return ERR_NOMEM;
	cell->samples++;
	cell->objects += o->weight;
	cell->bytes += o->weight * (double)o->size;
	cell->ns += o->weight * (double)ns;
	cell->ns2 += o->weight * (double)ns * (double)ns;
	cell->ns_least = ns < cell->ns_least ? ns : cell->ns_least;
	cell->ns_most = ns > cell->ns_most ? ns : cell->ns_most;
	return ERR_NONE;
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return add(arg, m, o, l, CELL_DIED);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	return add(arg, m, o, l, reason == UNTRACK_STOPPED ? CELL_ALIVE : CELL_LET_GO);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	return add(arg, m, o, l, CELL_ALIVE);
}

struct listener cells_listener(struct cells *c)
{
	return (struct listener){
		.arg = c, .on_death = on_death, .on_untrack = on_untrack, .on_alive = on_alive};
}

/* -- Over what was counted -- */

/* What is known of an account one by one: died at once, died later, alive, let go. */
enum { PART_INFANT, PART_DIED, PART_ALIVE, PART_LET_GO, PARTS };

struct laid {
	struct amount aim[PARTS], sampled[PARTS];
};

static int part_of(const struct cell *c)
{
	static const int parts[CELL_FATES] = {
		[CELL_DIED] = PART_DIED, [CELL_ALIVE] = PART_ALIVE, [CELL_LET_GO] = PART_LET_GO};
	return c->fate == CELL_DIED && !c->age ? PART_INFANT : parts[c->fate];
}

static struct amount amount(const struct total *t)
{
	return (struct amount){t->objects.sum, t->bytes.sum};
}

static void set_aims(struct laid *out, const struct tally *t)
{
	struct amount died = amount(&t->died);
	out->aim[PART_INFANT] = amount(&t->infant);
	out->aim[PART_DIED].objects = fmax(0, died.objects - t->infant.objects.sum);
	out->aim[PART_DIED].bytes = fmax(0, died.bytes - t->infant.bytes.sum);
	out->aim[PART_ALIVE] = amount(&t->alive);
	out->aim[PART_LET_GO] = amount(&t->untracked);
}

static uint64_t place(uint32_t site, uint32_t thread)
{
	return (uint64_t)site << 32 | thread;
}

/* By number of the account: its aims, and what its cells have. 0 or ERR_NOMEM. */
static int find_laid(
	struct laid *laid, struct map *accounts, const struct cells *c, const struct ledger *l)
{
	for (size_t i = 0; i < l->allocs.count; i++) {
		const struct account *a = &l->accounts.at[i];
		set_aims(&laid[i], &a->tally);
		if (map_put(accounts, place(a->site, a->thread), i))
			return ERR_NOMEM;
	}
	for (size_t i = 0; i < c->list.count; i++) {
		const struct cell *cell = &c->list.at[i];
		uint64_t *at = map_find(accounts, place(cell->site, cell->thread));
		if (!at)
			continue;
		laid[*at].sampled[part_of(cell)].objects += cell->objects;
		laid[*at].sampled[part_of(cell)].bytes += cell->bytes;
	}
	return ERR_NONE;
}

static double ratio(double aim, double sampled)
{
	return sampled > 0 ? aim / sampled : 0;
}

static void scale_cell(struct cell *c, const struct laid *laid)
{
	int part = part_of(c);
	double objects = ratio(laid->aim[part].objects, laid->sampled[part].objects);
	c->bytes *= ratio(laid->aim[part].bytes, laid->sampled[part].bytes);
	c->objects *= objects;
	c->ns *= objects;
	c->ns2 *= objects;
}

/* A cell of what was counted and not sampled. */
static int put_counted(struct cells *c, const struct account *a, uint32_t age, enum cell_fate fate,
	struct amount amount)
{
	struct cell wanted = {.site = a->site,
		.thread = a->thread,
		.age = age,
		.fate = fate,
		.ns_least = UINT64_MAX};
	struct cell *cell = amount.bytes > 0 || amount.objects > 0 ? cell_of(c, &wanted) : NULL;
	if (!cell)
		return amount.bytes > 0 || amount.objects > 0 ? ERR_NOMEM : ERR_NONE;
	cell->objects += amount.objects;
	cell->bytes += amount.bytes;
	return ERR_NONE;
}

/* What no sample of the account tells of: the least age that it can have. */
static int put_rest(struct cells *c, const struct account *a, const struct laid *laid)
{
	static const enum cell_fate fates[PARTS] = {CELL_DIED, CELL_DIED, CELL_ALIVE, CELL_LET_GO};
	int err = ERR_NONE;
	for (int p = 0; p < PARTS && !err; p++) {
		struct amount rest = laid->aim[p];
		rest.objects = laid->sampled[p].objects > 0 ? 0 : rest.objects;
		rest.bytes = laid->sampled[p].bytes > 0 ? 0 : rest.bytes;
		err = put_counted(c, a, p == PART_DIED, fates[p], rest);
	}
	return err;
}

/* What the counts of a site say of the deaths of its objects that had survived k collections. */
static struct quantity died_at(const struct site_counts *s, size_t k)
{
	struct quantity out = s->ages.at[k].survived;
	quantity_add(&out, s->ages.at[k].promoted);
	return quantity_less(s->ages.at[k].risk, out);
}

/* Those of 15 collections and more are told together. */
static struct quantity died_last(const struct site_counts *s)
{
	struct quantity rest = s->died;
	for (size_t k = 0; k < s->ages.count; k++)
		rest = quantity_less(rest, died_at(s, k));
	return rest;
}

static void add_amount(struct amount *to, struct quantity q)
{
	to->objects += (double)q.objects;
	to->bytes += (double)q.bytes;
}

static struct amount scaled(struct quantity q, const struct laid *laid, int part)
{
	const struct amount *aim = &laid->aim[part], *from = &laid->sampled[part];
	return (struct amount){(double)q.objects * ratio(aim->objects, from->objects),
		(double)q.bytes * ratio(aim->bytes, from->bytes)};
}

/* An account without samples is of one site that was counted, whose deaths are known by age. Where
 * it stands for others that were not walked too, these are taken to die as it does. */
static struct laid laid_of(const struct account *a, const struct site_counts *s)
{
	struct laid out = {.aim = {{0}}};
	set_aims(&out, &a->tally);
	for (size_t k = 0; k < s->ages.count; k++) {
		add_amount(&out.sampled[k ? PART_DIED : PART_INFANT], died_at(s, k));
		add_amount(&out.sampled[PART_ALIVE], s->ages.at[k].young);
	}
	add_amount(&out.sampled[PART_DIED], died_last(s));
	return out;
}

static int put_site(struct cells *c, const struct account *a, const struct site_counts *s)
{
	struct laid laid = laid_of(a, s);
	int err = ERR_NONE;
	for (size_t k = 0; k < s->ages.count && !err; k++) {
		int part = k ? PART_DIED : PART_INFANT;
		err = put_counted(c, a, (uint32_t)k, CELL_DIED, scaled(died_at(s, k), &laid, part));
		err = err ? err
			  : put_counted(c, a, (uint32_t)k, CELL_ALIVE,
				    scaled(s->ages.at[k].young, &laid, PART_ALIVE));
	}
	err = err ? err
		  : put_counted(c, a, COUNTS_AGES - 1, CELL_DIED,
			    scaled(died_last(s), &laid, PART_DIED));
	return err ? err : put_rest(c, a, &laid);
}

/* Of which events tell what became of each object, and when. */
static int put_endings(struct cells *c, const struct account *a, const struct site_endings *e)
{
	static const enum cell_fate fates[ENDINGS] = {[ENDING_DIED] = CELL_DIED,
		[ENDING_ALIVE] = CELL_ALIVE,
		[ENDING_FORGOTTEN] = CELL_LET_GO};
	int err = ERR_NONE;
	for (size_t i = 0; i < e->rows.count; i++)
		for (int k = 0; k < ENDINGS && !err; k++)
			err = put_counted(
				c, a, e->rows.at[i].age, fates[k], amount_of(e->rows.at[i].of[k]));
	return err;
}

/* Nothing of it was sampled, and what was dealt to it is not its own. */
static int put_unsampled(struct cells *c, const struct account *a, const struct ledger *l,
	const struct model *m, const struct leaf *leaf)
{
	const struct site_endings *e = l->endings ? endings_of(l->endings, a->site) : NULL;
	if (e && !(leaf && leaf->walked))
		return put_endings(c, a, e);
	return put_site(c, a, &m->exact.sites.at[m->exact.by_site.at[a->site] - 1]);
}

static int lay(struct cells *c, const struct ledger *l, const struct model *m, struct laid *laid,
	struct map *accounts)
{
	int err = find_laid(laid, accounts, c, l);
	for (size_t i = 0; i < c->list.count && !err; i++) {
		struct cell *cell = &c->list.at[i];
		uint64_t *at = map_find(accounts, place(cell->site, cell->thread));
		if (at && l->leaves.of.at[*at])
			scale_cell(cell, &laid[*at]);
	}
	for (size_t i = 0; i < l->accounts.count && !err; i++) {
		const struct account *a = &l->accounts.at[i];
		uint32_t of = l->leaves.of.at[i];
		if (i < l->allocs.count)
			err = of ? put_rest(c, a, &laid[i]) : ERR_NONE;
		else
			err = put_unsampled(c, a, l, m, of ? &l->leaves.list.at[of - 1] : NULL);
	}
	return err;
}

int cells_lay(struct cells *c, const struct ledger *l, const struct model *m)
{
	struct map accounts = {0};
	struct laid *laid = NULL;
	if (!l->leaves.of.count)
		return ERR_NONE;
	laid = mem_zalloc(l->accounts.count + 1, sizeof(*laid));
	int err = laid ? lay(c, l, m, laid, &accounts) : ERR_NOMEM;
	map_release(&accounts);
	mem_free(laid);
	return err;
}

double cell_mean(const struct cell *c)
{
	return c->objects > 0 ? c->ns / c->objects : 0;
}

double cell_deviation(const struct cell *c)
{
	double mean = cell_mean(c);
	return c->objects > 0 ? sqrt(fmax(0, c->ns2 / c->objects - mean * mean)) : 0;
}
