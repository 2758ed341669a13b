#include "analyze/heap_exact.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "support/event_trace.h"
#include "support/tap.h"

enum { STEPS = 20, AGES = 64 };

/* The sums as one adds them up by hand. */
struct sums {
	const struct followed *f;
	const struct model *m;
	uint64_t objects, bytes, basis[SIZE_BASES], vague;
	uint64_t of_site[SIM_SITES + 1], bytes_of_site[SIM_SITES + 1];
	uint64_t bytes_of_age[AGES];
};

struct rig {
	struct event_trace trace;
	struct buf bytes;
	struct source source;
	struct reader reader;
	struct model model;
	struct followed followed;
};

static int add(void *arg, uint64_t address, const struct image_object *o)
{
	struct sums *s = arg;
	enum size_basis basis;
	uint64_t size = followed_size(s->f, s->m, o, &basis);
	(void)address;
	s->objects++;
	s->bytes += size;
	s->basis[basis] += size;
	s->vague += basis == SIZE_MEAN || basis == SIZE_UNKNOWN;
	s->of_site[o->site]++;
	s->bytes_of_site[o->site] += size;
	if (o->survived < AGES)
		s->bytes_of_age[o->survived] += size;
	return ERR_NONE;
}

static void open_reader(struct rig *r)
{
	EXPECT_INT(0, reader_init(&r->reader, &r->source, NULL, NULL));
}

static void load(struct rig *r, uint64_t young)
{
	static const struct sim_follow_setting setting = {
		.rules = {.collector = HEAP_G1, .fixed = true},
		.chunks = 4096,
		.words = 64,
		.residents = 1 << 20,
		.identities = 1 << 16};
	const struct followed_moment at = {young, true};
	struct diag d = {""};
	event_trace_make(&r->trace, &setting, tap_seed(), STEPS, NULL, &r->bytes);
	EXPECT_INT(0, source_open_memory(&r->source, buf_slice(&r->bytes)));
	open_reader(r);
	EXPECT_INT(0, model_init(&r->model));
	EXPECT_INT(0, replay_run(&r->model, &r->reader, NULL, &d));
	reader_release(&r->reader);
	open_reader(r);
	EXPECT_INT(0, followed_read(&r->followed, &r->reader, &r->model, &at, &d));
}

static void release(struct rig *r)
{
	followed_release(&r->followed);
	model_release(&r->model);
	reader_release(&r->reader);
	source_close(&r->source);
	buf_release(&r->bytes);
	event_trace_release(&r->trace);
}

static void compare_accounts(const struct ledger *l, const struct sums *s)
{
	uint64_t objects = 0;
	double ages[AGES] = {0};
	for (size_t i = 0; i < l->accounts.count; i++) {
		const struct account *a = &l->accounts.at[i];
		const struct ages *lived = &a->tally.lives[MEASURE_BYTES].young;
		EXPECT_NEAR((double)s->of_site[a->site], a->tally.alive.objects.sum, 1e-9);
		EXPECT_NEAR((double)s->bytes_of_site[a->site], a->tally.alive.bytes.sum, 1e-6);
		EXPECT_NEAR(0, a->tally.alive.bytes.variance, 0);
		objects += s->of_site[a->site];
		for (size_t n = 0; n < lived->rows.count; n++)
			if (lived->rows.at[n].age < AGES)
				ages[lived->rows.at[n].age] += lived->rows.at[n].lost.w;
	}
	EXPECT_INT(s->objects, objects);
	for (int i = 0; i < AGES; i++)
		EXPECT_NEAR((double)s->bytes_of_age[i], ages[i], 1e-6);
}

TEST(it_is_the_sum_of_its_objects)
{
	static struct rig r;
	static struct sums s;
	struct heap heap;
	struct heap_exact e = {.gc = 11};
	load(&r, 12);
	s = (struct sums){.f = &r.followed, .m = &r.model};
	EXPECT_INT(0, heap_image_each(&r.followed.image, add, &s));
	heap_init(&heap, false);
	EXPECT_INT(0, heap_add_moment(&heap, event_trace_time(12)));
	EXPECT_INT(0, heap_exact_take(&e, &heap, &r.model, &r.followed));
	EXPECT(s.objects > 50);
	EXPECT_INT(s.objects, e.objects);
	EXPECT_NEAR((double)s.bytes, heap.moments.at[0].live.bytes.sum, 1e-6);
	EXPECT_NEAR((double)s.objects, heap.moments.at[0].live.objects.sum, 1e-9);
	EXPECT_INT(12, heap.moments.at[0].young);
	for (int i = 0; i < SIZE_BASES; i++)
		EXPECT_NEAR((double)s.basis[i], e.bytes[i], 1e-6);
	compare_accounts(&heap.alive, &s);
	heap_release(&heap);
	release(&r);
}

