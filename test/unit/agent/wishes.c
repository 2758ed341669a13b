#include "agent/wishes.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

static const char *const classes[] = {"a/A", "a/B", "b/C"}, *const methods[] = {"m", "n"},
			 *const made[] = {"[B", "La/A;"};

static struct wish any(struct rng *r)
{
	return (struct wish){.class_name = classes[rng_below(r, 3)],
		.method = methods[rng_below(r, 2)],
		.descriptor = "()V",
		.bci = (int32_t)rng_below(r, 4),
		.allocates = made[rng_below(r, 2)],
		.state = (enum wish_state)rng_below(r, 3)};
}

static bool same(const struct wish *a, const struct wish *b)
{
	return !strcmp(a->class_name, b->class_name) && !strcmp(a->method, b->method) &&
	       a->bci == b->bci && !strcmp(a->allocates, b->allocates);
}

/* Each once, so that there is one answer. */
static size_t draw(struct rng *r, struct wish *out, size_t want)
{
	size_t count = 0;
	for (size_t i = 0; i < want; i++) {
		struct wish w = any(r);
		bool there = false;
		for (size_t k = 0; k < count; k++)
			there = there || same(&w, &out[k]);
		if (!there)
			out[count++] = w;
	}
	return count;
}

static size_t of_class(const struct wish *w, size_t count, const char *name)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		n += w[i].state != WISH_REFUSED && !strcmp(w[i].class_name, name);
	return n;
}

TEST(copies_hold_what_is_not_refused_by_class)
{
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < 300; round++) {
		struct wish list[20];
		struct wishes w;
		size_t count = draw(&r, list, rng_below(&r, 20)), open = 0;
		EXPECT_INT(0, wishes_copy(&w, list, count));
		for (size_t i = 0; i < 3; i++) {
			struct wishes of = wishes_of(&w, classes[i]);
			EXPECT_INT(of_class(list, count, classes[i]), of.count);
			for (size_t k = 0; k < of.count; k++)
				EXPECT_STR(classes[i], of.at[k].class_name);
			open += of.count;
		}
		EXPECT_INT(open, w.count);
		EXPECT_INT(0, wishes_of(&w, "z").count);
		wishes_release(&w);
	}
}

static bool has(const struct wish *w, size_t count, const struct wish *one)
{
	for (size_t i = 0; i < count; i++)
		if (w[i].state != WISH_REFUSED && same(&w[i], one))
			return true;
	return false;
}

TEST(classes_agree_where_both_want_the_same)
{
	struct rng r = rng_init(tap_seed());
	int agreed = 0;
	for (int round = 0; round < 2000; round++) {
		struct wish a[3], b[3];
		struct wishes x, y;
		size_t n = draw(&r, a, rng_below(&r, 4)), m = draw(&r, b, rng_below(&r, 4));
		EXPECT(!wishes_copy(&x, a, n) && !wishes_copy(&y, b, m));
		for (size_t i = 0; i < 3; i++) {
			bool want = of_class(a, n, classes[i]) == of_class(b, m, classes[i]);
			for (size_t k = 0; k < n; k++)
				want = want && (a[k].state == WISH_REFUSED ||
						       strcmp(a[k].class_name, classes[i]) ||
						       has(b, m, &a[k]));
			EXPECT_INT(want, wishes_agree(&x, &y, classes[i], 0));
			agreed += want;
		}
		wishes_release(&x);
		wishes_release(&y);
	}
	EXPECT(agreed > 100 && agreed < 5900);
}

