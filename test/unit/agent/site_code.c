/* Which code stands where a site's did: compilations in a made-up code cache, methods in memory. */
#include "agent/site_code.h"

#include "base/error.h"
#include "base/rng.h"

#include "support/code_cache.h"
#include "support/tap.h"

static struct code_blobs blobs;
static struct vm_methods methods;
static struct loaders loaders;
static struct code_watch watch;
static const struct site_code code = {&blobs, &methods, &loaders, &watch};

static void begin(void)
{
	blobs = code_cache_made(0);
	blobs.compilation = offsetof(struct cache_blob, compilation);
	EXPECT_INT(ERR_NONE, code_watch_init(&watch, &blobs, &methods));
}

static struct exact_site noted(struct birth_place place)
{
	struct exact_site s = {0};
	struct site_homes homes = {0};
	site_code_note(&code, &s, &homes, &place);
	return s;
}

TEST(compiled_code_is_another_with_another_number)
{
	begin();
	struct exact_site s = noted((struct birth_place){.key = cache_pc(CACHE_SMALL, 12)});
	struct exact_site near = noted((struct birth_place){.key = cache_pc(CACHE_SMALL, 40)});
	struct exact_site other = noted((struct birth_place){.key = cache_pc(CACHE_LARGE, 12)});
	EXPECT(s.piece && near.piece == s.piece && other.piece != s.piece);
	EXPECT_INT(0, code_watch_look(&watch, NULL));
	EXPECT(!site_code_replaced(&code, &s));
	cache_blob(CACHE_SMALL)->compilation++;
	struct exact_site later = noted((struct birth_place){.key = cache_pc(CACHE_SMALL, 12)});
	EXPECT_INT(CODE_GONE, code_watch_look(&watch, NULL));
	EXPECT(site_code_replaced(&code, &s) && site_code_replaced(&code, &near));
	EXPECT(!site_code_replaced(&code, &later) && !site_code_replaced(&code, &other));
	EXPECT_INT(0, code_watch_look(&watch, NULL));
	cache_block(CACHE_SMALL)->used = 0;
	EXPECT_INT(CODE_GONE, code_watch_look(&watch, NULL));
	EXPECT(site_code_replaced(&code, &later) && !site_code_replaced(&code, &other));
	cache_block(CACHE_SMALL)->used = 1; /* a piece that is gone does not come back */
	struct exact_site again = noted((struct birth_place){.key = cache_pc(CACHE_SMALL, 12)});
	EXPECT_INT(0, code_watch_look(&watch, NULL));
	EXPECT(!site_code_replaced(&code, &again) && site_code_replaced(&code, &later));
	code_watch_release(&watch);
}

/* What is not known can't be told from what comes there. */
TEST(unknown_code_stays)
{
	begin();
	struct exact_site nowhere = noted((struct birth_place){0});
	struct exact_site far = noted((struct birth_place){.key = 1000});
	cache_block(CACHE_SMALL)->used = 0;
	EXPECT_INT(0, code_watch_look(&watch, NULL));
	EXPECT(!site_code_replaced(&code, &nowhere) && !site_code_replaced(&code, &far));
	EXPECT_INT(0, site_code_home(&code, 0));
	code_watch_release(&watch);
}

/* What tells a method from another in the same place. */
struct made_method {
	uintptr_t pool;
	uint16_t name, descriptor, code_bytes, gap;
	uint8_t code[8];
};
enum { METHODS = 40, ROUNDS = 200 };

/* Any methods and compilations go at any time, against what stood there when each was noted. */
TEST(each_is_gone_once_it_went)
{
	static struct made_method at[METHODS];
	uint32_t pieces[METHODS], newest[METHODS] = {0};
	struct rng rng = rng_init(7);
	begin();
	methods = (struct vm_methods){.header = offsetof(struct made_method, code),
		.name = offsetof(struct made_method, name),
		.descriptor = offsetof(struct made_method, descriptor),
		.code_bytes = offsetof(struct made_method, code_bytes)};
	for (int i = 0; i < METHODS; i++)
		at[i].pool = 8;
	for (int round = 0; round < ROUNDS; round++) {
		bool changed = false;
		for (int i = 0; i < METHODS; i++) {
			uintptr_t where = (uintptr_t)at[i].code;
			struct code_piece p = {.code = where,
				.home = 1,
				.version = vm_method_version(&methods, where),
				.is_method = true};
			pieces[i] = code_watch_add(&watch, &p);
			EXPECT(pieces[i] && !code_watch_gone(&watch, pieces[i]));
			EXPECT(!newest[i] || newest[i] == pieces[i] ||
				code_watch_gone(&watch, newest[i]));
			newest[i] = pieces[i];
		}
		for (int i = 0; i < METHODS; i++)
			if (rng_below(&rng, 50) == 0) {
				at[i].pool += 8;
				newest[i] = 0;
				changed = true;
			}
		EXPECT_INT(changed ? CODE_GONE | CODE_REDEFINED : 0, code_watch_look(&watch, NULL));
		for (int i = 0; i < METHODS; i++)
			EXPECT(code_watch_gone(&watch, pieces[i]) == !newest[i]);
	}
	code_watch_release(&watch);
}

/* A program that makes classes without end. */
TEST(pieces_that_went_are_used_again)
{
	enum { TIMES = 1000, AT_ONCE = 2 };
	static const enum cache_which used[AT_ONCE] = {CACHE_SMALL, CACHE_LARGE};
	begin();
	for (int i = 0; i < TIMES; i++) {
		struct exact_site s[AT_ONCE];
		for (int k = 0; k < AT_ONCE; k++)
			s[k] = noted((struct birth_place){.key = cache_pc(used[k], 12)});
		EXPECT(s[0].piece && s[1].piece && s[0].piece != s[1].piece);
		for (int k = 0; k < AT_ONCE; k++)
			cache_blob(used[k])->compilation++;
		EXPECT_INT(CODE_GONE, code_watch_look(&watch, NULL));
		for (int k = 0; k < AT_ONCE; k++)
			EXPECT(site_code_replaced(&code, &s[k]));
	}
	EXPECT(watch.count <= 1 + 2 * AT_ONCE);
	code_watch_release(&watch);
}

/* Where the loader is gone nothing is read any more: here nothing could be. */
TEST(methods_go_with_their_loader)
{
	static uintptr_t set[2];
	begin();
	loaders = (struct loaders){.set = set, .room = 2};
	uint32_t piece = code_watch_add(&watch,
		&(struct code_piece){.code = 1000, .home = 64, .version = 1, .is_method = true});
	EXPECT_INT(CODE_GONE, code_watch_look(&watch, &loaders));
	EXPECT(code_watch_gone(&watch, piece));
	EXPECT_INT(0, code_watch_look(&watch, NULL));
	code_watch_release(&watch);
}
