#include "analyze/churn.h"

#include <math.h>

#include "analyze/path.h"
#include "base/error.h"
#include "support/ledger_of.h"
#include "support/tap.h"

#define MB 1000000u

static const struct sim_site sites[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 640, 60, 90, 1, 3},
	{"a.Order", {"a.b.C.d:3", "a.Main.main:2"}, 320, 30, 20, 1, 30},
	{"a.Kept", {"a.b.K.k:4", "a.Main.main:5"}, 64, 10, 0, SIM_FOREVER, 0},
	{"a.Spike", {"a.S.s:9", "a.T.t:8", "a.Main.main:7"}, 128, 1, 100, 0, 0},
	{"a.Spike", {"a.S.s:9", "a.U.u:8", "a.Main.main:7"}, 128, 1, 100, 0, 0},
};

static struct sim program(uint64_t seed, unsigned times)
{
	return (struct sim){.sites = sites,
		.count = 5,
		.seed = seed,
		.samples = 12000,
		.interval = 100000,
		.gc_bytes = 8 * MB,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.bytes_per_s = 40 * MB,
		/* A quarter of the samples, in a ninth of the time. */
		.burst = {.from = 5000, .to = 9000, .site = 3, .times = times}};
}

/* Both passes over the bytes of a trace. */
static int replay(struct slice trace, struct model *m, const struct listener *l)
{
	struct source source;
	struct reader reader;
	EXPECT_INT(0, model_init(m));
	EXPECT_INT(0, source_open_memory(&source, trace));
	EXPECT_INT(0, reader_init(&reader, &source, NULL, NULL));
	int err = replay_run(m, &reader, l, NULL);
	reader_release(&reader);
	source_close(&source);
	return err;
}

struct study {
	struct ledger_of all; /* the whole run, for comparison */
	struct churn churn;
	struct model model;
};

static void study_init(struct study *s, const struct sim *sim, struct churn_query q)
{
	struct churn_survey survey = {0};
	struct listener first = churn_survey_listener(&survey);
	struct model m;
	EXPECT_INT(0, ledger_of_sim(&s->all, sim, false));
	EXPECT_INT(0, replay(buf_slice(&s->all.bytes), &m, &first));
	EXPECT_INT(0, churn_find(&s->churn, &m, &survey, &q, NULL));
	model_release(&m);
	churn_survey_release(&survey);
	struct listener second = windows_listener(&s->churn.looks);
	EXPECT_INT(0, replay(buf_slice(&s->all.bytes), &s->model, &second));
	EXPECT_INT(0, windows_settle(&s->churn.looks, &s->model));
}

static void study_release(struct study *s)
{
	churn_release(&s->churn);
	model_release(&s->model);
	ledger_of_release(&s->all);
}

static double died_bytes(const struct tally *t)
{
	return t->died.bytes.sum;
}

/* The site of the most garbage in a window. */
static uint32_t heaviest(const struct ledger *l)
{
	size_t best = 0;
	for (size_t i = 0; i < l->accounts.count; i++)
		if (died_bytes(&l->accounts.at[i].tally) > died_bytes(&l->accounts.at[best].tally))
			best = i;
	return l->accounts.at[best].site;
}

TEST(the_burst_and_its_line_come_first)
{
	for (uint64_t run = 0; run < 10; run++) {
		struct study s = {0};
		struct sim sim = program(tap_seed() + run, 4);
		study_init(&s, &sim, (struct churn_query){.limit = 3});
		EXPECT_INT(1, s.churn.windows.count);
		if (s.churn.windows.count) {
			const struct churn_window *w = &s.churn.windows.at[0];
			EXPECT(w->rate > 2 * s.churn.rate && w->p <= SCAN_ALPHA);
			/* The 5000th sample comes after 12.5 s, 4000 of them take 2.5 s. */
			EXPECT(w->from > UINT64_C(11000000000) && w->to < UINT64_C(17000000000));
			const struct site_def *site =
				&s.model.defs.sites.at[heaviest(&s.churn.looks.list[0].garbage)];
			EXPECT(slice_equal(
				slice_str("a.Spike"), defs_class_name(&s.model.defs, site->class)));
		}
		study_release(&s);
	}
}