/* One kind is done in the class of one loader, and refused in that of another. */
TEST(what_became_of_one_is_not_said_of_another)
{
	struct wish list[] = {
		{.class_name = "a/A", .method = "m", .descriptor = "()V", .allocates = "[B"},
		{.class_name = "a/A", .method = "m", .descriptor = "()V", .allocates = "[I"}};
	struct wishes w, own, answers = {.at = NULL};
	int32_t in = 0;
	EXPECT_INT(0, wishes_copy(&w, list, 2));
	EXPECT_INT(0, wishes_for(&own, &w, &answers, "a/A", 5));
	EXPECT_INT(2, own.count);
	own.at[0].state = WISH_DONE;
	own.at[0].found_hash = 7;
	own.at[1].state = WISH_REFUSED;
	own.at[1].why = "so";
	EXPECT_INT(0, wishes_answer(&answers, "a/A", 5, &own));
	wishes_release(&own);
	EXPECT(wishes_unanswered(&w, &answers, "a/A", 6));
	EXPECT(!wishes_unanswered(&w, &answers, "a/A", 5));
	EXPECT_INT(0, wishes_for(&own, &w, &answers, "a/A", 6));
	EXPECT_INT(2, own.count);
	own.at[0].state = WISH_REFUSED;
	own.at[0].why = "not here";
	EXPECT_INT(0, wishes_answer(&answers, "a/A", 6, &own)); /* of the other nothing is known */
	wishes_release(&own);
	struct wish asked[] = {list[0], list[1], list[0], list[0], list[0]};
	asked[2].bci = 1;
	asked[3].one_loader = asked[4].one_loader = true;
	asked[3].loader = 6;
	asked[4].loader = 7;
	wishes_look(asked, 5, &answers);
	EXPECT(asked[0].state == WISH_DONE && asked[0].found_hash == 7 && !asked[0].why);
	EXPECT_INT(WISH_REFUSED, asked[1].state);
	EXPECT_STR("so", asked[1].why);
	EXPECT_INT(WISH_WAITS, asked[2].state);
	EXPECT_INT(WISH_REFUSED, asked[3].state);
	EXPECT_INT(WISH_WAITS, asked[4].state);
	EXPECT(wishes_done_in(&answers, &asked[0], &in) && in == 5);
	EXPECT(!wishes_done_in(&answers, &asked[3], &in));
	/* What was refused is not tried again there; what was done is done anew. */
	EXPECT_INT(0, wishes_for(&own, &w, &answers, "a/A", 5));
	EXPECT_INT(1, own.count);
	EXPECT_STR("[B", own.at[0].allocates);
	wishes_release(&own);
	EXPECT_INT(0, wishes_answer(&answers, "a/A", 5, &own));
	EXPECT(!wishes_done_in(&answers, &list[0], &in));
	wishes_release(&w);
	wishes_release(&answers);
}

/* A file of another JDK named it, and then the run learnt it: what is refused to the one for its
 * hash, or for its instruction, is not refused to the other. */
TEST(that_the_code_is_another_is_said_of_what_was_decided_on)
{
	for (int by_hash = 0; by_hash <= 1; by_hash++) {
		struct wish stale = {.class_name = "a/A",
			.method = "m",
			.descriptor = "()V",
			.allocates = "[B",
			.has_hash = by_hash,
			.hash = 7,
			.opcode = by_hash ? NULL : "newarray"};
		struct wish fresh = stale;
		fresh.has_hash = false;
		fresh.opcode = NULL;
		fresh.one_loader = true;
		struct wishes w, own, answers = {.at = NULL};
		EXPECT_INT(0, wishes_copy(&w, &stale, 1));
		EXPECT_INT(0, wishes_for(&own, &w, &answers, "a/A", 0));
		own.at[0].state = WISH_REFUSED;
		own.at[0].other_code = true;
		own.at[0].why = "another";
		EXPECT_INT(0, wishes_answer(&answers, "a/A", 0, &own));
		wishes_release(&own);
		EXPECT(!wishes_unanswered(&w, &answers, "a/A", 0));
		wishes_release(&w);
		wishes_look(&fresh, 1, &answers);
		EXPECT_INT(WISH_WAITS, fresh.state);
		EXPECT_INT(0, wishes_copy(&w, &fresh, 1));
		EXPECT(wishes_unanswered(&w, &answers, "a/A", 0));
		EXPECT_INT(0, wishes_for(&own, &w, &answers, "a/A", 0));
		EXPECT_INT(1, own.count);
		own.at[0].state = WISH_DONE; /* there is room for it in any case */
		EXPECT_INT(0, wishes_answer(&answers, "a/A", 0, &own));
		EXPECT_INT(1, answers.count); /* in the other's place */
		EXPECT(!wishes_unanswered(&w, &answers, "a/A", 0));
		wishes_look(&fresh, 1, &answers);
		EXPECT_INT(WISH_DONE, fresh.state);
		wishes_release(&own);
		wishes_release(&w);
		wishes_release(&answers);
	}
}

