#include "exact/follow_checkpoint.h"

#include "support/tap.h"

enum { CHUNKS = 200, WORDS = 256, REGIONS = 4, OBJECTS = 1000, BYTES = 64, SITE = 5, STEP = 24 };
#define BASE ((uintptr_t)0x7f3000000000)

static struct chunk_pool pool;
static struct follow f;

/* Every third has been written over. */
static bool stands(void *arg, uint32_t site, uintptr_t address)
{
	(void)arg;
	return site == SITE && (address - BASE) / STEP % 3 != 0;
}

static uint64_t bytes(void *arg, uint32_t site, uintptr_t address)
{
	EXPECT(stands(arg, site, address)); /* nothing else is read */
	return BYTES;
}

static void begin(uint64_t objects)
{
	const struct follow_oracle oracle = {.same = stands, .bytes = bytes};
	const struct follow_bounds bounds = {
		.residents = OBJECTS, .identities = 8, .regions = REGIONS, .base = BASE};
	struct resident_pen pen = {{0}, {0}};
	EXPECT_INT(0, chunk_pool_init(&pool, CHUNKS, 0, WORDS));
	EXPECT_INT(0, follow_init(&f, &pool, &oracle, &bounds, 7));
	for (uint64_t i = 0; i < objects; i++) {
		const struct resident o = {BASE + i * STEP, SITE, (uint32_t)(i % 9)};
		EXPECT(residents_add(&f.residents, &pen, i % REGIONS, &o));
	}
	residents_rest(&f.residents, &pen);
	f.totals.births = objects;
	f.interval = 3;
}

static void end(void)
{
	follow_release(&f);
	chunk_pool_release(&pool);
}

/* All of them, each once, with its size where it can be read. */
TEST(all_that_stands)
{
	bool told[OBJECTS] = {false};
	uint64_t count = 0;
	begin(OBJECTS);
	EXPECT(follow_checkpoint(&f));
	struct chunk *list = chunk_pool_ready(&pool);
	for (const struct chunk *c = list; c; c = c->next) {
		struct chunk_cursor cursor = chunk_cursor(c);
		struct event e;
		EXPECT(c->kind == EVENT_SIZED && c->interval == 2 && c->thread == OBJECTS);
		for (; chunk_cursor_next(&cursor, &e); count++) {
			uint64_t i = (e.address - BASE) / STEP;
			EXPECT(i < OBJECTS && !told[i]);
			told[i] = true;
			EXPECT_INT(i % 9, e.to >> 3 & ((1 << EVENT_SURVIVED_BITS) - 1));
			EXPECT_INT(i % 3 ? BYTES : 0, e.to >> (3 + EVENT_SURVIVED_BITS) << 3);
		}
	}
	EXPECT_INT(OBJECTS, count);
	chunk_pool_give(&pool, list);
	end();
}

TEST(when_it_is_due)
{
	begin(OBJECTS);
	f.totals.deaths = OBJECTS - 100; /* 100 stand */
	EXPECT(!follow_checkpoint_due(&f));
	f.checkpoint = f.totals.births - 100 * CHECKPOINT_LEAST;
	f.checkpoint_most = 100 * CHECKPOINT_LEAST + 1;
	EXPECT(!follow_checkpoint_due(&f));
	f.checkpoint_most--;
	EXPECT(follow_checkpoint_due(&f));
	f.checkpoint_most = 0;
	EXPECT(!follow_checkpoint_due(&f));
	f.totals.births += 100 * CHECKPOINT_BIRTHS;
	f.totals.deaths += 100 * CHECKPOINT_BIRTHS;
	EXPECT(follow_checkpoint_due(&f));
	f.totals.deaths = f.totals.births;
	EXPECT(!follow_checkpoint_due(&f)); /* nothing stands */
	end();
}

/* Where all is forgotten, or before anything was told, there is none. */
TEST(none_of_nothing)
{
	begin(0);
	EXPECT(!follow_checkpoint(&f));
	end();
	begin(10);
	f.interval = 0;
	EXPECT(!follow_checkpoint(&f));
	f.interval = 1;
	struct chunk *spare = f.spare;
	f.spare = NULL;
	EXPECT(!follow_checkpoint(&f));
	f.spare = spare;
	end();
}
