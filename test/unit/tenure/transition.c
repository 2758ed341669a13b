/* From what is in force to what is planned: planner.h, transition.h, proposal.h and advice.h, which
 * share the plan. */
#include "tenure/transition.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "tenure/advice.h"
#include "tenure/proposal.h"

enum { ROWS = 3 };

struct rig {
	struct snapshot_row row[ROWS];
	struct snapshot s;
	struct round r;
	struct view v;
	struct levers levers;
	struct planner planner;
	struct plan plan;
};

static struct place_context place(uint64_t method)
{
	return (struct place_context){.place.vm_method = method, .place.class_id = 1};
}

/* A plan of a bound of 2 and of jumps at the first two places. */
static void init(struct rig *g)
{
	*g = (struct rig){.s = {.count = ROWS, .places = ROWS, .collections = 16},
		.r = {.count = 16, .wall = 1000000000},
		.plan = {.most = 2, .jump = true, .now.copied.bytes = 1000, .flag = 1}};
	g->s.rows = g->row;
	g->v = (struct view){&g->s, &g->r, NULL, 0, 0};
	for (uint32_t i = 0; i < ROWS; i++)
		g->row[i].at = place(i + 1);
	g->plan.then.copied.bytes = 400;
	EXPECT_INT(0, levers_init(&g->levers));
	EXPECT_INT(0, planner_make_room(&g->planner, ROWS));
	for (uint32_t i = 0; i < ROWS; i++)
		g->planner.rows[i] = (struct choose_row){
			.why = i < 2 ? CHOOSE_YES : CHOOSE_NO, .saved.bytes = 100};
}

static void release(struct rig *g)
{
	levers_release(&g->levers);
	planner_release(&g->planner);
}

static struct transition of(struct rig *g)
{
	return (struct transition){&g->levers, &g->planner, &g->plan, &g->v, 0.5};
}

TEST(what_is_planned_is_taken_with_what_it_brings)
{
	struct rig g;
	init(&g);
	struct transition t = of(&g);
	EXPECT(transition_differs(&t));
	transition_make(&t);
	EXPECT(!transition_differs(&t));
	EXPECT_INT(3, g.levers.actions.list.count);
	EXPECT_INT(2, g.levers.jump.list.count);
	EXPECT_INT(2, g.levers.most);
	const struct action *a = g.levers.actions.list.at;
	EXPECT(a[0].lever == LEVER_JUMP && a[0].kind == ACTION_TAKE);
	EXPECT_NEAR(50, a[0].gain, 1e-9);
	EXPECT_NEAR(600, a[2].gain, 1e-9);
	EXPECT_STR("of what is copied, 60 % is not copied any more with a threshold of 2 and the "
		   "age jump",
		a[2].reason);
	release(&g);
}

TEST(what_is_not_planned_goes_and_why)
{
	struct rig g;
	struct place_context gone = place(77), left = place(3), stays = place(1);
	init(&g);
	EXPECT_INT(0, levers_load_jump(&g.levers, &gone));
	EXPECT_INT(0, levers_load_jump(&g.levers, &left));
	EXPECT_INT(0, levers_load_jump(&g.levers, &stays));
	struct transition t = of(&g);
	transition_make(&t);
	const struct action *a = g.levers.actions.list.at;
	EXPECT_INT(4, g.levers.actions.list.count);
	EXPECT(a[0].kind == ACTION_TAKE_BACK && place_context_same(&left, &a[0].at));
	EXPECT_STR(choose_text(CHOOSE_NO), a[0].reason);
	EXPECT(a[1].kind == ACTION_TAKE_BACK && place_context_same(&gone, &a[1].at));
	EXPECT_STR("nothing is allocated there any more", a[1].reason);
	EXPECT(a[2].kind == ACTION_TAKE && a[2].at.place.vm_method == 2);
	EXPECT(place_set_has(&g.levers.jump, &stays));
	release(&g);
}

/* It copies no less, but promotes less that dies young. */
TEST(a_threshold_that_jumps_replace_goes)
{
	struct rig g;
	init(&g);
	g.levers.most = 0;
	g.plan.most = THRESHOLD_MOST;
	struct transition t = of(&g);
	transition_make(&t);
	size_t count = g.levers.actions.list.count;
	const struct action *a = &g.levers.actions.list.at[count - 1];
	EXPECT(a->lever == LEVER_THRESHOLD && a->kind == ACTION_TAKE_BACK);
	EXPECT_STR("the age jump alone costs less", a->reason);
	release(&g);
}

TEST(a_refused_place_is_not_planned)
{
	struct rig g;
	struct place_context first = place(1);
	init(&g);
	EXPECT_INT(0, levers_keep_out(&g.levers, &first));
	EXPECT(!planner_takes(&g.planner, &g.plan, &g.v, &g.levers, 0));
	EXPECT(planner_takes(&g.planner, &g.plan, &g.v, &g.levers, 1));
	EXPECT(!planner_takes(&g.planner, &g.plan, &g.v, &g.levers, 2));
	release(&g);
}

