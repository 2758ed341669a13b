#include "model/followed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/replay.h"
#include "support/event_trace.h"
#include "support/stretch_of.h"
#include "support/tap.h"
#include "trace/codec.h"

enum { SEEDS = 30, STEPS = 24, SNAPS = 200 };

/* What stood after a step. */
struct snap {
	struct map at; /* address → place in `objects` */
	VEC(struct sim_object) objects;
	uint64_t young, gcs, end; /* end: bytes of the trace by then */
};

struct rig {
	struct event_trace trace;
	struct buf bytes;
	struct snap snaps[SNAPS];
	size_t count;
	struct model model;
	struct source source;
	const struct snap *want;
	struct followed *is;
	uint64_t basis[SIZE_BASES], seen, older;
	uint64_t bytes_are, bytes_were; /* of arrays */
	/* At the end, of arrays that no collection has looked at: by site how many, and by how much
	 * their bytes together are off. */
	struct {
		int64_t count, off;
	} newborn[SIM_SITES + 2];
	uint64_t newborn_all;
};

static struct rig rig;

static void on_step(void *arg, enum sim_step step)
{
	struct rig *r = arg;
	const struct sim_follow *sim = &r->trace.sim;
	/* After a pause that only frees the last collection's moment is over. */
	bool again = step == SIM_CLEANUP || step == SIM_CLOSED;
	EXPECT(r->count < SNAPS);
	if (r->count == SNAPS || (again && step != SIM_CLOSED))
		return;
	struct snap *s = &r->snaps[r->count++];
	*s = (struct snap){
		.young = step == SIM_CLOSED ? UINT64_MAX : sim->young, .gcs = r->trace.gcs};
	EXPECT_INT(0, writer_flush(&r->trace.writer));
	s->end = r->bytes.len;
	for (size_t i = 0; i < sim->heap.all.count; i++) {
		const struct sim_object *o = &sim->heap.all.at[i];
		if (!o->followed || o->fresh)
			continue;
		EXPECT_INT(0, map_put(&s->at, o->address, s->objects.count));
		EXPECT_INT(0, vec_push(&s->objects, *o));
	}
}

static void make(struct sim_follow_setting s, uint64_t seed)
{
	struct codec zstd;
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	s.rules.fixed = true;
	s.rules.compact = true;
	rig.trace.step = on_step;
	rig.trace.arg = &rig;
	event_trace_make(&rig.trace, &s, seed, STEPS, seed % 2 ? &zstd : NULL, &rig.bytes);
	codec_zstd_release(&zstd);
}

static void make_ahead(struct sim_follow_setting s, uint64_t seed)
{
	rig.trace.ahead = true;
	make(s, seed);
	rig.trace.ahead = false;
}

static void release(void)
{
	for (size_t i = 0; i < rig.count; i++) {
		map_release(&rig.snaps[i].at);
		vec_release(&rig.snaps[i].objects);
	}
	event_trace_release(&rig.trace);
	model_release(&rig.model);
	source_close(&rig.source);
	buf_release(&rig.bytes);
	rig = (struct rig){.count = 0};
}

/* The model of the first so many bytes. */
static void survey(uint64_t bytes)
{
	struct codec zstd;
	struct reader r;
	struct diag d = {""};
	model_release(&rig.model);
	if (rig.source.close)
		source_close(&rig.source);
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	EXPECT_INT(0, source_open_memory(&rig.source, slice(rig.bytes.at, bytes)));
	EXPECT_INT(0, reader_init(&r, &rig.source, &zstd, &d));
	EXPECT_INT(0, model_init(&rig.model));
	EXPECT_INT(0, replay_run(&rig.model, &r, NULL, &d));
	EXPECT_STR("", rig.model.damage.text);
	reader_release(&r);
	codec_zstd_release(&zstd);
}

