#include "export/firefox_log.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/export_of.h"
#include "support/tap.h"

static int log_sim(struct firefox_log *log, struct export_of *x, uint64_t seed, size_t most)
{
	struct sim s = export_of_hostile;
	s.seed = seed;
	*log = (struct firefox_log){.most = most, .seed = seed};
	struct listener l = firefox_log_listener(log);
	return export_of_sim(x, &s, false, &l);
}

static double sum(const struct firefox_log *l, bool deaths)
{
	double bytes = 0;
	for (size_t i = 0; i < l->events.count; i++)
		if ((l->events.at[i].bytes < 0) == deaths)
			bytes += fabs(l->events.at[i].bytes) * firefox_log_weight(l);
	return bytes;
}

static double ledger_sum(const struct export_of *x, bool deaths)
{
	double bytes = 0;
	for (size_t i = 0; i < x->ledger.accounts.count; i++) {
		const struct tally *t = &x->ledger.accounts.at[i].tally;
		bytes += deaths ? t->died.bytes.sum : t->born.bytes.sum;
	}
	return bytes;
}

/* A death has its birth before it, of as many bytes; no object has two of either. */
static void expect_pairs(const struct firefox_log *l)
{
	struct map open = {0};
	for (size_t i = 0; i < l->events.count; i++) {
		const struct firefox_event *e = &l->events.at[i];
		uint64_t birth = 0;
		EXPECT(!i || l->events.at[i - 1].time <= e->time);
		EXPECT((hash64_pair(e->object, l->seed) & ((1ull << l->level) - 1)) == 0);
		if (e->bytes > 0) {
			EXPECT(!map_find(&open, e->object));
			EXPECT_INT(ERR_NONE, map_put(&open, e->object, i));
			continue;
		}
		EXPECT(map_take(&open, e->object, &birth));
		EXPECT_NEAR(-l->events.at[birth].bytes, e->bytes, 0);
		EXPECT_INT(l->events.at[birth].site, e->site);
	}
	map_release(&open);
}

TEST(all_is_there_where_it_fits)
{
	struct firefox_log l;
	struct export_of x;
	EXPECT_INT(ERR_NONE, log_sim(&l, &x, tap_seed(), 100000));
	expect_pairs(&l);
	EXPECT_INT(0, l.level);
	EXPECT_INT(x.model.tallies.born + x.model.tallies.died, l.events.count);
	EXPECT_NEAR(ledger_sum(&x, false), sum(&l, false), 1);
	EXPECT_NEAR(ledger_sum(&x, true), sum(&l, true), 1);
	firefox_log_release(&l);
	export_of_release(&x);
}

/* Each sum is unbiased over objects: over many seeds of the program the mean is near. */
TEST(thinned_it_stands_for_all)
{
	enum { ROUNDS = 200, MOST = 100 };
	double ratio = 0, squares = 0;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct firefox_log l;
		struct export_of x;
		EXPECT_INT(ERR_NONE, log_sim(&l, &x, 1 + round, MOST));
		expect_pairs(&l);
		EXPECT(l.level > 0 && l.events.count <= MOST);
		double r = sum(&l, false) / ledger_sum(&x, false);
		ratio += r / ROUNDS;
		squares += r * r / ROUNDS;
		firefox_log_release(&l);
		export_of_release(&x);
	}
	double error = sqrt((squares - ratio * ratio) / ROUNDS);
	EXPECT_NEAR(1, ratio, 5 * error);
	EXPECT(error > 0 && error < 0.1);
}

TEST(out_of_memory)
{
	struct firefox_log l = {.most = 10};
	const struct object o = {.id = 1, .weight = 1, .size = 1};
	struct listener listener = firefox_log_listener(&l);
	static struct model m;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, listener.on_birth(listener.arg, &m, &o));
	mem_fail_at(0);
	firefox_log_release(&l);
}
