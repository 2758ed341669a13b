#include "tenure/learner.h"

#include <math.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"
#include "young_heap.h"

static struct place_context at(uint64_t method, uint32_t depth, uint64_t caller)
{
	struct place_context c = {
		.place = {.vm_method = method, .bci = 3, .class_id = 1}, .depth = depth};
	for (uint32_t i = 0; i < depth; i++)
		c.caller[i] = (struct place_frame){caller + i, 1};
	return c;
}

/*
 * The oracle goes through the heap at every collection and looks at each object that is young; the
 * learner goes through an object's life when it ends or is swept.
 */
enum { MS = 1000000, OBJECTS = 600, PLACES = 3, COLLECTIONS = 200, SWEPT_LATE = 2 };
enum { BEGIN = 50, END = BEGIN + COLLECTIONS };

struct truth {
	bool there, old, jumps;
	uint32_t place, age, looked; /* in which collection, last */
	double bytes, objects;
};

struct oracle {
	struct truth object[OBJECTS];
	double died[PLACES][TENURE_AGES], stood[PLACES][TENURE_AGES], objects[PLACES][TENURE_AGES];
	/* Of those that stood: the last collection's look at who was let go right after it. */
	double unsure[PLACES][TENURE_AGES], unsure_objects[PLACES][TENURE_AGES];
	uint32_t collections;
	double copied, recopied, early;
};

static void look(struct oracle *o, struct truth *t, bool dead, uint32_t threshold)
{
	if (t->old || t->age >= TENURE_AGES)
		return;
	if (dead) {
		o->died[t->place][t->age] += t->bytes;
		return;
	}
	o->stood[t->place][t->age] += t->bytes;
	o->objects[t->place][t->age] += t->objects;
	o->copied += t->bytes;
	o->recopied += t->age ? t->bytes : 0;
	t->old = t->age >= threshold || t->jumps;
	t->age++;
	t->looked = o->collections;
}

static void forget(struct oracle *o, struct truth *t)
{
	if (t->there && t->age && t->looked == o->collections) {
		o->unsure[t->place][t->age - 1] += t->bytes;
		o->unsure_objects[t->place][t->age - 1] += t->objects;
	}
	t->there = false;
}

static void give_birth(struct oracle *o, struct learner *l, struct rng *r, uint32_t slot,
	uint64_t young, bool jump)
{
	struct truth *t = &o->object[slot];
	uint64_t size = 16 + rng_below(r, 200);
	*t = (struct truth){.there = true,
		.place = (uint32_t)rng_below(r, PLACES),
		.bytes = (double)(1000 + rng_below(r, 9000))};
	t->objects = t->bytes / (double)size;
	t->jumps = jump && t->place == 1;
	struct place_context c = at(10 + t->place, 0, 0);
	learner_birth(l, slot, &c, 0, size, t->bytes, young);
}

/* What an old collection finds, while the young clock stands: of all generations. */
static void collect_all(struct oracle *o, struct learner *l, struct rng *r, uint64_t young)
{
	learner_gc(l, young, 0, LEARNER_GC_FULL | LEARNER_GC_OLD | LEARNER_GC_STILL, MS * young);
	for (uint32_t i = 0; i < OBJECTS; i++) {
		struct truth *t = &o->object[i];
		if (!t->there)
			continue;
		if (rng_below(r, 4)) {
			t->old = true;
			continue;
		}
		if (!t->old)
			o->died[t->place][t->age] += t->bytes;
		learner_death(l, i, young);
		t->there = false;
	}
}

/* The last one leaves nobody young: so many deaths are all there are. */
static void collect_young(
	struct oracle *o, struct learner *l, struct rng *r, uint64_t young, uint32_t threshold)
{
	bool dead[OBJECTS], last = young == END;
	o->collections++;
	for (uint32_t i = 0; i < OBJECTS; i++) {
		struct truth *t = &o->object[i];
		dead[i] = t->there && !t->old &&
			  (last || rng_below(r, 100) < 15 + 40 * (t->age == 0));
		if (t->there)
			look(o, t, dead[i], threshold);
	}
	learner_gc(l, young, threshold, LEARNER_GC_NOTHING, MS * young);
	for (uint32_t i = 0; i < OBJECTS; i++) {
		if (!dead[i])
			continue;
		learner_death(l, i, young);
		o->object[i].there = false;
	}
}

/* Between none of what is not sure and all of it. */
static void expect_within(double most, double unsure, double got)
{
	EXPECT(got <= most * (1 + 1e-5) && got >= (most - unsure) * (1 - 1e-5));
}

