#include "agent/trial.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "support/tap.h"

/*
 * A heap of a few objects, with collections at any moment between two reads, in which MayflyAge's
 * steps are done. A VM that promotes what has the greatest age must never fail, and one that does
 * not must never pass.
 */
enum { KINDS = 3, TRIED = 2 * KINDS, OLDEST = 15, SEEDS = 20000, PACE = 500000000 };
enum vm { WORKS, KEEPS_ALL, LOOKS_ELSEWHERE, VMS };

struct object {
	unsigned age, copies;
	bool old;
	uint64_t at;
};

struct heap {
	struct rng rng;
	enum vm vm;
	unsigned often; /* one collection in so many reads; 0: none */
	unsigned walks; /* one walk through the heap in so many */
	unsigned odd;   /* one in so many is full, mixed, or overflows */
	unsigned threshold;
	uint64_t young, full, next;
	struct object *all[TRIED];
	size_t count, room;
	struct object object[TRIED];
	uint64_t was[TRIED];
};

static bool is_promoted(const struct heap *h, const struct object *o)
{
	switch (h->vm) {
	case WORKS:
		return o->age >= h->threshold;
	case LOOKS_ELSEWHERE:
		return o->copies >= h->threshold;
	case KEEPS_ALL:
	case VMS:
	default:
		return false;
	}
}

static void copy_young(struct heap *h, struct object *o, bool no_room)
{
	o->at = h->next++;
	if (no_room || is_promoted(h, o)) {
		o->old = true;
		return;
	}
	o->age += o->age < OLDEST;
	o->copies++;
}

/*
 * Survivor spaces that overflow take any objects; where jumps do nothing, those that are copied
 * last, since any six could by chance be the three that jump.
 */
static bool overflows(struct heap *h, size_t i)
{
	return h->vm == WORKS ? rng_below(&h->rng, 2) : i >= h->room;
}

static void collect(struct heap *h)
{
	bool odd = h->odd && rng_below(&h->rng, h->odd) == 0;
	unsigned kind = odd ? (unsigned)rng_below(&h->rng, 3) : 3;
	h->young++;
	h->full += kind == 0;
	h->room = rng_below(&h->rng, TRIED);
	for (size_t i = 0; i < h->count; i++) {
		struct object *o = h->all[i];
		if (kind == 0) { /* full: marks are new, and what moves where is anyone's guess */
			o->age = 0;
			o->old = true;
			o->at = rng_below(&h->rng, 2) ? h->next++ : o->at;
		} else if (!o->old)
			copy_young(h, o, kind == 2 && overflows(h, i));
		else if (kind == 1)
			o->at = h->next++;
	}
}

/* As JDK 11 does to walk through the heap. */
static void forget_ages(struct heap *h)
{
	for (size_t i = 0; i < h->count; i++)
		h->all[i]->age = 0;
}

/* Before each read. */
static struct object *at(struct heap *h, size_t i)
{
	if (h->walks && rng_below(&h->rng, h->walks) == 0)
		forget_ages(h);
	if (h->often && rng_below(&h->rng, h->often) == 0)
		collect(h);
	return &h->object[i];
}

static enum age_answer make(struct heap *h)
{
	h->count = 0;
	for (size_t i = 0; i < TRIED; i++) {
		*at(h, i) = (struct object){.at = h->next++};
		h->all[h->count++] = &h->object[i];
	}
	for (size_t i = 0; i < KINDS; i++) {
		struct object *o = at(h, i);
		o->age = o->age ? o->age : OLDEST;
	}
	for (size_t i = 0; i < TRIED; i++)
		if (at(h, i)->age != (i < KINDS ? OLDEST : 0))
			return AGE_ANEW;
	return AGE_ON;
}

static enum age_answer note(struct heap *h)
{
	for (size_t i = 0; i < TRIED; i++) {
		unsigned age = at(h, i)->age;
		if (i >= KINDS && age == 0)
			return AGE_AT_ONCE;
		if (i < KINDS && age != OLDEST)
			return AGE_ANEW;
		h->was[i] = at(h, i)->at;
		struct object *o = at(h, i);
		if (o->age != age)
			return AGE_ANEW;
		o->age = 0;
	}
	return AGE_ON;
}

static enum age_answer judge(struct heap *h)
{
	enum age_answer said = AGE_ON;
	for (size_t i = 0; i < TRIED; i++) {
		bool young = at(h, i)->age != 0;
		if (i < KINDS && young)
			return AGE_STAYS_YOUNG;
		if (i < KINDS ? at(h, i)->at != h->was[i] : !young)
			said = AGE_ANEW;
	}
	return said;
}

static enum age_answer ask(struct heap *h, enum age_step step)
{
	return step == AGE_MAKE ? make(h) : step == AGE_NOTE ? note(h) : judge(h);
}

