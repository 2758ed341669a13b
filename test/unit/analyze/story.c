#include "analyze/story.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { ROUNDS = 40, PAUSES = 64, DECISIONS = 12 };

static void set_fact(struct model *m, const char *key, const char *value)
{
	struct record r = {.kind = RECORD_fact};
	r.fact.key = slice_str(key);
	r.fact.value = slice_str(value);
	EXPECT_INT(1, facts_read(&m->facts, &m->defs.texts, &r, &m->odds));
}

static void add_round(struct model *m, const struct record_round *r)
{
	EXPECT_INT(0, tenure_add_round(&m->tenure, r, &m->odds));
}

static void add_decision(struct model *m, uint64_t round, enum tenure_lever lever,
	enum tenure_action action, uint32_t site, uint64_t value)
{
	struct record_decision r = {.time = round * 10,
		.round = round,
		.lever = lever,
		.action = action,
		.value = value,
		.gain = value};
	EXPECT_INT(0, tenure_add_decision(&m->tenure, &r, site, 0, &m->odds));
}

/* ---- any rounds, against counting by hand ---- */

struct plain {
	struct record_round rounds[ROUNDS];
	uint64_t pauses[ROUNDS][PAUSES]; /* of the round's collections */
	size_t count;
	uint64_t first, last; /* changes; STORY_NEVER */
};

/* One in five. */
static bool is_full(uint64_t pause)
{
	return pause % 5 == 0;
}

static void put_gc(struct model *m, uint64_t young, uint64_t pause)
{
	struct record_gc r = {
		.start = young * 100, .end = young * 100 + 1, .young = young, .pause = pause};
	uint32_t role = is_full(pause) ? ROLE_FULL : ROLE_YOUNG;
	EXPECT_INT(0, gcs_add(&m->gcs, &r, 0, role, 0, &m->odds));
}

/* Some rounds are lost on the way, their collections are there. */
static void make_rounds(struct model *m, struct plain *p, struct rng *rng)
{
	uint64_t young = 0, time = 0;
	size_t want = rng_below(rng, ROUNDS);
	for (uint64_t number = 1; p->count < want; number++) {
		uint64_t collections = rng_below(rng, 5), pause = 0, longest = 0;
		struct record_round *r = &p->rounds[p->count];
		for (uint64_t i = 0; i < collections; i++) {
			uint64_t ns = 1 + rng_below(rng, 1000000);
			p->pauses[p->count][i] = ns;
			pause += ns;
			longest = ns > longest ? ns : longest;
			put_gc(m, ++young, ns);
		}
		time += rng_below(rng, 3) * 1000000000;
		if (rng_below(rng, 6) == 0)
			continue;
		*r = (struct record_round){.time = time,
			.round = number,
			.young = young,
			.copied = rng_below(rng, 4) * 250000001,
			.promoted = rng_below(rng, 1000000),
			.pause = pause,
			.longest = longest,
			.collections = collections,
			.allocated = rng_below(rng, 4) * 700000001,
			.cpu = rng_below(rng, 3) * rng_below(rng, 100000000),
			.state = rng_below(rng, 6),
			.threshold = 15};
		add_round(m, r);
		p->count++;
	}
}

static void make_decisions(struct model *m, struct plain *p, struct rng *rng)
{
	uint64_t end = p->count ? p->rounds[p->count - 1].round : 0;
	p->first = p->last = STORY_NEVER;
	for (uint64_t i = rng_below(rng, DECISIONS); i-- > 0;) {
		uint64_t round = rng_below(rng, ROUNDS + 9);
		enum tenure_lever lever = (enum tenure_lever)rng_below(rng, TENURE_LEVERS);
		enum tenure_action action = (enum tenure_action)rng_below(rng, TENURE_ACTIONS);
		add_decision(m, round, lever, action, 1, 1);
		if (lever == TENURE_SAMPLING || lever == TENURE_YOUNG ||
			(action != TENURE_TAKE && action != TENURE_TAKE_BACK))
			continue;
		if (p->first == STORY_NEVER || round < p->first)
			p->first = round;
		if (round < end && (p->last == STORY_NEVER || round > p->last))
			p->last = round;
	}
}

enum part { BEFORE, REST, AFTER };

/* A round is as long as the first one; the second in a row has all that it needs. */
static bool is_whole(const struct plain *p, size_t i)
{
	uint64_t length = p->rounds[0].collections ? p->rounds[0].collections : 16;
	return p->rounds[i].collections >= length || (i && p->rounds[i - 1].state == 3);
}