static void read_at(struct followed *f, struct followed_moment at)
{
	struct codec zstd;
	struct reader r;
	struct diag d = {""};
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	EXPECT_INT(0, reader_init(&r, &rig.source, &zstd, &d));
	EXPECT_INT(0, followed_read(f, &r, &rig.model, &at, &d));
	EXPECT_STR("", d.text);
	EXPECT_STR("", f->damage.text);
	for (int i = 0; i < IMAGE_ODDS; i++)
		EXPECT_INT(0, f->image.odds[i]);
	reader_release(&r);
	codec_zstd_release(&zstd);
}

static void compare_size(const struct sim_object *o, const struct image_object *is)
{
	enum size_basis basis;
	uint64_t size = followed_size(rig.is, &rig.model, is, &basis);
	rig.bytes_are += basis != SIZE_CLASS ? size : 0;
	rig.bytes_were += basis != SIZE_CLASS ? o->bytes : 0;
	rig.basis[basis]++;
	if (basis == SIZE_CLASS || basis == SIZE_TOLD)
		EXPECT_INT(o->bytes, size);
	if (basis == SIZE_DISTANCE)
		EXPECT(size >= o->bytes);
	EXPECT(size >= (sim_heap_array(o->site) ? 16 : 8));
	bool newborn = is->young == rig.trace.sim.young && !is->told;
	if (rig.want->young == UINT64_MAX && newborn && basis != SIZE_CLASS) {
		rig.newborn[is->site].count++;
		rig.newborn[is->site].off += (int64_t)size - (int64_t)o->bytes;
	}
}

static int compare_object(void *arg, uint64_t address, const struct image_object *is)
{
	const uint64_t *at = map_find(&rig.want->at, address);
	(void)arg;
	EXPECT(at != NULL);
	if (!at)
		return ERR_NONE;
	const struct sim_object *o = &rig.want->objects.at[*at];
	EXPECT_INT(o->site - EVENT_TRACE_SITE, is->site);
	EXPECT_INT(o->survived, is->survived);
	rig.older += is->young == IMAGE_YOUNG_UNKNOWN;
	if (!rig.is->checkpoint || is->young != IMAGE_YOUNG_UNKNOWN) {
		EXPECT_INT(sim_follow_thread(&rig.trace.sim, o), is->thread);
		EXPECT_INT(o->young, is->young);
	}
	compare_size(o, is);
	rig.seen++;
	return ERR_NONE;
}

static void compare(struct followed *f, const struct snap *want)
{
	rig.want = want;
	rig.is = f;
	rig.seen = 0;
	memset(rig.newborn, 0, sizeof rig.newborn);
	EXPECT_INT(want->objects.count, heap_image_standing(&f->image));
	EXPECT_INT(0, heap_image_each(&f->image, compare_object, NULL));
	EXPECT_INT(want->objects.count, rig.seen);
}

/* The births that no collection has ended are counted, and all stand: so only which of a site's
 * arrays has which size is not known. Of each the rounding. Births of an interval before, whose
 * collection made no account, are told with them. */
static void compare_newborn(void)
{
	if (rig.is->accounted != rig.trace.sim.young)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(rig.newborn); i++) {
		EXPECT(llabs(rig.newborn[i].off) <= rig.newborn[i].count);
		rig.newborn_all += (uint64_t)rig.newborn[i].count;
	}
}

/* Moments up to that clock are forgotten. */
static int visit(void *arg, struct followed *f, size_t i)
{
	const uint64_t *forgotten = arg;
	EXPECT(f->untold == (rig.snaps[i].young <= *forgotten));
	if (!f->untold)
		compare(f, &rig.snaps[i]);
	return ERR_NONE;
}

