#include "agent/tenure_records.h"

#include <string.h>

#include "base/clock.h"
#include "support/agent_trace.h"
#include "support/tap.h"

static struct recorder recorder;

struct seen {
	uint32_t rounds, decisions, outcomes, sites;
	uint64_t lost;
	struct record_round round;
	struct record_decision decision;
	struct record_outcome outcome;
};

static void see(void *arg, const struct record *r)
{
	struct seen *s = arg;
	if (r->kind == RECORD_round)
		s->round = r->round, s->rounds++;
	if (r->kind == RECORD_decision)
		s->decision = r->decision, s->decisions++;
	if (r->kind == RECORD_outcome)
		s->outcome = r->outcome, s->outcomes++;
	if (r->kind == RECORD_lost && r->lost.what == LOST_DECISIONS)
		s->lost += r->lost.count;
	s->sites += r->kind == RECORD_site;
}

static struct seen read_back(void)
{
	struct agent_trace trace = {.sequence = 0};
	struct seen seen = {0};
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, &seen) >= 0);
	agent_trace_release(&trace);
	return seen;
}

static void begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 64, clock_now(), NULL));
}

TEST(a_decision_of_the_threshold)
{
	begin();
	struct action a = {.lever = LEVER_THRESHOLD,
		.kind = ACTION_RESUME,
		.value = 2,
		.gain = 1234.6,
		.harm = -1,
		.reason = "seen"};
	tenure_record_action(&recorder, 7, &a);
	struct seen s = read_back();
	EXPECT_INT(1, s.decisions);
	EXPECT_INT(7, s.decision.round);
	EXPECT_INT(1, s.decision.lever);
	EXPECT_INT(4, s.decision.action);
	EXPECT_INT(2, s.decision.value);
	EXPECT_INT(1235, s.decision.gain);
	EXPECT_INT(0, s.decision.harm);
	EXPECT_INT(0, s.decision.site);
	EXPECT(s.decision.reason);
	recorder_release(&recorder);
}

TEST(a_round_with_what_the_collector_did)
{
	struct controller_rule rule = controller_rule_default();
	struct controller *c;
	struct round r;
	begin();
	EXPECT_INT(0, controller_init(&c, &rule));
	controller_load_threshold(c, 3);
	round_clear(&r);
	for (uint64_t i = 1; i <= 3; i++)
		round_add(&r, &(struct round_collection){.allocated = 1000,
				      .survivors = 10 * i,
				      .promoted = i,
				      .pause = i == 3 ? ROUND_UNKNOWN : 100 * i,
				      .cpu = 5,
				      .cards = ROUND_UNKNOWN});
	r.young = 99;
	r.ended = 123; /* and not now: a look may come late, and the next one soon after it */
	tenure_record_round(&recorder, 4, &r, c);
	struct seen s = read_back();
	EXPECT_INT(1, s.rounds);
	EXPECT_INT(66, s.round.copied);
	EXPECT_INT(6, s.round.promoted);
	EXPECT_INT(3000, s.round.allocated);
	EXPECT_INT(15, s.round.cpu);
	EXPECT_INT(0, s.round.pause); /* of one it is not known */
	EXPECT_INT(200, s.round.longest);
	EXPECT_INT(3, s.round.collections);
	EXPECT_INT(3, s.round.threshold);
	EXPECT_INT(CONTROLLER_SETTLE, s.round.state);
	EXPECT_INT(99, s.round.young);
	EXPECT_INT(123, s.round.time);
	controller_free(c);
	recorder_release(&recorder);
}

TEST(an_outcome_only_where_there_is_one)
{
	begin();
	tenure_record_outcome(&recorder, 1, &(struct outcome){.predicted = 9});
	tenure_record_outcome(&recorder, 2,
		&(struct outcome){.told = true, .predicted = 100.4, .observed = 90.5});
	struct seen s = read_back();
	EXPECT_INT(1, s.outcomes);
	EXPECT_INT(2, s.outcome.round);
	EXPECT_INT(100, s.outcome.predicted);
	EXPECT_INT(91, s.outcome.observed);
	recorder_release(&recorder);
}

static struct action of_place(uint64_t method)
{
	struct action a = {.lever = LEVER_JUMP, .kind = ACTION_TAKE, .reason = ""};
	a.at.place = (struct place){.vm_method = method, .bci = 1};
	return a;
}

/* The writer sleeps: what was decided is told, with its place, where samples find no room any more;
 * and what finds none itself is counted. */
TEST(what_is_done_is_told_or_counted)
{
	struct agent_trace trace = {.sequence = 0};
	struct seen s = {0};
	struct action a = of_place(1);
	uint32_t taken = 0;
	begin();
	while (journal_has_room(&recorder.journal))
		recorder_fact(&recorder, "key", "value");
	tenure_record_action(&recorder, 1, &a);
	while (journal_has_last_room(&recorder.journal) && taken < 1000000)
		tenure_record_action(&recorder, 2, &a), taken++;
	EXPECT(taken > 100);
	a = of_place(2);
	for (int i = 0; i < 7; i++)
		tenure_record_action(&recorder, 3, &a);
	agent_trace_drain(&trace, &recorder, true);
	recorder_end(&recorder, END_STOPPED);
	agent_trace_drain(&trace, &recorder, true);
	EXPECT(agent_trace_each(&trace, see, &s) >= 0);
	EXPECT_INT(1 + taken, s.decisions);
	EXPECT(s.decision.site);
	EXPECT_INT(1, s.sites);
	EXPECT_INT(7, s.lost);
	agent_trace_release(&trace);
	recorder_release(&recorder);
}
