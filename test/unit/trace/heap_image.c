#include "trace/heap_image.h"

#include <stdlib.h>

#include "base/error.h"
#include "support/sim_follow.h"
#include "support/tap.h"

enum { SEEDS = 150, STEPS = 30, SHIFT_UP = 1 << 20 };

/* -- Against the simulated heap -- */

struct rig {
	struct sim_follow sim;
	struct heap_image image, later; /* later: begun with the last checkpoint */
	bool has_later;
	bool last; /* the recording is over */
	uint64_t compared, sized, exact_size, large_sites;
};

static uint64_t trace_site(void *arg, uint32_t site)
{
	const struct rig *rig = arg;
	return site % 7 ? site : site + rig->large_sites; /* some need more than 20 bits */
}

static void init_image(struct heap_image *h)
{
	heap_image_release(h);
	*h = (struct heap_image){.site_ids = SHIFT_UP + SIM_SITES + 2, .thread_ids = UINT32_MAX};
}

static void on_checkpoint(struct rig *rig, struct slice payload)
{
	struct event_reader r;
	EXPECT_INT(0, heap_image_compare(&rig->image, payload));
	EXPECT_INT(0, rig->image.odds[IMAGE_ODD_CHECKPOINT]);
	EXPECT_INT(0, event_reader_begin(&r, payload, NULL));
	if (!rig->has_later || r.chunk.interval != rig->later.interval)
		init_image(&rig->later);
	rig->has_later = true;
	EXPECT_INT(0, heap_image_begin(&rig->later, payload));
}

static void on_chunk(void *arg, enum block_kind kind, uint32_t events, struct slice payload)
{
	struct rig *rig = arg;
	(void)events;
	if (kind == BLOCK_CHECKPOINT) {
		on_checkpoint(rig, payload);
		return;
	}
	EXPECT_INT(0, heap_image_chunk(&rig->image, payload));
	if (rig->has_later)
		EXPECT_INT(0, heap_image_chunk(&rig->later, payload));
}

static int compare_object(void *arg, uint64_t address, const struct image_object *is)
{
	struct rig *rig = arg;
	const struct sim_object *o = sim_heap_at(&rig->sim.heap, address);
	EXPECT(o && o->followed && !o->fresh);
	if (!o)
		return ERR_NONE;
	rig->compared++;
	EXPECT_INT(trace_site(rig, o->site), is->site);
	EXPECT_INT(o->survived, is->survived);
	EXPECT_INT(sim_follow_thread(&rig->sim, o), is->thread);
	EXPECT_INT(o->young, is->young);
	EXPECT(!is->eighths || is->eighths * 8u >= o->bytes);
	/* What was born since the last step was looked at by none. */
	EXPECT(is->told == sim_heap_array(o->site) || (!is->told && !is->survived && rig->last));
	EXPECT(!is->told || is->eighths * 8u == o->bytes);
	rig->sized += is->eighths > 0;
	rig->exact_size += is->eighths * 8u == o->bytes;
	return ERR_NONE;
}

static int compare_later(void *arg, uint64_t address, const struct image_object *is)
{
	struct rig *rig = arg;
	const struct image_object *o = heap_image_at(&rig->image, address);
	EXPECT(o && o->site == is->site && o->survived == is->survived);
	EXPECT(o && o->told == is->told && (!o->told || o->eighths == is->eighths));
	if (o && is->young != IMAGE_YOUNG_UNKNOWN)
		EXPECT(o->young == is->young && o->thread == is->thread);
	return ERR_NONE;
}

static void compare(struct rig *rig)
{
	uint64_t followed = 0;
	for (size_t i = 0; i < rig->sim.heap.all.count; i++)
		followed += rig->sim.heap.all.at[i].followed && !rig->sim.heap.all.at[i].fresh;
	EXPECT_INT(followed, heap_image_standing(&rig->image));
	rig->compared = 0;
	EXPECT_INT(0, heap_image_each(&rig->image, compare_object, rig));
	EXPECT_INT(followed, rig->compared);
	if (!rig->has_later)
		return;
	EXPECT_INT(0, heap_image_end(&rig->later));
	EXPECT_INT(followed, heap_image_standing(&rig->later));
	EXPECT_INT(0, heap_image_each(&rig->later, compare_later, rig));
}

