/* Some births are counted by their call path. */
#include "exact/birth_paths.h"

#include "exact/birth_blocks.h"
#include "support/tap.h"

enum { KLASS = 3 };

struct object {
	_Alignas(16) uint64_t mark;
	uint32_t klass, length;
};

static uint64_t hash_is;
static bool any_is;
static unsigned told_times;

static bool stack(void *arg, const struct birth *b, struct java_code_cache *cache, bool told,
	struct java_stack *out)
{
	(void)arg, (void)b, (void)cache;
	told_times += told;
	*out = (struct java_stack){.any = any_is, .hash = hash_is, .end = 0, .probe = true};
	return false;
}

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg, (void)b;
	EXPECT(p->stack && p->key == hash_is);
	s->bytes1 = 24;
}

static struct births *begin(uint64_t every)
{
	static const struct birth_oracle oracle = {.stack = stack, .define = define};
	struct births *b = births_get();
	EXPECT_INT(0, births_open(b, &oracle, NULL));
	births_walk(b, every, 1);
	births_set(b, BIRTHS_COUNTED);
	if (!births_here)
		birth_block_begin(b);
	birth_block_seed(b, births_here);
	told_times = 0;
	any_is = true;
	hash_is = 77;
	return b;
}

static void end(struct births *b)
{
	births_set(b, BIRTHS_OFF);
	births_close(b);
}

static bool one(struct births *b, struct object *o)
{
	*o = (struct object){.mark = 1, .klass = KLASS};
	return birth_path_count(b, births_here, &(struct birth){.object = (uintptr_t)o});
}

TEST(one_in_so_many_has_its_turn)
{
	struct births *b = begin(10);
	unsigned turns = 0;
	for (int i = 0; i < 100000; i++)
		turns += birth_path_due(b, births_here);
	EXPECT(turns > 9000 && turns < 11000);
	births_walk(b, 0, 1);
	births_set(b, BIRTHS_COUNTED);
	for (int i = 0; i < 1000; i++)
		EXPECT(!birth_path_due(b, births_here));
	end(b);
}

/* Frames are asked for once; then the hash is enough. */
TEST(a_path_has_a_site)
{
	struct births *b = begin(10);
	struct object o;
	struct walk_totals sum;
	EXPECT(one(b, &o));
	uint64_t site = o.mark >> 42;
	EXPECT(b->sites.at[site].key == 77 && b->sites.at[site].leaf);
	EXPECT(one(b, &o) && o.mark >> 42 == site && told_times == 1);
	hash_is = 78;
	EXPECT(one(b, &o) && o.mark >> 42 != site && told_times == 2);
	any_is = false;
	EXPECT(!one(b, &o) && o.mark == 1);
	births_walked(b, &sum);
	EXPECT(sum.walks == 4 && sum.ends[0] == 4 && sum.refused == 0);
	end(b);
}

static bool is_below(void *key, const struct exact_site *s)
{
	return s->key < *(const uint64_t *)key;
}

/* It is remembered, and the VM's frames are not asked for again. */
TEST(a_path_without_room)
{
	struct births *b = begin(10);
	struct object o;
	struct walk_totals sum;
	int fresh;
	for (uint64_t key = 1000; b->sites.count - b->sites.first < PATHS_MAX; key++)
		site_table_find(&b->sites, key, KLASS, SITES_MAX, &fresh);
	EXPECT(!one(b, &o) && o.mark == 1);
	EXPECT(!one(b, &o) && told_times == 1);
	births_walked(b, &sum);
	EXPECT(sum.walks == 2 && sum.refused == 2);
	/* Until some sites go. */
	EXPECT(births_forget(b, is_below, &(uint64_t){1003}));
	EXPECT(one(b, &o) && o.mark >> 42 && told_times == 2);
	births_walked(b, &sum);
	EXPECT(sum.walks == 3 && sum.refused == 2);
	end(b);
}
