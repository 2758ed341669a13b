#include "report/exact_view.h"

#include <math.h>

#include "base/units.h"

/* Rounded down, so that only all is 100 %. */
static void put_share(struct buf *out, uint64_t part, uint64_t whole)
{
	double share = whole ? (double)part / (double)whole : 0;
	if (part == whole)
		buf_put_str(out, "100 %");
	else
		buf_printf(out, "%.2f %%", floor(fmin(share, 0.9999) * 10000) / 100);
}

/* Of those seen the ones that are not among what the walk took for the program's. */
static void put_more(struct buf *out, const struct audit_counts *a)
{
	char more[UNITS_MAX], fillers[UNITS_MAX];
	if (a->seen <= a->walked)
		return;
	buf_printf(out, ", and %s more", units_count(a->seen - a->walked, more));
	if (a->fillers)
		buf_printf(out, " among %s that look like the VM's fillers",
			units_count(a->fillers, fillers));
}

void exact_put_audit(struct buf *out, const struct model *m)
{
	const struct audit_counts *a = &m->exact.audit;
	char seen[UNITS_MAX], walked[UNITS_MAX];
	if (!a->walked)
		return;
	uint64_t found = a->seen < a->walked ? a->seen : a->walked;
	buf_printf(out, "audit: %s of %s allocations seen", units_count(found, seen),
		units_count(a->walked, walked));
	put_more(out, a);
	if (!a->seen)
		return;
	buf_put_str(out, ", ");
	put_share(out, a->attributed, a->seen);
	buf_put_str(out, " attributed to a line");
}

static void put_quantity(struct buf *out, struct quantity q, const char *what)
{
	char count[UNITS_MAX], bytes[UNITS_MAX];
	buf_printf(out, "; %s %s (%s)", units_count(q.objects, count), what,
		units_bytes((double)q.bytes, bytes));
}

static void put_collections(struct buf *out, const struct counts *e)
{
	char text[UNITS_MAX];
	buf_put_str(out, "; ");
	text_count(out, e->collections, "collection", "collections");
	buf_put_str(out, " accounted for");
	if (e->unaccounted)
		buf_printf(out, ", %s not", units_count(e->unaccounted, text));
	if (!e->collections)
		return;
	/* The engine's work stands behind what the gc records take for the pause. */
	buf_printf(out, ", which made each pause %s longer than is told above",
		units_time((double)e->cost / (double)e->collections, text));
	buf_printf(out, ", %s at most", units_time((double)e->cost_most, text));
}

static void put_refusal(struct buf *out, const struct model *m)
{
	struct slice why = facts_get(&m->facts, &m->defs.texts, "exact.why");
	if (!model_disowned(m))
		return;
	buf_put_str(out, "refused");
	if (why.len) {
		buf_put_str(out, ": ");
		text_clean(out, why);
	}
}

void exact_put_counts(struct buf *out, const struct model *m)
{
	const struct counts *e = &m->exact;
	char count[UNITS_MAX], bytes[UNITS_MAX];
	if (!counts_any(e)) {
		put_refusal(out, m);
		return;
	}
	buf_printf(out, "%s objects born (%s)", units_count(e->births.objects, count),
		units_bytes((double)e->births.bytes, bytes));
	put_quantity(out, e->survivors, "times one outlived a collection and stayed young");
	put_quantity(out, e->promoted, "promoted");
	if (e->unknown.objects || e->behind)
		put_quantity(out, e->unknown,
			e->behind ? "times, at least, one was found alive without a site"
				  : "times one was found alive without a site");
	put_collections(out, e);
}

/* Why a walk ended before its stack did. */
static const char *const cuts[COUNTS_ENDS] = {[1] = "deeper than the depth recorded",
	[2] = "of virtual threads whose frames were put away",
	[3] = "at code that was about to change",
	[4] = "at frames that are none of Java's"};

static void put_cuts(struct buf *out, const struct walk_counts *w)
{
	char count[UNITS_MAX];
	uint64_t all = 0;
	for (size_t i = 0; i < COUNTS_ENDS; i++)
		all += cuts[i] ? w->ends[i] : 0;
	if (!all)
		return;
	buf_printf(out, "; %s cut short", units_count(all, count));
	const char *before = " (";
	for (size_t i = 0; i < COUNTS_ENDS; i++) {
		if (!cuts[i] || !w->ends[i])
			continue;
		buf_printf(out, "%s%s %s", before, units_count(w->ends[i], count), cuts[i]);
		before = ", ";
	}
	buf_put_str(out, ")");
}