static void on_step(void *arg, enum sim_step step)
{
	struct rig *rig = arg;
	const struct follow_totals *t = &rig->sim.follow.totals;
	const struct image_totals *is = &rig->image.totals;
	rig->last = step == SIM_CLOSED;
	EXPECT_INT(0, heap_image_end(&rig->image));
	EXPECT_INT(t->births, is->births);
	EXPECT_INT(t->deaths, is->deaths);
	EXPECT_INT(t->moves, is->moves);
	EXPECT_INT(t->stays, is->stays);
	compare(rig);
}

static void run(const struct sim_follow_setting *s, uint64_t seed, struct rig *rig)
{
	sim_follow_init(&rig->sim, s, seed);
	rig->sim.chunk = on_chunk;
	rig->sim.step = on_step;
	rig->sim.site = trace_site;
	rig->sim.arg = rig;
	rig->large_sites = seed % 16 ? 0 : SHIFT_UP;
	init_image(&rig->image);
	rig->has_later = false;
	for (int i = 0; i < STEPS; i++)
		sim_follow_step(&rig->sim);
	sim_follow_close(&rig->sim);
	for (int i = 0; i < IMAGE_ODDS; i++)
		EXPECT_INT(0, rig->image.odds[i]);
	const struct image_totals *t = &rig->image.totals;
	EXPECT_INT(t->births, t->deaths + t->forgotten + heap_image_standing(&rig->image));
	heap_image_release(&rig->image);
	heap_image_release(&rig->later);
	rig->image = rig->later = (struct heap_image){0};
	sim_follow_release(&rig->sim);
}

static const enum heap_collector collectors[] = {HEAP_SERIAL, HEAP_PARALLEL, HEAP_G1};
static const struct sim_follow_setting ample = {.rules = {.fail = 5},
	.chunks = 4096,
	.words = 64,
	.residents = 1 << 20,
	.identities = 1 << 16};

static struct follow_totals sums;
static uint64_t checkpoints;

static void run_all(struct sim_follow_setting s, struct rig *rig)
{
	*rig = (struct rig){0};
	sums = (struct follow_totals){.births = 0};
	checkpoints = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		s.rules.collector = collectors[seed % ARRAY_SIZE(collectors)];
		run(&s, tap_seed() + seed, rig);
		sums.births += rig->sim.follow.totals.births;
		sums.forgotten += rig->sim.follow.totals.forgotten;
		sums.untold += rig->sim.follow.totals.untold;
		sums.lost += rig->sim.follow.totals.lost;
		checkpoints += rig->sim.checkpoints;
	}
}

static struct rig rig;

TEST(every_object_stands_where_it_does)
{
	struct sim_follow_setting s = ample;
	s.checkpoint = 6;
	run_all(s, &rig);
	EXPECT(sums.births > 500000 && checkpoints > SEEDS);
	EXPECT(rig.sized > 0 && (double)rig.exact_size > 0.6 * (double)rig.sized);
}

TEST(what_was_forgotten)
{
	struct sim_follow_setting s = ample;
	s.rules.twins = true;
	s.rules.locked = 50;
	s.unseen = 16;
	s.checkpoint = 6;
	s.residents = 8 * RESIDENT_BLOCK;
	s.identities = 500;
	run_all(s, &rig);
	EXPECT(sums.forgotten > 10000 && sums.untold > 1000 && checkpoints > SEEDS);
}

