#include "analyze/cells.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "stat/ages.h"
#include "support/export_of.h"
#include "support/tap.h"

/* Every life, as it was told: the oracle sums over all of them for each cell. */
struct told {
	struct object object;
	struct life life;
	enum cell_fate fate;
};

struct log {
	VEC(struct told) lives;
};

static int keep(struct log *log, const struct object *o, const struct life *l, enum cell_fate fate)
{
	struct told t = {*o, *l, fate};
	return vec_push(&log->lives, t);
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	(void)m;
	return keep(arg, o, l, CELL_DIED);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	(void)m;
	return keep(arg, o, l, reason == UNTRACK_STOPPED ? CELL_ALIVE : CELL_LET_GO);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	(void)m;
	return keep(arg, o, l, CELL_ALIVE);
}

static struct listener log_listener(struct log *log)
{
	return (struct listener){
		.arg = log, .on_death = on_death, .on_untrack = on_untrack, .on_alive = on_alive};
}

static bool is_in(const struct cell *c, const struct told *t, bool old, bool by_thread)
{
	uint64_t age = old ? t->life.full : t->life.young;
	return c->site == t->object.site && c->fate == t->fate &&
	       c->age == ages_round((uint32_t)age) && (!by_thread || c->thread == t->object.thread);
}

static void expect_cell(const struct cell *c, const struct log *log, bool old, bool by_thread)
{
	double objects = 0, bytes = 0, ns = 0, spread = 0;
	uint64_t samples = 0, least = UINT64_MAX, most = 0;
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < log->lives.count; i++) {
			const struct told *t = &log->lives.at[i];
			uint64_t lived = t->life.died ? t->life.ns.by : t->life.ns.after;
			if (!is_in(c, t, old, by_thread))
				continue;
			if (round) {
				double off = (double)lived - ns / objects;
				spread += t->object.weight * off * off;
				continue;
			}
			samples++;
			objects += t->object.weight;
			bytes += t->object.weight * (double)t->object.size;
			ns += t->object.weight * (double)lived;
			least = lived < least ? lived : least;
			most = lived > most ? lived : most;
		}
	EXPECT_INT(samples, c->samples);
	EXPECT_NEAR(objects, c->objects, objects * 1e-9);
	EXPECT_NEAR(bytes, c->bytes, bytes * 1e-9);
	EXPECT_NEAR(ns / objects, cell_mean(c), ns / objects * 1e-9);
	EXPECT_NEAR(sqrt(spread / objects), cell_deviation(c), 1 + ns / objects * 1e-6);
	EXPECT_INT(least, c->ns_least);
	EXPECT_INT(most, c->ns_most);
}

static void check(const struct sim *s, bool old, bool by_thread)
{
	struct export_of x;
	struct log log = {0};
	struct listener l = log_listener(&log);
	uint64_t samples = 0;
	EXPECT_INT(ERR_NONE, export_of_sim(&x, s, by_thread, &l));
	for (size_t i = 0; i < x.cells.list.count; i++) {
		const struct cell *c = &x.cells.list.at[i];
		EXPECT(by_thread || !c->thread);
		expect_cell(c, &log, old, by_thread);
		samples += c->samples;
	}
	EXPECT_INT(log.lives.count, samples);
	EXPECT(samples > 100);
	vec_release(&log.lives);
	export_of_release(&x);
}

TEST(cells_are_sums_of_lives)
{
	struct sim s = export_of_hostile;
	s.seed = tap_seed();
	check(&s, false, false);
	check(&s, false, true);
}

TEST(ages_are_of_the_clock_that_tells_deaths)
{
	static const struct sim_text facts[] = {{"deaths", "old"}, {NULL, NULL}};
	struct sim s = export_of_hostile;
	s.facts = facts;
	s.old_only = true;
	check(&s, true, false);
}

TEST(of_nothing)
{
	const struct cell none = {0};
	EXPECT_NEAR(0, cell_mean(&none), 0);
	EXPECT_NEAR(0, cell_deviation(&none), 0);
}

TEST(out_of_memory)
{
	const struct object o = {.weight = 1, .size = 8};
	const struct life life = {.died = true};
	static struct model m;
	EXPECT_INT(ERR_NONE, model_init(&m));
	for (uint64_t n = 1; n < 3; n++) {
		struct cells c = {0};
		struct listener l = cells_listener(&c);
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, l.on_death(l.arg, &m, &o, &life));
		mem_fail_at(0);
		cells_release(&c);
	}
	model_release(&m);
}