static void compare_age(const struct oracle *o, uint32_t p, uint32_t a, const struct passage *got)
{
	EXPECT_NEAR(o->died[p][a], (double)got->bytes.died[a], 1e-5 * o->died[p][a]);
	expect_within(o->stood[p][a], o->unsure[p][a], (double)got->bytes.stood[a]);
	expect_within(o->objects[p][a], o->unsure_objects[p][a], (double)got->objects.stood[a]);
}

static void compare(const struct oracle *o, const struct snapshot *s)
{
	EXPECT_INT(PLACES, s->count);
	for (uint32_t p = 0; p < PLACES; p++) {
		struct place_context c = at(10 + p, 0, 0);
		const struct snapshot_row *row = snapshot_find(s, &c);
		EXPECT(row != NULL);
		for (uint32_t a = 0; row && a < TENURE_AGES; a++)
			compare_age(o, p, a, &row->passage);
	}
}

static void let_go(struct oracle *o, struct learner *l, struct rng *r, uint64_t young)
{
	uint32_t slot = (uint32_t)rng_below(r, OBJECTS);
	learner_let_go(l, slot, young);
	forget(o, &o->object[slot]);
}

static void live_a_while(struct oracle *o, struct learner *l, struct snapshot *s, struct rng *r)
{
	for (uint64_t young = BEGIN; young < END; young++) {
		bool jump = young > 120;
		struct place_context c = at(11, 0, 0);
		learner_jump(l, &c, jump);
		for (uint32_t i = 0; i < OBJECTS; i++)
			if (!o->object[i].there && rng_below(r, 2))
				give_birth(o, l, r, i, young, jump);
		let_go(o, l, r, young);
		if (young % 37 == 0)
			collect_all(o, l, r, young);
		collect_young(o, l, r, young + 1, (uint32_t)(young / 9 % 16));
		if (young % 16 != 0)
			continue;
		learner_snapshot(l, s);
		learner_decay(l);
	}
	learner_snapshot(l, s);
}

TEST(each_collection_of_each_life_is_counted_once)
{
	static struct oracle o;
	struct rng r = rng_init(tap_seed());
	struct learner *l;
	struct snapshot s;
	/* Evidence that does not decay can be compared. */
	EXPECT_INT(0, learner_init(&l,
			      &(struct learner_rule){.slots = OBJECTS, .places = 8, .decay = 1}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	live_a_while(&o, l, &s, &r);
	compare(&o, &s);
	EXPECT_NEAR(COLLECTIONS, s.collections, 0);
	snapshot_release(&s);
	learner_free(l);
}

static void one_life(struct learner *l, struct snapshot *s, bool still, uint32_t survives)
{
	struct place_context c = at(5, 0, 0);
	learner_birth(l, 0, &c, SNAPSHOT_LEAF, 100, 1000, 7);
	for (uint64_t y = 8; y <= 7 + survives + !still; y++)
		learner_gc(l, y, 15, 0, MS * y);
	if (still)
		learner_gc(
			l, 7 + survives, 0, LEARNER_GC_OLD | LEARNER_GC_STILL, MS * (7 + survives));
	learner_death(l, 0, 7 + survives + !still);
	learner_snapshot(l, s);
}

TEST(a_life_is_as_old_as_the_collections_it_survived)
{
	for (int still = 0; still < 2; still++) {
		struct learner *l;
		struct snapshot s;
		EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 4, .places = 4}));
		EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
		one_life(l, &s, still, 3);
		const struct passage *p = &s.rows[0].passage;
		EXPECT_NEAR(1000, (double)p->bytes.died[3], 0.01);
		EXPECT_NEAR(10, (double)p->objects.stood[2], 0.001);
		EXPECT_NEAR(3000, s.copied.bytes, 0.01);
		EXPECT_INT(SNAPSHOT_LEAF, s.rows[0].flags);
		EXPECT_NEAR(1, s.held.share[15], 1e-9);
		snapshot_release(&s);
		learner_free(l);
	}
}

