#include "agent/learning.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

enum { SLOTS = 8, KEPT = 0, DEAD = 1, NATIVE = 2, ARRAY = 1, ORDER = 2 };

/* A table of samples, what is learnt from it, and the last round. */
static struct {
	struct learning learning;
	struct snapshot snapshot;
	struct round round;
} f;

static void begin(void)
{
	EXPECT_INT(0, learning_init(&f.learning, SLOTS, 1 << 20, THRESHOLD_MOST, 0));
	EXPECT_INT(0, snapshot_init(&f.snapshot, learner_rows(f.learning.learner)));
	learning_class(&f.learning, ARRAY, "[J");
	learning_class(&f.learning, ORDER, "Lcom/acme/Order;");
}

static void end(void)
{
	snapshot_release(&f.snapshot);
	learning_release(&f.learning);
}

static void birth(uint32_t slot, uint32_t class_id, const struct stack_frame *stack, uint32_t depth)
{
	struct lesson lesson = {.class_id = class_id,
		.stack = stack,
		.depth = depth,
		.size = 100,
		.weight = 1000,
		.young = f.learning.young};
	learning_birth(&f.learning, slot, &lesson);
}

static void collect(struct record_gc gc)
{
	learning_collection(&f.learning,
		&(struct lesson_gc){.gc = &gc, .young = true, .promoted = ROUND_UNKNOWN});
}

static void collect_full(struct record_gc gc)
{
	learning_collection(&f.learning,
		&(struct lesson_gc){.gc = &gc, .full = true, .promoted = ROUND_UNKNOWN});
}

static void finish(void)
{
	learning_round(&f.learning, &f.snapshot, &f.round);
}

static const struct snapshot_row *row(uint64_t method, int32_t bci, uint32_t class_id)
{
	struct place_context at = {
		.place = {.vm_method = method, .bci = bci, .class_id = class_id}};
	return snapshot_find(&f.snapshot, &at);
}

TEST(classes_have_the_names_they_were_given_first)
{
	begin();
	learning_class(&f.learning, ARRAY, "[I");
	EXPECT_STR("[J", learning_signature(&f.learning, ARRAY));
	EXPECT_STR("Lcom/acme/Order;", learning_signature(&f.learning, ORDER));
	EXPECT(learning_signature(&f.learning, 3) == NULL);
	EXPECT(learning_signature(&f.learning, 0) == NULL);
	end();
}

/* Three objects: one lives through two collections, one dies in the first, one has no bytecode. */
TEST(places_and_what_became_of_their_objects)
{
	static const struct stack_frame kept[] = {{5, -1}, {7, 3}, {8, 4}}, dead[] = {{9, 5}},
					native[] = {{5, -1}};
	begin();
	birth(KEPT, ARRAY, kept, 3);
	birth(DEAD, ORDER, dead, 1);
	birth(NATIVE, ARRAY, native, 1);
	collect((struct record_gc){.young = 1, .tenuring = 4});
	learner_death(f.learning.learner, DEAD, 1);
	collect((struct record_gc){.young = 2, .tenuring = 4});
	finish();
	const struct snapshot_row *k = row(7, 3, ARRAY), *d = row(9, 5, ORDER),
				  *n = row(0, -1, ARRAY);
	EXPECT_INT(3, f.snapshot.places);
	EXPECT(k && d && n);
	EXPECT_INT(SNAPSHOT_LEAF, k->flags);
	EXPECT_INT(0, d->flags);
	EXPECT_INT(SNAPSHOT_LEAF | SNAPSHOT_REFUSE, n->flags);
	EXPECT_NEAR(1000, (double)k->passage.bytes.stood[0], 0.01);
	EXPECT_NEAR(1000, (double)k->passage.bytes.stood[1], 0.01);
	EXPECT_NEAR(10, (double)k->passage.objects.stood[1], 0.01);
	EXPECT_NEAR(0, (double)(k->passage.bytes.died[0] + k->passage.bytes.died[1]), 0);
	EXPECT_NEAR(1000, (double)d->passage.bytes.died[0], 0.01);
	EXPECT_NEAR(0, (double)d->passage.bytes.stood[0], 0);
	/* Copied: two objects in the first collection, the same two in the second. */
	EXPECT_NEAR(4000, f.snapshot.copied.bytes, 0.01);
	end();
}

