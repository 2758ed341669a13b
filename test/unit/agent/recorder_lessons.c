#include "agent/recorder_lessons.h"

#include <string.h>

#include "agent/recorder_names.h"
#include "base/clock.h"
#include "base/error.h"
#include "support/agent_trace.h"
#include "support/tap.h"

enum { SLOTS = 16, METHODS = 5 };

/* A recording that someone learns from, and its trace. */
static struct {
	struct recorder recorder;
	struct learning learning;
	struct agent_trace trace;
} f;

static void add_method(uint64_t vm_id)
{
	char name[] = {'m', (char)('0' + vm_id), '\0'};
	struct method_facts facts = {.vm_id = vm_id,
		.class_signature = "Lcom/acme/Shop;",
		.name = name,
		.descriptor = "()V"};
	EXPECT_INT(0, recorder_add_method(&f.recorder, &facts));
}

static struct recorder *begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	o.seed = tap_seed();
	EXPECT_INT(0, recorder_init(&f.recorder, &o, SLOTS, clock_now(), NULL));
	EXPECT_INT(0, learning_init(&f.learning, SLOTS, UINT64_MAX, 15, 0));
	for (uint64_t i = 1; i <= METHODS; i++)
		add_method(i);
	recorder_learn(&f.recorder, &f.learning);
	return &f.recorder;
}

static void end(void)
{
	recorder_end(&f.recorder, END_VM);
	agent_trace_drain(&f.trace, &f.recorder, true);
	agent_trace_verify(&f.trace, true);
	agent_trace_release(&f.trace);
	learning_release(&f.learning);
	recorder_release(&f.recorder);
}

/* The tag of an object that such a method made. */
static int64_t birth(uint64_t method)
{
	struct stack_frame stack = {method, 0};
	struct recorder *r = &f.recorder;
	int64_t tag = 0;
	struct sample s = {.class_id = recorder_class(r, "Lcom/acme/Order;"),
		.size = 100,
		.stack = &stack,
		.depth = 1,
		.follow = true,
		.asked = true,
		.interval = recorder_interval(r, 0),
		.config = recorder_sieve(r).config};
	recorder_born(r, &s);
	recorder_clock(r, s.size, s.interval);
	EXPECT_INT(OUTCOME_FOLLOWED, recorder_sample(r, &s, &tag));
	return tag;
}

static struct place place_of(int64_t tag)
{
	struct place at;
	recorder_places(&f.recorder, &tag, 1, &at);
	return at;
}

static void collect(uint64_t young)
{
	struct collection c = {.cause = "G1 Evacuation Pause",
		.young = true,
		.gc = {.young = young, .tenuring = 15}};
	atomic_store(&f.recorder.young, young);
	recorder_collection(&f.recorder, &c);
}

/* Of what is followed now; of the dead, of strangers, and where nobody learns, nothing is known. */
TEST(places_of_tags)
{
	begin();
	int64_t first = birth(1), second = birth(2), third = birth(3);
	recorder_death(&f.recorder, second);
	EXPECT_INT(1, place_of(first).vm_method);
	EXPECT_INT(3, place_of(third).vm_method);
	EXPECT(place_of(first).class_id && place_of(first).class_id == place_of(third).class_id);
	EXPECT_INT(0, place_of(second).class_id);
	EXPECT_INT(0, place_of(0).class_id);
	/* Its slot is another's now. */
	int64_t fourth = birth(4);
	EXPECT_INT(0, place_of(second).class_id);
	EXPECT_INT(4, place_of(fourth).vm_method);
	recorder_learn(&f.recorder, NULL);
	EXPECT_INT(0, place_of(first).class_id);
	end();
}

/* What a method makes that was passed is its callers'; it was asked for before, so not it. */
TEST(a_method_that_makes_objects_for_its_callers)
{
	begin();
	EXPECT_INT(1, place_of(birth(1)).vm_method);
	recorder_pass(&f.recorder, 1);
	EXPECT_INT(0, place_of(birth(1)).vm_method); /* it has no callers here */
	EXPECT_INT(2, place_of(birth(2)).vm_method);
	recorder_learn(&f.recorder, NULL);
	recorder_pass(&f.recorder, 2);
	recorder_learn(&f.recorder, &f.learning);
	EXPECT_INT(2, place_of(birth(2)).vm_method);
	end();
}