/* By hand: each collection's births are promoted in the first one whose threshold is their age. */
TEST(births_stay_young_until_the_first_threshold_that_is_their_age)
{
	static const uint32_t thresholds[] = {15, 1, 1, 15, 2, 15, 15, 15, 3, 0, 15, 1};
	static const double births[TENURE_AGES] = {1, 4, 2, 2, 1, 1};
	struct learner *l;
	struct snapshot s;
	double all = 0, sum = 0;
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 4, .places = 4}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	for (uint32_t i = 0; i < ARRAY_SIZE(thresholds); i++)
		learner_gc(l, i + 1, thresholds[i], 0, MS * (i + 1));
	learner_snapshot(l, &s);
	for (uint32_t age = 0; age < TENURE_AGES; age++)
		all += births[age];
	for (uint32_t age = 0; age < TENURE_AGES; age++) {
		EXPECT_NEAR(births[age] / all, s.stayed.share[age], 1e-9);
		sum += s.stayed.share[age];
	}
	EXPECT_NEAR(1, sum, 1e-9);
	EXPECT_NEAR(all / ARRAY_SIZE(thresholds), s.left, 1e-9);
	learner_decay(l);
	learner_gc(l, 13, 0, LEARNER_GC_FULL, 13 * MS);
	learner_gc(l, 14, 15, 0, 14 * MS);
	learner_gc(l, 15, 1, 0, 15 * MS);
	learner_snapshot(l, &s);
	/* What was born before the 12th is old by the full one, at the age at which that found it;
	 * what the full one finds first was copied by none. */
	EXPECT_NEAR(0.5, s.stayed.share[0], 1e-9);
	EXPECT_NEAR(0.5, s.stayed.share[1], 1e-9);
	EXPECT_NEAR(0.5, s.stayed.full[0], 1e-9);
	EXPECT_NEAR(0, s.stayed.full[1], 1e-9);
	EXPECT_NEAR(1, s.left, 1e-9);
	/* Of the first round a 32nd is left. */
	EXPECT_NEAR(12 * LEARNER_START + 3, s.collections, 1e-9);
	EXPECT_NEAR(1, s.alone, 1e-9);
	snapshot_release(&s);
	learner_free(l);
}

/* Of ten collections two are followed by a full one in their pause, of which it is not known what
 * they copied; or evacuation fails. */
TEST(what_is_young_before_a_full_collection_got_no_older)
{
	static const uint32_t blind[] = {LEARNER_GC_BLIND, LEARNER_GC_BLIND | LEARNER_GC_SPILT};
	for (size_t i = 0; i < ARRAY_SIZE(blind); i++) {
		struct learner *l;
		struct snapshot s;
		EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 4, .places = 4}));
		EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
		for (uint64_t y = 1; y <= 10; y++) {
			learner_gc(l, y, 2, y % 5 ? 0 : blind[i], MS * y);
			if (!i && y % 5 == 0)
				learner_gc(l, y, 0, LEARNER_GC_FULL | LEARNER_GC_SAME, MS * y);
		}
		learner_snapshot(l, &s);
		EXPECT_NEAR(0.25, s.stayed.share[0], 1e-9);
		EXPECT_NEAR(0.25, s.stayed.share[1], 1e-9);
		EXPECT_NEAR(0.5, s.stayed.share[2], 1e-9);
		EXPECT_NEAR(0.25, s.stayed.full[0], 1e-9);
		EXPECT_NEAR(0.25, s.stayed.full[1], 1e-9);
		EXPECT_NEAR(0, s.stayed.full[2], 1e-9);
		EXPECT_NEAR(1, s.left, 1e-9);
		EXPECT_NEAR(10, s.collections, 1e-9);
		EXPECT_NEAR(0, s.alone, 1e-9);
		snapshot_release(&s);
		learner_free(l);
	}
}

/* As G1 has it: a large eden leaves so much that the next threshold is 1, and with that a small one
 * follows, which leaves so little that the next is 15. */
TEST(births_count_by_their_bytes)
{
	static const double bytes[] = {1900, 100};
	struct learner *l;
	struct snapshot s;
	struct place_context c = {.place = {.vm_method = 1, .class_id = 1}};
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 4, .places = 4}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	for (uint64_t i = 0; i < 12; i++) {
		learner_birth(l, 0, &c, 0, 100, bytes[i % 2] / 2, i);
		learner_birth(l, 1, &c, 0, 100, bytes[i % 2] / 2, i);
		learner_gc(l, i + 1, i % 2 ? 1 : 15, 0, MS * (i + 1));
	}
	learner_snapshot(l, &s);
	/* Of six large ones all have met a 1 when they were 1 old, of six small ones five when
	 * they were 2. */
	EXPECT_NEAR(6. * 1900 / (6 * 1900 + 5 * 100), s.stayed.share[1], 1e-9);
	EXPECT_NEAR(5. * 100 / (6 * 1900 + 5 * 100), s.stayed.share[2], 1e-9);
	EXPECT_NEAR(11. / 12, s.left, 1e-9);
	snapshot_release(&s);
	learner_free(l);
}

/* Half of what stands outlives each collection. */
static void outlive(struct learner *l, uint64_t from, uint64_t until)
{
	struct age_table t = {.known = true};
	for (uint32_t age = 1; age < TENURE_AGES; age++)
		t.bytes[age] = 1 << (20 - age);
	for (uint64_t y = from; y <= until; y++) {
		learner_gc(l, y, 15, 0, MS * y);
		learner_ages(l, &t, &t, 1 << 4);
	}
}