/* In the class of loader 5 by a plain store; in that of 6 it was looked for thrice. */
TEST(a_place_is_plain_where_it_is_so_in_all_classes)
{
	struct wish w = {.class_name = "a/A",
			    .method = "m",
			    .descriptor = "()V",
			    .allocates = "La/B;"},
		    here = w;
	struct wishes all, own, answers = {.at = NULL};
	EXPECT_INT(0, wishes_copy(&all, &w, 1));
	for (int32_t loader = 5; loader <= 6; loader++) {
		EXPECT_INT(0, wishes_for(&own, &all, &answers, "a/A", loader));
		EXPECT_INT(0, own.at[0].asked);
		own.at[0].state = WISH_DONE;
		own.at[0].plain = loader == 5;
		own.at[0].asked = loader == 5 ? 0 : 3;
		EXPECT_INT(0, wishes_answer(&answers, "a/A", loader, &own));
		wishes_release(&own);
		wishes_look(&w, 1, &answers);
		EXPECT_INT(loader == 5, w.plain);
	}
	here.one_loader = true;
	for (here.loader = 5; here.loader <= 6; here.loader++) {
		wishes_look(&here, 1, &answers);
		EXPECT(here.state == WISH_DONE && here.plain == (here.loader == 5));
		EXPECT_INT(0, wishes_for(&own, &all, &answers, "a/A", here.loader));
		EXPECT_INT(here.loader == 5 ? 0 : 3, own.at[0].asked);
		wishes_release(&own);
	}
	wishes_release(&all);
	wishes_release(&answers);
}

TEST(each_place_once_whoever_wishes)
{
	struct wish one = {.class_name = "a/A",
			    .method = "m",
			    .descriptor = "()V",
			    .allocates = "[B",
			    .one_loader = true,
			    .loader = 5},
		    list[] = {one, one, one};
	struct wishes w, few, own, none = {.at = NULL};
	list[1].one_loader = false;
	list[1].loader = 0;
	list[2].loader = 6;
	EXPECT_INT(0, wishes_copy(&w, list, 3));
	EXPECT_INT(0, wishes_copy(&few, list, 1));
	for (int32_t loader = 4; loader < 7; loader++) {
		EXPECT_INT(0, wishes_for(&own, &w, &none, "a/A", loader));
		EXPECT_INT(1, own.count);
		EXPECT(own.at[0].one_loader && own.at[0].loader == loader);
		wishes_release(&own);
		EXPECT_INT(loader == 5, wishes_agree(&w, &few, "a/A", loader));
	}
	wishes_release(&few);
	wishes_release(&w);
}

enum { PLACES = 4, LOADERS = 3, KINDS = 3 };

static struct wish place(int kind, int bci)
{
	return (struct wish){.class_name = classes[kind],
		.method = "m",
		.descriptor = "()V",
		.bci = bci,
		.allocates = "[B"};
}

/* What became of each place in the class of each loader: WISH_WAITS: nobody knows. */
typedef enum wish_state known[KINDS][LOADERS][PLACES];

static void expect_known(const struct wishes *answers, known want)
{
	size_t count = 0;
	for (int i = 0; i < KINDS * LOADERS * PLACES; i++) {
		int kind = i / PLACES / LOADERS, loader = i / PLACES % LOADERS, bci = i % PLACES;
		struct wish w = place(kind, bci);
		w.one_loader = true;
		w.loader = loader;
		wishes_look(&w, 1, answers);
		EXPECT_INT(want[kind][loader][bci], w.state);
		count += want[kind][loader][bci] != WISH_WAITS;
	}
	EXPECT_INT(count, answers->count);
}

/* Class after class, in any order: what was refused stays so, what was done is done anew or not. */
TEST(each_answer_is_found_whatever_came_since)
{
	struct rng r = rng_init(tap_seed());
	struct wish list[KINDS * PLACES];
	struct wishes all, answers = {.at = NULL};
	known want = {0};
	for (int i = 0; i < KINDS * PLACES; i++)
		list[i] = place(i / PLACES, i % PLACES);
	EXPECT_INT(0, wishes_copy(&all, list, KINDS * PLACES));
	for (int round = 0; round < 60; round++) {
		int kind = (int)rng_below(&r, KINDS), loader = (int)rng_below(&r, LOADERS);
		enum wish_state *now = want[kind][loader];
		struct wishes own;
		EXPECT_INT(0, wishes_for(&own, &all, &answers, classes[kind], loader));
		for (int bci = 0; bci < PLACES; bci++)
			if (now[bci] == WISH_DONE)
				now[bci] = WISH_WAITS;
		for (size_t i = 0; i < own.count; i++) {
			uint64_t draw = rng_below(&r, 40);
			own.at[i].state = draw == 0   ? WISH_REFUSED
					  : draw < 20 ? WISH_DONE
						      : WISH_WAITS;
			now[own.at[i].bci] = own.at[i].state;
		}
		EXPECT_INT(0, wishes_answer(&answers, classes[kind], loader, &own));
		wishes_release(&own);
		expect_known(&answers, want);
	}
	wishes_release(&all);
	wishes_release(&answers);
}

