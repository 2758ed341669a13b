/* Which code stands where a site's did: compilations in a made-up code cache. */
#include "agent/site_code.h"

#include "support/code_cache.h"
#include "support/tap.h"

static struct code_blobs blobs;
static struct vm_methods methods;
static struct loaders loaders;
static const struct site_code code = {&blobs, &methods, &loaders};

static void begin(void)
{
	blobs = code_cache_made(0);
	blobs.compilation = offsetof(struct cache_blob, compilation);
}

static struct exact_site noted(struct birth_place place)
{
	struct exact_site s = {0};
	site_code_note(&code, &s, &place);
	return s;
}

TEST(compiled_code_is_another_with_another_number)
{
	begin();
	struct exact_site s = noted((struct birth_place){.key = cache_pc(CACHE_SMALL, 12)});
	EXPECT(s.code == cache_pc(CACHE_SMALL, 12) && s.version && !s.into);
	EXPECT(!site_code_replaced(&code, &s));
	cache_blob(CACHE_SMALL)->compilation++;
	EXPECT(site_code_replaced(&code, &s));
	cache_blob(CACHE_SMALL)->compilation--;
	EXPECT(!site_code_replaced(&code, &s));
	cache_block(CACHE_SMALL)->used = 0;
	EXPECT(site_code_replaced(&code, &s));
}

/* What is not known can't be told from what comes there. */
TEST(unknown_code_stays)
{
	begin();
	struct exact_site nowhere = noted((struct birth_place){0});
	struct exact_site far = noted((struct birth_place){.key = 1000});
	cache_block(CACHE_SMALL)->used = 0;
	EXPECT(!site_code_replaced(&code, &nowhere) && !site_code_replaced(&code, &far));
	EXPECT_INT(0, site_code_home(&code, 0));
}