/* A file's place may be a call: what is made below it, of the class that it is for, is its own. */
TEST(what_a_call_gives_back)
{
	static const struct stack_frame made[] = {{5, 1}, {7, 3}, {8, 4}};
	const struct place call = {.vm_method = 8, .bci = 4, .class_id = ARRAY};
	begin();
	learning_call(&f.learning, &call);
	birth(KEPT, ARRAY, made, 3);
	birth(DEAD, ORDER, made, 3);
	birth(NATIVE, ARRAY, made, 2);
	collect((struct record_gc){.young = 1, .tenuring = 4});
	finish();
	EXPECT(row(8, 4, ARRAY) && row(5, 1, ORDER) && row(5, 1, ARRAY));
	EXPECT_INT(3, f.snapshot.places);
	for (int32_t i = 0; i < LEARNING_CALLS + 9; i++)
		learning_call(&f.learning, &(struct place){.vm_method = 9, .bci = i});
	EXPECT_INT(LEARNING_CALLS, f.learning.call_count);
	end();
}

/* The bound of one collection is known from the one before. */
TEST(the_threshold_is_in_force_in_the_next_collection)
{
	begin();
	collect((struct record_gc){.young = 1, .tenuring = 4});
	collect((struct record_gc){.young = 2, .tenuring = UINT64_MAX});
	collect((struct record_gc){.young = 3, .tenuring = 2});
	collect((struct record_gc){.young = 4, .tenuring = 2});
	finish();
	EXPECT_NEAR(0.25, f.snapshot.held.share[THRESHOLD_MOST], 1e-9);
	EXPECT_NEAR(0.5, f.snapshot.held.share[4], 1e-9);
	EXPECT_NEAR(0.25, f.snapshot.held.share[2], 1e-9);
	end();
}

/* G1 chooses as a collection begins, by what the one before has left. */
TEST(the_threshold_of_g1_is_that_of_the_collection_itself)
{
	begin();
	f.learning.chooses_first = true;
	collect((struct record_gc){.young = 1, .tenuring = 4});
	collect((struct record_gc){.young = 2, .tenuring = UINT64_MAX});
	collect((struct record_gc){.young = 3, .tenuring = 2});
	collect((struct record_gc){.young = 4, .tenuring = 2});
	finish();
	EXPECT_NEAR(0.5, f.snapshot.held.share[4], 1e-9);
	EXPECT_NEAR(0.5, f.snapshot.held.share[2], 1e-9);
	end();
}

TEST(a_round_has_what_its_collections_did)
{
	static const struct stack_frame stack[] = {{7, 3}};
	begin();
	birth(KEPT, ARRAY, stack, 1);
	collect((struct record_gc){
		.young = 1, .alloc = 5000, .heap_after = 900, .old_after = 600, .pause = 11});
	collect((struct record_gc){/* the clock stands: it is no collection of the round */
		.young = 1,
		.alloc = 5500,
		.heap_after = 500,
		.old_after = 500,
		.pause = 99});
	collect((struct record_gc){
		.young = 2, .alloc = 9000, .heap_after = 1000, .old_after = 800, .pause = 31});
	finish();
	EXPECT_INT(2, f.round.count);
	EXPECT_INT(9000, round_total(&f.round, ROUND_ALLOCATED));
	EXPECT_INT(300 + 200 + 300, round_total(&f.round, ROUND_COPIED));
	EXPECT_INT(300, round_total(&f.round, ROUND_PROMOTED));
	EXPECT_INT(42, round_total(&f.round, ROUND_PAUSE));
	EXPECT_INT(1, f.round.samples);
	EXPECT_INT(2, f.round.young);
	finish();
	EXPECT_INT(0, f.round.count);
	EXPECT_INT(0, f.round.samples);
	end();
}

/* 1000 bytes have survived one collection behind each, and 500 two. */
static struct record_gc aged(uint64_t young)
{
	return (struct record_gc){
		.young = young, .tenuring = 15, .ages = {.count = 2, .at = {1000, 500}}};
}

static double ages_seen(void)
{
	finish();
	return f.snapshot.fit.known ? f.snapshot.fit.passed[1] : 0;
}

