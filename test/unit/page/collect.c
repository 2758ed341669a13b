#include "page/collect.h"

#include "base/error.h"
#include "support/page_of.h"
#include "support/page_sim.h"
#include "support/tap.h"

/* Everyone hears everything: the ledger, the samples and the ticks agree with the model. */
TEST(all_that_is_told_is_collected)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 20; round++) {
		struct sim s = page_sim(&rng, 400);
		struct page_of p;
		EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
		const struct samples *samples = &p.collect.samples;
		uint64_t fates[4] = {0};
		for (size_t i = 0; i < samples->list.count; i++)
			fates[samples->list.at[i].fate]++;
		const struct tallies *t = &p.model.tallies;
		EXPECT_INT(400, t->samples);
		EXPECT_INT(t->samples, samples->list.count);
		EXPECT_INT(t->born, samples->seen[STRATUM_FOLLOWED]);
		EXPECT_INT(t->samples - t->born, fates[KEPT_NOT_FOLLOWED]);
		EXPECT_INT(t->died, fates[KEPT_DIED]);
		/* Let go for want of room; none of these recordings was ended. */
		EXPECT_INT(t->untracked, fates[KEPT_LET_GO]);
		EXPECT_INT(t->alive, fates[KEPT_ALIVE]);
		EXPECT_INT(t->ticks, p.collect.ticks.list.count);
		EXPECT(t->ticks > 0);
		uint64_t born = 0;
		for (size_t i = 0; i < p.collect.ledger.accounts.count; i++)
			born += p.collect.ledger.accounts.at[i].tally.born.n;
		EXPECT_INT(t->born, born);
		page_of_release(&p);
	}
}

TEST(let_go_when_the_recording_ended_is_alive)
{
	struct collect c = collect_init(10);
	struct listener l = collect_listener(&c);
	struct model m;
	EXPECT_INT(0, model_init(&m));
	struct sample s = {.size = 8, .weight = 1, .tracked = true};
	struct life life = {.young = 2};
	for (uint64_t reason = UNTRACK_EVICTED; reason <= UNTRACK_TROUBLE; reason++) {
		struct object o = {.id = reason, .size = 8, .weight = 1};
		EXPECT_INT(0, l.on_sample(l.arg, &m, &s));
		EXPECT_INT(0, l.on_birth(l.arg, &m, &o));
		EXPECT_INT(0, l.on_untrack(l.arg, &m, &o, &life, reason));
	}
	EXPECT_INT(KEPT_LET_GO, c.samples.list.at[UNTRACK_EVICTED].fate);
	EXPECT_INT(KEPT_ALIVE, c.samples.list.at[UNTRACK_STOPPED].fate);
	EXPECT_INT(KEPT_LET_GO, c.samples.list.at[UNTRACK_TROUBLE].fate);
	collect_release(&c);
	model_release(&m);
}
