/* Sites that wait for their code: it is told of in a made-up code cache. */
#include "agent/places.h"

#include <stddef.h>

#include "agent/recorder_names.h"
#include "agent/told_sites.h"
#include "base/compiler.h"
#include "support/agent_trace.h"
#include "support/code_cache.h"
#include "support/tap.h"

enum { AT = 12, COMPILATION = 7 };

static struct recorder recorder;
static struct births births;
static struct places places;
static struct code_map code;
static struct method_ids ids; /* of a VM whose ids are addresses */
static uintptr_t method;      /* of a class that nobody can name any more */

static void begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, (struct ns){0}, NULL));
	births = (struct births){.epoch = 0};
	EXPECT_INT(0, site_table_init(&births.sites, SITE_FIRST));
	code_map_init(&code);
	places = (struct places){.recorder = &recorder, .births = &births, .code = &code};
	places.blobs = code_cache_made(0);
	places.blobs.compilation = offsetof(struct cache_blob, compilation);
	places.records = (struct probe_records){.code = &code,
		.blobs = &places.blobs,
		.methods = &places.methods,
		.ids = &ids,
		.epoch = &births.epoch};
	waiting_sites_init(&places.waiting);
	cache_blob(CACHE_SMALL)->compilation = COMPILATION;
}

static void end(void)
{
	struct agent_trace trace = {.sequence = 0};
	agent_trace_drain(&trace, &recorder, true);
	agent_trace_release(&trace);
	waiting_sites_release(&places.waiting);
	code_map_release(&code);
	site_table_release(&births.sites);
	recorder_release(&recorder);
}

static struct exact_site *waiting_site(bool leaf, uint32_t compilation)
{
	int fresh = 0;
	uintptr_t pc = cache_pc(CACHE_SMALL, AT);
	uint32_t id = site_table_find(&births.sites, pc, 1, SITES_MAX, &fresh);
	struct exact_site *s = &births.sites.at[id];
	s->class_id = recorder_class(&recorder, "Lcom/acme/A;");
	s->leaf = leaf;
	s->waits = true;
	EXPECT(waiting_sites_put(&places.waiting,
		(struct waiting_site){
			.site = id, .leaf = leaf, .key = pc, .compilation = compilation}));
	return s;
}

static void tell(void)
{
	uintptr_t pc = cache_pc(CACHE_SMALL, AT);
	const struct code_frame frame = {(uint64_t)(uintptr_t)&method, 5};
	const struct code_place place = {pc, &frame, 1};
	EXPECT_INT(0, code_map_add(&code, pc - AT, CACHE_CODE, frame.method, &place, 1));
	places_added(&places, pc - AT, pc - AT + CACHE_CODE);
}

/* A class may go before the code is told of that made its objects, with the site. */
TEST(a_site_is_told_once_its_code_is)
{
	static const struct {
		bool leaf, retired;
		uint32_t compilation;
		bool told;
	} cases[] = {{false, false, COMPILATION, true}, {false, true, COMPILATION, true},
		{false, false, COMPILATION - 1, false}, {false, true, COMPILATION - 1, false},
		{true, true, COMPILATION, false}, {false, true, 0, false}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		begin();
		struct exact_site *s = waiting_site(cases[i].leaf, cases[i].compilation);
		cache_blob(CACHE_SMALL)->compilation =
			cases[i].compilation ? COMPILATION : 0; /* not all is known of it */
		s->retired = cases[i].retired;
		tell();
		EXPECT_INT(cases[i].told, atomic_load(&s->site) != 0);
		EXPECT(!s->waits);
		EXPECT_INT(0, places.waiting.count);
		end();
	}
}

/* What an account has named by its class alone is told of when it is known, though its class is
 * gone; else the room goes to others. */
TEST(an_account_waits_as_long_as_its_site)
{
	for (int told = 0; told < 2; told++) {
		static struct told_sites accounts;
		enum place_state state;
		begin();
		told_sites_init(&accounts, &places);
		struct exact_site *s = waiting_site(false, COMPILATION - !told);
		uint32_t site = (uint32_t)(s - births.sites.at);
		EXPECT(told_sites_number(&accounts, site, &state));
		EXPECT_INT(PLACE_WAITS, state);
		s->retired = true;
		told_sites_again(&accounts);
		EXPECT_INT(1, accounts.count);
		tell();
		told_sites_again(&accounts);
		EXPECT_INT(0, accounts.count);
		EXPECT_INT(told, s->told_as != 0);
		end();
	}
}
