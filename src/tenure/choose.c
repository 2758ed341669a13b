#include "tenure/choose.h"

static const char *const texts[CHOOSE_WHYS] = {
	[CHOOSE_NO] = "nothing to save",
	[CHOOSE_FEW] = "too few samples",
	[CHOOSE_LITTLE] = "too little to save",
	[CHOOSE_EARLY] = "too many of its survivors die young",
	[CHOOSE_GARBAGE] = "nearly all dies before the first collection",
	[CHOOSE_NOT_LEAF] = "its objects refer to others, and the threshold can't be set",
	[CHOOSE_OPEN] = "its objects refer to others that stay young",
	[CHOOSE_REFUSED] = "its code can't be changed",
	[CHOOSE_CALLERS] = "it depends on the caller",
	[CHOOSE_YES] = "what survives once mostly grows old",
	[CHOOSE_CLOSED] = "what was chosen refers to it",
};

const char *choose_text(enum choose_why why)
{
	return texts[why < CHOOSE_WHYS ? why : CHOOSE_NO];
}

struct choosing {
	const struct snapshot *s;
	const struct held *held;
	uint32_t most;
	const struct cost *cost;
	const struct choose_rule *rule;
	double copied; /* cost of all that is copied without a jump */
	const struct choose_edge *edges;
	size_t edge_count;
	struct choose_row *rows;
};

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Over the thresholds that held, each bounded; none did: the bound. */
typedef struct amount curve_of(const struct passage_curve *c, uint32_t threshold);
static struct amount mean_of(
	curve_of *of, const struct passage_curve *c, const struct held *held, uint32_t most)
{
	struct amount sum = {0, 0};
	double all = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		if (held->share[t] <= 0)
			continue;
		amount_add(&sum, amount_times(of(c, least(t, most)), held->share[t]));
		all += held->share[t];
	}
	return all > 0 ? amount_times(sum, 1 / all) : of(c, most);
}

/* What one copy and promotion in place of the copies up to the threshold gives. */
static void weigh(const struct choosing *g, size_t i)
{
	struct passage_curve c = snapshot_curve(g->s, &g->s->rows[i]);
	const struct held until = held_until(g->held, g->most);
	struct amount old = mean_of(passage_promoted, &c, &until, g->most);
	struct amount copied = mean_of(passage_copied, &c, g->held, g->most);
	struct amount once = c.known ? c.reach[1] : (struct amount){0, 0};
	struct choose_row *row = &g->rows[i];
	*row = (struct choose_row){.saved = amount_less(copied, once),
		.early = amount_whole(amount_less(once, old)),
		.born = c.reach[0]};
	row->gain = cost_copy(g->cost, row->saved) - g->cost->old * cost_copy(g->cost, row->early);
}

static double all_copied(const struct choosing *g)
{
	double sum = 0;
	for (size_t i = 0; i < g->s->places; i++) {
		struct passage_curve c = snapshot_curve(g->s, &g->s->rows[i]);
		sum += cost_copy(g->cost, mean_of(passage_copied, &c, g->held, g->most));
	}
	return sum;
}

static double dead_at_0(const struct snapshot_row *row)
{
	const struct passage_side *o = &row->passage.objects;
	double came = (double)o->died[0] + (double)o->stood[0];
	return came > 0 ? (double)o->died[0] / came : 1;
}

/* A row that stands for callers that had no row of their own. */
static bool is_others(const struct snapshot_row *row)
{
	return row->at.depth && !row->at.caller[0].vm_method;
}

/* Without a low threshold beside it: what has no children, or whose children are known. */
static enum choose_why bar_parent(const struct choosing *g, size_t i)
{
	uint32_t flags = g->s->rows[i].flags;
	if (!g->rule->leaf_only || flags & SNAPSHOT_LEAF)
		return CHOOSE_YES;
	if (!(flags & SNAPSHOT_LOOKED))
		return CHOOSE_NOT_LEAF;
	return g->rows[i].open ? CHOOSE_OPEN : CHOOSE_YES;
}

/* What no saving outweighs; CHOOSE_YES: nothing. */
static enum choose_why bar(const struct choosing *g, size_t i)
{
	const struct snapshot_row *row = &g->s->rows[i];
	if (row->flags & SNAPSHOT_REFUSE || is_others(row))
		return CHOOSE_REFUSED;
	enum choose_why barred = bar_parent(g, i);
	if (barred != CHOOSE_YES)
		return barred;
	return dead_at_0(row) >= g->rule->dead_at_0 ? CHOOSE_GARBAGE : CHOOSE_YES;
}