/* Of two young ones in a row, where it is known what both left and that all of it had room. */
TEST(the_age_table_is_learnt_from)
{
	static const struct {
		struct lesson_gc second, third;
		double passed;
	} cases[] = {
		{{.young = true}, {.young = true}, 0.5},
		{{.young = true, .failed = true}, {.young = true}, 0},
		{{.young = true, .more = true}, {.full = true}, 0},
		{{.full = true}, {.young = true}, 0},
		{{.young = true, .promoted = 900}, {.young = true, .promoted = 900}, 0},
		{{.young = true, .promoted = ROUND_UNKNOWN},
			{.young = true, .promoted = ROUND_UNKNOWN}, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct record_gc gc[] = {aged(2), aged(3)};
		struct lesson_gc l[] = {cases[i].second, cases[i].third};
		begin();
		l[0].gc = &gc[0];
		l[1].gc = &gc[1];
		collect(aged(1));
		learning_collection(&f.learning, &l[0]);
		learning_collection(&f.learning, &l[1]);
		EXPECT_NEAR(cases[i].passed, ages_seen(), 1e-9);
		end();
	}
}

/* What mixed ones promoted is not known; nor what nobody told of. */
TEST(not_every_collection_tells_of_ages)
{
	begin();
	for (uint64_t young = 1; young <= 9; young += 2) {
		struct record_gc gc = aged(young);
		learning_collection(&f.learning, &(struct lesson_gc){.gc = &gc, .young = true});
	}
	for (uint64_t young = 10; young <= 12; young++) {
		struct record_gc gc = aged(young);
		gc.flags = GC_MIXED;
		learning_collection(&f.learning, &(struct lesson_gc){.gc = &gc, .young = true});
	}
	EXPECT_NEAR(0, ages_seen(), 0);
	struct record_gc gc = aged(13);
	learning_collection(&f.learning, &(struct lesson_gc){.gc = &gc, .young = true});
	EXPECT_NEAR(0.5, ages_seen(), 1e-9);
	end();
}

TEST(a_round_has_what_its_full_collections_kept)
{
	begin();
	for (uint64_t i = 1; i <= 3; i++)
		learning_collection(&f.learning,
			&(struct lesson_gc){
				.gc = &(struct record_gc){.young = i, .heap_after = 100 * i},
				.young = true,
				.full = i > 1,
				.promoted = ROUND_UNKNOWN});
	finish();
	EXPECT_INT(200 + 300, f.round.full);
	finish();
	EXPECT_INT(0, f.round.full);
	end();
}

/* The full one in its pause is of the round; what the old generation is looked through for beside
 * the program comes behind it. */
TEST(a_round_ends_with_its_last_collection)
{
	begin();
	collect((struct record_gc){.young = 1, .end = 1000});
	collect((struct record_gc){.young = 2, .end = 2000});
	collect_full((struct record_gc){.young = 2, .end = 2300});
	collect((struct record_gc){.young = 2, .end = 2900});
	finish();
	EXPECT_INT(2300, f.round.ended);
	collect((struct record_gc){.young = 3, .end = 4000});
	finish();
	EXPECT_INT(4000, f.round.ended);
	end();
}

/* By what the heap has in use, where that is known of all of them; else by samples. */
TEST(what_was_allocated_between_collections)
{
	begin();
	collect((struct record_gc){.young = 1, .alloc = 3000, .heap_after = 500});
	finish();
	EXPECT_INT(3000, round_total(&f.round, ROUND_ALLOCATED));
	for (uint64_t i = 2; i <= 4; i++)
		collect((struct record_gc){.young = i,
			.start = i,
			.alloc = 3300 * i,
			.heap_before = 3500,
			.heap_after = 500});
	finish();
	EXPECT_INT(9000, round_total(&f.round, ROUND_ALLOCATED));
	end();
}

/* A young collection that turned into a full one is one collection, and one pause. */
TEST(a_full_collection_in_the_pause_of_a_young_one)
{
	begin();
	collect((struct record_gc){.young = 1, .pause = 11});
	collect_full((struct record_gc){.young = 1, .pause = 300});
	collect((struct record_gc){.young = 2, .pause = 20});
	finish();
	EXPECT_INT(2, f.round.count);
	EXPECT_INT(331, round_total(&f.round, ROUND_PAUSE));
	EXPECT_INT(311, f.round.longest);
	end();
}

static void die(uint32_t slot)
{
	learner_death(f.learning.learner, slot, f.learning.young);
}

/* Who dies has outlived neither of its collections, and who is born behind them is young. */
TEST(what_becomes_of_objects_in_a_pause_with_a_full_collection)
{
	static const struct stack_frame stack[] = {{7, 3}};
	enum { GARBAGE = 1, OLD = 2, BORN_BEHIND = 3, OLDER = 4 };
	begin();
	birth(OLDER, ARRAY, stack, 1);
	collect((struct record_gc){.young = 1, .tenuring = 15});
	birth(GARBAGE, ARRAY, stack, 1);
	birth(OLD, ARRAY, stack, 1);
	collect((struct record_gc){.young = 2, .tenuring = 15});
	struct record_gc gc = {.young = 2};
	learning_collection(&f.learning, &(struct lesson_gc){.gc = &gc, .full = true});
	die(GARBAGE);
	die(OLDER);
	birth(BORN_BEHIND, ARRAY, stack, 1);
	collect((struct record_gc){.young = 3, .tenuring = 15});
	collect((struct record_gc){.young = 4, .tenuring = 15});
	finish();
	const struct passage_side *bytes = &row(7, 3, ARRAY)->passage.bytes;
	EXPECT_INT(1000, bytes->died[0]);  /* GARBAGE */
	EXPECT_INT(3000, bytes->stood[0]); /* the others */
	EXPECT_INT(1000, bytes->died[1]);  /* OLDER */
	EXPECT_INT(1000, bytes->stood[1]); /* BORN_BEHIND */
	EXPECT_INT(0, bytes->died[2] + bytes->stood[2]);
	end();
}

/* Serial, phases: each collection promotes 1.75 MB, and the full one in the pause of the third
 * leaves less than there was, of which nobody can say what was promoted. Nor can of a full one
 * alone. */
TEST(what_was_copied_in_a_pause_with_a_full_collection_is_not_known)
{
	static const uint64_t old[] = {86100000, 87900000, 17200000, 18900000, 10000000};
	begin();
	for (uint64_t i = 0; i < 5; i++) {
		struct record_gc gc = {.young = i + 1,
			.alloc = 35800000 * (i + 1),
			.heap_after = old[i],
			.old_after = old[i]};
		struct lesson_gc lesson = {
			&gc, .young = i < 4, .full = i == 4, .promoted = i % 2 ? 1750000 : 0};
		lesson.promoted = i == 0 ? 1750000 : lesson.promoted;
		learning_collection(&f.learning, &lesson);
		lesson.young = false;
		lesson.full = true;
		if (i == 2)
			learning_collection(&f.learning, &lesson);
	}
	finish();
	EXPECT_INT(5, f.round.count);
	EXPECT_INT(5 * 35800000, round_total(&f.round, ROUND_ALLOCATED));
	EXPECT_INT(5 * 1750000, round_total(&f.round, ROUND_COPIED));
	end();
}

/* Of every fifth, the full one in its pause: three of four survivor spaces' content is copied
 * again, and births have been copied one to four times. */
TEST(what_is_young_before_a_full_collection_is_not_copied_again)
{
	begin();
	for (uint64_t i = 1; i <= 15; i++) {
		struct record_gc gc = {.young = i,
			.alloc = 1000 * i,
			.heap_after = i % 5 ? 900 : 800,
			.old_after = 800,
			.tenuring = 15};
		struct lesson_gc lesson = {
			.gc = &gc, .young = true, .more = i % 5 == 0, .promoted = 7};
		learning_collection(&f.learning, &lesson);
		lesson.young = false;
		lesson.full = true;
		lesson.more = false;
		if (i % 5 == 0)
			learning_collection(&f.learning, &lesson);
	}
	finish();
	EXPECT_NEAR(107 * 15, round_total(&f.round, ROUND_COPIED), 1e-9);
	EXPECT_NEAR(75 * 15, round_total(&f.round, ROUND_FOUND), 1e-9);
	for (uint32_t t = 0; t < 4; t++)
		EXPECT_NEAR(0.25, f.snapshot.stayed.share[t], 1e-9);
	end();
}

/* What was there before, as after an attach, was not promoted; a collection that no event told of
 * leaves the old generation's size unknown. */
TEST(what_was_promoted_by_the_growth_of_the_old_generation)
{
	begin();
	collect((struct record_gc){.young = 1, .heap_after = 9000, .old_after = 8000});
	collect((struct record_gc){.young = 2});
	collect((struct record_gc){.young = 3, .heap_after = 8900, .old_after = 8100});
	finish();
	EXPECT_INT(100, round_total(&f.round, ROUND_PROMOTED));
	end();
}

/* Large objects of G1's are in the growth, and not in what was measured. */
TEST(what_was_promoted_as_it_was_measured)
{
	begin();
	for (uint64_t i = 1; i <= 2; i++) {
		struct record_gc gc = {.young = i, .heap_after = 9000 * i, .old_after = 8000 * i};
		learning_collection(
			&f.learning, &(struct lesson_gc){.gc = &gc, .young = true, .promoted = 70});
	}
	finish();
	EXPECT_INT(140, round_total(&f.round, ROUND_PROMOTED));
	end();
}

static void collect_measured(uint64_t young, uint64_t survivors, uint64_t promoted)
{
	uint64_t bound = young > 1 ? 1 : 0;
	struct record_gc gc = {.young = young,
		.heap_after = 90000 + survivors,
		.old_after = 90000,
		.tenuring = bound};
	learning_collection(
		&f.learning, &(struct lesson_gc){.gc = &gc, .young = true, .promoted = promoted});
}

/*
 * Nothing was kept young, the survivor spaces shrank, and take some collections to grow: what is
 * promoted at once for want of room is not seen again, and would be young and live for ever.
 */
TEST(what_overflows_shrunk_survivor_spaces_has_no_age)
{
	static const struct stack_frame stack[] = {{7, 3}};
	begin();
	collect_measured(1, 500, 400); /* chronic: what the fit is for */
	collect_measured(2, 0, 900);   /* with the bound at 0 */
	for (uint32_t i = 0; i < 3; i++) {
		birth(i, ARRAY, stack, 1);
		collect_measured(3 + i, i < 2 ? 100 : 800, i < 2 ? 800 : 100);
	}
	collect_measured(6, 700, 800); /* all of it may have been young before */
	finish();
	EXPECT_INT(2, f.round.spilt);
	EXPECT_NEAR(3000, (double)row(7, 3, ARRAY)->passage.bytes.stood[0], 1e-9);
	EXPECT_NEAR(1000, (double)row(7, 3, ARRAY)->passage.bytes.stood[1], 1e-9);
	finish();
	EXPECT_INT(0, f.round.spilt);
	end();
}

/* The old regions that it empties are gone from what the old generation has. */
TEST(what_a_mixed_collection_copied_is_not_known)
{
	begin();
	for (uint64_t i = 1; i <= 4; i++) {
		bool mixed = i == 3;
		struct record_gc gc = {.young = i,
			.alloc = 1000 * i,
			.heap_after = 9000,
			.old_after = 8990,
			.flags = mixed ? GC_MIXED : 0};
		learning_collection(&f.learning,
			&(struct lesson_gc){.gc = &gc, .young = true, .promoted = mixed ? 0 : 70});
	}
	finish();
	EXPECT_INT(4 * 70, round_total(&f.round, ROUND_PROMOTED));
	EXPECT_INT(4 * 80, round_total(&f.round, ROUND_COPIED));
	end();
}

/* G1 makes eden small for them, and little is young behind them: the next ones find that. */
TEST(what_mixed_collections_leave_young_is_what_is_copied_again)
{
	static const uint64_t left[] = {400, 400, 100, 100};
	begin();
	for (uint64_t i = 0; i < 12; i++) {
		struct record_gc gc = {.young = i + 1,
			.alloc = 1000 * (i + 1),
			.heap_after = 8000 + left[i % 4],
			.old_after = 8000,
			.flags = i % 4 < 2 ? 0 : GC_MIXED};
		learning_collection(
			&f.learning, &(struct lesson_gc){.gc = &gc, .young = true, .promoted = 9});
	}
	finish();
	EXPECT_NEAR(409 * 12, round_total(&f.round, ROUND_COPIED), 1e-9);
	EXPECT_NEAR((3 * 400 + 2 * 100) * 2, round_total(&f.round, ROUND_FOUND), 1e-9);
	end();
}

/* What stays where it was is old, dead or alive, and was not copied. */
TEST(what_a_failed_evacuation_copied_is_not_known)
{
	static const struct stack_frame stack[] = {{7, 3}};
	begin();
	for (uint64_t i = 1; i <= 4; i++) {
		struct record_gc gc = {.young = i,
			.alloc = 1000 * i,
			.heap_after = 9000,
			.old_after = 8900,
			.tenuring = 15};
		bool failed = i == 2;
		if (failed)
			birth(KEPT, ARRAY, stack, 1);
		learning_collection(&f.learning, &(struct lesson_gc){.gc = &gc,
							 .young = true,
							 .failed = failed,
							 .promoted = failed ? 1000 : 70});
	}
	finish();
	EXPECT_NEAR(70 * 4, round_total(&f.round, ROUND_PROMOTED), 1e-9);
	EXPECT_NEAR(100 * 4, round_total(&f.round, ROUND_COPIED) - 70 * 4, 1e-9);
	EXPECT_NEAR(
		100 * 2 * 4 / 3.0, round_total(&f.round, ROUND_FOUND), 1e-9); /* not the first's */
	EXPECT_NEAR(1000, (double)row(7, 3, ARRAY)->passage.bytes.stood[0], 1e-9);
	EXPECT_NEAR(0, (double)row(7, 3, ARRAY)->passage.bytes.stood[1], 1e-9);
	end();
}

/* Takes CPU, as G1's marking threads do. */
static void work(void)
{
	uint64_t begin = vm_threads_marked(&f.learning.threads).v;
	while (vm_threads_marked(&f.learning.threads).v == begin)
		;
}

static void collect_young(uint64_t young)
{
	learning_begins(&f.learning);
	collect((struct record_gc){.young = young, .tenuring = 15});
}

static void remark(uint64_t young)
{
	struct record_gc gc = {.young = young};
	learning_begins(&f.learning);
	learning_collection(&f.learning, &(struct lesson_gc){.gc = &gc, .promoted = ROUND_UNKNOWN});
}

/* Births that came while it went on are looked at by the next one. */
TEST(a_marking_looks_at_what_was_born_before_it_began)
{
	begin();
	f.learning.threads = (struct vm_threads){
		.at = {{.tid = (int)syscall(SYS_gettid), .work = VM_COLLECTS, .marks = true}}};
	for (uint64_t young = 1; young <= 6; young++)
		collect_young(young);
	f.learning.threads.count = 1; /* which has waited until now */
	collect_young(7);
	work();
	collect_young(8);
	remark(8);
	EXPECT_INT(MARKING_OVER, f.learning.marking.state);
	finish();
	EXPECT_NEAR(1, f.snapshot.early.cohorts[6], 0);
	EXPECT_NEAR(0, f.snapshot.early.cohorts[7] + f.snapshot.early.cohorts[8], 0);
	end();
}

TEST(what_is_never_copied_is_not_learnt)
{
	static const struct stack_frame stack[] = {{7, 3}};
	begin();
	struct lesson large = {.class_id = ARRAY, .stack = stack, .depth = 1, .size = 1 << 20};
	learning_birth(&f.learning, KEPT, &large);
	finish();
	EXPECT_INT(0, f.snapshot.count);
	EXPECT_INT(1, learner_lost(f.learning.learner).large);
	end();
}

/* What was asked for stays as it is; without tenure all does. */
TEST(what_is_sampled_for_it_unless_told_otherwise)
{
	struct options plain, all, some;
	struct diag d;
	options_init(&plain);
	options_init(&all);
	options_init(&some);
	learning_defaults(&plain);
	EXPECT_INT(512 << 10, plain.interval);
	EXPECT_INT(0, options_parse(&all, "tenure", &d));
	learning_defaults(&all);
	EXPECT_INT(128 << 10, all.interval);
	EXPECT_INT(4000, all.max_walks);
	EXPECT_INT(65536, all.max_live);
	EXPECT_INT(8, all.depth);
	EXPECT_INT(0, options_parse(&some, "tenure,interval=1m,depth=32", &d));
	learning_defaults(&some);
	EXPECT_INT(1 << 20, some.interval);
	EXPECT_INT(32, some.depth);
	EXPECT_INT(4000, some.max_walks);
}

TEST(the_room_is_known_once_the_heap_has_grown)
{
	static const struct {
		uint64_t committed, old, young, held;
	} cases[] = {{500, 100, 0, 100}, {899, 110, 0, 110}, {900, 120, 300, 120}};
	begin();
	f.learning.room.heap = 1000;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record_gc gc = {.young = i + 1,
			.heap_committed = cases[i].committed,
			.old_after = cases[i].old};
		learning_collection(&f.learning,
			&(struct lesson_gc){.gc = &gc, .young = true, .young_bytes = 300});
		finish();
		EXPECT_INT(cases[i].young, f.round.room.young);
		EXPECT_INT(cases[i].held, f.round.room.held);
		EXPECT_INT(1000, f.round.room.heap);
	}
	end();
}
