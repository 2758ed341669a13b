#include "cli/heap_events.h"

#include "analyze/heap_exact.h"
#include "base/error.h"
#include "report/heap_objects.h"
#include "report/heap_view.h"

struct showing_events {
	const struct heap_events *ask;
	struct showing *s;
	struct followed followed;
	struct heap heap;
	struct heap_exact exact;
};

static struct followed_moment moment_of(const struct showing_events *e)
{
	const struct heap_events *ask = e->ask;
	struct followed_moment at = {.young = UINT64_MAX};
	if (!ask->end)
		at = followed_at(&e->s->load.model, ask->gc);
	at.whole = ask->whole || ask->objects || query_by_thread(&e->s->query) ||
		   where_has(&e->s->query.where, WHERE_THREAD);
	return at;
}

static uint64_t time_of(const struct showing_events *e)
{
	const struct model *m = &e->s->load.model;
	if (e->ask->end)
		return m->now.time;
	return e->ask->gc == GCS_NONE ? 0 : m->gcs.list.at[e->ask->gc].end;
}

static uint64_t young_of(const struct showing_events *e)
{
	const struct model *m = &e->s->load.model;
	if (e->ask->over || e->ask->end)
		return m->now.young;
	return followed_at(m, e->ask->gc).young;
}

static int note_threads(const struct showing_events *e)
{
	if (!e->followed.survivors || !query_by_thread(&e->s->query))
		return ERR_NONE;
	return notes_add(&e->s->notes, "--exact=survivors does not tell which thread made an "
				       "object: --exact=trace does.");
}

static int put_rows(struct showing_events *e)
{
	struct showing *s = e->s;
	struct buf out = {0};
	struct lifetimes l;
	int err = notes_find(&s->notes, &s->load.model);
	err = err ? err : heap_exact_notes(&e->exact, &e->followed, &s->notes);
	err = err ? err : note_threads(e);
	err = err ? err
		  : heap_exact_note_until(&e->followed, &s->load.model, young_of(e), &s->notes);
	err = err ? err : lifetimes_find(&l, &s->load.model, &e->heap.alive, &s->query);
	if (err)
		return err;
	struct heap_view v = {.view = showing_view(s, &l),
		.heap = &e->heap,
		.exact = &e->exact,
		.over_time = e->ask->over};
	err = s->json ? heap_json_put(&out, &v) : heap_screen_put(&out, &v);
	err = show_out(&out, err);
	lifetimes_release(&l);
	return err;
}

/* That stdout can't be written main tells, of all commands alike. */
static int put_objects(struct showing_events *e)
{
	const struct model *m = &e->s->load.model;
	uint64_t young = e->ask->end ? m->now.young : moment_of(e).young;
	int err = heap_objects_put(stdout, m, &e->followed, young, &e->s->query);
	return err == ERR_IO ? ERR_NONE : err;
}

static int put(struct showing_events *e)
{
	struct showing *s = e->s;
	const struct model *m = &s->load.model;
	int err = heap_add_moment(&e->heap, time_of(e));
	if (!err && e->ask->objects)
		return put_objects(e);
	err = err ? err : heap_exact_take(&e->exact, &e->heap, m, &e->followed);
	return err ? err : put_rows(e);
}

/* "GC:12 is forgotten; the first that can be told is GC:40": that of the first checkpoint. */
static int say_untold(const struct showing_events *e, struct diag *d)
{
	const struct model *m = &e->s->load.model;
	size_t i = 0;
	while (i < m->gcs.list.count && m->gcs.list.at[i].young < e->followed.first)
		i++;
	uint64_t first = model_gc_number(m, i);
	if (!e->followed.first || i == m->gcs.list.count)
		return diag_set(d, ERR_NOT_FOUND,
			"the heap can't be told: the recording keeps its last stretch, and no "
			"checkpoint is in it (give --cyclic more)");
	return diag_set(d, ERR_NOT_FOUND,
		"what stood then is forgotten: the recording keeps its last stretch; the first "
		"heap that can be told is that of GC:%llu",
		(unsigned long long)first);
}

/* What of it is not known, as a note. */
static int note_untold(struct showing_events *e)
{
	size_t n = 0;
	while (n < e->heap.moments.count && e->heap.moments.at[n].untold)
		n++;
	if (!n)
		return ERR_NONE;
	const char *forgotten =
		n == e->heap.moments.count
			? "The heap can't be told: the recording keeps its last stretch, and no "
			  "checkpoint is in it (give --cyclic more)."
			: "What stood at first is forgotten: the recording keeps its last stretch, "
			  "and its heaps are told from the first checkpoint in it on.";
	return notes_add(&e->s->notes, "%s",
		e->s->load.model.begin.forgotten.blocks
			? forgotten
			: "Before the first collection nothing is known: births are told with it.");
}

static int put_over_time(struct showing_events *e, struct diag *d)
{
	struct showing *s = e->s;
	struct heap none = e->heap;
	e->heap = *e->ask->over;
	*e->ask->over = none;
	int err = heap_exact_each(
		&e->exact, &e->heap, &s->load.model, &e->followed, &s->load.reader, d);
	progress_clear(&s->load.progress);
	err = err ? err : note_untold(e);
	return err ? err : put_rows(e);
}

static int put_moment(struct showing_events *e, struct diag *d)
{
	struct showing *s = e->s;
	struct followed_moment at = moment_of(e);
	int err = followed_read(&e->followed, &s->load.reader, &s->load.model, &at, d);
	progress_clear(&s->load.progress);
	if (!err && e->followed.untold)
		err = say_untold(e, d);
	return err ? err : put(e);
}

int heap_events_run(
	const struct heap_events *ask, struct showing *s, struct model *m, struct diag *d)
{
	struct showing_events *e = mem_zalloc(1, sizeof(*e));
	int err = e ? load_open(&s->load, s->path, d) : ERR_NOMEM;
	if (err) {
		mem_free(e);
		return err;
	}
	model_release(&s->load.model);
	s->load.model = *m;
	*m = (struct model){0};
	*e = (struct showing_events){.ask = ask, .s = s, .exact = {.gc = ask->gc, .end = ask->end}};
	heap_init(&e->heap, query_by_thread(&s->query));
	err = ask->over ? put_over_time(e, d) : put_moment(e, d);
	followed_release(&e->followed);
	heap_release(&e->heap);
	mem_free(e);
	showing_release(s);
	return err;
}