/* Collections between two looks: `busy` at the first pace, fewer as looks come sooner. */
static struct trial run(struct heap *h, uint64_t busy)
{
	struct trial t = trial_begin(PACE);
	while (!trial_over(&t)) {
		if (trial_asks(&t, h->young, h->full)) {
			enum age_answer said = ask(h, t.step);
			trial_told(&t, said, h->young, h->full);
		}
		uint64_t most = busy * (uint64_t)t.pace / PACE;
		for (uint64_t i = rng_below(&h->rng, most + 1) + (most == 0); i > 0; i--)
			collect(h);
		at(h, 0);
	}
	return t;
}

static void judge_many(enum vm vm, unsigned verdicts[3])
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct heap h = {.rng = rng_init(seed),
			.vm = vm,
			.threshold = 1 + (unsigned)(seed % OLDEST)};
		h.often = (unsigned)rng_below(&h.rng, 40);
		h.odd = (unsigned)rng_below(&h.rng, 8);
		h.walks = (unsigned)rng_below(&h.rng, 2) * 30;
		verdicts[run(&h, rng_below(&h.rng, 30)).verdict]++;
	}
}

TEST(never_wrong_and_mostly_judged)
{
	for (enum vm vm = 0; vm < VMS; vm++) {
		unsigned verdicts[3] = {0};
		judge_many(vm, verdicts);
		printf("# %u passed, %u failed, %u open\n", verdicts[TRIAL_PASSED],
			verdicts[TRIAL_FAILED], verdicts[TRIAL_OPEN]);
		EXPECT_INT(0, verdicts[vm == WORKS ? TRIAL_FAILED : TRIAL_PASSED]);
		EXPECT(verdicts[vm == WORKS ? TRIAL_PASSED : TRIAL_FAILED] > SEEDS / 2);
	}
}

/* Each once, with one collection between two looks. */
static struct trial plain(enum vm vm, unsigned threshold, struct heap *h)
{
	*h = (struct heap){.rng = rng_init(1), .vm = vm, .threshold = threshold};
	return run(h, 0);
}

TEST(passes_where_nothing_disturbs_it)
{
	struct heap h;
	struct trial t = plain(WORKS, OLDEST, &h);
	EXPECT_STR("passed", trial_word(&t));
	EXPECT_STR("", trial_why(&t));
	EXPECT_INT(3, h.young); /* the last is of the loop */
}

TEST(fails_where_they_stay_young)
{
	struct heap h;
	struct trial t = plain(KEEPS_ALL, 0, &h);
	EXPECT_STR("failed", trial_word(&t));
	EXPECT_STR("an object of the greatest age was not promoted by a young collection",
		trial_why(&t));
}

TEST(says_that_all_are_promoted_at_once)
{
	struct heap h;
	struct trial t = plain(WORKS, 0, &h);
	EXPECT_STR("open", trial_word(&t));
	EXPECT(strstr(trial_why(&t), "nothing to jump over"));
	h.often = 20;
	t = run(&h, 3);
	EXPECT(t.verdict == TRIAL_OPEN && strstr(trial_why(&t), "nothing to jump over"));
}

TEST(looks_sooner_where_collections_are_many)
{
	struct heap h = {.rng = rng_init(2), .vm = WORKS, .threshold = 2};
	struct trial t = run(&h, 40);
	EXPECT_STR("passed", trial_word(&t));
	EXPECT(t.pace < PACE);
}

TEST(is_open_at_the_start)
{
	struct trial t = trial_begin(PACE);
	EXPECT_STR("open", trial_word(&t));
	EXPECT_STR("there were too few young collections", trial_why(&t));
	EXPECT(trial_asks(&t, 0, 0));
	t = trial_none();
	EXPECT(trial_over(&t) && !trial_asks(&t, 9, 9));
}

TEST(by_where_objects_land)
{
	struct trial t = trial_counted();
	EXPECT(!trial_over(&t) && !trial_asks(&t, 9, 9));
	trial_landed(&t, 0, 0);
	EXPECT(!trial_over(&t));
	EXPECT_STR("open", trial_word(&t));
	EXPECT_STR("no collection has shown where what jumps lands", trial_why(&t));
	trial_landed(&t, 1, 0);
	EXPECT(trial_over(&t) && !trial_asks(&t, 9, 9));
	EXPECT_STR("passed", trial_word(&t));
	EXPECT_STR("", trial_why(&t));
	t = trial_counted();
	trial_landed(&t, 3, 1);
	EXPECT(trial_over(&t));
	EXPECT_STR("failed", trial_word(&t));
	EXPECT(strstr(trial_why(&t), "was not promoted"));
}

TEST(waits_for_collections_and_minds_full_ones)
{
	struct trial t = trial_begin(PACE);
	EXPECT(trial_asks(&t, 6, 2));
	trial_told(&t, AGE_ON, 7, 2);
	EXPECT(t.step == AGE_MAKE && t.attempts == 1);
	EXPECT(trial_asks(&t, 7, 2));
	trial_told(&t, AGE_ON, 7, 2);
	EXPECT(!trial_asks(&t, 7, 2) && trial_asks(&t, 8, 2) && t.step == AGE_NOTE);
	trial_told(&t, AGE_ON, 8, 2);
	trial_told(&t, AGE_STAYS_YOUNG, 9, 3);
	EXPECT(t.step == AGE_MAKE && t.attempts == 2);
}
