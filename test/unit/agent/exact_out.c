/* Blocks are written out for room, and only for that. */
#include "agent/exact_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/recorder_names.h"
#include "base/clock.h"
#include "base/error.h"
#include "support/tap.h"

static struct recorder recorder;
static struct output output;
static struct births births;
static struct places places;
static struct told_sites told;
static struct options options;

static void begin(void)
{
	struct diag d = {0};
	snprintf(options.file, sizeof(options.file), "/tmp/mayfly-test-XXXXXX");
	int fd = mkstemp(options.file);
	EXPECT(fd >= 0 && !close(fd));
	EXPECT_INT(0, recorder_init(&recorder, &options, 16, clock_now(), NULL));
	EXPECT_INT(0, output_open(&output, &options, &d));
	births = (struct births){.epoch = 0};
	EXPECT_INT(0, site_table_init(&births.sites, SITE_FIRST));
	places = (struct places){.recorder = &recorder, .births = &births};
	waiting_sites_init(&places.waiting);
	told_sites_init(&told, &places);
}

static void end(void)
{
	unlink(output.path);
	output_close(&output);
	waiting_sites_release(&places.waiting);
	site_table_release(&births.sites);
	recorder_release(&recorder);
}

static uint32_t new_site(void)
{
	int fresh = 0;
	return site_table_find(&births.sites, births.sites.count * 16, 1, SITES_MAX, &fresh);
}

static void put(void)
{
	const struct record record = {.kind = RECORD_exact_gc};
	exact_out_put(&recorder, &output, &record);
}

static void init_options(void)
{
	options_init(&options);
	options.memory = 1ull << 32;
}

/* A program that makes classes for ever has more places than memory allows names. */
TEST(a_place_without_a_name_makes_no_block)
{
	enum place_state state;
	init_options();
	begin();
	uint32_t site = new_site();
	recorder.catalog.memory_max = 0;
	for (int i = 0; i < 1000; i++) {
		EXPECT_INT(0, exact_out_site(&told, &recorder, &output, site, &state));
		put();
	}
	EXPECT_INT(0, output.sequence);
	end();
}

TEST(full_blocks_make_room)
{
	enum place_state state;
	init_options();
	begin();
	while (!recorder_exact(&recorder, &(struct record){.kind = RECORD_exact_gc}))
		;
	EXPECT(exact_out_site(&told, &recorder, &output, new_site(), &state));
	EXPECT(output.sequence > 0);
	uint32_t before = output.sequence;
	while (!recorder_exact(&recorder, &(struct record){.kind = RECORD_exact_gc}))
		;
	put();
	EXPECT(output.sequence > before);
	end();
}
