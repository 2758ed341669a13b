#include "agent/waiting_sites.h"

#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

static struct waiting_sites waiting;
static struct code_map code;

static void begin(void)
{
	code_map_init(&code);
	waiting_sites_init(&waiting);
}

static void end(void)
{
	waiting_sites_release(&waiting);
	code_map_release(&code);
}

/* Each is taken once, by the code that it waits for, whatever was put in and taken out before. */
TEST(sites_wait_for_their_code)
{
	enum { SITES = 500, RANGES = 20 };
	struct rng rng = rng_init(tap_seed());
	bool taken[SITES] = {false};
	uint64_t keys[SITES];
	begin();
	for (uint32_t i = 0; i < SITES; i++) {
		keys[i] = 1000 + rng_below(&rng, RANGES * 100);
		EXPECT(waiting_sites_put(
			&waiting, (struct waiting_site){.site = i, .key = keys[i]}));
	}
	for (unsigned r = 0; r < RANGES; r++) {
		struct waiting_site w;
		uint32_t at = 0;
		uintptr_t low = 1000 + r * 100, high = low + 99;
		while (waiting_sites_take(&waiting, &at, &code, low, high, &w)) {
			EXPECT(!taken[w.site] && w.key == keys[w.site]);
			EXPECT(w.key >= low && w.key <= high);
			taken[w.site] = true;
		}
		for (uint32_t i = 0; i < SITES; i++)
			EXPECT(taken[i] == (keys[i] <= high));
	}
	EXPECT_INT(0, waiting.count);
	end();
}

TEST(there_is_room_for_so_many)
{
	struct waiting_site w = {.site = 7, .key = 5};
	uint32_t at = 0;
	begin();
	for (int i = 0; i < WAITING_SITES; i++)
		EXPECT(waiting_sites_put(&waiting, w));
	EXPECT(!waiting_sites_put(&waiting, w));
	EXPECT(waiting_sites_take(&waiting, &at, &code, 5, 5, &w));
	EXPECT(waiting_sites_put(&waiting, w));
	end();
}

static struct call_path *path_of(uint32_t frames)
{
	static struct path_frame some[3] = {{.at = 100}, {.at = 200}, {.at = 300}};
	struct call_path path = {.count = frames, .klass = 9, .frames = some};
	return call_path_copy(&path);
}

/* A path belongs to those who wait until it is taken, or dropped by who has put it in. */
TEST(paths_wait_too)
{
	struct call_path *first = path_of(1), *second = path_of(2), *copy;
	struct waiting_site w;
	uint32_t at = 0;
	begin();
	EXPECT(!waiting_sites_any(&waiting));
	EXPECT(waiting_sites_put(&waiting, (struct waiting_site){.site = 1, .path = first}));
	EXPECT(waiting_sites_put(&waiting, (struct waiting_site){.site = 2, .path = second}));
	EXPECT(waiting_sites_put(&waiting, (struct waiting_site){.site = 3, .key = 400}));
	EXPECT(!waiting_sites_path(&waiting, 3));
	copy = waiting_sites_path(&waiting, 2);
	EXPECT(copy && copy != second && copy->count == 2 && copy->frames[1].at == 200);
	mem_free(copy);
	EXPECT(waiting_sites_any(&waiting));
	waiting_sites_drop(&waiting, first);
	EXPECT(!waiting_sites_path(&waiting, 1));
	EXPECT_INT(2, waiting.count);
	EXPECT(waiting_sites_take(&waiting, &at, &code, 350, 450, &w) && w.site == 3);
	waiting_sites_drop(&waiting, first); /* it is gone: nothing is to be freed */
	EXPECT_INT(1, waiting.count);
	end(); /* frees the second */
}
