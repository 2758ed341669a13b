#include "exact/chunk_pool.h"

#include "support/tap.h"

enum { CHUNKS = 6, RESERVE = 2, WORDS = 8 };

TEST(a_part_is_kept_for_collections)
{
	struct chunk_pool p;
	struct chunk *list = NULL, *c;
	EXPECT_INT(0, chunk_pool_init(&p, CHUNKS, RESERVE, WORDS));
	for (int i = 0; i < CHUNKS - RESERVE; i++) {
		c = chunk_pool_take_births(&p, 5);
		EXPECT(c && c->base == 5 && c->flags == 0 && c->used == 0);
		c->words[WORDS - 1] = 7;
		c->next = list;
		list = c;
	}
	EXPECT(!p.lost);
	EXPECT(chunk_pool_take_births(&p, 5) == NULL);
	EXPECT(p.lost);
	for (int i = 0; i < RESERVE; i++) {
		c = chunk_pool_take_gc(&p, EVENT_MOVES, 9);
		EXPECT(c && c->kind == EVENT_MOVES && c->base == 9 &&
			c->flags == (EVENTS_OF_GC | EVENTS_CLOSED));
		c->next = list;
		list = c;
	}
	EXPECT(chunk_pool_take_gc(&p, EVENT_MOVES, 9) == NULL);
	chunk_pool_give(&p, list);
	EXPECT(chunk_pool_take_births(&p, 5) == NULL); /* the interval stays lost */
	p.lost = false;
	EXPECT(chunk_pool_take_births(&p, 5) != NULL);
	chunk_pool_release(&p);
}

/* What has its memory may be used again; what would need more is refused. */
TEST(births_take_no_more_memory_than_they_may)
{
	struct chunk_pool p;
	struct chunk *list = NULL, *c;
	EXPECT_INT(0, chunk_pool_init(&p, CHUNKS, 1, WORDS));
	chunk_pool_grow(&p, 2 * p.slab.size + 1);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 2; i++) {
			c = chunk_pool_take_births(&p, 5);
			EXPECT(c != NULL);
			c->next = list;
			list = c;
		}
		EXPECT(chunk_pool_take_births(&p, 5) == NULL && p.lost);
		p.lost = false;
		chunk_pool_give(&p, list);
		list = NULL;
		chunk_pool_grow(&p, 0);
	}
	list = chunk_pool_take_gc(&p, EVENT_MOVES, 9);
	list->next = chunk_pool_take_gc(&p, EVENT_MOVES, 9);
	c = chunk_pool_take_gc(&p, EVENT_MOVES, 9);
	EXPECT(c != NULL); /* collections have theirs */
	EXPECT(chunk_pool_take_births(&p, 5) == NULL && p.lost);
	p.lost = false;
	chunk_pool_grow(&p, UINT64_MAX);
	EXPECT(chunk_pool_take_births(&p, 5) != NULL);
	chunk_pool_give(&p, c);
	chunk_pool_give(&p, list);
	chunk_pool_release(&p);
}

TEST(ready_in_order)
{
	struct chunk_pool p;
	struct chunk *all[CHUNKS];
	EXPECT_INT(0, chunk_pool_init(&p, CHUNKS, 0, WORDS));
	EXPECT(chunk_pool_ready(&p) == NULL);
	for (int i = 0; i < CHUNKS; i++)
		all[i] = chunk_pool_take_gc(&p, EVENT_STAYS, (uint64_t)i);
	for (int i = 0; i < CHUNKS; i += 2) {
		all[i]->next = all[i + 1];
		all[i + 1]->next = NULL;
		chunk_pool_hand(&p, all[i]);
	}
	struct chunk *c = chunk_pool_ready(&p);
	for (uint64_t i = 0; i < CHUNKS; i++, c = c ? c->next : NULL)
		EXPECT(c && c->base == i);
	EXPECT(c == NULL);
	EXPECT(chunk_pool_ready(&p) == NULL);
	chunk_pool_release(&p);
}
