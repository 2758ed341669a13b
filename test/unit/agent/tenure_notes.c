#include "agent/tenure_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "support/agent_trace.h"
#include "support/tap.h"

enum { NOTES = 8 };

static struct recorder recorder;
static struct {
	char text[NOTES][512];
	size_t count;
} seen;

static void see(void *arg, const struct record *r)
{
	(void)arg;
	if (r->kind != RECORD_note || seen.count == NOTES)
		return;
	EXPECT_INT(NOTE_INFO, r->note.severity);
	snprintf(seen.text[seen.count++], sizeof(seen.text[0]), "%.*s", (int)r->note.text.len,
		(const char *)r->note.text.at);
}

static void begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, clock_now(), NULL));
}

static void end(void)
{
	struct agent_trace trace = {.sequence = 0};
	memset(&seen, 0, sizeof(seen));
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, NULL) >= 0);
	agent_trace_release(&trace);
	recorder_release(&recorder);
}

TEST(what_copying_costs_is_said_once_as_long_as_it_is_the_same)
{
	struct cost cost = COST_DEFAULT;
	struct diag said = {""};
	begin();
	tenure_note_cost(&recorder, &cost, false, &said);
	tenure_note_cost(&recorder, &cost, false, &said);
	tenure_note_cost(&recorder, &cost, true, &said);
	cost.object = 41;
	tenure_note_cost(&recorder, &cost, true, &said);
	end();
	EXPECT_INT(3, seen.count);
	EXPECT(strstr(seen.text[0], "30 ns for each object and 0.10 ns") &&
		strstr(seen.text[0], "(not measured"));
	EXPECT(strstr(seen.text[1], "(measured in"));
	EXPECT(strstr(seen.text[2], "41 ns"));
}

TEST(each_kind_of_silence_is_said_with_its_reason)
{
	static const char *const why[JUMPS_SILENTS] = {
		[JUMPS_UNLOADED] = "did nothing: their classes were not loaded (",
		[JUMPS_UNLINKED] = "were not linked",
		[JUMPS_UNDONE] = "the recording ended first",
		[JUMPS_UNKNOWN] = "is not known"};
	for (int i = 0; i < JUMPS_SILENTS; i++) {
		struct jumps_some of[JUMPS_SILENTS] = {{.count = 0}};
		of[i].count = (size_t)i + 3;
		diag_set(&of[i].named, 0, "a.Class.run, index 2");
		begin();
		tenure_note_silent(&recorder, of, false);
		end();
		EXPECT_INT(1, seen.count);
		EXPECT(strstr(seen.text[0], why[i]) &&
			strstr(seen.text[0], "(a.Class.run, index 2)"));
		EXPECT_INT(i + 3, seen.text[0][0] - '0');
	}
}

/* The exact engine's probe knows a class by what is born there. */
TEST(where_births_tell_a_class_may_be_loaded)
{
	struct jumps_some of[JUMPS_SILENTS] = {[JUMPS_UNLOADED] = {.count = 1}};
	begin();
	tenure_note_silent(&recorder, of, true);
	end();
	EXPECT_INT(1, seen.count);
	EXPECT(strstr(seen.text[0], "not loaded, or nothing was made there ("));
}

TEST(of_nothing_nothing_is_said)
{
	struct jumps_some none[JUMPS_SILENTS] = {{.count = 0}};
	begin();
	tenure_note_silent(&recorder, none, true);
	tenure_note_left(&recorder, 0);
	tenure_note_constructed(&recorder, (struct jumps_constructed){0, 0});
	end();
	EXPECT_INT(0, seen.count);
}

TEST(what_is_left_and_what_it_cost)
{
	begin();
	tenure_note_left(&recorder, 2);
	tenure_note_constructed(&recorder, (struct jumps_constructed){.all = 5, .plain = 3});
	end();
	EXPECT_INT(2, seen.count);
	EXPECT(strncmp(seen.text[0], "2 of the rewritten classes", 26) == 0);
	EXPECT(strncmp(seen.text[1], "at 3 of 5 places", 16) == 0);
}