static uint32_t ages_known(struct learner *l, struct snapshot *s)
{
	learner_snapshot(l, s);
	return s->fit.known;
}

/* What jumps leaves the ages above its first copy, and is back in them one collection later each.
 */
TEST(ages_that_jumps_took_from_are_not_asked)
{
	struct learner *l;
	struct snapshot s;
	struct place_context c = at(5, 0, 0), other = at(6, 0, 0);
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 4, .places = 4}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	learner_jump(l, &c, true);
	outlive(l, 1, 9);
	EXPECT_INT(0, ages_known(l, &s));
	learner_jump(l, &other, true);
	learner_jump(l, &c, false);
	outlive(l, 10, 12);
	EXPECT_INT(0, ages_known(l, &s));
	learner_rest(l, true);
	outlive(l, 13, 14);
	EXPECT_INT(0, ages_known(l, &s));
	outlive(l, 15, 16);
	EXPECT_INT(3, ages_known(l, &s));
	learner_rest(l, false);
	learner_jump(l, &other, false);
	outlive(l, 17, 33);
	EXPECT_INT(16, ages_known(l, &s));
	EXPECT_NEAR(0.5, s.fit.passed[3], 1e-9);
	snapshot_release(&s);
	learner_free(l);
}

TEST(what_dies_young_in_the_old_generation_is_told)
{
	struct learner *l;
	struct snapshot s;
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 4, .places = 4}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	struct place_context c = at(5, 0, 0);
	learner_jump(l, &c, true);
	learner_birth(l, 1, &c, 0, 100, 1000, 7);
	learner_birth(l, 2, &c, 0, 100, 1000, 7);
	learner_birth(l, 3, &c, 0, 100, 1000, 7);
	for (uint64_t y = 8; y <= 10; y++)
		learner_gc(l, y, 15, 0, MS * y);
	learner_death(l, 3, 10); /* told late: nobody has looked at what is old */
	learner_gc(l, 10, 0, LEARNER_GC_OLD | LEARNER_GC_STILL, MS * 10);
	learner_death(l, 1, 10);
	for (uint64_t y = 11; y <= 30; y++)
		learner_gc(l, y, 15, 0, MS * y);
	learner_gc(l, 30, 0, LEARNER_GC_OLD | LEARNER_GC_STILL, MS * 30);
	learner_death(l, 2, 30);
	learner_snapshot(l, &s);
	EXPECT_NEAR(3000, s.copied.bytes, 0.01);
	EXPECT_NEAR(0, (double)s.rows[0].passage.bytes.died[3], 0);
	/* The clock began at 0: what was born before that was looked at for the first time. */
	EXPECT_NEAR(1000, s.early.bytes[3], 0.01);
	EXPECT_NEAR(0, s.early.bytes[2] + s.early.bytes[15], 0);
	EXPECT_NEAR(2, s.early.cohorts[10], 0);
	EXPECT_NEAR(1, s.early.cohorts[11], 0);
	learner_decay(l);
	learner_gc(l, 34, 0, LEARNER_GC_OLD | LEARNER_GC_FULL, MS * 34);
	learner_snapshot(l, &s);
	EXPECT_NEAR(0, s.early.bytes[3], 0);
	/* Who was too young at 30 is looked at now. */
	EXPECT_NEAR(1, s.early.cohorts[4], 0);
	EXPECT_NEAR(0, s.early.cohorts[5], 0);
	snapshot_release(&s);
	learner_free(l);
}

enum { MARKED = 8, MARKINGS = 12, MIXED_UNTIL = 6, LIVES = 2 };

/* What each marking finds dead of the last births that have been there all the time. */
static double find_dead(struct learner *l, uint64_t young)
{
	static const uint64_t life[LIVES] = {3, 5};
	double found = 0;
	for (uint64_t age = EARLY_LEAST; age < life[1] + MARKED && age < young; age++)
		for (uint32_t i = 0; i < LIVES; i++) {
			if (age < life[i] || age >= life[i] + MARKED)
				continue;
			learner_death(l, LIVES * (uint32_t)(young - age) + i, young);
			found += age <= 10 ? 1000 : 0;
		}
	return found;
}

static double mark(struct learner *l, uint64_t young)
{
	learner_gc(l, young, 0, LEARNER_GC_OLD | LEARNER_GC_STILL, MS * young);
	return find_dead(l, young);
}

/* Of each collection's births in the old generation one dies after 3 and one after 5. Mixed
 * collections come between markings, and find nothing. */