/* All moments in one reading. */
static void walk_all(uint64_t forgotten)
{
	struct codec zstd;
	struct reader r;
	struct followed f;
	struct diag d = {""};
	uint64_t young[SNAPS];
	for (size_t i = 0; i < rig.count; i++)
		young[i] = rig.snaps[i].young;
	const struct followed_walk w = {
		.young = young, .count = rig.count, .visit = visit, .arg = &forgotten};
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	EXPECT_INT(0, reader_init(&r, &rig.source, &zstd, &d));
	EXPECT_INT(0, followed_walk(&f, &r, &rig.model, &w, &d));
	EXPECT_STR("", f.damage.text);
	EXPECT_INT(0, followed_lost(&f));
	for (int i = 0; i < IMAGE_ODDS; i++)
		EXPECT_INT(0, f.image.odds[i]);
	followed_release(&f);
	reader_release(&r);
	codec_zstd_release(&zstd);
}

static const enum heap_collector collectors[] = {HEAP_SERIAL, HEAP_PARALLEL, HEAP_G1};
static const struct sim_follow_setting ample = {.rules = {.fail = 5},
	.chunks = 4096,
	.words = 64,
	.residents = 1 << 20,
	.identities = 1 << 16,
	.checkpoint = 4};

/* Each moment, from the beginning and from a checkpoint. Whether one was used. */
static uint64_t every_moment(void)
{
	uint64_t used = 0;
	survey(rig.bytes.len);
	EXPECT(followed_any(&rig.model));
	for (size_t i = 0; i < rig.count; i++) {
		const struct snap *s = &rig.snaps[i];
		for (int whole = 0; whole < 2; whole++) {
			struct followed f;
			read_at(&f, (struct followed_moment){s->young, whole});
			EXPECT(!whole || !f.checkpoint);
			EXPECT(!f.cut);
			compare(&f, s);
			compare_newborn();
			used += f.checkpoint > 0;
			bool told = s->young == UINT64_MAX && (!f.checkpoint || f.survivors);
			uint64_t lost = s->young == UINT64_MAX ? followed_lost(&f) : 0;
			/* Of survivors behind a checkpoint it is at most so many. */
			if (f.survivors && f.checkpoint && lost > rig.trace.sim.lost)
				lost = rig.trace.sim.lost;
			EXPECT_INT(told ? rig.trace.sim.lost : 0, lost);
			followed_release(&f);
		}
	}
	return used;
}

TEST(every_moment_is_as_it_was)
{
	uint64_t used = 0, basis[SIZE_BASES] = {0}, are = 0, were = 0, newborn = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.sizeless = seed / ARRAY_SIZE(collectors) % 2;
		make(s, tap_seed() + seed);
		used += every_moment();
		walk_all(0);
		newborn += rig.newborn_all;
		for (int i = 0; i < SIZE_BASES; i++)
			basis[i] += rig.basis[i];
		are += rig.bytes_are;
		were += rig.bytes_were;
		release();
	}
	EXPECT(used > SEEDS * STEPS / 3);
	EXPECT(newborn > 500);
	EXPECT(basis[SIZE_TOLD] > 1000 && basis[SIZE_CLASS] > 1000 && basis[SIZE_DISTANCE] > 1000 &&
		basis[SIZE_MEAN] > 1000);
	EXPECT_INT(0, basis[SIZE_UNKNOWN]);
	/* Buffers are small here, and few arrays large: many distances are too long. */
	EXPECT_NEAR(1, (double)are / (double)were, 0.25);
}

/* Their births are told behind the moment, of sites too that nothing was told of before. */
TEST(after_a_collection_without_an_account)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		rig.trace.skipping = true;
		make(s, tap_seed() + seed);
		every_moment();
		EXPECT_INT(0, rig.basis[SIZE_UNKNOWN]);
		release();
	}
}

/* What was born since the last collection is in no moment. */
TEST(of_survivors)
{
	uint64_t lost = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.rules.survivors = true;
		s.unseen = seed % 2 ? 8 : 0;
		make(s, tap_seed() + seed);
		every_moment();
		if (!s.unseen)
			walk_all(0);
		lost += rig.trace.sim.lost;
		EXPECT_INT(0, rig.basis[SIZE_UNKNOWN]);
		release();
	}
	EXPECT(lost > 1000);
}