TEST(a_key_that_is_not_known_is_told)
{
	struct decisions d = {.unknown = 0};
	begin();
	tenure_note_unknown(&recorder, &d);
	d.unknown = 3;
	diag_set(&d.first_unknown, 0, "line 2: \"treshold\"");
	tenure_note_unknown(&recorder, &d);
	end();
	EXPECT_INT(1, seen.count);
	EXPECT_STR("keys in the decisions file that are not known, and are passed over: 3 (the "
		   "first: line 2: \"treshold\")",
		seen.text[0]);
}

static void learnt(const char *jdk, const char *gc)
{
	struct decisions d = {.has_threshold = true,
		.threshold = 2,
		.jdk = (char *)(uintptr_t)jdk,
		.gc = (char *)(uintptr_t)gc};
	begin();
	tenure_note_learnt(&recorder, &d, "21.0.8", "Parallel", true);
	end();
}

static void learnt_file(const char *file, bool acts)
{
	struct decisions d = {.list = {0}};
	EXPECT_INT(0, decisions_read(&d, slice_str(file), "f.json", NULL));
	begin();
	tenure_note_learnt(&recorder, &d, "21.0.8", "Parallel", acts);
	end();
	EXPECT_INT(1, seen.count);
	decisions_release(&d);
}

#define OTHER "{\"mayfly\": 1, \"jdk\": \"17.0.15\""
#define TOLD  "the decisions file was learnt with JDK 17.0.15, and this is 21.0.8 with Parallel: "

/* "Its decisions are tried" was said of a file that had none, and of a run that tries none. */
TEST(what_becomes_of_another_vms_decisions)
{
	learnt_file(OTHER ", \"decisions\": []}", true);
	EXPECT_STR(TOLD "there is nothing in it to be done", seen.text[0]);
	learnt_file(OTHER ", \"decisions\": []}", false);
	EXPECT_STR(TOLD "there is nothing in it to be done", seen.text[0]);
	learnt_file(OTHER ", \"threshold\": 0}", true);
	EXPECT_STR(
		TOLD "its decisions are tried, and looked at again after 4 rounds", seen.text[0]);
	learnt_file(OTHER ", \"threshold\": 0}", false);
	EXPECT_STR(TOLD "its decisions are not tried, for nothing is changed in this run",
		seen.text[0]);
}

TEST(a_file_of_another_vm)
{
	learnt(NULL, NULL);
	EXPECT_INT(0, seen.count);
	learnt("21.0.8", "Parallel");
	EXPECT_INT(0, seen.count);
	learnt("21.0.8", NULL);
	EXPECT_INT(0, seen.count);
	learnt("21.0.8", "G1");
	EXPECT_INT(1, seen.count);
	EXPECT_STR("the decisions file was learnt with JDK 21.0.8 and G1, and this is 21.0.8 with "
		   "Parallel: its decisions are tried, and looked at again after 4 rounds",
		seen.text[0]);
	learnt("17.0.15", NULL);
	EXPECT_INT(1, seen.count);
	EXPECT_STR(
		"the decisions file was learnt with JDK 17.0.15, and this is 21.0.8 with Parallel: "
		"its decisions are tried, and looked at again after 4 rounds",
		seen.text[0]);
	learnt(NULL, "G1");
	EXPECT_INT(1, seen.count);
}

TEST(places_that_stand_there_twice_are_said_where_there_are_any)
{
	struct jumps_some twice = {.count = 0};
	begin();
	tenure_note_twice(&recorder, &twice);
	twice.count = 2;
	diag_set(&twice.named, 0, "a.Class.run, index 2; a.Class.run, index 4");
	tenure_note_twice(&recorder, &twice);
	end();
	EXPECT_INT(1, seen.count);
	EXPECT_STR("2 of the decisions in the file are for places that stand there before, and are "
		   "left out (a.Class.run, index 2; a.Class.run, index 4)",
		seen.text[0]);
}

TEST(places_that_a_file_can_not_hold_are_told_of)
{
	begin();
	tenure_note_unwritten(&recorder, 0);
	tenure_note_unwritten(&recorder, 3);
	end();
	EXPECT_INT(1, seen.count);
	EXPECT_STR("3 of the places are not saved in the decisions file, and have to be learnt "
		   "anew: it holds 4096, and no name of more than 4095 bytes or with half a "
		   "character",
		seen.text[0]);
}
