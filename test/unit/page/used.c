#include "page/used.h"

#include "support/page_of.h"
#include "support/page_sim.h"
#include "support/tap.h"

/* Whether the text is said by anything that is used. */
static bool is_said(const struct page_of *p, uint32_t text)
{
	const struct defs *d = &p->model.defs;
	const struct used *u = &p->data.used;
	bool said = false;
	for (size_t i = 0; i < u->classes.used.count; i++)
		said |= d->classes.at[u->classes.used.at[i]].name == text;
	for (size_t i = 0; i < u->methods.used.count; i++) {
		const struct method_def *m = &d->methods.at[u->methods.used.at[i]];
		said |= m->name == text || m->class_name == text;
	}
	for (size_t i = 0; i < u->threads.used.count; i++)
		said |= d->threads.at[u->threads.used.at[i]].name == text;
	for (size_t i = 0; i < p->data.gcs.list.count; i++) {
		const struct gc *gc = &p->model.gcs.list.at[p->data.gcs.list.at[i]];
		said |= gc->cause == text || d->collectors.at[gc->collector].name == text;
	}
	return said;
}

/* Closed, and no larger than that: all that a used one speaks of is used, and each is spoken of. */
TEST(all_that_is_spoken_of_and_no_more)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 20; round++) {
		/* So few samples that not every site has one. */
		struct sim s = page_sim(&rng, 1 + rng_below(&rng, 12));
		struct page_of p;
		EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
		const struct defs *d = &p.model.defs;
		const struct used *u = &p.data.used;
		size_t frames = 0;
		for (size_t i = 1; i < u->sites.used.count; i++) {
			const struct site_def *site = &d->sites.at[u->sites.used.at[i]];
			EXPECT(numbering_get(&u->classes, site->class) > 0);
			for (uint32_t f = site->frame; f; f = d->frames.at[f].parent) {
				uint32_t number = numbering_get(&u->frames, f);
				EXPECT(number > 0);
				EXPECT(numbering_get(&u->frames, d->frames.at[f].parent) < number);
				EXPECT(numbering_get(&u->methods, d->frames.at[f].method) > 0);
				frames++;
			}
		}
		EXPECT_INT(p.collect.ledger.accounts.count, u->sites.used.count - 1);
		EXPECT(u->frames.used.count - 1 <= frames);
		EXPECT(u->sites.used.count <= d->sites.count);
		for (size_t i = 1; i < u->texts.used.count; i++)
			EXPECT(is_said(&p, u->texts.used.at[i]));
		for (size_t i = 0; i < p.collect.samples.list.count; i++)
			EXPECT(numbering_get(&u->threads, p.collect.samples.list.at[i].thread) > 0);
		page_of_release(&p);
	}
}