static double live_between_markings(struct learner *l)
{
	struct place_context c = at(5, 0, 0);
	double found = 0;
	learner_jump(l, &c, true);
	for (uint64_t y = 1; y <= MARKED * MARKINGS; y++) {
		uint32_t old = y % MARKED && y % MARKED < MIXED_UNTIL ? LEARNER_GC_OLD : 0;
		for (uint32_t i = 0; i < LIVES; i++)
			learner_birth(l, LIVES * (uint32_t)(y - 1) + i, &c, 0, 100, 1000, y - 1);
		learner_gc(l, y, 0, old, MS * y);
		found += y % MARKED ? 0 : mark(l, y);
	}
	return found;
}

/* A mean over all births, however often some of the old generation was looked at. */
TEST(mixed_collections_look_at_no_births)
{
	struct learner *l;
	struct snapshot s;
	enum { BIRTHS = MARKED * MARKINGS };
	EXPECT_INT(
		0, learner_init(&l, &(struct learner_rule){.slots = LIVES * BIRTHS, .places = 4}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	double error, found = live_between_markings(l);
	learner_snapshot(l, &s);
	EXPECT(found > 1500 * BIRTHS && found < 2000 * BIRTHS);
	/* The last is too young to be looked at. */
	EXPECT_NEAR(found / (BIRTHS - 1),
		early_rate(&s.early, &(struct held){.share = {0}}, 1, &error), 1e-6);
	snapshot_release(&s);
	learner_free(l);
}

/* Memory is bounded, and what finds no room is counted. */
TEST(a_full_table_is_told)
{
	struct learner *l;
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){
					       .slots = 100, .places = 10, .humongous = 5000}));
	for (uint32_t i = 0; i < 50; i++) {
		struct place_context c = at(100 + i, 0, 0);
		learner_birth(l, i, &c, 0, 10, 100, 0);
	}
	EXPECT_INT(40, learner_lost(l).full);
	struct place_context c = at(100, 0, 0);
	learner_birth(l, 1, &c, 0, 5000, 5000, 0);
	EXPECT_INT(1, learner_lost(l).large);
	learner_birth(l, 100, &c, 0, 10, 100, 0);
	learner_death(l, 100, 0);
	learner_let_go(l, 100, 0);
	learner_free(l);
}

/* Of the place as a whole, whichever of its callers it counts for. */
TEST(an_object_is_known_by_its_place)
{
	struct learner *l;
	struct place got;
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 16, .humongous = 1000}));
	struct place_context c = at(7, 1, 2), d = at(8, 1, 2);
	learner_birth(l, 3, &c, 0, 10, 100, 0);
	learner_birth(l, 4, &d, 0, 10, 100, 0);
	learner_birth(l, 5, &d, 0, 1000, 1000, 0);
	EXPECT(learner_place(l, 3, &got) && place_same(&got, &c.place));
	EXPECT(learner_place(l, 4, &got) && place_same(&got, &d.place));
	learner_death(l, 3, 1);
	for (uint32_t slot = 0; slot < 20; slot++)
		EXPECT(learner_place(l, slot, &got) == (slot == 4));
	learner_free(l);
}

TEST(memory_is_bounded)
{
	struct learner *l;
	struct snapshot s;
	uint64_t held = mem_held();
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 16384}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	EXPECT_INT(8192, learner_rows(l));
	for (uint32_t i = 0; i < 20000; i++) {
		struct place_context c = at(100 + i, 0, 0);
		learner_birth(l, i % 16384, &c, 0, 10, 100, 0);
	}
	EXPECT(mem_held() - held <= learner_bytes(l));
	EXPECT(learner_bytes(l) <= LEARNER_BYTES);
	snapshot_release(&s);
	learner_free(l);
	EXPECT_INT(ERR_LIMIT, learner_init(&l, &(struct learner_rule){.slots = 0}));
	EXPECT_INT(
		ERR_LIMIT, learner_init(&l, &(struct learner_rule){.slots = 1, .places = 1 << 20}));
	/* What is more than it has room for is not learnt from. */
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 1 << 21}));
	EXPECT(learner_rows(l) >= 1024 && learner_bytes(l) <= LEARNER_BYTES);
	struct place_context beyond = at(1, 0, 0);
	struct place found;
	learner_birth(l, 700000, &beyond, 0, 10, 100, 0);
	learner_birth(l, (1 << 21) - 1, &beyond, 0, 10, 100, 0);
	learner_death(l, (1 << 21) - 1, 1);
	EXPECT(learner_place(l, 700000, &found) && !learner_place(l, (1 << 21) - 1, &found));
	learner_free(l);
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 3 << 18}));
	EXPECT(learner_rows(l) < 8192 && learner_bytes(l) <= LEARNER_BYTES);
	learner_free(l);
}