void exact_put_walks(struct buf *out, const struct model *m)
{
	const struct walk_counts *w = &m->exact.walks;
	char count[UNITS_MAX];
	if (!w->every || !counts_any(&m->exact))
		return;
	if (w->every == 1)
		buf_put_str(out, "every allocation was walked");
	else
		buf_printf(out, "one allocation in %s was walked", units_count(w->every, count));
	buf_printf(out, ": %s walks", units_count(w->walks, count));
	put_cuts(out, w);
	if (w->ends[5])
		buf_printf(out, "; %s without a Java frame", units_count(w->ends[5], count));
	if (w->refused)
		buf_printf(out, "; %s of paths beyond the most that are kept",
			units_count(w->refused, count));
	if (w->unnamed)
		buf_printf(out, "; %s paths whose code went before it had a name",
			units_count(w->unnamed, count));
}

static json_t *quantity(struct document *d, struct quantity q)
{
	json_t *o = json_object();
	document_set(d, o, "objects", document_count(q.objects));
	document_set(d, o, "bytes", document_count(q.bytes));
	return o;
}

static json_t *audit(struct document *d, const struct audit_counts *a)
{
	if (!a->count)
		return json_null();
	json_t *o = json_object();
	document_set(d, o, "walked", document_count(a->walked));
	document_set(d, o, "seen", document_count(a->seen));
	document_set(d, o, "attributed", document_count(a->attributed));
	document_set(d, o, "walked_bytes", document_count(a->walked_bytes));
	document_set(d, o, "seen_bytes", document_count(a->seen_bytes));
	document_set(d, o, "fillers", document_count(a->fillers));
	document_set(d, o, "filler_bytes", document_count(a->filler_bytes));
	return o;
}

static json_t *walks(struct document *d, const struct walk_counts *w)
{
	json_t *o = json_object();
	document_set(d, o, "every", document_count(w->every));
	document_set(d, o, "walks", document_count(w->walks));
	document_set(d, o, "whole", document_count(w->ends[0]));
	document_set(d, o, "deeper", document_count(w->ends[1]));
	document_set(d, o, "frozen", document_count(w->ends[2]));
	document_set(d, o, "changed", document_count(w->ends[3]));
	document_set(d, o, "strange", document_count(w->ends[4]));
	document_set(d, o, "none", document_count(w->ends[5]));
	document_set(d, o, "refused", document_count(w->refused));
	document_set(d, o, "unnamed", document_count(w->unnamed));
	return o;
}

/* Sums over sites: what became of all that was born. */
static void set_fates(struct document *d, json_t *o, const struct counts *e)
{
	struct site_fates all = {.died = {0}};
	for (size_t i = 0; i < e->sites.count; i++) {
		struct site_fates one = counts_fates(&e->sites.at[i]);
		quantity_add(&all.died, one.died);
		quantity_add(&all.young, one.young);
		quantity_add(&all.promoted, one.promoted);
		quantity_add(&all.outside, one.outside);
		quantity_add(&all.lost, one.lost);
	}
	document_set(d, o, "died_young", quantity(d, all.died));
	document_set(d, o, "young", quantity(d, all.young));
	document_set(d, o, "promoted", quantity(d, all.promoted));
	document_set(d, o, "outside", quantity(d, all.outside));
	document_set(d, o, "lost_from_sight", quantity(d, all.lost));
}

json_t *exact_json(struct document *d, const struct model *m)
{
	const struct counts *e = &m->exact;
	if (!counts_any(e))
		return NULL;
	json_t *o = json_object();
	document_set(d, o, "from_ms", document_number((double)model_births_from(m) / 1e6));
	document_set(d, o, "births", quantity(d, e->births));
	set_fates(d, o, e);
	document_set(d, o, "survivors", quantity(d, e->survivors));
	document_set(d, o, "unknown", e->behind ? json_null() : quantity(d, e->unknown));
	document_set(d, o, "collections", document_count(e->collections));
	document_set(d, o, "unaccounted", document_count(e->unaccounted));
	document_set(d, o, "failed_regions", document_count(e->failed));
	document_set(d, o, "cost_ms", document_number((double)e->cost / 1e6));
	document_set(d, o, "cost_max_ms", document_number((double)e->cost_most / 1e6));
	document_set(d, o, "audit", audit(d, &e->audit));
	if (e->walks.every)
		document_set(d, o, "walks", walks(d, &e->walks));
	return o;
}

void exact_json_put(struct document *d, const struct model *m)
{
	json_t *exact = exact_json(d, m);
	if (exact)
		document_put(d, ",\n\"exact\":", exact);
}