static bool is_look(const struct plain *p, size_t i)
{
	bool ends = i + 1 == p->count;
	return p->rounds[i].round > p->first && p->rounds[i].state == 3 &&
	       (ends ? is_whole(p, i) : p->rounds[i + 1].state != 3);
}

/* Of probes in a row the last; of those since the last change the whole ones, if there are any; of
 * those before it the last, where none is behind it. */
static bool is_rest(const struct plain *p, size_t i)
{
	if (!is_look(p, i))
		return false;
	bool since = p->rounds[i].round > p->last;
	for (size_t j = 0; j < p->count; j++)
		if (is_look(p, j) && j != i &&
			(since ? p->rounds[j].round > p->last && is_whole(p, j) && !is_whole(p, i)
			       : j > i))
			return false;
	return p->last != STORY_NEVER;
}

static bool has_idle(const struct plain *p, size_t i)
{
	const struct record_round *r = &p->rounds[i];
	return p->last != STORY_NEVER && r->round > p->first && r->round <= p->last &&
	       (r->state == 0 || r->state == 4);
}

/* The last rounds with nothing in force before the last change, where no look is behind them: three
 * at most, and the first of several is none. */
static bool is_idle(const struct plain *p, size_t i)
{
	size_t behind = 0;
	if (!has_idle(p, i))
		return false;
	for (size_t j = i + 1; j < p->count && has_idle(p, j) && has_idle(p, j - 1); j++)
		behind++;
	for (size_t j = i + 1; j < p->count; j++)
		if (is_look(p, j) || (has_idle(p, j) && j > i + behind))
			return false;
	return behind < 3 && (!behind || (i && has_idle(p, i - 1)));
}

static bool any_idle(const struct plain *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (is_idle(p, i))
			return true;
	return false;
}

static bool is_brief(const struct plain *p)
{
	size_t rest = 0, whole = 0;
	if (any_idle(p))
		return false;
	for (size_t i = 0; i < p->count; i++) {
		rest += is_rest(p, i);
		whole += is_rest(p, i) && is_whole(p, i);
	}
	return rest && !whole;
}

static bool is_of(const struct plain *p, size_t i, enum part part)
{
	const struct record_round *r = &p->rounds[i];
	if (part == BEFORE || r->round <= p->first)
		return part == BEFORE && r->round <= p->first;
	if (part == REST)
		return any_idle(p) ? is_idle(p, i) : is_rest(p, i);
	return p->last != STORY_NEVER && r->round > p->last && r->state != 1 && r->state != 3;
}

/* The middle one by counting how many are below each. */
static double middle(const double *x, size_t n)
{
	double low = (double)NAN, high = low;
	for (size_t i = 0; i < n; i++) {
		size_t below = 0, same = 0;
		for (size_t k = 0; k < n; k++) {
			below += x[k] < x[i];
			same += !(x[k] < x[i]) && !(x[k] > x[i]);
		}
		if (below <= (n - 1) / 2 && (n - 1) / 2 < below + same)
			low = x[i];
		if (below <= n / 2 && n / 2 < below + same)
			high = x[i];
	}
	return (low + high) / 2;
}

static void expect_figure(
	const struct story_side *side, enum story_figure f, const double *x, size_t n)
{
	double want = middle(x, n);
	for (size_t i = 0; f == STORY_MOST && i < n; i++)
		want = !i || x[i] > want ? x[i] : want;
	EXPECT_INT(n, side->n[f]);
	EXPECT(n || isnan(side->value[f]));
	if (n)
		EXPECT_NEAR(want, side->value[f], 1e-9 * (fabs(want) + 1));
}

static void expect_full(const struct plain *p, const struct story_side *side, enum part part)
{
	double full = 0, all = 0;
	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; is_of(p, i, part) && k < p->rounds[i].collections; k++) {
			double pause = (double)p->pauses[i][k];
			all += pause;
			full += is_full(p->pauses[i][k]) ? pause : 0;
		}
	EXPECT(all > 0 || isnan(side->value[STORY_FULL]));
	if (all > 0)
		EXPECT_NEAR(full / all, side->value[STORY_FULL], 1e-9);
	EXPECT_INT(side->n[STORY_PAUSE], side->n[STORY_FULL]);
}