TEST(no_memory_is_told)
{
	struct learner *l;
	uint64_t held = mem_held();
	for (uint64_t n = 1; n <= 4; n++) {
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM,
			learner_init(&l, &(struct learner_rule){.slots = 16, .places = 8}));
		mem_fail_at(0);
		EXPECT(!l);
	}
	EXPECT_INT(held, mem_held());
}

/* A class is unloaded: its places go, and what was followed there is not any more. */
TEST(a_method_that_is_gone_is_forgotten)
{
	struct learner *l;
	struct snapshot s;
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 8, .places = 8}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	struct place_context a = at(1, 0, 0), b = at(2, 0, 0);
	learner_birth(l, 0, &a, 0, 10, 100, 5);
	learner_birth(l, 1, &b, 0, 10, 100, 5);
	learner_forget(l, 1);
	learner_gc(l, 6, 15, 0, MS * 6);
	learner_death(l, 0, 6);
	learner_snapshot(l, &s);
	EXPECT_INT(1, s.count);
	EXPECT_INT(2, s.rows[0].at.place.vm_method);
	snapshot_release(&s);
	learner_free(l);
}

/* Two lives at one place, told apart by a caller two calls up. */
static const struct heap_law two_up[] = {
	{.share = 0.5, .size = 160, .part = {{1, 0, 0.2}}},
	{.share = 0.25,
		.size = 100,
		.part = {{1, 0.8, 2.5}},
		.method = 7,
		.caller = {{1, 1}, {2, 1}, {9, 9}}},
	{.share = 0.25,
		.size = 100,
		.part = {{1, 30, 40}},
		.method = 7,
		.caller = {{1, 1}, {3, 1}, {9, 9}}},
};

static void learn_rounds(struct young_heap *h, struct snapshot *s, uint32_t rounds)
{
	h->mark_every = 8;
	EXPECT_INT(0, learner_init(&h->learner,
			      &(struct learner_rule){.slots = HEAP_SLOTS, .places = 512}));
	EXPECT_INT(0, snapshot_init(s, learner_rows(h->learner)));
	for (uint32_t i = 0; i < rounds; i++) {
		for (int gc = 0; gc < 16; gc++)
			young_heap_cycle(h);
		learner_snapshot(h->learner, s);
		learner_decay(h->learner);
	}
}

static void end(struct young_heap *h, struct snapshot *s)
{
	learner_free(h->learner);
	snapshot_release(s);
	young_heap_release(h);
}

TEST(the_callers_that_decide_are_found_two_calls_up)
{
	struct young_heap h;
	struct snapshot s;
	young_heap_init(&h, two_up, 3, tap_seed());
	h.interval = 4000;
	learn_rounds(&h, &s, 10);
	struct place_context slow = young_heap_place(&h, 2, 2), one = young_heap_place(&h, 2, 1);
	struct place_context place = young_heap_place(&h, 2, 0);
	const struct snapshot_row *row = snapshot_find(&s, &slow);
	EXPECT(row && row->at.depth == 2);
	EXPECT(!snapshot_find(&s, &one));
	EXPECT(snapshot_find(&s, &place)->flags & SNAPSHOT_SPLIT);
	EXPECT(row && row->passage.bytes.died[1] < row->passage.bytes.stood[1] / 10);
	struct place_context quick = young_heap_place(&h, 1, 2);
	row = snapshot_find(&s, &quick);
	EXPECT(row && row->passage.bytes.died[2] > row->passage.bytes.stood[2]);
	end(&h, &s);
}

/* The same mixture whoever calls: nothing is told apart. */
static const struct heap_law no_matter[] = {
	{.share = 0.5, .size = 160, .part = {{1, 0, 0.2}}},
	{.share = 0.25,
		.size = 100,
		.part = {{0.5, 0.8, 2.5}, {0.5, 30, 40}},
		.method = 7,
		.caller = {{1, 1}}},
	{.share = 0.25,
		.size = 100,
		.part = {{0.5, 0.8, 2.5}, {0.5, 30, 40}},
		.method = 7,
		.caller = {{2, 1}}},
};

TEST(callers_that_do_not_matter_are_left)
{
	struct young_heap h;
	struct snapshot s;
	young_heap_init(&h, no_matter, 3, tap_seed());
	h.interval = 4000;
	learn_rounds(&h, &s, 14);
	EXPECT_INT(2, s.count);
	EXPECT_INT(2, s.places);
	end(&h, &s);
}

