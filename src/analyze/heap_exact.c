#include "analyze/heap_exact.h"

#include "base/error.h"
#include "base/units.h"

struct taking {
	struct heap_exact *e;
	struct heap *h;
	const struct model *m;
	const struct followed *f;
	struct heap_moment *moment;
	bool last; /* whose objects make the rows */
};

static int take(void *arg, uint64_t address, const struct image_object *is)
{
	const struct taking *t = arg;
	enum size_basis basis;
	struct object o = {.id = address, .site = is->site, .thread = is->thread, .weight = 1};
	const struct life life = {.young = is->survived};
	o.size = followed_size(t->f, t->m, is, &basis);
	t->e->objects++;
	t->e->bytes[basis] += (double)o.size;
	if (basis == SIZE_MEAN && is->young == IMAGE_YOUNG_UNKNOWN)
		t->e->given += (double)o.size;
	t->e->unsized += basis == SIZE_UNKNOWN;
	o.vague = basis == SIZE_MEAN || basis == SIZE_UNKNOWN;
	t->e->vague = t->e->vague || o.vague;
	(void)total_add(&t->moment->live, o.size, 1);
	if (o.vague)
		total_vague(&t->moment->live);
	if (!t->last)
		return ERR_NONE;
	return ledger_listener(&t->h->alive).on_alive(&t->h->alive, t->m, &o, &life);
}

static int take_all(struct taking *t, struct followed *f)
{
	t->f = f;
	t->e->objects = t->e->unsized = 0;
	t->e->given = 0;
	for (int i = 0; i < SIZE_BASES; i++)
		t->e->bytes[i] = 0;
	t->e->absent = f->image.totals.forgotten + followed_lost(f);
	t->e->partly = f->checkpoint || f->first || f->survivors;
	t->e->whole_tells = f->checkpoint && !f->first;
	return heap_image_each(&f->image, take, t);
}

int heap_exact_take(struct heap_exact *e, struct heap *h, const struct model *m, struct followed *f)
{
	struct taking t = {.e = e, .h = h, .m = m, .moment = &h->moments.at[0], .last = true};
	int err = take_all(&t, f);
	return err ? err : heap_settle(h, m);
}

/* -- Over time -- */

/* A time is the last collection that had ended by then. NULL: none. */
static const struct gc *gc_by(const struct model *m, uint64_t time)
{
	size_t i = m->gcs.list.count;
	while (i && m->gcs.list.at[i - 1].end > time)
		i--;
	return i ? &m->gcs.list.at[i - 1] : NULL;
}

static uint64_t young_at(const struct model *m, uint64_t time)
{
	const struct gc *gc = gc_by(m, time);
	return gc ? gc->young : 0;
}

static int take_moment(void *arg, struct followed *f, size_t i)
{
	struct taking *t = arg;
	t->moment = &t->h->moments.at[i];
	/* Births are told with the collection that follows. */
	bool before = !gc_by(t->m, t->moment->time);
	t->last = i + 1 == t->h->moments.count;
	t->moment->untold = f->untold || (before && !t->last);
	return t->moment->untold ? ERR_NONE : take_all(t, f);
}

int heap_exact_each(struct heap_exact *e, struct heap *h, const struct model *m, struct followed *f,
	struct reader *r, struct diag *d)
{
	size_t count = h->moments.count;
	uint64_t *young = mem_zalloc(count + 1, sizeof(*young));
	struct taking t = {.e = e, .h = h, .m = m};
	*f = (struct followed){.untold = false};
	if (!young)
		return ERR_NOMEM;
	for (size_t i = 0; i + 1 < count; i++)
		young[i] = young_at(m, h->moments.at[i].time);
	young[count - 1] = UINT64_MAX;
	const struct followed_walk walk = {
		.young = young, .count = count, .visit = take_moment, .arg = &t};
	int err = followed_walk(f, r, m, &walk, d);
	mem_free(young);
	return err ? err : heap_settle(h, m);
}

