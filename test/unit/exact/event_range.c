#include "exact/event_range.h"

#include "base/compiler.h"
#include "exact/chunk_cursor.h"
#include "support/tap.h"

enum { CHUNKS = 4, WORDS = 64 };

static const struct {
	uintptr_t from, to;
} pieces[] = {{800, 1600}, {1600, 2400}, {3200, 3200}, {2400, 3200}, {8000, 8800}, {9600, 8800},
	{160, 800}},
  ranges[] = {{800, 3200}, {8000, 8800}, {160, 800}};

/* Neighbours are one; what is empty is none; one below begins anew. */
TEST(neighbours_are_one)
{
	struct chunk_pool pool;
	struct event_range r = {EVENT_SWEPT, 0, 0};
	EXPECT_INT(0, chunk_pool_init(&pool, CHUNKS, 0, WORDS));
	struct gc_chunks out = {.pool = &pool};
	event_range_put(&r, &out);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		event_range_grow(&r, &out, pieces[i].from, pieces[i].to);
	event_range_put(&r, &out);
	struct chunk *list = gc_chunks_take(&out);
	EXPECT(list && !list->next);
	EXPECT_INT(ARRAY_SIZE(ranges), list ? list->events : 0);
	struct chunk_cursor c = chunk_cursor(list);
	struct event e = {0};
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		EXPECT(chunk_cursor_next(&c, &e));
		EXPECT_INT(ranges[i].from, e.address);
		EXPECT_INT(ranges[i].to, e.to);
	}
	chunk_pool_give(&pool, list);
	chunk_pool_release(&pool);
}
