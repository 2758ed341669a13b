#include "agent/wish_book.h"

#include "base/compiler.h"
#include "support/tap.h"

/* The lists themselves are judged in wishes.c. */
static struct wish_book book = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct wish at(const char *class_name, int32_t bci)
{
	return (struct wish){.class_name = class_name,
		.method = "m",
		.descriptor = "()V",
		.bci = bci,
		.allocates = "Lx/X;"};
}

static void begin(const struct wish *list, size_t count)
{
	struct wishes w;
	EXPECT_INT(0, wishes_copy(&w, list, count));
	struct wishes before = wish_book_exchange(&book, w);
	EXPECT_INT(0, before.count);
	wishes_release(&before);
}

static void end(void)
{
	struct wishes before = wish_book_exchange(&book, (struct wishes){.at = NULL});
	EXPECT(before.count > 0);
	wishes_release(&before);
	wish_book_forget(&book);
	EXPECT_INT(0, book.answers.count);
}

/* All that is wished of the class of that loader is done. */
static void grant(const char *name, int32_t loader)
{
	struct wishes own = wish_book_own(&book, name, loader);
	for (size_t i = 0; i < own.count; i++) {
		own.at[i].state = WISH_DONE;
		own.at[i].found_opcode = "new";
	}
	wish_book_answer(&book, name, loader, &own);
	EXPECT_INT(0, own.count);
}

static struct wish look(struct wish w)
{
	wish_book_look(&book, &w, 1);
	return w;
}

TEST(what_is_wished_and_what_became_of_it)
{
	struct wish list[] = {at("a/A", 1), at("a/A", 2), at("b/B", 1)};
	begin(list, ARRAY_SIZE(list));
	EXPECT(wish_book_wants(&book, "a/A") && !wish_book_wants(&book, "c/C"));
	EXPECT(wish_book_misses(&book, "a/A", 5) && !wish_book_misses(&book, "c/C", 5));
	EXPECT(!wish_book_done(&book, "a/A", 5) && !wish_book_done_anywhere(&book, "a/A"));
	grant("a/A", 5);
	EXPECT(!wish_book_misses(&book, "a/A", 5) && wish_book_misses(&book, "a/A", 6));
	EXPECT(wish_book_done(&book, "a/A", 5) && !wish_book_done(&book, "a/A", 6));
	EXPECT(wish_book_done_anywhere(&book, "a/A") && !wish_book_done_anywhere(&book, "b/B"));
	wish_book_refuse(&book, "b/B", 5, "so");
	struct wish refused = look(list[2]);
	EXPECT(look(list[1]).state == WISH_DONE && refused.state == WISH_REFUSED);
	EXPECT_STR("so", refused.why);
	struct wishes own = wish_book_own(&book, "b/B", 5);
	EXPECT_INT(0, own.count); /* it is not tried again */
	wishes_release(&own);
	end();
}

static void see(void *arg, struct wish *w)
{
	EXPECT_INT(WISH_REFUSED, w->state);
	++*(int *)arg;
}

/* What was done before stays done. */
TEST(a_class_that_is_left_as_it_is)
{
	int seen = 0;
	struct wish list[] = {at("a/A", 1), at("a/A", 2)};
	begin(list, 1);
	grant("a/A", 5);
	struct wishes both;
	EXPECT_INT(0, wishes_copy(&both, list, ARRAY_SIZE(list)));
	struct wishes before = wish_book_exchange(&book, both);
	EXPECT_INT(1, before.count);
	wishes_release(&before);
	EXPECT(wish_book_leave(&book, "a/A", 5, "it works", see, &seen));
	EXPECT_INT(0, seen); /* its code is another by now */
	EXPECT_INT(WISH_DONE, look(list[0]).state);
	EXPECT_INT(WISH_REFUSED, look(list[1]).state);
	EXPECT_STR("it works", look(list[1]).why);
	EXPECT(!wish_book_leave(&book, "a/A", 6, "it works", see, &seen));
	EXPECT_INT(2, seen);
	EXPECT(!wish_book_done(&book, "a/A", 6));
	end();
}

TEST(methods_are_sought_where_they_are_done)
{
	struct wish list[] = {at("a/A", 1), at("b/B", 1), at("b/B", 2), at("c/C", 1)};
	struct sought_method sought[ARRAY_SIZE(list)];
	begin(list, ARRAY_SIZE(list));
	grant("b/B", 7);
	grant("c/C", 0);
	list[1].vm_method = 100;
	EXPECT_INT(2, wish_book_sought(&book, list, ARRAY_SIZE(list), sought));
	EXPECT(sought[0].of == 2 && sought[0].one_loader && sought[0].loader == 7);
	EXPECT(sought[1].of == 3 && sought[1].one_loader && sought[1].loader == 0);
	EXPECT_STR("b/B", sought[0].class_name);
	EXPECT(sought[0].found == 0 && sought[0].classes == 0);
	end();
}

/* One that came late is looked for again until its constructors are known, or often enough. */
TEST(what_came_late)
{
	static char k, made[] = "x/X";
	struct wish list[] = {at("a/A", 1), at("b/B", 1)};
	struct judgement none = {(jclass)(void *)&k, made, NULL};
	struct judgements judged = {.list = {&none, 1, 1}};
	begin(list, ARRAY_SIZE(list));
	EXPECT(!wish_book_late(&book, NULL));
	grant("a/A", 5);
	grant("b/B", 5);
	EXPECT(wish_book_late(&book, NULL) && wish_book_late(&book, "a/A"));
	EXPECT(!wish_book_late(&book, "c/C"));
	EXPECT(!wish_book_gains(&book, &judged, none.k, "a/A", 5));
	none.quiet = "()V ";
	EXPECT(wish_book_gains(&book, &judged, none.k, "a/A", 5));
	EXPECT(!wish_book_gains(&book, &judged, none.k, "a/A", 6));
	EXPECT(!wish_book_gains(&book, &judged, NULL, "a/A", 5));
	none.quiet = "";
	EXPECT(!wish_book_gains(&book, &judged, none.k, "a/A", 5));
	EXPECT(!wish_book_late(&book, "a/A") && wish_book_late(&book, "b/B"));
	for (int i = 0; i < WISH_ASKED_MOST; i++) {
		EXPECT(wish_book_late(&book, NULL));
		wish_book_asked(&book);
	}
	EXPECT(!wish_book_late(&book, NULL));
	end();
}
