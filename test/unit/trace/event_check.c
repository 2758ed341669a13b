#include <stdlib.h>

#include "base/error.h"
#include "support/event_trace.h"
#include "support/stretch_of.h"
#include "support/tap.h"
#include "trace/check.h"
#include "trace/event_check.h"

enum { SEEDS = 12, STEPS = 16 };

/* -- Whole traces -- */

struct found {
	uint64_t problems;
	uint64_t offset; /* of the last */
	char text[512];
};

static void on_problem(void *arg, uint64_t offset, const char *text)
{
	struct found *f = arg;
	f->offset = offset;
	f->problems++;
	strncpy(f->text, text, sizeof(f->text) - 1);
}

static struct check_result run(struct slice bytes, struct found *found)
{
	struct source source;
	struct check_result out;
	struct diag d = {""};
	const struct check_listener listener = {on_problem, found};
	*found = (struct found){0};
	EXPECT_INT(0, source_open_memory(&source, bytes));
	(void)check_run(&source, NULL, &listener, &out, &d);
	source_close(&source);
	return out;
}

static const struct sim_follow_setting setting = {.rules = {.fail = 5, .fixed = true},
	.chunks = 4096,
	.words = 64,
	.residents = 1 << 20,
	.identities = 1 << 16,
	.unseen = 12,
	.checkpoint = 4};

TEST(a_sound_trace_is_sound)
{
	static struct event_trace t;
	uint64_t births = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct buf bytes = {0};
		struct found found;
		struct sim_follow_setting s = setting;
		s.rules.collector = seed % 3 == 0   ? HEAP_SERIAL
				    : seed % 3 == 1 ? HEAP_PARALLEL
						    : HEAP_G1;
		s.rules.survivors = seed % 5 > 2;
		if (seed % 2) { /* with losses */
			s.slow = 4;
			s.chunks = 200;
			s.reserve = 60;
		}
		event_trace_make(&t, &s, tap_seed() + seed, STEPS, NULL, &bytes);
		struct check_result r = run(buf_slice(&bytes), &found);
		const struct follow_totals *want = &t.sim.follow.totals;
		EXPECT_STR("", found.text);
		EXPECT(r.complete);
		EXPECT_INT(want->births, r.followed.births);
		EXPECT_INT(want->deaths, r.followed.deaths);
		EXPECT_INT(want->forgotten, r.followed.forgotten);
		EXPECT_INT(follow_alive(&t.sim.follow), r.followed_standing);
		births += r.followed.births;
		event_trace_release(&t);
		buf_release(&bytes);
	}
	EXPECT(births > 10000);
}

struct steps {
	struct event_trace t;
	struct buf bytes;
	uint64_t ends[4 * STEPS], alive[4 * STEPS], count;
};

static void on_step(void *arg, enum sim_step step)
{
	struct steps *s = arg;
	if (step == SIM_CLEANUP || step == SIM_CLOSED || s->count == ARRAY_SIZE(s->ends))
		return;
	EXPECT_INT(0, writer_flush(&s->t.writer));
	s->ends[s->count] = s->bytes.len;
	s->alive[s->count++] = follow_alive(&s->t.sim.follow);
}

/* A collection's account says that all of its events came before, wherever its gc record stands. */
TEST(what_is_cut_behind_an_account_is_as_it_was_then)
{
	static struct steps s;
	struct sim_follow_setting without = setting;
	without.checkpoint = 0;
	s.t.step = on_step;
	s.t.arg = &s;
	s.t.ahead = true;
	event_trace_make(&s.t, &without, tap_seed(), STEPS, NULL, &s.bytes);
	for (uint64_t i = 0; i < s.count; i++) {
		struct found found;
		struct check_result r = run(slice(s.bytes.at, s.ends[i]), &found);
		EXPECT_STR("", found.text);
		EXPECT(!r.complete);
		EXPECT_INT(s.alive[i], r.followed_standing);
	}
	EXPECT(s.count > STEPS / 2);
	event_trace_release(&s.t);
	buf_release(&s.bytes);
}

/* What is left of a trace whose begin was forgotten is sound too, and objects are conserved. */
TEST(a_stretch_is_sound)
{
	static struct event_trace t;
	uint64_t stretches = 0, given = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct buf bytes = {0}, rest = {0};
		struct found found;
		struct stretch_of stretch;
		struct sim_follow_setting s = setting;
		s.rules.collector = seed % 2 ? HEAP_SERIAL : HEAP_G1;
		event_trace_make(&t, &s, tap_seed() + seed, STEPS, NULL, &bytes);
		if (stretch_of_make(&stretch, buf_slice(&bytes), NULL, seed / 2 % 3, &rest)) {
			struct check_result r = run(buf_slice(&rest), &found);
			EXPECT_STR("", found.text);
			EXPECT(r.complete && !r.cut);
			EXPECT_INT(stretch.blocks, r.forgotten.blocks);
			EXPECT_INT(stretch.gap, r.forgotten.bytes);
			EXPECT_INT(r.followed.births + r.followed.given,
				r.followed.deaths + r.followed.forgotten + r.followed_standing);
			EXPECT_INT(follow_alive(&t.sim.follow), r.followed_standing);
			EXPECT_INT(0, r.followed.passed);
			given += r.followed.given;
			stretches++;
		}
		event_trace_release(&t);
		buf_release(&bytes);
		buf_release(&rest);
	}
	EXPECT(stretches > SEEDS / 2 && given > 100);
}