static bool has(const struct notes *n, const char *words)
{
	for (size_t i = 0; i < n->list.count; i++)
		if (strstr(n->list.at[i], words))
			return true;
	return false;
}

TEST(what_is_odd_is_told)
{
	static struct followed f;
	struct heap_exact e = {.end = true, .bytes = {[SIZE_CLASS] = 300, [SIZE_MEAN] = 100}};
	struct notes n = {0};
	EXPECT_INT(0, heap_exact_notes(&e, &f, &n));
	EXPECT(n.list.count == 1 && has(&n, "25 % of the bytes"));
	f.image.totals.forgotten = 7;
	f.image.totals.open = 1;
	f.image.odds[IMAGE_ODD_NOWHERE] = 3;
	f.births = 12;
	f.cut = true;
	e.unsized = 2;
	EXPECT_INT(0, heap_exact_notes(&e, &f, &n));
	EXPECT(has(&n, "7 objects were let go"));
	EXPECT(has(&n, "12 births were lost"));
	EXPECT(has(&n, "1 of the objects was born since"));
	EXPECT(has(&n, "3 moves, stays or sizes of an object that was not there"));
	EXPECT(has(&n, "ends within a collection's events"));
	EXPECT(has(&n, "2 objects count no bytes"));
	notes_release(&n);
	e = (struct heap_exact){.vague = true}; /* of moments before */
	EXPECT_INT(0, heap_exact_notes(&e, &f, &n));
	EXPECT(has(&n, "At some of these moments"));
	notes_release(&n);
}

/* --whole is named where it would tell more: not for what was born after the checkpoint. */
TEST(whose_size_a_whole_reading_tells)
{
	static struct followed f;
	struct heap_exact e = {.end = true, .bytes = {[SIZE_MEAN] = 100}};
	for (e.given = 0; e.given <= 100; e.given += 10) {
		for (f.checkpoint = 0; f.checkpoint < 2; f.checkpoint++) {
			struct notes n = {0};
			EXPECT_INT(0, heap_exact_notes(&e, &f, &n));
			EXPECT(has(&n, "--whole") == (f.checkpoint && e.given > 50));
			notes_release(&n);
		}
	}
}

static bool told_until(struct rig *r, uint64_t young, const char *words)
{
	struct notes n = {0};
	EXPECT_INT(0, heap_exact_note_until(&r->followed, &r->model, young, &n));
	bool told = n.list.count > 0;
	EXPECT(!told || has(&n, words));
	notes_release(&n);
	return told;
}

/* Accounts, and events with them, come seconds after their collection, or the disk is full. */
TEST(a_moment_behind_the_events)
{
	static struct rig r;
	load(&r, 12);
	EXPECT(!told_until(&r, 19, ""));
	r.model.complete = false;
	r.followed.image.young = 11;
	r.model.exact.young = 12;
	EXPECT(!told_until(&r, 12, ""));
	EXPECT(told_until(&r, 13, "Events end with GC 12, at 120 ms:"));
	r.followed.image.young = 14; /* of collections that are not accounted for yet */
	EXPECT(!told_until(&r, 14, ""));
	EXPECT(told_until(&r, 15, "Events end with GC 14, at 140 ms:"));
	release(&r);
}

/* -- Over time -- */

struct walked {
	struct rig *r;
	uint64_t young[STEPS + 2];
	uint64_t objects[STEPS + 2], bytes[STEPS + 2], vague[STEPS + 2];
	size_t visits;
};

/* That it is what a reading up to there gives, object by object. */
static int same(void *arg, uint64_t address, const struct image_object *o)
{
	struct followed *f = arg;
	const struct image_object *other = heap_image_at(&f->image, address);
	EXPECT(other && o->site == other->site && o->survived == other->survived &&
		o->eighths == other->eighths && o->young == other->young &&
		o->thread == other->thread && o->told == other->told);
	return ERR_NONE;
}

