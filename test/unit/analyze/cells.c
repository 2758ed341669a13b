#include "analyze/cells.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "model/fan.h"
#include "stat/ages.h"
#include "support/endings_of.h"
#include "support/exact_of.h"
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

/* -- Over what was counted -- */

struct laid {
	struct exact_of o;
	struct endings endings;
	struct ledger ledger;
	struct cells cells;
};

/* told: events tell of each object. */
static void lay_told(struct laid *l, const struct exact_sim *x, bool by_thread, bool told)
{
	*l = (struct laid){.ledger = {.by_thread = by_thread, .clocks = 1u << CLOCK_YOUNG},
		.cells = {.by_thread = by_thread}};
	struct fan fan = {
		.to = {ledger_listener(&l->ledger), cells_listener(&l->cells)}, .count = 2};
	struct listener both = fan_listener(&fan);
	EXPECT_INT(0, exact_of_sim(&l->o, x, &both));
	EXPECT_INT(0, ledger_settle(&l->ledger, &l->o.model));
	if (told)
		EXPECT_INT(0, endings_of_truth(&l->endings, &l->o.truth));
	l->ledger.endings = told ? &l->endings : NULL;
	EXPECT_INT(0, leaves_lay(&l->ledger, &l->o.model));
	EXPECT_INT(0, cells_lay(&l->cells, &l->ledger, &l->o.model));
}

static void lay(struct laid *l, const struct exact_sim *x, bool by_thread)
{
	lay_told(l, x, by_thread, false);
}

static void laid_release(struct laid *l)
{
	cells_release(&l->cells);
	endings_release(&l->endings);
	ledger_release(&l->ledger);
	exact_of_release(&l->o);
}

/* As far as an account has room for it: where samples of a leaf have nothing of what outlived a
 * collection, it is shared out as all of them, and fates as they are. */
static double outlived_of(const struct tally *t)
{
	double late = fmax(0, t->died.bytes.sum - t->infant.bytes.sum);
	double rest = t->alive.bytes.sum + t->untracked.bytes.sum;
	return late + fmin(fmax(0, t->outlived.bytes.sum - late), rest);
}

/* What the ledger has of each fate and thread is in the cells, and nothing else. */
static void expect_sums(const struct laid *l)
{
	double cells[CELL_FATES] = {0}, accounts[CELL_FATES] = {0}, infants[2] = {0}, all = 0;
	double outlived[2] = {0};
	for (size_t i = 0; i < l->cells.list.count; i++) {
		const struct cell *c = &l->cells.list.at[i];
		cells[c->fate] += c->bytes;
		infants[0] += c->fate == CELL_DIED && !c->age ? c->bytes : 0;
		outlived[0] += c->age ? c->bytes : 0;
	}
	for (size_t i = 0; i < l->ledger.accounts.count; i++) {
		const struct tally *t = &l->ledger.accounts.at[i].tally;
		accounts[CELL_DIED] += t->died.bytes.sum;
		accounts[CELL_ALIVE] += t->alive.bytes.sum;
		accounts[CELL_LET_GO] += t->untracked.bytes.sum;
		infants[1] += t->infant.bytes.sum;
		outlived[1] += outlived_of(t);
	}
	for (int f = 0; f < CELL_FATES; f++) {
		EXPECT_NEAR(accounts[f], cells[f], 1e-6 * (1 + accounts[f]));
		all += cells[f];
	}
	EXPECT_NEAR(infants[1], infants[0], 1e-6 * infants[1]);
	EXPECT_NEAR(outlived[1], outlived[0], 1e-6 * outlived[1]);
	double born = 0, died = 0;
	for (size_t i = 0; i < l->o.truth.objects.count; i++) {
		const struct exact_object *o = &l->o.truth.objects.at[i];
		struct exact_fate fate = exact_fate_of(&l->o.truth, o);
		born += (double)o->size;
		died += fate.died && !fate.copies ? (double)o->size : 0;
	}
	EXPECT_NEAR(born, all, 1e-6 * born);
	EXPECT_NEAR(died, infants[0], 1e-6 * died);
}

TEST(cells_sum_up_to_what_was_counted)
{
	struct exact_sim x = exact_of_program(tap_seed());
	for (int i = 0; i < 9; i++) {
		struct laid l;
		static const unsigned every[] = {0, 0, 0, 0, 0, 0, 1, 5, 20};
		x.every = every[i];
		x.inlined = i >= 1 ? 2 : 1;
		x.alone = i >= 2 ? 4 : 0;
		x.dark = i >= 3 ? 5 : 0;
		x.interval = i == 4 ? 1u << 20 : 4096;
		lay(&l, &x, i == 5);
		expect_sums(&l);
		laid_release(&l);
	}
}

/* Where nothing was sampled each age is known. */
TEST(ages_that_were_only_counted_are_the_truth)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct laid l;
	x.exact_only = true;
	lay(&l, &x, false);
	expect_sums(&l);
	for (uint32_t age = 0; age < 16; age++) {
		double want = 0, got = 0;
		for (size_t i = 0; i < l.o.truth.objects.count; i++) {
			const struct exact_object *o = &l.o.truth.objects.at[i];
			struct exact_fate f = exact_fate_of(&l.o.truth, o);
			want += f.died && f.copies == age ? (double)o->size : 0;
		}
		for (size_t i = 0; i < l.cells.list.count; i++) {
			const struct cell *c = &l.cells.list.at[i];
			EXPECT_INT(0, c->samples);
			got += c->fate == CELL_DIED && c->age == age ? c->bytes : 0;
		}
		EXPECT_NEAR(want, got, 1e-6 * (1 + want));
	}
	laid_release(&l);
}

/* What was promoted too, and who is alive. */
TEST(ages_that_events_tell_are_the_truth)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct laid l;
	x.exact_only = true;
	lay_told(&l, &x, false, true);
	for (uint32_t age = 0; age < 40; age++)
		for (int fate = 0; fate < CELL_FATES; fate++) {
			double want = 0, got = 0;
			for (size_t i = 0; i < l.o.truth.objects.count; i++) {
				const struct exact_object *o = &l.o.truth.objects.at[i];
				uint64_t seen = l.o.truth.gcs.count - o->born;
				bool died = o->age < seen;
				if ((died ? o->age : seen) == age)
					want += fate == (died ? CELL_DIED : CELL_ALIVE)
							? (double)o->size
							: 0;
			}
			for (size_t i = 0; i < l.cells.list.count; i++) {
				const struct cell *c = &l.cells.list.at[i];
				got += (int)c->fate == fate && c->age == age ? c->bytes : 0;
			}
			EXPECT_NEAR(want, got, 1e-6 * (1 + want));
		}
	laid_release(&l);
}