TEST(with_losses)
{
	uint64_t lost = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		s.slow = 4;
		s.chunks = 150;
		s.reserve = 40;
		s.unseen = 8;
		make(s, tap_seed() + seed);
		lost += rig.trace.sim.lost;
		every_moment();
		release();
	}
	EXPECT(lost > 1000);
}

/* The state after the last step that is whole: which of the two steps that the cut lies between
 * can't be told by the bytes alone, so what is read must be one of them. */
static void cut_at(size_t step, uint64_t bytes)
{
	struct followed f, late;
	survey(bytes);
	read_at(&f, (struct followed_moment){UINT64_MAX, true});
	uint64_t standing = heap_image_standing(&f.image);
	/* A checkpoint that is cut is none. */
	read_at(&late, (struct followed_moment){UINT64_MAX, false});
	EXPECT_INT(standing, heap_image_standing(&late.image));
	followed_release(&late);
	uint64_t before = step ? rig.snaps[step - 1].objects.count : 0;
	uint64_t births = f.image.totals.births;
	EXPECT(f.image.totals.deaths + f.image.totals.forgotten + standing == births);
	/* Nothing has died of what stood before a step that is cut. */
	if (f.cut)
		EXPECT(standing >= before);
	if (bytes == rig.snaps[step].end && rig.snaps[step].young != UINT64_MAX)
		compare(&f, &rig.snaps[step]);
	followed_release(&f);
}

TEST(cut_anywhere)
{
	struct sim_follow_setting s = ample;
	uint64_t cuts = 0;
	s.rules.collector = HEAP_SERIAL;
	make(s, tap_seed() * 2 + 1);
	for (size_t i = 0; i < rig.count; i++) {
		uint64_t from = i ? rig.snaps[i - 1].end : 40000;
		cut_at(i, rig.snaps[i].end);
		for (int n = 1; n < 6 && from < rig.snaps[i].end; n++, cuts++)
			cut_at(i, from + (rig.snaps[i].end - from) * (uint64_t)n / 6);
	}
	EXPECT(cuts > 50);
	release();
}

/* A collection's account says that all of its events came before, wherever its gc record stands. */
TEST(cut_behind_accounts)
{
	make_ahead(ample, tap_seed());
	for (size_t i = 0; i < rig.count; i++)
		cut_at(i, rig.snaps[i].end);
	EXPECT(rig.count > STEPS / 2);
	release();
}

/* -- The last stretch -- */

/* The rig's trace without what is before its n-th checkpoint. False: there is none. */
static bool forget(struct stretch_of *s, uint64_t n)
{
	struct codec zstd;
	struct buf rest = {0};
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	bool made = stretch_of_make(s, buf_slice(&rig.bytes), &zstd, n, &rest);
	codec_zstd_release(&zstd);
	if (rig.source.close)
		source_close(&rig.source);
	rig.source = (struct source){.close = NULL};
	buf_release(&rig.bytes);
	rig.bytes = rest;
	return made;
}

/* What the model says of it is what a recording of the stretch alone would say. */
static void compare_model(const struct stretch_of *s, uint64_t births, uint64_t gcs)
{
	const struct model *m = &rig.model;
	EXPECT_INT(s->blocks, m->begin.forgotten.blocks);
	EXPECT_INT(s->gap, m->begin.forgotten.bytes);
	EXPECT_INT(s->segment.gcs, m->begin.gcs);
	EXPECT_INT(gcs, m->begin.gcs + m->gcs.list.count);
	EXPECT_INT(event_trace_time(gcs + 1) - s->segment.time, m->now.time);
	EXPECT_INT(1 + s->segment.time, m->wall.v);
	/* The first account is of what was born before. */
	EXPECT(m->exact.births.objects <= births - s->objects);
	EXPECT(m->exact.births.objects > 0);
	EXPECT_INT(0, m->exact.unaccounted);
	for (int i = 0; i < ODD_COUNT; i++)
		EXPECT_INT(0, m->odds.count[i]);
}