static int visit(void *arg, struct followed *f, size_t i)
{
	struct walked *w = arg;
	struct followed alone;
	struct reader reader;
	struct diag d = {""};
	static struct sums s;
	const struct followed_moment at = {w->young[i], true};
	EXPECT_INT(w->visits++, i);
	EXPECT(!f->untold);
	EXPECT_INT(0, reader_init(&reader, &w->r->source, NULL, NULL));
	EXPECT_INT(0, followed_read(&alone, &reader, &w->r->model, &at, &d));
	EXPECT_INT(heap_image_standing(&alone.image), heap_image_standing(&f->image));
	EXPECT_INT(0, heap_image_each(&alone.image, same, f));
	s = (struct sums){.f = f, .m = &w->r->model};
	EXPECT_INT(0, heap_image_each(&f->image, add, &s));
	w->objects[i] = s.objects;
	w->bytes[i] = s.bytes;
	w->vague[i] = s.vague;
	followed_release(&alone);
	reader_release(&reader);
	return ERR_NONE;
}

/* Exact, but where a size is not the object's own: then it is not known how far it may be off. */
static void expect_interval(struct estimate bytes, uint64_t objects, uint64_t vague)
{
	if (objects && vague)
		EXPECT(isnan(bytes.lo) && isnan(bytes.hi));
	else if (objects)
		EXPECT(bytes.lo >= bytes.value && bytes.hi <= bytes.value);
}

/* In one reading as in many; some moments twice. */
TEST(over_time_it_is_what_it_is_at_each_moment)
{
	static struct rig r;
	static struct walked w;
	struct heap heap;
	struct heap_exact e = {.end = true};
	struct diag d = {""};
	struct followed f;
	enum { MOMENTS = STEPS + 2 };
	load(&r, 12);
	w = (struct walked){.r = &r};
	heap_init(&heap, false);
	for (uint64_t i = 0; i < MOMENTS; i++) {
		bool end = i + 1 == MOMENTS;
		uint64_t gc = i / 2 < r.model.gcs.list.count ? i / 2 : r.model.gcs.list.count;
		w.young[i] = end ? UINT64_MAX : gc ? r.model.gcs.list.at[gc - 1].young : 0;
		EXPECT_INT(0, heap_add_moment(&heap, end  ? r.model.now.time
						     : gc ? r.model.gcs.list.at[gc - 1].end
							  : 0));
	}
	followed_release(&r.followed);
	reader_release(&r.reader);
	open_reader(&r);
	const struct followed_walk walk = {
		.young = w.young, .count = MOMENTS, .visit = visit, .arg = &w};
	EXPECT_INT(0, followed_walk(&r.followed, &r.reader, &r.model, &walk, &d));
	EXPECT_INT(MOMENTS, w.visits);
	reader_release(&r.reader);
	open_reader(&r);
	EXPECT_INT(0, heap_exact_each(&e, &heap, &r.model, &f, &r.reader, &d));
	for (size_t i = 0; i < MOMENTS; i++) {
		struct estimate bytes = total_bytes(&heap.moments.at[i].live);
		EXPECT_NEAR((double)w.objects[i], heap.moments.at[i].live.objects.sum, 1e-9);
		EXPECT_NEAR((double)w.bytes[i], bytes.value, 1e-6);
		EXPECT(heap.moments.at[i].untold == (i < 2));
		expect_interval(bytes, w.objects[i], w.vague[i]);
	}
	EXPECT(!w.vague[MOMENTS / 2] && w.vague[MOMENTS - 1]); /* births of the last interval */
	EXPECT(e.vague);
	EXPECT_INT(w.objects[MOMENTS - 1], e.objects);
	EXPECT(w.objects[MOMENTS - 1] > 50 && w.objects[MOMENTS / 2] > 10);
	double rows = 0;
	for (size_t i = 0; i < heap.alive.accounts.count; i++)
		rows += heap.alive.accounts.at[i].tally.alive.bytes.sum;
	EXPECT_NEAR((double)w.bytes[MOMENTS - 1], rows, 1e-6);
	followed_release(&f);
	heap_release(&heap);
	release(&r);
}
