#include "agent/told_sites.h"

#include "agent/recorder_names.h"
#include "support/agent_trace.h"
#include "support/tap.h"

#define LINED (1u << 31) /* as in places.c */

static struct recorder recorder;
static struct births births;
static struct places places;
static struct told_sites told;

static void begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, (struct ns){0}, NULL));
	births = (struct births){.epoch = 0};
	EXPECT_INT(0, site_table_init(&births.sites, SITE_FIRST));
	places = (struct places){.recorder = &recorder, .births = &births};
	waiting_sites_init(&places.waiting);
	told_sites_init(&told, &places);
}

/* Which site is to be read as which, by the trace. */
static uint64_t as[64], tellings;

static void see(void *arg, const struct record *r)
{
	(void)arg;
	if (r->kind != RECORD_site_place)
		return;
	as[r->site_place.site] = r->site_place.as;
	tellings++;
}

static void end(void)
{
	struct agent_trace trace = {.sequence = 0};
	memset(as, 0, sizeof(as));
	tellings = 0;
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, NULL) >= 0);
	agent_trace_release(&trace);
	waiting_sites_release(&places.waiting);
	site_table_release(&births.sites);
	recorder_release(&recorder);
}

static uint32_t new_site(void)
{
	int fresh = 0;
	uint32_t id = site_table_find(&births.sites, births.sites.count * 16, 1, SITES_MAX, &fresh);
	EXPECT(fresh);
	births.sites.at[id].class_id = recorder_class(&recorder, "Lcom/acme/A;");
	return id;
}

/* A place is any number of a site; these are each of a class. */
static uint32_t locate(uint32_t site, const char *signature)
{
	uint32_t id = recorder_exact_site(&recorder, recorder_class(&recorder, signature), NULL, 0);
	atomic_store(&births.sites.at[site].site, id | LINED);
	return id;
}

static uint32_t number(uint32_t site, enum place_state expected)
{
	enum place_state state;
	uint32_t n = told_sites_number(&told, site, &state);
	EXPECT_INT(expected, state);
	return n;
}

TEST(places_that_are_known_are_the_numbers)
{
	begin();
	uint32_t a = new_site(), b = new_site();
	uint32_t place = locate(a, "LB;");
	EXPECT_INT(place, locate(b, "LB;"));
	EXPECT_INT(place, number(a, PLACE_KNOWN));
	EXPECT_INT(place, number(b, PLACE_KNOWN));
	EXPECT_INT(0, told.count);
	end();
	EXPECT_INT(0, tellings);
}

/* Each by itself, and once. */
TEST(a_number_stays)
{
	begin();
	uint32_t a = new_site(), b = new_site();
	uint32_t n = number(a, PLACE_WAITS), m = number(b, PLACE_WAITS);
	EXPECT(n && m && n != m);
	EXPECT_INT(n, number(a, PLACE_WAITS));
	EXPECT_INT(2, told.count);
	uint32_t place = locate(a, "LB;");
	EXPECT_INT(n, number(a, PLACE_KNOWN));
	EXPECT_INT(n, number(a, PLACE_KNOWN));
	told_sites_again(&told);
	EXPECT_INT(1, told.count);
	end();
	EXPECT_INT(1, tellings);
	EXPECT_INT(place, as[n]);
}

/* Nobody asks for it any more: all of its objects are dead. Where its code is gone there is nothing
 * to wait for. */
TEST(places_are_told_unasked)
{
	begin();
	uint32_t a = new_site(), b = new_site(), c = new_site();
	uint32_t n = number(a, PLACE_WAITS), m = number(c, PLACE_WAITS);
	number(b, PLACE_WAITS);
	births.sites.at[b].retired = true;
	births.sites.at[c].retired = true;
	uint32_t first = locate(a, "LB;"), second = locate(c, "LC;");
	told_sites_again(&told);
	EXPECT_INT(0, told.count);
	end();
	EXPECT_INT(2, tellings);
	EXPECT_INT(first, as[n]);
	EXPECT_INT(second, as[m]);
}

TEST(where_there_is_no_room_it_is_told_later)
{
	begin();
	uint32_t a = new_site();
	recorder.journal.ended = true;
	EXPECT_INT(0, number(a, PLACE_WAITS));
	recorder.journal.ended = false;
	uint32_t n = number(a, PLACE_WAITS), place = locate(a, "LB;");
	EXPECT(n);
	recorder.journal.ended = true;
	EXPECT_INT(n, number(a, PLACE_KNOWN));
	told_sites_again(&told);
	EXPECT_INT(1, told.count);
	recorder.journal.ended = false;
	told_sites_again(&told);
	EXPECT_INT(0, told.count);
	end();
	EXPECT_INT(1, tellings);
	EXPECT_INT(place, as[n]);
}
