/* What the exact engine says at the end of a recording. */
#include "agent/exact_losses.h"

#include <stdio.h>
#include <string.h>

#include "agent/compiled.h"
#include "base/clock.h"
#include "support/agent_trace.h"
#include "support/tap.h"

enum { NOTES = 8 };

static struct recorder recorder;
static struct exact exact;
static struct {
	char text[NOTES][512], doors[16];
	enum severity severity[NOTES];
	size_t count, facts;
} seen;

static void see(void *arg, const struct record *r)
{
	(void)arg;
	if (r->kind == RECORD_fact && slice_equal(r->fact.key, slice_str("doors"))) {
		seen.facts++;
		snprintf(seen.doors, sizeof(seen.doors), "%.*s", (int)r->fact.value.len,
			(const char *)r->fact.value.at);
	}
	if (r->kind != RECORD_note || seen.count == NOTES)
		return;
	seen.severity[seen.count] = (enum severity)r->note.severity;
	snprintf(seen.text[seen.count++], sizeof(seen.text[0]), "%.*s", (int)r->note.text.len,
		(const char *)r->note.text.at);
}

static struct births *begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, clock_now(), NULL));
	memset(&exact, 0, sizeof(exact));
	memset(&seen, 0, sizeof(seen));
	struct births *b = births_get();
	b->refused = 0;
	b->uncounted = false;
	b->sites.refused = 0;
	b->unplaced = b->unlined = false;
	b->doors.oracle.code = NULL;
	b->doors.open = 0;
	return b;
}

static void end(void)
{
	struct agent_trace trace = {.sequence = 0};
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, NULL) >= 0);
	agent_trace_release(&trace);
	recorder_release(&recorder);
}

TEST(nothing_where_nothing_was_lost)
{
	begin();
	exact_losses_tell(&exact, &recorder);
	end();
	EXPECT(seen.count == 0 && seen.facts == 0);
}

TEST(each_loss_is_said)
{
	struct births *b = begin();
	exact.pauses.unaccounted = 1;
	b->refused = 12;
	b->uncounted = true;
	b->sites.refused = 1;
	b->unplaced = true;
	compiled_get()->map.refused = 3;
	exact_losses_tell(&exact, &recorder);
	compiled_get()->map.refused = 0;
	end();
	EXPECT_INT(6, seen.count);
	EXPECT(strstr(seen.text[5], "of 3 methods not all places are known"));
	EXPECT(strstr(seen.text[0], "1 collection has no exact account"));
	EXPECT(strstr(seen.text[1], "12 allocations were not counted"));
	EXPECT(strstr(seen.text[2], "StackChunk") && seen.severity[2] == NOTE_INFO);
	EXPECT(strstr(seen.text[3], "counted by its class") && seen.severity[3] == NOTE_WARNING);
	EXPECT(strstr(seen.text[4], "sites") && seen.severity[4] == NOTE_WARNING);
}

TEST(places_without_a_line_are_said)
{
	struct births *b = begin();
	b->unlined = true;
	atomic_store(&exact.places.unwritten, 7);
	exact_losses_tell(&exact, &recorder);
	end();
	EXPECT_INT(2, seen.count);
	EXPECT(strstr(seen.text[0], "more than 131072 places") && seen.severity[0] == NOTE_INFO);
	EXPECT(strstr(seen.text[0], "by its method, without a line, until it is compiled"));
	EXPECT(strstr(seen.text[1], "7 places that allocate came faster") &&
		seen.severity[1] == NOTE_WARNING);
}

/* Where some were made, others were only seldom enough. */
TEST(no_audit_at_all)
{
	begin();
	exact.pauses.audit.passed = 2;
	exact_losses_tell(&exact, &recorder);
	exact.pauses.audit.count = 1;
	exact_losses_tell(&exact, &recorder);
	end();
	EXPECT(seen.count == 1 && strstr(seen.text[0], "no audit was made"));
}

TEST(more_than_one_collection)
{
	begin();
	exact.pauses.unaccounted = 3;
	exact_losses_tell(&exact, &recorder);
	end();
	EXPECT(seen.count == 1 && strstr(seen.text[0], "3 collections have"));
}

/* Also where no more were given since a fence failed; but not where there could be none. */
TEST(doors_are_a_fact)
{
	struct births *b = begin();
	b->doors.open = 5;
	exact_losses_tell(&exact, &recorder);
	end();
	EXPECT(seen.facts == 1 && strcmp(seen.doors, "5") == 0);
}

TEST(single_objects_that_were_not_followed)
{
	begin();
	exact.traces = true;
	exact.tracing.follow.totals.births = 100000;
	exact.tracing.follow.totals.forgotten = 11;
	exact.tracing.follow.totals.nameless = 3;
	exact.tracing.follow.totals.unsure = 6;
	exact.tracing.follow.totals.strays = 2;
	exact_losses_tell(&exact, &recorder);
	exact.lost_intervals = 9;
	exact_losses_intervals(&exact, &recorder);
	end();
	EXPECT_INT(2, seen.count);
	/* What was not so is not said. */
	EXPECT_STR("of 100 000 single objects 11 were not followed to their end: 3 with a lock, "
		   "held or not, when a full collection came, 6 not to be told apart, 2 born where "
		   "no object can be",
		seen.text[0]);
	EXPECT(strstr(seen.text[1], "9 times"));
}