/* The parts of a pause that lie in a window chosen by hand, which may begin or end amid it. */
TEST(pauses_count_as_far_as_they_lie_in_the_window)
{
	struct gc gcs[] = {
		{.start = 100, .end = 300, .pause = 200},
		{.start = 400, .end = 800, .pause = 100}, /* beside the program */
		{.start = 900, .end = 900, .pause = 7},
	};
	const struct {
		uint64_t from, to, pause, collections;
	} cases[] = {{200, 250, 50, 0}, {250, 400, 50, 1}, {300, 400, 0, 0}, {500, 700, 50, 0},
		{0, 1000, 307, 3}, {850, 900, 7, 1}, {900, 1000, 0, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct churn_survey survey = {0};
		struct churn_query q = {.hand = {cases[i].from, cases[i].to}};
		struct churn c;
		struct model m;
		EXPECT_INT(0, model_init(&m));
		for (size_t k = 0; k < ARRAY_SIZE(gcs); k++)
			EXPECT_INT(0, vec_push(&m.gcs.list, gcs[k]));
		m.now.time = 1000;
		EXPECT_INT(0, churn_find(&c, &m, &survey, &q, NULL));
		EXPECT_INT(1, c.windows.count);
		EXPECT_INT(cases[i].pause, c.windows.at[0].pause);
		EXPECT_INT(cases[i].collections, c.windows.at[0].collections);
		churn_release(&c);
		churn_survey_release(&survey);
		model_release(&m);
	}
}

/* A flat program: at 1 % a window, more than 8 of 100 come by chance less than once in a million.
 */
TEST(a_flat_program_has_no_window)
{
	int found = 0;
	for (uint64_t run = 0; run < 100; run++) {
		struct study s = {0};
		struct sim sim = program(tap_seed() + run, 0);
		sim.samples = 4000;
		study_init(&s, &sim, (struct churn_query){.limit = 3});
		found += s.churn.windows.count > 0;
		study_release(&s);
	}
	EXPECT(found <= 8);
}

/* Windows that divide a run divide its deaths: nothing is counted twice or lost. */
TEST(windows_side_by_side_share_all_deaths)
{
	struct ledger_of all;
	struct sim sim = program(tap_seed(), 3);
	EXPECT_INT(0, ledger_of_sim(&all, &sim, false));
	struct window list[8];
	struct windows windows = {list, 8};
	uint64_t end = all.model.now.time, part = end / 8;
	for (size_t i = 0; i < 8; i++)
		window_init(&list[i], i * part, i == 7 ? end : (i + 1) * part, false, false);
	struct listener l = windows_listener(&windows);
	struct model m;
	EXPECT_INT(0, replay(buf_slice(&all.bytes), &m, &l));
	EXPECT_INT(0, windows_settle(&windows, &m));
	struct total whole = {0}, parts = {0}, groups = {0};
	for (size_t a = 0; a < all.ledger.accounts.count; a++)
		total_merge(&whole, &all.ledger.accounts.at[a].tally.died);
	for (size_t i = 0; i < 8; i++) {
		for (size_t a = 0; a < list[i].garbage.accounts.count; a++)
			total_merge(&parts, &list[i].garbage.accounts.at[a].tally.died);
		for (int g = 0; g < GROUPS; g++)
			total_merge(&groups, &list[i].dead[g]);
	}
	EXPECT_INT(whole.n, parts.n);
	EXPECT_INT(whole.n, groups.n);
	EXPECT_NEAR(whole.bytes.sum, parts.bytes.sum, 1e-9 * whole.bytes.sum);
	for (size_t i = 0; i < 8; i++)
		window_release(&list[i]);
	model_release(&m);
	ledger_of_release(&all);
}

/* What a window up to the end leaves is what is alive at the end. */
TEST(a_window_over_all_leaves_what_is_alive)
{
	struct study s = {0};
	struct sim sim = program(tap_seed(), 0);
	study_init(&s, &sim, (struct churn_query){.hand = {0, UINT64_MAX}});
	EXPECT_INT(1, s.churn.windows.count);
	struct total alive = {0};
	for (size_t a = 0; a < s.all.ledger.accounts.count; a++)
		total_merge(&alive, &s.all.ledger.accounts.at[a].tally.alive);
	EXPECT_INT(alive.n, s.churn.looks.list[0].left.n);
	EXPECT(isnan(s.churn.windows.at[0].p));
	study_release(&s);
}

TEST(a_window_after_the_end_is_refused)
{
	struct churn_survey survey = {0};
	struct churn churn;
	struct model m = {.now = {.time = 1000}};
	struct diag d = {""};
	struct churn_query q = {.hand = {2000, 3000}};
	EXPECT_INT(ERR_USAGE, churn_find(&churn, &m, &survey, &q, &d));
	EXPECT(d.text[0]);
}

TEST(a_path_follows_the_heaviest_caller)
{
	struct ledger_of l;
	struct sim sim = program(tap_seed(), 4);
	EXPECT_INT(0, ledger_of_sim(&l, &sim, false));
	const struct site_def *spike = &l.model.defs.sites.at[4];
	struct path p = path_find(&l.model, &l.ledger, spike->class, spike->frame, died_bytes);
	EXPECT_INT(3, p.count);
	if (p.count == 3) {
		EXPECT_NEAR(1, p.shares[0], 1e-12);
		EXPECT(p.shares[1] > 0.9 && p.shares[1] < 1);
		EXPECT_INT(8, l.model.defs.frames.at[p.frames[1]].line);
		EXPECT(slice_equal(slice_str("a.T"),
			texts_get(&l.model.defs.texts,
				defs_frame_method(&l.model.defs, p.frames[1])->class_name)));
	}
	ledger_of_release(&l);
}

TEST(groups_hold_every_age)
{
	for (uint64_t age = 0; age < 40; age++) {
		const struct life_group *g = life_group(life_group_of(age));
		EXPECT(age >= g->first && age <= g->last);
	}
	EXPECT_INT(GROUP_MORE, life_group_of(UINT64_MAX));
}