/* -- By hand: one thread, one site, a birth or two, a collection -- */

#define A 0x10000ull

struct hand {
	struct buf bytes;
	struct writer w;
};

static void put(struct hand *h, struct record r)
{
	EXPECT_INT(0, writer_put(&h->w, &r));
}

static void open_file(struct hand *h)
{
	*h = (struct hand){0};
	EXPECT_INT(0, writer_init(&h->w, sink_buf(&h->bytes), NULL, (struct ns){1}));
}

static void begin(struct hand *h)
{
	open_file(h);
	put(h, (struct record){.kind = RECORD_site, .site = {.id = 1}});
	put(h, (struct record){.kind = RECORD_thread, .thread = {.id = 1}});
}

/* Behind a gap. */
static void begin_stretch(struct hand *h)
{
	open_file(h);
	gap_put(&h->bytes, &(const struct gap){.blocks = 7});
	h->w.sequence = 7;
	put(h, (struct record){.kind = RECORD_site, .site = {.id = 1}});
	put(h, (struct record){.kind = RECORD_thread, .thread = {.id = 1}});
}

static void chunk(struct hand *h, enum event_kind kind, uint64_t interval, struct event e)
{
	struct buf out = {0};
	const struct event_chunk head = {.thread = !kind || kind == EVENT_STANDS,
		.interval = interval,
		.young = interval,
		.flags = kind ? EVENTS_CLOSED | EVENTS_OF_GC : EVENTS_CLOSED,
		.kind = kind};
	struct event_writer w = event_writer_begin(&out, &head);
	event_writer_put(&w, &e);
	EXPECT_INT(0, writer_put_block(&h->w,
			      kind == EVENT_STANDS  ? BLOCK_CHECKPOINT
			      : kind == EVENT_SIZES ? BLOCK_SIZES
						    : BLOCK_EVENTS,
			      buf_slice(&out), 1));
	buf_release(&out);
}

static void gc(struct hand *h, uint64_t young, uint64_t births)
{
	put(h, (struct record){.kind = RECORD_site_births,
		       .site_births = {.young = young, .site = 1, .objects = births}});
	put(h, (struct record){.kind = RECORD_exact_gc,
		       .exact_gc = {.young = young, .kind = 3, .births = births}});
}

/* What is found: nothing, or one thing with these words. */
static void expect(struct hand *h, const char *words)
{
	struct found found;
	put(h, (struct record){.kind = RECORD_end});
	EXPECT_INT(0, writer_release(&h->w));
	run(buf_slice(&h->bytes), &found);
	EXPECT_INT(words != NULL, found.problems);
	EXPECT(!words || strstr(found.text, words));
	buf_release(&h->bytes);
}

TEST(what_is_wrong_is_told)
{
	struct hand h;
	const struct event birth = {1, A, 0}, far = {1, 5 * A, 0};
	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, birth);
	gc(&h, 1, 1);
	expect(&h, NULL);

	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, birth);
	chunk(&h, EVENT_BIRTHS, 0, far);
	gc(&h, 1, 1);
	expect(&h, "it has 1 births, the events 2");

	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, birth);
	gc(&h, 1, 2);
	expect(&h, "more births than the events tell: 1, intervals lost: 0");

	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, birth);
	chunk(&h, EVENT_STAYS, 0, far);
	gc(&h, 1, 1);
	expect(&h, "1 move, stay or size of an object that was not there");

	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, birth);
	chunk(&h, EVENT_SIZES, 0, (struct event){1, A, 24});
	gc(&h, 1, 1);
	chunk(&h, EVENT_SIZES, 1, (struct event){1, A, 32});
	expect(&h, "1 size of an object that is not what was told");

	begin(&h);
	chunk(&h, EVENT_BIRTHS, 1, birth);
	chunk(&h, EVENT_BIRTHS, 0, far);
	expect(&h, "of an interval that was over");

	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, (struct event){2, A, 0});
	expect(&h, "1 event of a site that is not in the trace");
}

static struct found look(struct hand *h)
{
	struct found found;
	put(h, (struct record){.kind = RECORD_end});
	EXPECT_INT(0, writer_release(&h->w));
	run(buf_slice(&h->bytes), &found);
	EXPECT_INT(1, found.problems);
	buf_release(&h->bytes);
	return found;
}