TEST(what_was_lost)
{
	struct sim_follow_setting s = ample;
	s.slow = 4;
	s.chunks = 60;
	s.reserve = 10;
	s.checkpoint = 3;
	s.unseen = 16;
	run_all(s, &rig);
	EXPECT(sums.lost > 10000 && sums.births > 10000 && sums.untold > 1000 && checkpoints > 20);
	s.reserve = 0;
	s.words = EVENT_WORDS_MAX;
	run_all(s, &rig);
	EXPECT(sums.lost > 10000 && sums.untold > 1000);
}

TEST(of_survivors)
{
	struct sim_follow_setting s = ample;
	s.rules.survivors = true;
	s.checkpoint = 6;
	run_all(s, &rig);
	EXPECT(sums.births > 100000 && checkpoints > SEEDS);
	s.rules.twins = true;
	s.rules.locked = 50;
	s.unseen = 16;
	s.residents = 2 * RESIDENT_BLOCK;
	s.identities = 100;
	run_all(s, &rig);
	EXPECT(sums.forgotten > 10000 && sums.untold > 1000);
	s = ample;
	s.rules.survivors = true;
	s.slow = 4;
	s.chunks = 20;
	s.reserve = 4;
	s.checkpoint = 3;
	s.unseen = 16;
	run_all(s, &rig);
	EXPECT(sums.births > 10000 && sums.untold > 1000);
}

/* -- By hand: what can't be is counted, and the rest holds -- */

#define A 0x10000ull

struct told {
	enum event_kind kind;
	uint64_t interval;
	struct event events[4]; /* up to one at address 0 */
};

static void put(struct buf *out, const struct told *t)
{
	const struct event_chunk head = {.thread = t->kind ? 0 : 1,
		.interval = t->interval,
		.young = t->interval,
		.flags = t->kind ? EVENTS_OF_GC | EVENTS_CLOSED : EVENTS_CLOSED,
		.kind = t->kind};
	buf_clear(out);
	struct event_writer w = event_writer_begin(out, &head);
	for (int i = 0; i < 4 && t->events[i].address; i++)
		event_writer_put(&w, &t->events[i]);
}

static void tell(struct heap_image *h, const struct told *t)
{
	struct buf out = {0};
	put(&out, t);
	EXPECT_INT(0, heap_image_chunk(h, buf_slice(&out)));
	buf_release(&out);
}

#define TELL(h, ...) tell(h, &(const struct told){__VA_ARGS__})

static struct heap_image *two_births(void)
{
	static struct heap_image h;
	heap_image_release(&h);
	h = (struct heap_image){.site_ids = 9, .thread_ids = 1};
	TELL(&h, EVENT_BIRTHS, 1, {{1, A, 0}, {2, A + 24, 0}});
	return &h;
}

static uint32_t site_at(struct heap_image *h, uint64_t address)
{
	const struct image_object *o = heap_image_at(h, address);
	return o ? o->site : 0;
}