/* A round is so many young collections; what was born in it is in it, and in no other. */
TEST(rounds)
{
	struct snapshot s;
	struct round round;
	begin();
	EXPECT_INT(0, snapshot_init(&s, learner_rows(f.learning.learner)));
	birth(1);
	collect(1);
	EXPECT(!recorder_round_is_over(&f.recorder, 2));
	EXPECT(!recorder_round(&f.recorder, 2, &s, &round));
	EXPECT(recorder_peek(&f.recorder, 0, &s, &round)); /* and the round goes on */
	EXPECT_INT(1, round.count);
	EXPECT(!recorder_peek(&f.recorder, 1, &s, &round));
	collect(2);
	EXPECT_INT(2, recorder_round_so_far(&f.recorder));
	EXPECT(recorder_round_is_over(&f.recorder, 2));
	EXPECT(recorder_round(&f.recorder, 2, &s, &round));
	EXPECT_INT(2, round.count);
	EXPECT_INT(1, s.count);
	EXPECT(!recorder_round_is_over(&f.recorder, 1));
	EXPECT_INT(0, recorder_round_so_far(&f.recorder));
	collect(3);
	EXPECT(recorder_end_round(&f.recorder, &s, &round));
	EXPECT_INT(1, round.count);
	EXPECT(!recorder_peek(&f.recorder, 0, &s, &round));
	recorder_learn(&f.recorder, NULL);
	EXPECT(!recorder_round_is_over(&f.recorder, 1));
	EXPECT(!recorder_round(&f.recorder, 1, &s, &round));
	EXPECT_INT(0, recorder_round_so_far(&f.recorder));
	EXPECT(!recorder_end_round(&f.recorder, &s, &round));
	snapshot_release(&s);
	end();
}

/* A full collection behind a young one in its pause: what that one copied is not known. */
TEST(a_round_does_not_end_within_a_pause)
{
	struct collection young = {.cause = "", .young = true, .more = true, .gc = {.young = 1}};
	struct collection full = {.cause = "", .full = true, .gc = {.young = 1, .full = 1}};
	struct snapshot s;
	struct round round;
	young.promoted = full.promoted = 7;
	begin();
	EXPECT_INT(0, snapshot_init(&s, learner_rows(f.learning.learner)));
	atomic_store(&f.recorder.young, 1);
	recorder_collection(&f.recorder, &young);
	EXPECT(!recorder_round_is_over(&f.recorder, 1));
	EXPECT(!recorder_round(&f.recorder, 1, &s, &round));
	EXPECT(!recorder_peek(&f.recorder, 0, &s, &round));
	EXPECT(!recorder_end_round(&f.recorder, &s, &round));
	full.gc.pause = 5;
	recorder_collection(&f.recorder, &full);
	EXPECT(recorder_round_is_over(&f.recorder, 1));
	EXPECT(recorder_round(&f.recorder, 1, &s, &round));
	EXPECT_INT(1, round.count);
	EXPECT_INT(5, round.longest);
	EXPECT_INT(0, round.collection[0].promoted);
	snapshot_release(&s);
	end();
}

TEST(signatures)
{
	char text[sizeof("Lcom/acme/Order;")];
	struct recorder *r = begin();
	uint32_t id = recorder_class(r, "Lcom/acme/Order;");
	memset(text, 'x', sizeof(text));
	EXPECT(recorder_signature(r, id, text, sizeof(text)));
	EXPECT_STR("Lcom/acme/Order;", text);
	EXPECT(!recorder_signature(r, id, text, sizeof(text) - 1));
	EXPECT(!recorder_signature(r, id + 1, text, sizeof(text)));
	recorder_learn(r, NULL);
	EXPECT(!recorder_signature(r, id, text, sizeof(text)));
	end();
}