/* A class of one name, from one loader after the other. */
TEST(more_loaders_than_there_are_answers)
{
	enum { MORE = ANSWERS_OF_NAME + 20 };
	struct wish list[] = {place(0, 1), place(0, 2), place(0, 3), place(1, 1)};
	struct wishes all, answers = {.at = NULL};
	EXPECT_INT(0, wishes_copy(&all, list, ARRAY_SIZE(list)));
	size_t done = 0, left = 0;
	for (int32_t loader = MORE; loader > 0; loader--) {
		struct wishes own;
		EXPECT_INT(0, wishes_for(&own, &all, &answers, "a/A", loader));
		for (size_t i = 0; i < own.count; i++)
			own.at[i].state = WISH_DONE;
		done += own.count;
		EXPECT_INT(0, wishes_answer(&answers, "a/A", loader, &own));
		wishes_release(&own);
		left += wishes_unanswered(&all, &answers, "a/A", loader);
	}
	EXPECT_INT(ANSWERS_OF_NAME, done); /* and none more than is known of */
	EXPECT_INT(ANSWERS_OF_NAME, answers.count);
	EXPECT_INT(0, left);
	struct wishes other; /* another class has room */
	EXPECT(wishes_unanswered(&all, &answers, classes[1], 1));
	EXPECT_INT(0, wishes_for(&other, &all, &answers, classes[1], 1));
	EXPECT_INT(1, other.count);
	wishes_release(&other);
	wishes_release(&all);
	wishes_release(&answers);
}

/* Of the loader's class alone, at whatever places. */
TEST(what_came_late_in_one_loader)
{
	struct wish list[] = {place(0, 1), place(0, 2), place(0, 3)};
	struct wishes all, answers = {.at = NULL};
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		list[i].allocates = "Lx/X;";
	EXPECT_INT(0, wishes_copy(&all, list, ARRAY_SIZE(list)));
	for (int32_t loader = 2; loader < 100; loader += 2) {
		struct wishes own;
		EXPECT_INT(0, wishes_for(&own, &all, &answers, "a/A", loader));
		for (size_t i = 0; i < own.count; i++) {
			own.at[i].state = WISH_DONE;
			own.at[i].plain = (int32_t)i != loader % 3;
		}
		EXPECT_INT(0, wishes_answer(&answers, "a/A", loader, &own));
		wishes_release(&own);
	}
	for (int32_t loader = 0; loader <= 100; loader++) {
		bool there = loader % 2 == 0 && loader > 0 && loader < 100;
		EXPECT(wishes_any_done(&answers, "a/A", loader) == there);
		EXPECT(wishes_any_late(&answers, "a/A", loader) == there);
		EXPECT(!wishes_any_late(&answers, "b/B", loader));
	}
	for (int i = 0; i < WISH_ASKED_MOST; i++) {
		EXPECT(wishes_any_late(&answers, "a/A", 50));
		wishes_asked(&answers, "a/A", 50);
	}
	EXPECT(!wishes_any_late(&answers, "a/A", 50) && wishes_any_late(&answers, "a/A", 52));
	wishes_release(&all);
	wishes_release(&answers);
}

TEST(no_memory_at_any_step)
{
	struct wish list[] = {
		{.class_name = "a/A", .method = "m", .descriptor = "()V", .allocates = "[B"},
		{.class_name = "a/B", .method = "m", .descriptor = "()V", .allocates = "[I"}};
	for (int fail = 1; fail <= 3; fail++) {
		struct wishes w;
		mem_fail_at((uint64_t)fail);
		EXPECT(wishes_copy(&w, list, 2) != 0);
		mem_fail_at(0);
		EXPECT(!w.at && !w.count);
	}
}