TEST(a_move_to_where_another_was)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_SWEPT, 1, {{0, A, A + 48}});
	TELL(h, EVENT_MOVES, 1, {{1, A, A + 24}});
	TELL(h, EVENT_BIRTHS, 2, {{3, A, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(2, heap_image_standing(h));
	EXPECT_INT(3, site_at(h, A));
	EXPECT_INT(1, site_at(h, A + 24));
	EXPECT_INT(1, heap_image_at(h, A + 24)->survived);
	EXPECT_INT(1, h->totals.deaths);
	EXPECT_INT(0, heap_image_at(h, A)->survived);
	EXPECT_INT(2, heap_image_at(h, A)->young);
}

TEST(sizes_are_distances)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_BIRTHS, 1, {{4, A + 80, 0}, {5, A + 80 + 8 * 4096, 0}});
	TELL(h, EVENT_BIRTHS, 1, {{6, A + 200, 0}, {7, A + 120, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(3, heap_image_at(h, A)->eighths);
	EXPECT_INT(0, heap_image_at(h, A + 24)->eighths);  /* the last of its chunk */
	EXPECT_INT(0, heap_image_at(h, A + 80)->eighths);  /* too far */
	EXPECT_INT(0, heap_image_at(h, A + 200)->eighths); /* behind */
	EXPECT_INT(1, h->sites.at[1].sized);
	EXPECT_INT(3, h->sites.at[1].eighths);
	EXPECT_INT(0, h->sites.at[4].sized);
}

TEST(sizes_that_are_told)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_MOVES, 1, {{1, A, 4 * A}});
	TELL(h, EVENT_SIZES, 1, {{1, A, 16}, {2, A + 24, 4096}, {2, A + 48, 16}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT(heap_image_at(h, 4 * A)->told);
	EXPECT_INT(2, heap_image_at(h, 4 * A)->eighths);
	EXPECT_INT(512, heap_image_at(h, A + 24)->eighths);
	EXPECT_INT(3, h->totals.sizes);
	EXPECT_INT(1, h->odds[IMAGE_ODD_NOWHERE]);
	TELL(h, EVENT_SIZES, 2, {{1, 4 * A, 16}, {2, A + 24, 4104}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(1, h->odds[IMAGE_ODD_SIZE]); /* the first holds */
	EXPECT_INT(512, heap_image_at(h, A + 24)->eighths);
	TELL(h, EVENT_BIRTHS, 3, {{1, 8 * A, 0}});
	TELL(h, EVENT_SIZES, 3, {{1, 8 * A, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(2, h->odds[IMAGE_ODD_SIZE]);
	EXPECT(!heap_image_at(h, 8 * A)->told);
}

TEST(a_move_wins_over_a_stay_and_that_over_ranges)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_STAYS, 1, {{1, A, 0}, {2, A + 24, 0}});
	TELL(h, EVENT_MOVES, 1, {{1, A, 4 * A}});
	TELL(h, EVENT_SWEPT, 1, {{0, 8, 1ull << 40}});
	TELL(h, EVENT_FORGOTTEN, 1, {{0, 8, 1ull << 40}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(2, heap_image_standing(h));
	EXPECT_INT(1, site_at(h, 4 * A));
	EXPECT_INT(2, site_at(h, A + 24));
	EXPECT_INT(1, h->odds[IMAGE_ODD_AGAIN]);
}

TEST(forgotten_wins_over_swept)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_SWEPT, 1, {{0, A, A + 48}});
	TELL(h, EVENT_FORGOTTEN, 1, {{0, A + 24, A + 32}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(1, h->totals.deaths);
	EXPECT_INT(1, h->totals.forgotten);
}

/* They stand where they were met, once all that moved has gone; and may be moved by the next. */
TEST(who_was_met)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_MOVES, 1, {{1, A, A + 80}});
	TELL(h, EVENT_SWEPT, 1, {{0, A, A + 64}});
	TELL(h, EVENT_MET, 1, {{3, A, 0}, {4, A + 16, 0}});
	TELL(h, EVENT_MET_SIZED, 1, {{5, A + 32, 40}});
	TELL(h, EVENT_PASSED, 1, {{6, A + 96, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(1, site_at(h, A + 80));
	EXPECT_INT(3, site_at(h, A));
	EXPECT_INT(4, site_at(h, A + 16));
	EXPECT_INT(0, site_at(h, A + 96));
	const struct image_object *o = heap_image_at(h, A + 32);
	EXPECT(o && o->site == 5 && o->told && o->eighths == 5 && o->survived == 1);
	EXPECT(o && o->young == 1 && !o->thread);
	EXPECT_INT(4, heap_image_standing(h));
	EXPECT_INT(6, h->totals.births);
	EXPECT_INT(4, h->totals.met);
	EXPECT_INT(1, h->totals.forgotten);
	TELL(h, EVENT_MOVES, 2, {{3, A, A + 160}});
	TELL(h, EVENT_MET, 2, {{7, A + 160, 0}});       /* there is one */
	TELL(h, EVENT_MET_SIZED, 2, {{8, A + 168, 0}}); /* of no size */
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(3, site_at(h, A + 160));
	EXPECT_INT(8, site_at(h, A + 168));
	EXPECT_INT(1, h->odds[IMAGE_ODD_DOUBLE]);
	EXPECT_INT(1, h->odds[IMAGE_ODD_SIZE]);
	EXPECT_INT(5, heap_image_standing(h));
}

/* Bytes may say so; it is no letting go. */
TEST(a_move_to_address_0)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_MOVES, 1, {{1, A, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(1, site_at(h, 0));
	EXPECT_INT(0, h->totals.forgotten);
	EXPECT_INT(2, heap_image_standing(h));
}

/* What a step has met that was not told to its end is not there. */
TEST(who_was_met_in_a_step_that_is_cut)
{
	struct heap_image *h = two_births();
	bool left = false;
	TELL(h, EVENT_MET, 1, {{3, A + 64, 0}});
	EXPECT_INT(0, heap_image_abandon(h, &left));
	EXPECT(left);
	EXPECT_INT(0, site_at(h, A + 64));
	EXPECT_INT(2, heap_image_standing(h));
	EXPECT_INT(2, h->totals.births);
	EXPECT_INT(0, h->totals.met);
}

TEST(two_at_one_address)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_BIRTHS, 1, {{5, A + 24, 0}});
	TELL(h, EVENT_BIRTHS, 2, {{6, A, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(2, heap_image_standing(h));
	EXPECT_INT(2, h->odds[IMAGE_ODD_DOUBLE]);
	EXPECT_INT(1, site_at(h, A));
	EXPECT_INT(2, site_at(h, A + 24));
}

TEST(who_was_not_there)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_MOVES, 1, {{1, A + 8, 4 * A}, {1, A, 5 * A}, {1, A, 6 * A}});
	TELL(h, EVENT_STAYS, 1, {{7, A + 24, 0}});
	TELL(h, EVENT_SWEPT, 1, {{0, A, A}, {0, 3 * A, A}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(1, h->odds[IMAGE_ODD_NOWHERE]);
	EXPECT_INT(1, h->odds[IMAGE_ODD_AGAIN]);
	EXPECT_INT(1, h->odds[IMAGE_ODD_OTHER_SITE]);
	EXPECT_INT(2, h->odds[IMAGE_ODD_RANGE]);
	EXPECT_INT(1, site_at(h, 5 * A));
	EXPECT_INT(2, site_at(h, A + 24));
	EXPECT_INT(2, heap_image_standing(h));
}

TEST(an_interval_that_was_over)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_BIRTHS, 3, {{5, 2 * A, 0}});
	TELL(h, EVENT_BIRTHS, 2, {{6, 3 * A, 0}});
	EXPECT_INT(0, heap_image_end(h));
	TELL(h, EVENT_SWEPT, 3, {{0, 8, 1ull << 40}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(2, h->odds[IMAGE_ODD_LATE]);
	EXPECT_INT(3, heap_image_standing(h));
}

TEST(ids_that_are_not_in_the_trace)
{
	struct heap_image *h = two_births();
	h->thread_ids = 0;
	TELL(h, EVENT_BIRTHS, 1, {{10, 2 * A, 0}, {9, 3 * A, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(1, h->odds[IMAGE_ODD_SITE]);
	EXPECT_INT(1, h->odds[IMAGE_ODD_THREAD]);
	EXPECT_INT(0, heap_image_at(h, 2 * A)->site);
	EXPECT_INT(9, heap_image_at(h, 3 * A)->site);
}

static void all_let_go(struct heap_image *h, enum image_odd odd)
{
	TELL(h, EVENT_BIRTHS, 2, {{3, 4 * A, 0}});
	EXPECT_INT(0, heap_image_end(h));
	EXPECT_INT(1, h->odds[odd]);
	EXPECT_INT(1, heap_image_standing(h));
	EXPECT_INT(2, h->totals.forgotten);
	EXPECT_INT(1, h->totals.veiled);
	EXPECT_INT(3, site_at(h, 4 * A));
}

TEST(what_is_not_known_lets_all_go)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_KINDS, 1, {{1, A, 0}});
	all_let_go(h, IMAGE_ODD_UNKNOWN);
	h = two_births();
	TELL(h, EVENT_STANDS, 1, {{1, A, 8}});
	all_let_go(h, IMAGE_ODD_UNKNOWN);
	h = two_births();
	EXPECT_INT(0, heap_image_chunk(h, slice("\x80", 1)));
	all_let_go(h, IMAGE_ODD_BROKEN);
	struct buf out = {0};
	h = two_births();
	put(&out, &(const struct told){EVENT_SWEPT, 1, {{0, A, A + 48}}});
	EXPECT_INT(0, heap_image_chunk(h, slice(out.at, out.len - 1)));
	buf_release(&out);
	all_let_go(h, IMAGE_ODD_BROKEN);
}

/* A checkpoint's chunk: `all` objects in the whole of it. */
static void tell_stands(struct heap_image *h, uint64_t all, uint64_t interval, struct event e)
{
	struct buf out = {0};
	const struct event_chunk head = {.thread = all,
		.interval = interval,
		.young = interval,
		.flags = EVENTS_OF_GC | EVENTS_CLOSED,
		.kind = EVENT_STANDS};
	struct event_writer w = event_writer_begin(&out, &head);
	event_writer_put(&w, &e);
	EXPECT_INT(0, heap_image_compare(h, buf_slice(&out)));
	buf_release(&out);
}

/* Events before the first whole checkpoint are passed over; a checkpoint that others came into, or
 * of which a chunk is missing, is none. */
TEST(an_image_that_begins_with_a_checkpoint)
{
	static struct heap_image h;
	h = (struct heap_image){.site_ids = 9, .thread_ids = 1};
	heap_image_await(&h);
	TELL(&h, EVENT_BIRTHS, 1, {{1, A, 0}});
	tell_stands(&h, 2, 1, (struct event){1, A, 0});
	TELL(&h, EVENT_BIRTHS, 2, {{2, A + 24, 0}});
	tell_stands(&h, 2, 2, (struct event){1, A, 0});
	tell_stands(&h, 2, 3, (struct event){4, 2 * A, 0});
	EXPECT(h.waits);
	tell_stands(&h, 2, 3, (struct event){3, A, 8 * 5});
	EXPECT(!h.waits);
	EXPECT_INT(3, h.began_young);
	EXPECT_INT(2, h.totals.passed);
	EXPECT_INT(0, h.totals.births);
	EXPECT_INT(2, heap_image_standing(&h));
	EXPECT_INT(4, site_at(&h, 2 * A));
	EXPECT_INT(3, site_at(&h, A));
	EXPECT_INT(5, heap_image_at(&h, A)->survived);
	TELL(&h, EVENT_BIRTHS, 4, {{5, 3 * A, 0}});
	TELL(&h, EVENT_SWEPT, 4, {{0, A, A + 8}});
	EXPECT_INT(0, heap_image_end(&h));
	EXPECT_INT(2, heap_image_standing(&h));
	EXPECT_INT(1, h.totals.deaths);
	/* The next one is compared. */
	tell_stands(&h, 2, 4, (struct event){4, 2 * A, 0});
	EXPECT_INT(0, h.odds[IMAGE_ODD_CHECKPOINT]);
	tell_stands(&h, 2, 4, (struct event){5, 2 * A, 0});
	EXPECT_INT(1, h.odds[IMAGE_ODD_CHECKPOINT]);
	heap_image_release(&h);
}

/* As an old generation of one piece is told of, which full collections have shuffled. */
TEST(a_checkpoint_goes_from_page_to_page)
{
	enum { PAGES = 8, OBJECTS = 4096 };
	static struct heap_image h;
	h = (struct heap_image){.site_ids = 1, .thread_ids = 1};
	for (uint64_t i = 0; i < OBJECTS; i++)
		TELL(&h, EVENT_BIRTHS, 1, {{1, A + 16 * i * PAGES, 0}});
	EXPECT_INT(0, heap_image_end(&h));
	uint64_t laid = h.pages.laid;
	for (uint64_t i = 0; i < OBJECTS; i++) {
		uint64_t other = i * (OBJECTS / PAGES + 1) % OBJECTS;
		tell_stands(&h, OBJECTS, 1, (struct event){1, A + 16 * other * PAGES, 0});
	}
	EXPECT_INT(0, h.odds[IMAGE_ODD_CHECKPOINT]);
	EXPECT_INT(OBJECTS, heap_image_standing(&h));
	EXPECT(h.pages.laid - laid <= OBJECTS);
	heap_image_release(&h);
}

TEST(a_checkpoint_that_is_wrong)
{
	struct buf out = {0};
	struct heap_image *h = two_births();
	put(&out,
		&(const struct told){EVENT_STANDS, 1, {{1, A, 8}, {7, A + 24, 0}, {2, 2 * A, 0}}});
	EXPECT_INT(0, heap_image_compare(h, buf_slice(&out)));
	/* How many, how often it survived, its site, that it is there. */
	EXPECT_INT(4, h->odds[IMAGE_ODD_CHECKPOINT]);
	EXPECT_INT(2, heap_image_standing(h));
	buf_release(&out);
}

static void stay_on(struct heap_image *h, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i <= to; i++)
		TELL(h, EVENT_STAYS, i, {{1, A, 0}});
}

/* One object, in the interval that is on. */
static uint64_t odd_if_stands(struct heap_image *h, uint64_t survived)
{
	uint64_t before = h->odds[IMAGE_ODD_CHECKPOINT];
	tell_stands(h, 1, h->interval, (struct event){1, A, 8 * survived});
	return h->odds[IMAGE_ODD_CHECKPOINT] - before;
}

TEST(a_checkpoint_tells_255_survivals_or_more)
{
	struct heap_image *h = two_births();
	TELL(h, EVENT_SWEPT, 1, {{0, A + 24, A + 48}});
	stay_on(h, 1, 254);
	EXPECT_INT(0, odd_if_stands(h, 254));
	EXPECT_INT(1, odd_if_stands(h, 255));
	stay_on(h, 255, 255);
	EXPECT_INT(0, odd_if_stands(h, 255));
	EXPECT_INT(1, odd_if_stands(h, 254));
	stay_on(h, 256, 300);
	EXPECT_INT(0, odd_if_stands(h, 255));
	EXPECT_INT(1, odd_if_stands(h, 254));
	EXPECT_INT(300, heap_image_at(h, A)->survived);
}

TEST(out_of_memory_is_told)
{
	struct buf births = {0}, moves = {0}, swept = {0};
	int err = ERR_NOMEM;
	put(&births, &(const struct told){EVENT_BIRTHS, 1, {{1, A, 0}, {2, 2 * A, 0}}});
	put(&moves, &(const struct told){EVENT_MOVES, 1, {{1, A, 5 * A}}});
	put(&swept, &(const struct told){EVENT_SWEPT, 1, {{0, 8, 9 * A}}});
	uint64_t held = mem_held();
	for (uint64_t n = 1; err; n++) {
		struct heap_image *h = mem_zalloc(1, sizeof(*h));
		h->site_ids = h->thread_ids = 9;
		mem_fail_at(n);
		err = heap_image_chunk(h, buf_slice(&births));
		err = err ? err : heap_image_chunk(h, buf_slice(&moves));
		err = err ? err : heap_image_chunk(h, buf_slice(&swept));
		err = err ? err : heap_image_end(h);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		EXPECT(n < 100);
		heap_image_release(h);
		mem_free(h);
		EXPECT_INT(held, mem_held());
	}
	buf_release(&births);
	buf_release(&moves);
	buf_release(&swept);
}