static void expect_side(const struct plain *p, const struct story_side *side, enum part part)
{
	static double x[STORY_FIGURES][ROUNDS * PAUSES];
	size_t n[STORY_FIGURES] = {0}, rounds = 0;
	for (size_t i = 0; i < p->count; i++) {
		const struct record_round *r = &p->rounds[i];
		double gb = (double)r->allocated / 1e9;
		bool joined = i ? r->round == p->rounds[i - 1].round + 1 : r->round == 1;
		double seconds =
			joined ? (double)(r->time - (i ? p->rounds[i - 1].time : 0)) / 1e9 : 0;
		if (!is_of(p, i, part))
			continue;
		rounds++;
		for (size_t k = 0; k < r->collections; k++)
			x[STORY_PAUSE][n[STORY_PAUSE]++] = (double)p->pauses[i][k];
		if (r->collections) {
			x[STORY_LONGEST][n[STORY_LONGEST]++] = (double)r->longest;
			x[STORY_MOST][n[STORY_MOST]++] = (double)r->longest;
		}
		if (r->allocated && r->copied) {
			x[STORY_COPIED][n[STORY_COPIED]++] = (double)r->copied / gb;
			x[STORY_PROMOTED][n[STORY_PROMOTED]++] = (double)r->promoted / gb;
		}
		if (r->allocated && r->cpu)
			x[STORY_CPU][n[STORY_CPU]++] = (double)r->cpu / gb;
		if (seconds > 0) {
			x[STORY_RATE][n[STORY_RATE]++] = 60 * (double)r->collections / seconds;
			x[STORY_SHARE][n[STORY_SHARE]++] = (double)r->pause / 1e9 / seconds;
		}
	}
	EXPECT_INT(rounds, side->rounds);
	for (enum story_figure f = 0; f < STORY_FIGURES; f++)
		if (f != STORY_FULL)
			expect_figure(side, f, x[f], n[f]);
	expect_full(p, side, part);
}

TEST(before_and_after_as_counted_by_hand)
{
	struct rng rng = rng_init(tap_seed());
	for (int run = 0; run < 300; run++) {
		static struct plain p;
		struct model m;
		struct story s;
		p.count = 0;
		EXPECT_INT(0, model_init(&m));
		make_rounds(&m, &p, &rng);
		make_decisions(&m, &p, &rng);
		EXPECT_INT(0, story_find(&s, &m));
		EXPECT(s.first == p.first && s.last == p.last);
		expect_side(&p, &s.before, BEFORE);
		expect_side(&p, &s.rest, REST);
		EXPECT_INT(is_brief(&p), s.brief && s.rest.rounds);
		expect_side(&p, &s.after, AFTER);
		EXPECT(story_without(&s) ==
			(s.rest.rounds && s.after.rounds ? &s.rest : &s.before));
		story_release(&s);
		model_release(&m);
	}
}

/* ---- single rules ---- */

#define STORY(m, s)                                                                                \
	struct model m;                                                                            \
	struct story s;                                                                            \
	EXPECT_INT(0, model_init(&m))
#define TOLD(m, s) EXPECT_INT(0, story_find(&s, &m))
#define DONE(m, s)                                                                                 \
	story_release(&s);                                                                         \
	model_release(&m)

static void add_rounds(struct model *m, uint64_t from, uint64_t to, uint64_t jumps)
{
	for (uint64_t n = from; n <= to; n++)
		add_round(m, &(struct record_round){.time = n * 1000,
				     .round = n,
				     .young = n * 16,
				     .collections = 16,
				     .copied = n,
				     .allocated = 1000000000,
				     .state = TENURE_HOLDS,
				     .threshold = 15,
				     .jumps = jumps});
}