/* A thousand callers of one place: their rows are bounded, and nothing is lost of the place. */
TEST(a_thousand_callers_are_bounded)
{
	struct learner *l;
	struct snapshot s;
	struct rng r = rng_init(tap_seed());
	EXPECT_INT(0, learner_init(&l, &(struct learner_rule){.slots = 4096, .places = 512}));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	uint32_t slot = 0;
	for (uint64_t y = 0; y < 16 * 12; y++) {
		for (int i = 0; i < 300; i++, slot = (slot + 1) % 4096) {
			uint64_t caller = 1000 + rng_below(&r, 1000);
			struct place_context c = at(7, 4, caller);
			learner_birth(l, slot, &c, 0, 10, 1000, y);
			if (caller % 2)
				learner_death(l, (slot + 4096 - 400) % 4096, y);
		}
		learner_gc(l, y + 1, 15, 0, MS * (y + 1));
		if (y % 16 != 15)
			continue;
		learner_snapshot(l, &s);
		learner_decay(l);
		EXPECT(s.count <= 1 + 65);
	}
	EXPECT(learner_lost(l).others > 0);
	EXPECT_INT(0, learner_lost(l).full);
	snapshot_release(&s);
	learner_free(l);
}

/* Sums are right in the mean over seeds, with a sample for each hundred objects. */
TEST(samples_stand_for_all)
{
	double ratio = 0;
	for (uint64_t seed = 0; seed < 32; seed++) {
		struct young_heap h;
		struct snapshot s;
		young_heap_init(&h, two_up, 3, tap_seed() + seed);
		h.interval = 16000;
		learn_rounds(&h, &s, 4);
		h.sum = (struct heap_sums){0};
		for (int gc = 0; gc < 16; gc++)
			young_heap_cycle(&h);
		learner_snapshot(h.learner, &s);
		ratio += s.copied.bytes / h.sum.copied / 32;
		end(&h, &s);
	}
	EXPECT_NEAR(1, ratio, 0.06);
}

/* Soon after a collection its deaths are not told of yet: a glance leaves them open. */
TEST(a_glance_leaves_the_last_collection_out)
{
	struct learner *l;
	struct snapshot s;
	struct learner_rule rule = {.slots = 4, .places = 4};
	struct place_context place = at(1, 0, 0);
	EXPECT_INT(0, learner_init(&l, &rule));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	learner_birth(l, 0, &place, 0, 10, 10, 0);
	learner_gc(l, 1, 15, 0, MS * 1);
	learner_glance(l, &s);
	EXPECT_NEAR(0, (double)s.rows[0].passage.bytes.stood[0], 0);
	learner_gc(l, 2, 15, 0, MS * 2);
	learner_glance(l, &s);
	EXPECT_NEAR(10, (double)s.rows[0].passage.bytes.stood[0], 0);
	EXPECT_NEAR(0, (double)s.rows[0].passage.bytes.stood[1], 0);
	learner_death(l, 0, 2); /* the second one found it */
	learner_snapshot(l, &s);
	EXPECT_NEAR(10, (double)s.rows[0].passage.bytes.stood[0], 0);
	EXPECT_NEAR(0, (double)s.rows[0].passage.bytes.stood[1], 0);
	EXPECT_NEAR(10, (double)s.rows[0].passage.bytes.died[1], 0);
	learner_free(l);
	snapshot_release(&s);
}

/* Half of what is born dies in its first collection; of each four three tell nothing at once. */
static void come_late(uint32_t each, uint64_t apart, uint32_t seen)
{
	enum { EACH_MOST = 40, LAST = 80 };
	struct learner *l;
	struct snapshot s;
	struct learner_rule rule = {.slots = LAST * EACH_MOST, .places = 4, .decay = 1};
	struct place_context place = at(1, 0, 0);
	EXPECT_INT(0, learner_init(&l, &rule));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	uint32_t told = 0;
	bool silent = false;
	for (uint32_t y = 0; y < LAST; y++) {
		for (uint32_t i = 0; i < each; i++)
			learner_birth(l, y * each + i, &place, 0, 10, 10, y);
		learner_gc(l, y + 1, 15, silent ? seen : 0u, apart * y);
		silent = y >= 16 && y % 4 != 3;
		for (; !silent && told <= y; told++)
			for (uint32_t i = 0; i < each / 2; i++)
				learner_death(l, told * each + i, y + 1);
		if (y % 16 == 14) /* while some have not been told of */
			learner_snapshot(l, &s);
	}
	learner_snapshot(l, &s);
	const struct passage *p = &s.rows[0].passage;
	EXPECT_NEAR(LAST * each / 2 * 10, (double)p->bytes.died[0], 0.1);
	EXPECT_NEAR(LAST * each / 2 * 10, (double)p->bytes.stood[0], 0.1);
	EXPECT_NEAR((LAST - 1) * each / 2 * 10, (double)p->bytes.stood[1], 0.1);
	EXPECT_NEAR(0, (double)p->bytes.died[1], 0);
	EXPECT_NEAR(LAST, s.collections, 0);
	learner_free(l);
	snapshot_release(&s);
}