static uint64_t every_moment_left(const struct stretch_of *s)
{
	uint64_t untold = 0, first = 0;
	for (size_t i = 0; i < rig.count; i++) {
		const struct snap *snap = &rig.snaps[i];
		for (int whole = 0; whole < 2; whole++) {
			struct followed f;
			read_at(&f, (struct followed_moment){snap->young, whole});
			EXPECT(f.untold == (snap->young <= s->segment.young));
			if (f.untold)
				EXPECT(f.first > snap->young);
			else if (!first)
				first = snap->young;
			if (f.untold)
				EXPECT(!first);
			else
				compare(&f, snap);
			untold += f.untold;
			EXPECT_INT(0, followed_lost(&f));
			followed_release(&f);
		}
	}
	return untold;
}

TEST(of_the_last_stretch)
{
	uint64_t stretches = 0, untold = 0, older = 0, unknown = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sim_follow_setting s = ample;
		struct stretch_of stretch;
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		make(s, tap_seed() + seed);
		survey(rig.bytes.len);
		uint64_t births = rig.model.exact.births.objects, gcs = rig.model.gcs.list.count;
		if (forget(&stretch, seed / 3 % 4)) {
			survey(rig.bytes.len);
			compare_model(&stretch, births, gcs);
			untold += every_moment_left(&stretch);
			walk_all(stretch.segment.young);
			stretches++;
		}
		older += rig.older;
		unknown += rig.basis[SIZE_UNKNOWN];
		release();
	}
	EXPECT(stretches > SEEDS / 2 && untold > SEEDS && older > 1000);
	EXPECT_INT(0, unknown); /* sizes of what is older are told at the stretch's begin */
}

/* The first checkpoint is not whole: what can be told begins with the second. */
TEST(of_a_stretch_without_its_checkpoint)
{
	struct sim_follow_setting s = ample;
	struct stretch_of stretch;
	struct followed f;
	make(s, tap_seed() * 2 + 1);
	EXPECT(forget(&stretch, 2));
	/* The file is cut before any checkpoint is whole. */
	survey(FILE_HEADER + stretch.gap + 3000);
	read_at(&f, (struct followed_moment){UINT64_MAX, false});
	EXPECT(f.untold && !f.first);
	EXPECT_INT(0, heap_image_standing(&f.image));
	followed_release(&f);
	release();
}

/* -- A checkpoint that was being written when the program was killed -- */

struct counting {
	struct source bytes;
	uint64_t reads;
};

static int count_read(void *arg, uint64_t offset, void *out, size_t len, size_t *got)
{
	struct counting *c = arg;
	c->reads++;
	return c->bytes.read(c->bytes.arg, offset, out, len, got);
}

static void put_torn(struct buf *bytes, uint64_t chunks)
{
	struct writer w;
	struct buf out = {0};
	EXPECT_INT(0, writer_init(&w, sink_buf(bytes), NULL, (struct ns){1}));
	for (uint64_t i = 0; i < chunks; i++) {
		const struct event_chunk head = {.thread = chunks + 1,
			.interval = 1,
			.young = 1,
			.flags = EVENTS_CLOSED | EVENTS_OF_GC,
			.kind = EVENT_STANDS};
		buf_clear(&out);
		struct event_writer e = event_writer_begin(&out, &head);
		event_writer_put(&e, &(const struct event){.address = 8 + 8 * i});
		EXPECT_INT(0, writer_put_block(&w, BLOCK_CHECKPOINT, buf_slice(&out), 1));
	}
	EXPECT_INT(0, writer_release(&w));
	buf_release(&out);
}