TEST(places_as_they_stand_at_the_end)
{
	STORY(m, s);
	add_rounds(&m, 1, 9, 0);
	add_decision(&m, 2, TENURE_JUMP, TENURE_TAKE, 5, 100);
	add_decision(&m, 2, TENURE_JUMP, TENURE_TAKE, 6, 300);
	add_decision(&m, 2, TENURE_JUMP, TENURE_TAKE, 7, 200);
	add_decision(&m, 3, TENURE_JUMP, TENURE_TAKE_BACK, 6, 0);
	add_decision(&m, 4, TENURE_JUMP, TENURE_KEEP, 5, 7);
	add_decision(&m, 4, TENURE_JUMP, TENURE_REST, 0, 0);
	add_decision(&m, 5, TENURE_JUMP, TENURE_RESUME, 0, 0);
	add_decision(&m, 5, TENURE_JUMP, TENURE_TAKE_BACK, 8, 0);
	add_decision(&m, 6, TENURE_THRESHOLD, TENURE_TAKE, 0, 2);
	add_decision(&m, 7, TENURE_SAMPLING, TENURE_TAKE, 0, 1);
	add_decision(&m, 8, TENURE_SAMPLING, TENURE_TAKE_BACK, 0, 1);
	TOLD(m, s);
	EXPECT_INT(4, s.places.count);
	EXPECT_INT(2, s.in_force);
	EXPECT_INT(7, s.places.at[0].site);
	EXPECT_INT(5, s.places.at[1].site);
	EXPECT_INT(100, s.places.at[1].gain);
	EXPECT_INT(8, s.places.at[2].site);
	EXPECT_INT(6, s.places.at[3].site);
	EXPECT_INT(300, s.places.at[3].gain);
	EXPECT_INT(2, s.taken_back);
	EXPECT_INT(2, s.jumps);
	EXPECT_INT(2, s.threshold);
	EXPECT_INT(1, s.moves.count);
	EXPECT(s.why == STORY_DONE && s.first == 2 && s.last == 6);
	DONE(m, s);
}

/* Each of them is told of; none has moved anything. */
TEST(what_a_file_says_of_no_place_here_is_told_one_by_one)
{
	STORY(m, s);
	set_fact(&m, "tenure", "apply");
	add_rounds(&m, 1, 4, 0);
	for (uint64_t i = 0; i < 3; i++)
		add_decision(&m, 0, TENURE_JUMP, TENURE_TAKE_BACK, 0, 0);
	TOLD(m, s);
	EXPECT_INT(3, s.places.count);
	EXPECT_INT(0, s.in_force);
	EXPECT(s.nowhere == 3 && s.taken_back == 3 && s.jumps == 0);
	EXPECT(s.first == STORY_NEVER && s.why == STORY_NOTHING);
	DONE(m, s);
}

/* One that jumped, of which the trace does not say where. */
TEST(a_place_that_is_not_named_is_taken_back_as_it_was_taken)
{
	STORY(m, s);
	add_rounds(&m, 1, 4, 0);
	add_decision(&m, 0, TENURE_JUMP, TENURE_TAKE, 0, 0);
	add_decision(&m, 1, TENURE_JUMP, TENURE_TAKE_BACK, 0, 0);
	TOLD(m, s);
	EXPECT(s.places.count == 1 && s.in_force == 0 && s.taken_back == 1);
	DONE(m, s);
}

TEST(a_change_that_no_round_followed_is_not_the_last)
{
	STORY(m, s);
	add_rounds(&m, 1, 6, 0);
	add_decision(&m, 2, TENURE_THRESHOLD, TENURE_TAKE, 0, 3);
	add_decision(&m, 6, TENURE_THRESHOLD, TENURE_TAKE_BACK, 0, 15);
	TOLD(m, s);
	EXPECT(s.last == 2 && s.unfollowed);
	EXPECT_INT(2, s.before.rounds);
	EXPECT_INT(4, s.after.rounds);
	EXPECT_INT(TENURE_UNBOUND, s.threshold);
	EXPECT_INT(1, s.taken_back);
	EXPECT_NEAR(1.5, s.before.value[STORY_COPIED], 1e-12);
	EXPECT_NEAR(4.5, s.after.value[STORY_COPIED], 1e-12);
	DONE(m, s);
}

static void end_in_a_look(struct model *m, uint64_t collections, uint64_t rounds)
{
	add_rounds(m, 1, 4, 0);
	add_decision(m, 2, TENURE_THRESHOLD, TENURE_TAKE, 0, 0);
	for (uint64_t n = 5; n < 5 + rounds; n++)
		add_round(m, &(struct record_round){.time = n * 1000,
				     .round = n,
				     .young = n * 16,
				     .collections = n == 4 + rounds ? collections : 16,
				     .copied = n,
				     .allocated = 1000000000,
				     .state = TENURE_PROBES});
}