/* Not with the last block, where all is counted up. */
TEST(what_is_wrong_is_told_with_where_it_showed)
{
	struct hand h;
	begin(&h);
	EXPECT_INT(0, writer_flush(&h.w));
	uint64_t odd = h.bytes.len;
	chunk(&h, EVENT_BIRTHS, 0, (struct event){2, A, 0});
	chunk(&h, EVENT_BIRTHS, 0, (struct event){2, 2 * A, 0});
	EXPECT_INT(odd, look(&h).offset);

	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, (struct event){1, A, 0});
	odd = h.bytes.len;
	gc(&h, 1, 2);
	EXPECT_INT(0, writer_flush(&h.w));
	chunk(&h, EVENT_BIRTHS, 1, (struct event){1, 2 * A, 0});
	EXPECT_INT(odd, look(&h).offset);

	open_file(&h);
	odd = h.bytes.len;
	put(&h, (struct record){.kind = RECORD_death, .death = {.object = 9}});
	EXPECT_INT(0, writer_flush(&h.w));
	put(&h, (struct record){.kind = RECORD_death, .death = {.object = 8}});
	EXPECT_INT(0, writer_flush(&h.w));
	put(&h, (struct record){.kind = RECORD_end, .end = {.died = 2, .tracked = 2}});
	struct found found;
	EXPECT_INT(0, writer_release(&h.w));
	run(buf_slice(&h.bytes), &found);
	EXPECT(strstr(found.text, "never born: 2"));
	EXPECT_INT(odd, found.offset);
	buf_release(&h.bytes);
}

TEST(births_of_a_later_interval_wait)
{
	struct hand h;
	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, (struct event){1, A, 0});
	chunk(&h, EVENT_BIRTHS, 1, (struct event){1, 2 * A, 0});
	gc(&h, 1, 1); /* it is told late */
	gc(&h, 2, 1);
	expect(&h, NULL);
}

/* As many as a file of some megabytes may have: what each account costs must not grow with those
 * that wait, or this does not end. */
TEST(many_may_wait_for_as_many_accounts)
{
	enum { MANY = 1 << 18 };
	struct event_check e = {.image = {.site_ids = 1}};
	const struct ids ids = {0};
	struct buf out = {0};
	struct diag d;
	for (uint64_t i = 0; i < MANY; i++) {
		const struct event_chunk head = {
			.interval = i, .young = MANY + i, .flags = EVENTS_CLOSED};
		buf_clear(&out);
		struct event_writer w = event_writer_begin(&out, &head);
		event_writer_put(&w, &(const struct event){0, A, 0});
		EXPECT_INT(0, event_check_block(&e, false, buf_slice(&out), &ids));
	}
	for (uint64_t i = 0; i < MANY; i++) {
		const struct record gc = {.kind = RECORD_exact_gc, .exact_gc = {.young = 1}};
		EXPECT_INT(0, event_check_take(&e, &gc, &d));
	}
	const struct record all = {
		.kind = RECORD_exact_gc, .exact_gc = {.young = 2 * MANY, .births = MANY - 1}};
	EXPECT_INT(ERR_FORMAT, event_check_take(&e, &all, &d));
	EXPECT(strstr(d.text, "it has 262143 births, the events 262144"));
	event_check_release(&e);
	buf_release(&out);
}

TEST(lost_intervals_are_announced)
{
	struct hand h;
	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, (struct event){1, A, 0});
	gc(&h, 1, 1);
	put(&h, (struct record){.kind = RECORD_lost, .lost = {.what = LOST_INTERVALS, .count = 1}});
	gc(&h, 2, 7);
	expect(&h, NULL);
}

TEST(checkpoints_agree)
{
	struct hand h;
	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, (struct event){1, A, 0});
	chunk(&h, EVENT_STANDS, 0, (struct event){1, A, 0});
	expect(&h, NULL);
	begin(&h);
	chunk(&h, EVENT_BIRTHS, 0, (struct event){1, A, 0});
	chunk(&h, EVENT_STANDS, 0, (struct event){1, 2 * A, 0});
	expect(&h, "1 object that a checkpoint tells other than");
}

/* A step that was no collection came before the checkpoint: the account of the next collection has
 * births that the stretch does not. After that it is to have them all. */
TEST(the_first_account_of_a_stretch)
{
	const struct event stands = {1, A, 0}, birth = {1, 3 * A, 0}, later = {1, 5 * A, 0};
	for (uint64_t births = 1; births < 3; births++) {
		struct hand h;
		begin_stretch(&h);
		chunk(&h, EVENT_STANDS, 1, stands);
		chunk(&h, EVENT_BIRTHS, 2, birth);
		gc(&h, 2, 9);
		chunk(&h, EVENT_BIRTHS, 3, later);
		gc(&h, 4, births + 1);
		expect(&h, births > 1 ? "more births" : NULL);
	}
}