static uint64_t reads_of_torn(uint64_t chunks)
{
	struct buf bytes = {0};
	struct counting c = {.reads = 0};
	struct source counted = {.read = count_read, .arg = &c};
	struct model model;
	struct reader r;
	struct followed f;
	struct diag d = {""};
	put_torn(&bytes, chunks);
	EXPECT_INT(0, source_open_memory(&c.bytes, buf_slice(&bytes)));
	EXPECT_INT(0, reader_init(&r, &counted, NULL, &d));
	EXPECT_INT(0, model_init(&model));
	EXPECT_INT(0, followed_read(&f, &r, &model,
			      &(const struct followed_moment){UINT64_MAX, false}, &d));
	EXPECT_INT(0, heap_image_standing(&f.image));
	followed_release(&f);
	reader_release(&r);
	source_close(&c.bytes);
	buf_release(&bytes);
	model_release(&model);
	return c.reads;
}

TEST(a_torn_checkpoint_is_looked_at_once)
{
	uint64_t few = reads_of_torn(64), many = reads_of_torn(16 * 64);
	EXPECT(many < 20 * few);
}

/* A trace of records alone, read to its end; `sites` ids were given out. To be released by the
 * caller. */
struct written {
	struct buf bytes;
	struct writer writer;
	struct source source;
	struct reader reader;
	struct model model;
	struct followed followed;
};

static void write_begin(struct written *t)
{
	const struct record how = {.kind = RECORD_fact,
		.fact = {.key = slice_str("exact"), .value = slice_str("survivors")}};
	*t = (struct written){.bytes = {0}};
	EXPECT_INT(0, writer_init(&t->writer, sink_buf(&t->bytes), NULL, (struct ns){1}));
	EXPECT_INT(0, writer_put(&t->writer, &how));
}

static void read_written(struct written *t, uint64_t sites)
{
	struct diag d = {""};
	EXPECT_INT(0, writer_release(&t->writer));
	EXPECT_INT(0, source_open_memory(&t->source, buf_slice(&t->bytes)));
	EXPECT_INT(0, reader_init(&t->reader, &t->source, NULL, &d));
	const struct block_info first = {.offset = t->reader.next};
	EXPECT_INT(0, model_init(&t->model));
	EXPECT_INT(0, replay_run(&t->model, &t->reader, NULL, &d));
	reader_seek(&t->reader, &first);
	t->model.defs.site_ids.dense = sites;
	const struct followed_moment end = {UINT64_MAX, true};
	EXPECT_INT(0, followed_read(&t->followed, &t->reader, &t->model, &end, &d));
	EXPECT(t->followed.survivors);
}

static void release_written(struct written *t)
{
	followed_release(&t->followed);
	model_release(&t->model);
	reader_release(&t->reader);
	source_close(&t->source);
	buf_release(&t->bytes);
}

/* Accounts of a trace in which survivors alone are told of: with sites as many as there are, what
 * each costs must not grow with them, or this does not end. */
TEST(accounts_cost_as_much_as_they_tell)
{
	enum { SITES = 1 << 20, ACCOUNTS = 1 << 18 };
	static struct written t;
	write_begin(&t);
	for (int i = 0; i < ACCOUNTS; i++)
		EXPECT_INT(
			0, writer_put(&t.writer, &(const struct record){.kind = RECORD_exact_gc}));
	read_written(&t, SITES);
	EXPECT_INT(0, t.followed.veiled_births);
	release_written(&t);
}

/* Of survivors alone, whose last collection could not be looked through, and no account came behind
 * it: what is told of births at the trace's end may have lived. */
TEST(births_that_no_account_ends_are_lost_too)
{
	static const struct record births = {
		.kind = RECORD_site_births, .site_births = {.young = 3, .site = 1, .objects = 100}};
	static const struct record loss = {
		.kind = RECORD_lost, .lost = {.what = LOST_INTERVALS, .count = 1}};
	static struct written t;
	for (uint64_t lost = 0; lost < 2; lost++) {
		write_begin(&t);
		EXPECT_INT(0, writer_put(&t.writer, &births));
		if (lost)
			EXPECT_INT(0, writer_put(&t.writer, &loss));
		EXPECT_INT(0, writer_put(&t.writer, &(const struct record){.kind = RECORD_end}));
		read_written(&t, 1);
		EXPECT_INT(100 * lost, followed_lost(&t.followed));
		release_written(&t);
	}
}