/* In its first collections little is copied: what was born before them was promoted. */
TEST(a_look_that_the_program_s_end_cut_off_is_no_measure)
{
	static const struct {
		uint64_t collections, rounds;
		bool is;
	} looks[] = {{3, 1, false}, {15, 1, false}, {16, 1, true}, {3, 2, true}};
	for (size_t i = 0; i < ARRAY_SIZE(looks); i++) {
		STORY(m, s);
		end_in_a_look(&m, looks[i].collections, looks[i].rounds);
		TOLD(m, s);
		EXPECT_INT(looks[i].is, s.rest.rounds);
		EXPECT(!s.brief);
		EXPECT(story_without(&s) == (looks[i].is ? &s.rest : &s.before));
		DONE(m, s);
	}
}

/* Nothing moves where it is only learnt. */
TEST(what_is_only_learnt_has_no_after)
{
	STORY(m, s);
	set_fact(&m, "tenure", "dry-run");
	add_rounds(&m, 1, 6, 0);
	add_decision(&m, 2, TENURE_JUMP, TENURE_TAKE, 3, 9);
	TOLD(m, s);
	EXPECT(!s.acts && s.asked == STORY_ASKED_DRY_RUN && s.why == STORY_DONE);
	EXPECT_INT(6, s.before.rounds);
	EXPECT_INT(0, s.after.rounds);
	EXPECT_INT(1, s.jumps);
	DONE(m, s);
}

/* Of an earlier run: places jump without a word. */
TEST(decisions_from_a_file_have_no_before)
{
	STORY(m, s);
	set_fact(&m, "tenure", "apply");
	add_rounds(&m, 1, 6, 4);
	TOLD(m, s);
	EXPECT(s.acts && s.why == STORY_DONE && s.first == 0 && s.last == 0);
	EXPECT_INT(0, s.before.rounds);
	EXPECT_INT(6, s.after.rounds);
	EXPECT_INT(4, s.jumps);
	DONE(m, s);
}

/* The records of it were lost: that places jump is known all the same. */
TEST(rounds_in_which_places_jumped_are_not_before)
{
	STORY(m, s);
	add_rounds(&m, 1, 2, 0);
	add_rounds(&m, 3, 6, 4);
	TOLD(m, s);
	EXPECT(s.why == STORY_DONE && s.first == STORY_NEVER);
	EXPECT_INT(2, s.before.rounds);
	EXPECT_INT(0, s.after.rounds);
	EXPECT_INT(4, s.jumps);
	DONE(m, s);
}

TEST(why_nothing_was_done)
{
	static const struct {
		const char *asked, *gc, *off;
		uint64_t rounds;
		bool advised;
		enum story_why why;
	} cases[] = {
		{NULL, "G1", NULL, 0, false, STORY_UNASKED},
		{"yes", "G1", NULL, 0, false, STORY_FEW},
		{"yes", "G1", NULL, 1, false, STORY_FEW},
		{"yes", "Parallel", NULL, 2, false, STORY_NOTHING},
		{NULL, "Serial", NULL, 2, false, STORY_NOTHING},
		{"learn", "G1", NULL, 2, true, STORY_ADVISED},
		{"yes", "ZGC", NULL, 0, false, STORY_COLLECTOR},
		{"yes", "ZGC", "it is so", 0, false, STORY_OFF},
		{"yes", NULL, NULL, 3, false, STORY_NOTHING},
		{"apply", "G1", NULL, 0, false, STORY_NOTHING},
		{"apply", "Serial", NULL, 3, false, STORY_NOTHING},
		{"apply", "ZGC", NULL, 3, false, STORY_COLLECTOR},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		STORY(m, s);
		if (cases[i].asked)
			set_fact(&m, "tenure", cases[i].asked);
		if (cases[i].gc)
			set_fact(&m, "gc", cases[i].gc);
		if (cases[i].off)
			set_fact(&m, "tenure.why", cases[i].off);
		if (cases[i].rounds)
			add_rounds(&m, 1, cases[i].rounds, 0);
		if (cases[i].advised)
			add_decision(&m, 1, TENURE_THRESHOLD, TENURE_ADVISE, 0, 1);
		TOLD(m, s);
		EXPECT_INT(cases[i].why, s.why);
		EXPECT_INT(cases[i].advised, s.advice != NULL);
		EXPECT(slice_equal(s.off, slice_str(cases[i].off ? cases[i].off : "")));
		DONE(m, s);
	}
}