static int note_count(struct notes *n, uint64_t count, const char *one, const char *many)
{
	char a[UNITS_MAX];
	if (!count)
		return ERR_NONE;
	return notes_add(n, "%s %s.", units_count(count, a), count == 1 ? one : many);
}

static int note_lost(const struct followed *f, struct notes *n)
{
	if (!f->survivors)
		return note_count(n, followed_lost(f), "birth was lost, and is not in it",
			"births were lost, and are not in it");
	return note_count(n, followed_lost(f),
		"birth is not in it, if it lived: its first collection could not be looked "
		"through",
		"births are not in it, as far as they lived: their first collection could not "
		"be looked through");
}

/* Reading on from the begin helps where a checkpoint's arrays have none, as in traces from before
 * it told them; not those that were born since the last collection. */
static int note_sizes(const struct heap_exact *e, const struct followed *f, struct notes *n)
{
	double all = 0, mean = e->bytes[SIZE_MEAN];
	char a[UNITS_MAX];
	for (int i = 0; i < SIZE_BASES; i++)
		all += e->bytes[i];
	int err = note_count(n, e->unsized,
		"object counts no bytes: births of its site were not counted",
		"objects count no bytes: births of their sites were not counted");
	if (!err && e->vague && !e->unsized && !(mean > 0))
		err = notes_add(n, "At some of these moments there were arrays whose size is not "
				   "known: their bytes are an estimate there.");
	if (err || !(mean > 0))
		return err;
	return notes_add(n,
		"%s, %.2g %% of the bytes, are of arrays whose own size is not known%s: they count "
		"with the mean of their line's.",
		units_bytes(mean, a), 100 * mean / all,
		f->checkpoint && !f->first && 2 * e->given > mean
			? ", most of them read from a checkpoint (--whole reads all events)"
			: "");
}

static int note_odds(const struct followed *f, struct notes *n)
{
	char a[UNITS_MAX];
	int err = ERR_NONE;
	for (int i = 0; i < IMAGE_ODDS && !err; i++)
		if (f->image.odds[i])
			err = notes_add(n, "The events are not sound: %s %s.",
				units_count(f->image.odds[i], a),
				image_odd_text((enum image_odd)i, f->image.odds[i]));
	return err;
}

int heap_exact_notes(const struct heap_exact *e, const struct followed *f, struct notes *n)
{
	int err = note_odds(f, n);
	if (!err && f->damage.text[0])
		err = notes_add(
			n, "The events after a damaged place are not in it (%s).", f->damage.text);
	if (!err && f->cut)
		err = notes_add(n, "The trace ends within a collection's events: that collection "
				   "is left out.");
	err = err ? err
		  : note_count(n, f->image.totals.forgotten,
			    "object was let go while it lived, and is not in it",
			    "objects were let go while they lived, and are not in it");
	err = err ? err : note_lost(f, n);
	if (!err && e->end && f->survivors)
		err = notes_add(n, "What was born since the last collection is not in it: of "
				   "--exact=survivors only objects that outlive one are told of.");
	else if (!err && e->end)
		err = note_count(n, f->image.totals.open,
			"of the objects was born since the last collection: it may be dead",
			"of the objects were born since the last collection: they may be dead");
	return err ? err : note_sizes(e, f, n);
}

int heap_exact_note_until(
	const struct followed *f, const struct model *m, uint64_t young, struct notes *n)
{
	const struct gcs *g = &m->gcs;
	uint64_t told = f->image.young > m->exact.young ? f->image.young : m->exact.young;
	size_t i = 0;
	char a[UNITS_MAX];
	while (i < g->list.count && g->list.at[i].young < told)
		i++;
	if (m->complete || young <= told || i == g->list.count)
		return ERR_NONE;
	return notes_add(n,
		"Events end with GC %llu, at %s: what collections did later is not known, and this "
		"is how it stood then.",
		(unsigned long long)model_gc_number(m, i),
		units_time((double)g->list.at[i].end, a));
}