TEST(what_would_be_is_said_once)
{
	struct rig g;
	struct proposal p;
	init(&g);
	proposal_init(&p);
	struct transition t = of(&g);
	EXPECT(proposal_say(&p, &t));
	EXPECT_INT(3, g.levers.actions.list.count);
	EXPECT_INT(0, g.levers.jump.list.count);
	EXPECT(!proposal_say(&p, &t));
	g.plan.most = 1;
	EXPECT(proposal_say(&p, &t));
	EXPECT_INT(4, g.levers.actions.list.count);
	proposal_release(&p);
	release(&g);
}

TEST(advice_is_noted_while_it_holds_and_the_young_size_given_once)
{
	struct rig g;
	struct advice a = {.young_told = 0};
	struct cost cost = COST_DEFAULT;
	struct worth any = {.least_gain = 0.1};
	struct held held = {.share[15] = 1};
	init(&g);
	g.plan.now.cost = 1000;
	g.plan.flagged.cost = 300;
	EXPECT(advice_note_flag(&a, &g.plan, &g.v, &any));
	EXPECT_STR("-XX:MaxTenuringThreshold=1 gives you this without mayfly", a.flag.text);
	EXPECT(!advice_note_flag(&a, &g.plan, &g.v, &any));
	advice_give_flag(&a, &g.levers.actions, &g.plan, &g.v);
	EXPECT_STR(a.flag.text, g.levers.actions.list.at[0].reason);
	g.plan.flag = THRESHOLD_MOST;
	EXPECT(!advice_note_flag(&a, &g.plan, &g.v, &any));
	EXPECT_STR("", a.flag.text);
	/* All that survives one collection dies in the next: none would with twice as large a one.
	 */
	struct passage *p = &g.row[0].passage;
	p->bytes = p->objects = (struct passage_side){.died = {0, 100}, .stood = {100}};
	advice_look_young(&a, &g.v, &held, THRESHOLD_MOST, &cost, &any);
	EXPECT_INT(0, a.young.bytes); /* the heap is not known */
	advice_give_young(&a, &g.levers.actions, &g.v);
	EXPECT_INT(1, g.levers.actions.list.count);
	g.r.room = (struct young_room){.heap = 400 << 20, .young = 100 << 20};
	advice_look_young(&a, &g.v, &held, THRESHOLD_MOST, &cost, &any);
	EXPECT_INT(200 << 20, a.young.bytes);
	advice_give_young(&a, &g.levers.actions, &g.v);
	EXPECT_INT(200 << 20, a.young_told);
	EXPECT_INT(2, g.levers.actions.list.count);
	EXPECT_INT(200, g.levers.actions.list.at[1].value);
	EXPECT_NEAR(50, g.levers.actions.list.at[1].gain, 1e-3);
	EXPECT_STR("with a young generation of 200 MB in place of 100 (-Xmn200m) 50 % less would "
		   "be copied",
		g.levers.actions.list.at[1].reason);
	advice_give_young(&a, &g.levers.actions, &g.v);
	EXPECT_INT(2, g.levers.actions.list.count);
	struct advice small = {.young = {.bytes = 1 << 20, .now = {100, 1}, .then = {50, 1}}};
	g.r.room.young = 600 << 10;
	advice_give_young(&small, &g.levers.actions, &g.v);
	EXPECT_STR("with a young generation of 1 MB in place of 0.59 (-Xmn1m) 50 % less would be "
		   "copied",
		g.levers.actions.list.at[2].reason);
	g.r.room.young = 100 << 20;
	/* It stands until three looks in a row find that the collector takes next to nothing. */
	static const uint64_t cpu[] = {1999, 1999, 2000, 1999, 1999, 1999};
	any.least_share = 0.005;
	any.least_pause = 1e7;
	g.r.process_cpu = 100000 * 16;
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++) {
		EXPECT_INT(200 << 20, a.young.bytes);
		g.r.collection[0].cpu = 16 * cpu[i];
		advice_look_young(&a, &g.v, &held, THRESHOLD_MOST, &cost, &any);
	}
	EXPECT_INT(0, a.young.bytes);
	release(&g);
}

TEST(a_planner_needs_memory)
{
	struct planner p = {NULL, NULL, 0};
	for (uint64_t n = 1; n <= 2; n++) {
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, planner_make_room(&p, 5));
		mem_fail_at(0);
		EXPECT_INT(0, p.room);
	}
	EXPECT_INT(0, planner_make_room(&p, 5));
	EXPECT_INT(5, p.room);
	planner_release(&p);
}