/* A larger young generation is no other way to what there was nothing to gain by. */
TEST(a_larger_young_generation_does_not_do_as_well)
{
	STORY(m, s);
	set_fact(&m, "tenure", "yes");
	set_fact(&m, "gc", "Serial");
	add_rounds(&m, 1, 3, 0);
	add_decision(&m, 2, TENURE_YOUNG, TENURE_ADVISE, 0, 200);
	TOLD(m, s);
	EXPECT_INT(STORY_NOTHING, s.why);
	EXPECT(!s.advice && s.young_advice);
	DONE(m, s);
}

TEST(advice_holds_until_something_else_is_done)
{
	static const struct {
		enum tenure_lever advised, lever;
		enum tenure_action action;
		uint64_t round;
		bool holds;
	} cases[] = {
		{TENURE_THRESHOLD, TENURE_THRESHOLD, TENURE_TAKE, 2, true},
		{TENURE_THRESHOLD, TENURE_THRESHOLD, TENURE_TAKE_BACK, 2, false},
		{TENURE_THRESHOLD, TENURE_THRESHOLD, TENURE_TAKE, 3, false},
		{TENURE_THRESHOLD, TENURE_JUMP, TENURE_TAKE, 5, false},
		{TENURE_THRESHOLD, TENURE_THRESHOLD, TENURE_TAKE_BACK, 3, false},
		{TENURE_THRESHOLD, TENURE_THRESHOLD, TENURE_KEEP, 3, true},
		{TENURE_THRESHOLD, TENURE_THRESHOLD, TENURE_REST, 3, true},
		{TENURE_THRESHOLD, TENURE_SAMPLING, TENURE_TAKE, 3, true},
		{TENURE_YOUNG, TENURE_JUMP, TENURE_TAKE, 5, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		STORY(m, s);
		add_rounds(&m, 1, 6, 0);
		add_decision(&m, 2, cases[i].advised, TENURE_ADVISE, 0, 1);
		add_decision(&m, cases[i].round, cases[i].lever, cases[i].action, 0, 1);
		TOLD(m, s);
		EXPECT_INT(cases[i].holds, s.advice != NULL || s.young_advice != NULL);
		DONE(m, s);
	}
}

/* "-XX:MaxTenuringThreshold=1 gives you this" is not said of a bound of 2. */
TEST(advice_is_of_the_bound_that_stands)
{
	for (uint64_t bound = 1; bound <= 2; bound++) {
		STORY(m, s);
		add_rounds(&m, 1, 6, 0);
		add_decision(&m, 2, TENURE_THRESHOLD, TENURE_TAKE, 0, bound);
		add_decision(&m, 4, TENURE_THRESHOLD, TENURE_ADVISE, 0, 1);
		TOLD(m, s);
		EXPECT_INT(bound, s.threshold);
		EXPECT_INT(bound == 1, s.advice != NULL);
		DONE(m, s);
	}
}

TEST(what_the_self_test_said)
{
	STORY(m, s);
	set_fact(&m, "tenure.test", "open");
	set_fact(&m, "tenure.test.why", "it is too soon");
	TOLD(m, s);
	EXPECT(slice_equal(s.test, slice_str("open")));
	EXPECT(slice_equal(s.test_why, slice_str("it is too soon")));
	DONE(m, s);
}

/* Of the exact engine, where nothing jumped, there is none that could come to an end. */
TEST(what_the_engine_had_nothing_to_test_by)
{
	STORY(m, s);
	set_fact(&m, "engine", "exact");
	set_fact(&m, "tenure.test", "open");
	set_fact(&m, "tenure.test.why", "no collection has shown it");
	TOLD(m, s);
	EXPECT_INT(0, s.test.len);
	EXPECT_INT(0, s.test_why.len);
	story_release(&s);
	add_decision(&m, 2, TENURE_JUMP, TENURE_TAKE, 5, 100);
	TOLD(m, s);
	EXPECT(slice_equal(s.test, slice_str("open")));
	DONE(m, s);
}

TEST(the_length_of_a_round)
{
	static const struct {
		const char *fact;
		uint64_t rounds, want;
	} cases[] = {{NULL, 0, 16}, {"8", 0, 8}, {"8", 2, 8}, {"no", 0, 16}, {"0", 0, 16},
		{"99999999999999999999999999999", 0, 16}, {"", 3, 16}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		STORY(m, s);
		if (cases[i].fact)
			set_fact(&m, "tenure.round", cases[i].fact);
		add_rounds(&m, 1, cases[i].rounds, 0);
		TOLD(m, s);
		EXPECT_INT(cases[i].want, s.round_length);
		DONE(m, s);
	}
}

/* Rounds of a microsecond: in the third 3 bytes are copied, 3 MB a second. */
TEST(what_was_foretold_to_be_spared)
{
	STORY(m, s);
	add_rounds(&m, 1, 6, 0);
	add_decision(&m, 3, TENURE_JUMP, TENURE_TAKE, 1, 0);
	m.tenure.decisions.at[0].gain = 300000;
	TOLD(m, s);
	EXPECT_NEAR(0.1, story_spared(&s), 1e-12);
	story_release(&s);
	add_decision(&m, 3, TENURE_THRESHOLD, TENURE_TAKE, 0, 2);
	m.tenure.decisions.at[1].gain = 1800000;
	TOLD(m, s);
	EXPECT_NEAR(0.6, story_spared(&s), 1e-12);
	story_release(&s);
	add_decision(&m, 9, TENURE_THRESHOLD, TENURE_TAKE, 0, 1);
	m.tenure.decisions.at[2].gain = 1;
	TOLD(m, s);
	EXPECT(isnan(story_spared(&s))); /* that round is not told */
	DONE(m, s);
}

static void add_full(struct model *m, uint64_t full, uint64_t flags, uint64_t pause, uint64_t left)
{
	struct record_gc r = {.start = full * 1000,
		.end = full * 1000 + 1,
		.young = full,
		.full = full,
		.flags = flags,
		.pause = pause,
		.heap_after = left};
	EXPECT_INT(0, gcs_add(&m->gcs, &r, 0, ROLE_FULL, 0, &m->odds));
}

/* Of a heap of 1000 bytes: two full collections, and one that the program asked for. */
TEST(a_heap_is_full_of_what_is_left)
{
	static const struct {
		const char *heap;
		uint64_t left, asked; /* bytes; ns that the one asked for took */
		bool full;
	} cases[] = {
		{"1000", 500, 200, true},
		{"1000", 499, 0, false},
		{"1000", 900, 201, false},
		{NULL, 900, 0, false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		STORY(m, s);
		if (cases[i].heap)
			set_fact(&m, "heap.max", cases[i].heap);
		add_full(&m, 1, 0, 100, cases[i].left);
		add_full(&m, 2, 0, 100, cases[i].left);
		add_full(&m, 3, GC_FORCED, cases[i].asked, 1);
		TOLD(m, s);
		EXPECT_INT(cases[i].full, s.full_heap);
		DONE(m, s);
	}
}

TEST(how_far_off_it_was)
{
	EXPECT_NEAR(-0.05, story_error(&(struct tenure_outcome){.predicted = 200, .observed = 190}),
		1e-12);
	EXPECT(isnan(story_error(&(struct tenure_outcome){.observed = 190})));
}

TEST(whatever_numbers_stand_there)
{
	struct rng rng = rng_init(tap_seed());
	for (int run = 0; run < 200; run++) {
		STORY(m, s);
		for (int i = 0; i < 30; i++) {
			struct record_round r = {.time = rng_u64(&rng),
				.round = rng_below(&rng, 3) ? (uint64_t)i : rng_u64(&rng),
				.young = rng_below(&rng, 2) ? (uint64_t)i * 9 : rng_u64(&rng),
				.copied = rng_u64(&rng),
				.allocated = rng_u64(&rng) >> rng_below(&rng, 64),
				.collections = rng_u64(&rng) >> rng_below(&rng, 64),
				.cpu = rng_u64(&rng),
				.state = rng_u64(&rng)};
			add_round(&m, &r);
			add_decision(&m, rng_u64(&rng) >> rng_below(&rng, 64),
				(enum tenure_lever)rng_below(&rng, TENURE_LEVERS),
				(enum tenure_action)rng_below(&rng, TENURE_ACTIONS), 0,
				rng_u64(&rng));
			put_gc(&m, rng_below(&rng, 300), rng_u64(&rng));
		}
		TOLD(m, s);
		EXPECT(s.before.rounds + s.after.rounds <= m.tenure.rounds.count);
		EXPECT(s.in_force <= s.places.count && s.threshold <= TENURE_UNBOUND);
		for (enum story_figure f = 0; f < STORY_FIGURES; f++) {
			EXPECT((s.before.n[f] == 0) == isnan(s.before.value[f]));
			EXPECT((s.after.n[f] == 0) == isnan(s.after.value[f]));
		}
		DONE(m, s);
	}
}