static enum choose_why judge(const struct choosing *g, size_t i, double share)
{
	const struct snapshot_row *row = &g->s->rows[i];
	const struct choose_row *r = &g->rows[i];
	double saved = cost_copy(g->cost, r->saved);
	enum choose_why barred = bar(g, i);
	if (saved <= 0)
		return CHOOSE_NO;
	if (barred != CHOOSE_YES)
		return barred;
	if ((double)row->passage.survivors < g->rule->samples)
		return CHOOSE_FEW;
	if (r->gain <= 0)
		return CHOOSE_EARLY;
	bool little = saved <= share * g->copied ||
		      saved <= g->rule->density * cost_copy(g->cost, r->born);
	return little ? CHOOSE_LITTLE : CHOOSE_YES;
}

/* Who refers to it must have been looked at: or a place would be lost whose parents never were. */
static double least_share(const struct choosing *g, const struct choose_row *r)
{
	return r->referred ? g->rule->seed_share : g->rule->share;
}

/* The place, or some of its callers. */
static bool is_taken(const struct choose_row *r)
{
	return choose_is(r->why) || r->why == CHOOSE_CALLERS;
}

/* A chosen parent of something that would stay young keeps its card dirty: most of what survives
 * once must outlive the threshold. */
static bool may_follow(const struct choosing *g, size_t i)
{
	const struct choose_row *r = &g->rows[i];
	struct passage_curve c = snapshot_curve(g->s, &g->s->rows[i]);
	return bar(g, i) == CHOOSE_YES && c.known && c.reach[1].objects > 0 &&
	       r->early.objects < c.reach[1].objects / 2;
}

static bool follow(const struct choosing *g, const struct choose_edge *e)
{
	if (e->from >= g->s->count || e->to >= g->s->count)
		return false;
	if (!is_taken(&g->rows[e->from]) || is_taken(&g->rows[e->to]))
		return false;
	/* Of a place that may be meant, or not, only that it is small is forgiven. */
	if (e->likely ? judge(g, e->to, 0) != CHOOSE_YES : !may_follow(g, e->to))
		return false;
	g->rows[e->to].why = CHOOSE_CLOSED;
	return true;
}

/* Each round takes at least one more in, or is the last. */
static void close_set(const struct choosing *g)
{
	for (bool more = g->edge_count > 0; more;) {
		more = false;
		for (size_t i = 0; i < g->edge_count; i++)
			more |= follow(g, &g->edges[i]);
	}
}

static struct choose_row *place_of(const struct choosing *g, size_t i)
{
	for (size_t p = 0; p < g->s->places; p++)
		if (place_same(&g->s->rows[p].at.place, &g->s->rows[i].at.place))
			return &g->rows[p];
	return NULL;
}

/* Callers count where their place as a whole is not taken; then it is they who are. */
static void choose_callers(const struct choosing *g)
{
	for (size_t i = g->s->places; i < g->s->count; i++) {
		struct choose_row *place = place_of(g, i);
		bool taken = place && choose_is(place->why);
		g->rows[i].why = taken ? CHOOSE_NO
				       : judge(g, i, least_share(g, place ? place : &g->rows[i]));
		if (place && choose_is(g->rows[i].why))
			place->why = CHOOSE_CALLERS;
	}
}

static void choose_all(const struct choosing *g)
{
	for (size_t i = 0; i < g->s->places; i++)
		g->rows[i].why = judge(g, i, least_share(g, &g->rows[i]));
	choose_callers(g);
	close_set(g);
}

static void count_strays(const struct choosing *g)
{
	for (size_t i = 0; i < g->s->count; i++)
		g->rows[i].strays = 0;
	for (size_t i = 0; i < g->edge_count; i++) {
		const struct choose_edge *e = &g->edges[i];
		if (e->from >= g->s->count || e->to >= g->s->count || is_taken(&g->rows[e->to]))
			continue;
		if (g->s->rows[e->to].passage.objects.stood[0] > 0)
			g->rows[e->from].strays += e->share;
	}
}

/* Whether some that were chosen must not be, since their children are not. */
static bool find_open(const struct choosing *g)
{
	bool found = false;
	count_strays(g);
	for (size_t i = 0; g->rule->leaf_only && i < g->s->places; i++) {
		struct choose_row *r = &g->rows[i];
		if (r->open || !is_taken(r) || (double)r->strays <= g->rule->stray)
			continue;
		found = r->open = true;
	}
	return found;
}

static void weigh_all(const struct choosing *g)
{
	for (size_t i = 0; i < g->s->count; i++)
		weigh(g, i);
	for (size_t i = 0; i < g->edge_count; i++)
		if (g->edges[i].to < g->s->count)
			g->rows[g->edges[i].to].referred = true;
}

void choose_places(const struct snapshot *s, const struct held *held, uint32_t most,
	const struct cost *cost, const struct choose_rule *rule, const struct choose_edge *edges,
	size_t edge_count, struct choose_row *rows)
{
	struct choosing g = {s, held, most, cost, rule, 0, edges, edges ? edge_count : 0, rows};
	g.copied = all_copied(&g);
	weigh_all(&g);
	/* What was chosen for the sake of one that must not be goes with it. */
	do
		choose_all(&g);
	while (find_open(&g));
}
