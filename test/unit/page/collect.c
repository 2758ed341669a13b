#include "page/collect.h"

#include "base/error.h"
#include "support/exact_of.h"
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

/* -- What the exact engine counted -- */

/* Bytes of the objects at a line: class, and allocating frame's place. */
static double counted_at(const struct exact_truth *t, const struct model *m, uint32_t site)
{
	const struct site_def *want = &m->defs.sites.at[site];
	uint32_t at = m->defs.frames.at[want->frame].location;
	double sum = 0;
	for (size_t i = 0; i < t->objects.count; i++) {
		const struct site_def *s = &m->defs.sites.at[t->objects.at[i].sampled];
		if (s->class == want->class && m->defs.frames.at[s->frame].location == at)
			sum += (double)t->objects.at[i].size;
	}
	return sum;
}

static double in_page_at(const struct page_of *p, uint32_t site)
{
	const struct site_def *want = &p->model.defs.sites.at[site];
	uint32_t at = p->model.defs.frames.at[want->frame].location;
	double sum = 0;
	for (size_t i = 0; i < p->collect.samples.list.count; i++) {
		const struct kept *k = &p->collect.samples.list.at[i];
		const struct site_def *s = &p->model.defs.sites.at[k->site];
		if (s->class == want->class && p->model.defs.frames.at[s->frame].location == at)
			sum += (double)k->size * k->weight * collect_factor(&p->collect, k->site);
	}
	return sum;
}

TEST(samples_of_a_line_are_what_was_counted_there)
{
	for (int i = 0; i < 2; i++) {
		struct exact_sim x = exact_of_program(tap_seed());
		struct exact_truth truth;
		struct buf trace = {0};
		struct page_of p;
		double all = 0, page = 0;
		x.interval = i ? 1u << 20 : 4096; /* at the second, lines without a sample */
		EXPECT_INT(0, exact_sim_write(&x, &trace, &truth));
		EXPECT_INT(0, page_of_bytes(&p, buf_slice(&trace), 100000, 1000));
		EXPECT(p.collect.samples.list.count > 0);
		for (size_t k = 0; k < p.collect.samples.list.count; k++) {
			const struct kept *kept = &p.collect.samples.list.at[k];
			double factor = collect_factor(&p.collect, kept->site);
			page += (double)kept->size * kept->weight * factor;
			EXPECT_NEAR(counted_at(&truth, &p.model, kept->site),
				in_page_at(&p, kept->site), 1e-6 * page + 1);
		}
		for (size_t k = 0; k < truth.objects.count; k++)
			all += (double)truth.objects.at[k].size;
		EXPECT_NEAR(all, page + p.collect.unsampled, 1e-6 * all);
		EXPECT(i ? p.collect.unsampled > 0 : p.collect.unsampled <= 0);
		page_of_release(&p);
		exact_truth_release(&truth);
		buf_release(&trace);
	}
}
