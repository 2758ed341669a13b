#include "agent/wishes.h"

#include <stdio.h>
#include <string.h>

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
			EXPECT_INT(want, wishes_agree(&x, &y, classes[i]));
			agreed += want;
		}
		wishes_release(&x);
		wishes_release(&y);
	}
	EXPECT(agreed > 100 && agreed < 5900);
}

/* Two kinds of objects may come out of one call. */
TEST(what_became_of_one_is_not_said_of_another)
{
	struct wish list[] = {
		{.class_name = "a/A", .method = "m", .descriptor = "()V", .allocates = "[B"},
		{.class_name = "a/A", .method = "m", .descriptor = "()V", .allocates = "[I"}};
	struct wish asked[] = {list[1], list[0], list[0]};
	struct wishes w;
	asked[2].bci = 1;
	asked[2].why = "other";
	EXPECT_INT(0, wishes_copy(&w, list, 2));
	w.at[0].state = WISH_DONE;
	w.at[0].hash = 7;
	w.at[1].state = WISH_REFUSED;
	w.at[1].why = "so";
	wishes_follow(asked, 3, &w);
	EXPECT(asked[0].state == WISH_REFUSED);
	EXPECT_STR("so", asked[0].why);
	EXPECT(asked[1].state == WISH_DONE && asked[1].hash == 7 && !asked[1].why);
	EXPECT_STR("other", asked[2].why);
	wishes_release(&w);
	wishes_follow(asked, 3, &w); /* of nobody */
	EXPECT(asked[1].state == WISH_DONE);
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
