#include "exact/headcount.h"

#include "base/error.h"
#include "base/mem.h"

/* Regions with anything to look at; for fewer the pause's own thread is done before another one is
 * awake. */
enum { WORTH_A_CREW = 4 };

int headcount_init(struct headcount *h, struct crew *crew)
{
	*h = (struct headcount){.crew = crew, .count = crew->count};
	if (!h->count)
		return ERR_NONE;
	h->helps = mem_zalloc(h->count, sizeof(*h->helps));
	int err = h->helps ? ERR_NONE : ERR_NOMEM;
	for (uint32_t i = 0; i < h->count && !err; i++)
		err = census_init(&h->helps[i]);
	if (err)
		headcount_release(h);
	return err;
}

void headcount_release(struct headcount *h)
{
	for (uint32_t i = 0; h->helps && i < h->count; i++)
		if (h->helps[i].rows)
			census_release(&h->helps[i]);
	mem_free(h->helps);
	*h = (struct headcount){.crew = NULL};
}

/* Takes regions until there are no more. */
static void look(void *arg, uint32_t worker)
{
	struct headcount *h = arg;
	struct survivors s = *h->sight;
	size_t i;
	s.worker = worker;
	if (worker)
		s.census = &h->helps[worker - 1];
	while ((i = atomic_fetch_add(&h->next, 1)) < s.after->count) {
		int err = survivors_look(&s, i);
		if (err)
			atomic_store(&h->err, err);
	}
	if (s.meets)
		follow_rest(s.meets, worker);
}

static bool worth_a_crew(const struct survivors *s)
{
	unsigned count = 0;
	for (size_t i = 0; i < s->after->count && count < WORTH_A_CREW; i++)
		count += survivors_any(s, i);
	return count == WORTH_A_CREW;
}

static void share(struct headcount *h)
{
	for (uint32_t i = 0; i < h->crew->count; i++)
		h->helps[i].first = h->sight->census->first;
	crew_work(h->crew, look, h);
	for (uint32_t i = 0; i < h->crew->count; i++)
		census_take(h->sight->census, &h->helps[i]);
}

int headcount_take(struct headcount *h, const struct survivors *sight)
{
	h->sight = sight;
	atomic_store(&h->next, 0);
	atomic_store(&h->err, ERR_NONE);
	if (h->crew->count && worth_a_crew(sight))
		share(h);
	else
		look(h, 0);
	return atomic_load(&h->err);
}
