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

/* What is known of an account one by one: died at once, died later; alive or let go without having
 * met a collection, and after they outlived one. */
enum { PART_INFANT, PART_DIED, PART_NEW, PART_ALIVE, PART_NEW_LET_GO, PART_LET_GO, PARTS };

struct laid {
	struct amount aim[PARTS], sampled[PARTS];
};

static int part_at(enum cell_fate fate, uint32_t age)
{
	static const int parts[CELL_FATES][2] = {[CELL_DIED] = {PART_INFANT, PART_DIED},
		[CELL_ALIVE] = {PART_NEW, PART_ALIVE},
		[CELL_LET_GO] = {PART_NEW_LET_GO, PART_LET_GO}};
	return parts[fate][age > 0];
}

static int part_of(const struct cell *c)
{
	return part_at(c->fate, c->age);
}

static struct amount amount(const struct total *t)
{
	return (struct amount){t->objects.sum, t->bytes.sum};
}

/* What is left of an amount but for what rounding leaves. */
static double less(double all, double part)
{
	return all - part > 1e-9 * all ? all - part : 0;
}

/* Of those let go how many are old the samples say; without any, as many as there can be: what was
 * promoted is let go where nothing tells more of it. */
static double old_let_go(double let_go, double old, double sampled_new, double sampled_old)
{
	double all = sampled_new + sampled_old;
	return fmin(old, all > 0 ? let_go * sampled_old / all : let_go);
}

/* Parts `new` and `old` of an aim `all`, which the first holds until then. */
static void split_aim(double *new, double *old, double part)
{
	*old = fmin(*new, part);
	*new = less(*new, *old);
}

/* How many of those alive and let go outlived a collection: with those that died later they are as
 * many as the account says. */
static void split(struct laid *laid, const struct tally *t)
{
	struct amount *aim = laid->aim, *new = &laid->sampled[PART_NEW_LET_GO],
		      *old = &laid->sampled[PART_LET_GO];
	double objects = less(t->outlived.objects.sum, aim[PART_DIED].objects);
	double bytes = less(t->outlived.bytes.sum, aim[PART_DIED].bytes);
	struct amount gone = {
		old_let_go(aim[PART_NEW_LET_GO].objects, objects, new->objects, old->objects),
		old_let_go(aim[PART_NEW_LET_GO].bytes, bytes, new->bytes, old->bytes)};
	gone.objects = fmax(gone.objects, objects - aim[PART_NEW].objects);
	gone.bytes = fmax(gone.bytes, bytes - aim[PART_NEW].bytes);
	split_aim(&aim[PART_NEW_LET_GO].objects, &aim[PART_LET_GO].objects, gone.objects);
	split_aim(&aim[PART_NEW_LET_GO].bytes, &aim[PART_LET_GO].bytes, gone.bytes);
	split_aim(&aim[PART_NEW].objects, &aim[PART_ALIVE].objects,
		less(objects, aim[PART_LET_GO].objects));
	split_aim(
		&aim[PART_NEW].bytes, &aim[PART_ALIVE].bytes, less(bytes, aim[PART_LET_GO].bytes));
}

/* Once it is known what was sampled of each part. */
static void set_aims(struct laid *out, const struct tally *t)
{
	struct amount died = amount(&t->died);
	out->aim[PART_INFANT] = amount(&t->infant);
	out->aim[PART_DIED].objects = less(died.objects, t->infant.objects.sum);
	out->aim[PART_DIED].bytes = less(died.bytes, t->infant.bytes.sum);
	out->aim[PART_NEW] = amount(&t->alive);
	out->aim[PART_NEW_LET_GO] = amount(&t->untracked);
	split(out, t);
}

static uint64_t place(uint32_t site, uint32_t thread)
{
	return (uint64_t)site << 32 | thread;
}

static void add_sampled(struct laid *laid, const struct cell *c)
{
	laid->sampled[part_of(c)].objects += c->objects;
	laid->sampled[part_of(c)].bytes += c->bytes;
}

/* By number of the account: its aims, and what its cells have. 0 or ERR_NOMEM. */
static int find_laid(
	struct laid *laid, struct map *accounts, const struct cells *c, const struct ledger *l)
{
	for (size_t i = 0; i < l->allocs.count; i++) {
		const struct account *a = &l->accounts.at[i];
		if (map_put(accounts, place(a->site, a->thread), i))
			return ERR_NOMEM;
	}
	for (size_t i = 0; i < c->list.count; i++) {
		const struct cell *cell = &c->list.at[i];
		uint64_t *at = map_find(accounts, place(cell->site, cell->thread));
		if (at)
			add_sampled(&laid[*at], cell);
	}
	for (size_t i = 0; i < l->allocs.count; i++)
		set_aims(&laid[i], &l->accounts.at[i].tally);
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
	int err = ERR_NONE;
	for (int i = 0; i < 2 * CELL_FATES && !err; i++) {
		enum cell_fate fate = (enum cell_fate)(i / 2);
		uint32_t age = i % 2 == 1;
		int p = part_at(fate, age);
		struct amount rest = laid->aim[p];
		rest.objects = laid->sampled[p].objects > 0 ? 0 : rest.objects;
		rest.bytes = laid->sampled[p].bytes > 0 ? 0 : rest.bytes;
		err = put_counted(c, a, age, fate, rest);
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
	for (uint32_t k = 0; k < s->ages.count; k++) {
		add_amount(&out.sampled[part_at(CELL_DIED, k)], died_at(s, k));
		add_amount(&out.sampled[part_at(CELL_ALIVE, k)], s->ages.at[k].young);
	}
	add_amount(&out.sampled[PART_DIED], died_last(s));
	set_aims(&out, &a->tally);
	return out;
}

static int put_site(struct cells *c, const struct account *a, const struct site_counts *s)
{
	struct laid laid = laid_of(a, s);
	int err = ERR_NONE;
	for (uint32_t k = 0; k < s->ages.count && !err; k++) {
		int died = part_at(CELL_DIED, k), alive = part_at(CELL_ALIVE, k);
		err = put_counted(c, a, k, CELL_DIED, scaled(died_at(s, k), &laid, died));
		err = err ? err
			  : put_counted(
				    c, a, k, CELL_ALIVE, scaled(s->ages.at[k].young, &laid, alive));
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