TEST(deaths_that_come_late_are_no_survivors)
{
	come_late(40, 3ull * MS, 0);
	come_late(40, 3ull * MS, LEARNER_GC_WAITED);
	come_late(2, 300ull * MS, LEARNER_GC_WAITED);
}

/* What a program makes at its start it hardly makes afterwards. */
TEST(a_start_counts_as_one_of_five_rounds_ago)
{
	enum { EACH = 32 };
	struct learner *l;
	struct snapshot s;
	struct learner_rule rule = {.slots = 48 * EACH, .places = 4};
	struct place_context place = at(1, 0, 0);
	EXPECT_INT(0, learner_init(&l, &rule));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	for (uint32_t y = 0; y < 48; y++) {
		for (uint32_t i = 0; i < EACH; i++)
			learner_birth(l, y * EACH + i, &place, 0, 10, 10, y);
		learner_gc(l, y + 1, 0, 0, 3ull * MS * y);
		for (uint32_t i = 0; i < EACH / 2; i++)
			learner_death(l, y * EACH + i, y + 1);
		learner_snapshot(l, &s);
		if ((y + 1) % 16)
			continue;
		/* 16, 16.5 and 24.25 */
		EXPECT_NEAR(y < 16 ? 16 : y < 32 ? 16.5 : 24.25, s.collections, 1e-9);
		EXPECT_NEAR(s.collections * EACH / 2 * 10, (double)s.rows[0].passage.bytes.stood[0],
			0.1);
		learner_decay(l);
	}
	snapshot_release(&s);
	learner_free(l);
}

/* What has not been swept is in no figure of the round, and in the next one's. */
TEST(a_round_counts_the_collections_that_it_swept)
{
	enum { EACH = 40 };
	struct learner *l;
	struct snapshot s;
	struct learner_rule rule = {.slots = 64 * EACH, .places = 4, .decay = LEARNER_DECAY};
	struct place_context place = at(1, 0, 0);
	EXPECT_INT(0, learner_init(&l, &rule));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	static const uint32_t swept[] = {16, 14, 16};
	double window = 0;
	uint32_t told = 0, y = 0;
	for (int round = 0; round < 3; round++) {
		for (uint32_t end = y + 16; y < end; y++) {
			for (uint32_t i = 0; i < EACH; i++)
				learner_birth(l, y * EACH + i, &place, 0, 10, 10, y);
			learner_gc(l, y + 1, 0, 0, 3ull * MS * y);
			bool silent = round == 1 && y + 2 >= end;
			for (; !silent && told <= y; told++)
				for (uint32_t i = 0; i < EACH / 2; i++)
					learner_death(l, told * EACH + i, y + 1);
		}
		learner_snapshot(l, &s);
		window = window / 2 + swept[round] + (round == 2 ? 2 : 0);
		EXPECT_NEAR(window, s.collections, 1e-9);
		EXPECT_NEAR(EACH / 2 * 10 * 16, s.copied.bytes, 0.1);
		EXPECT_NEAR(EACH / 2 * 10 * window, (double)s.rows[0].passage.bytes.stood[0], 0.1);
		learner_decay(l);
	}
	learner_free(l);
	snapshot_release(&s);
}

/* In a round of the longest kind: what was born with its first collection still counts at its end.
 */
TEST(a_long_round_loses_no_survivor)
{
	enum { ROUND = 1100, AGED = ROUND - TENURE_AGES };
	struct learner_rule rule = {.slots = ROUND};
	struct learner *l;
	struct snapshot s;
	struct place_context place = at(1, 0, 0);
	EXPECT_INT(0, learner_init(&l, &rule));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(l)));
	for (uint32_t y = 0; y < ROUND; y++) {
		learner_birth(l, y, &place, 0, 100, 100, y);
		learner_gc(l, y + 1, THRESHOLD_MOST, 0, (uint64_t)y * 100 * MS);
	}
	learner_snapshot(l, &s);
	EXPECT_INT(1, s.count);
	EXPECT_NEAR(ROUND, (double)s.rows[0].passage.objects.stood[0], SWEPT_LATE);
	EXPECT_NEAR(AGED, (double)s.rows[0].passage.objects.stood[TENURE_AGES - 1], SWEPT_LATE);
	snapshot_release(&s);
	learner_free(l);
}
