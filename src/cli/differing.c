#include "cli/differing.h"

#include "base/error.h"

enum { RUNS_ENOUGH = 3 }; /* of a side, for a judgement that holds */

void differing_listen(struct ledger *l, bool by_thread)
{
	l->by_thread = by_thread;
	l->clocks = 1u << CLOCK_YOUNG | 1u << CLOCK_FULL;
}

/* The runs of both sides, A's first. */
static size_t runs(const struct differing *f)
{
	return f->a.group->count + f->b.group->count;
}

static const struct model *model_at(const struct differing *f, size_t i)
{
	size_t first = f->a.group->count;
	return i < first ? f->a.group->runs[i].model : f->b.group->runs[i - first].model;
}

static const char *file_at(const struct differing *f, size_t i)
{
	size_t first = f->a.group->count;
	return i < first ? f->a.files[i] : f->b.files[i - first];
}

static struct slice fact(const struct model *m, const char *key)
{
	return facts_get(&m->facts, &m->defs.texts, key);
}

static bool differs(const struct differing *f, const char *key)
{
	for (size_t i = 1; i < runs(f); i++)
		if (!slice_equal(fact(model_at(f, 0), key), fact(model_at(f, i), key)))
			return true;
	return false;
}

static int note_programs(struct differing *f)
{
	if (!differs(f, "command"))
		return ERR_NONE;
	return notes_add(&f->notes,
		"The command lines of these programs differ (mayfly info shows them): what is "
		"compared may not be the same work.");
}

/* What one leaves out looks gone there. */
static int note_filters(struct differing *f)
{
	if (!differs(f, "include") && !differs(f, "exclude") && !differs(f, "thread"))
		return ERR_NONE;
	return notes_add(&f->notes,
		"These runs were recorded with different filters (--include, --exclude, "
		"--thread): what one of them left out is compared with nothing.");
}

static bool any_common(const struct diff *d)
{
	for (size_t i = 0; i < d->rows.count; i++)
		if (d->rows.at[i].alloc.a > 0 && d->rows.at[i].alloc.b > 0)
			return true;
	return !d->rows.count;
}

/* What the VM's sampler gets wrong is no longer the same on both sides. */
static int note_engines(struct differing *f)
{
	size_t counted = 0;
	for (size_t i = 0; i < runs(f); i++)
		counted += model_at(f, i)->exact.births.objects > 0;
	if (!counted || counted == runs(f))
		return ERR_NONE;
	return notes_add(&f->notes,
		"Some of these runs were counted by the exact engine, some sampled. Intervals hold "
		"the error of sampling; what the VM's sampler itself gets wrong (before JDK 25 "
		"some per cent of the bytes) is not in them.");
}

/* JDK-8356372: doc/metrics.md. */
static int note_samplers(struct differing *f)
{
	bool errs = false, right = false; /* by its sampler, or counted */
	for (size_t i = 0; i < runs(f); i++) {
		const struct model *m = model_at(f, i);
		bool counted = m->exact.births.objects > 0;
		errs |= !counted && model_old_sampler(m);
		right |= counted || (model_jdk(m) && !model_old_sampler(m));
	}
	if (!errs || !right)
		return ERR_NONE;
	return notes_add(&f->notes,
		"Some of these runs were sampled by a VM before JDK 25, whose sampler takes small "
		"objects too often and large ones too rarely, several times so where they are few "
		"among many small ones: so much of a change is the VM's, and is not in the "
		"intervals.");
}

/* What outlives a collection, where that is not known or not compared. */
static int note_lives(struct differing *f)
{
	int err = ERR_NONE;
	bool all = true;
	for (size_t i = 0; i < runs(f) && !err; i++) {
		if (diff_tells_lives(model_at(f, i)))
			continue;
		all = false;
		err = notes_add(&f->notes,
			"%s has no collection that tells of deaths: what outlives one is not known "
			"there.",
			file_at(f, i));
	}
	if (err || !all || f->diff.lives_known)
		return err;
	return notes_add(&f->notes,
		"Some of these runs tell of deaths by collections of the young generation, others "
		"only by those of the old one: what outlives a collection is not compared.");
}

/* A run that is empty, or of which nothing could be read: a gate that rests on it guards nothing.
 */
static int note_empty(struct differing *f)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < runs(f) && !err; i++) {
		const struct model *m = model_at(f, i);
		if (!m->tallies.samples && !m->exact.births.objects)
			err = notes_add(&f->notes,
				"%s tells of no allocation at all: there is nothing in it to "
				"compare.",
				file_at(f, i));
	}
	return err;
}

static int note_runs(struct differing *f)
{
	size_t a = f->a.group->count, b = f->b.group->count;
	if (a + b == 2)
		return notes_add(&f->notes,
			"One run each: what differs by chance from run to run is not in the "
			"intervals. Give several, as in A1 A2 A3 -- B1 B2 B3.");
	if (a >= RUNS_ENOUGH && b >= RUNS_ENOUGH)
		return ERR_NONE;
	return notes_add(&f->notes, "Fewer than three runs on a side hardly tell what differs by "
				    "chance from run to run: rows must change much to be found, "
				    "and figures of collections may be just that.");
}

static int add_notes(struct differing *f, bool filtered)
{
	int err = note_empty(f);
	err = err ? err : note_programs(f);
	err = err ? err : note_filters(f);
	if (!err && filtered && !f->diff.rows.count)
		err = notes_add(&f->notes, "Nothing that was sampled passes the filter.");
	err = err ? err : note_engines(f);
	err = err ? err : note_samplers(f);
	if (!err && !any_common(&f->diff))
		err = notes_add(&f->notes, "The two have nothing in common: not one %s is in both.",
			by_row(f->diff.by)->word);
	err = err ? err : note_runs(f);
	err = err ? err : note_lives(f);
	for (size_t i = 0; i < runs(f) && !err; i++)
		if (!model_at(f, i)->complete)
			err = notes_add(&f->notes,
				"%s has no end: it was read up to its last whole block.",
				file_at(f, i));
	return err;
}

int differing_open(struct differing *f, const struct diff_side *a, const struct diff_side *b,
	const struct diff_query *q)
{
	*f = (struct differing){.a = *a, .b = *b};
	int err = diff_find(&f->diff, a->group, b->group, q);
	if (err)
		return err;
	err = add_notes(f, q->where.count > 0);
	if (err)
		differing_release(f);
	return err;
}

void differing_release(struct differing *f)
{
	diff_release(&f->diff);
	notes_release(&f->notes);
	notes_release(&f->failures);
}

struct diff_view differing_view(const struct differing *f)
{
	return (struct diff_view){.a = f->a,
		.b = f->b,
		.diff = &f->diff,
		.notes = &f->notes,
		.failures = &f->failures};
}
