#include "agent/told_sites.h"

#include "agent/recorder_names.h"

void told_sites_init(struct told_sites *t, struct places *p)
{
	t->places = p;
	t->count = 0;
}

static struct exact_site *site_of(const struct told_sites *t, uint32_t site)
{
	return &t->places->births->sites.at[site];
}

/* Whether the trace knows that it is there. */
static bool tell_place(const struct told_sites *t, struct exact_site *s, uint32_t place)
{
	if (place == s->told_as || place == s->told)
		return true;
	if (recorder_site_place(t->places->recorder, s->told, place))
		return false;
	s->told_as = place;
	return true;
}

/* Where there is no room to remember it, its place is told when it is asked for again. */
static uint32_t tell_bare(struct told_sites *t, uint32_t site)
{
	struct exact_site *s = site_of(t, site);
	s->told = recorder_bare_site(t->places->recorder, s->class_id);
	if (s->told && t->count < TOLD_SITES) {
		atomic_store(&s->bare, true);
		t->at[t->count++] = site;
	}
	return s->told;
}

uint32_t told_sites_number(struct told_sites *t, uint32_t site, enum place_state *state)
{
	struct exact_site *s = site_of(t, site);
	bool known = atomic_load(&s->site);
	uint32_t place = places_site(t->places, site, state);
	if (!s->told && known)
		s->told = place;
	if (!s->told && !tell_bare(t, site))
		return 0;
	if (place)
		tell_place(t, s, place);
	return s->told;
}

/* Whether nothing more is to be told of it. */
static bool is_done(const struct told_sites *t, uint32_t site)
{
	struct exact_site *s = site_of(t, site);
	enum place_state state;
	return atomic_load(&s->site) ? tell_place(t, s, places_site(t->places, site, &state))
				     : s->retired && !atomic_load(&s->waits);
}

void told_sites_again(struct told_sites *t)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		if (!is_done(t, t->at[i]))
			t->at[kept++] = t->at[i];
		else
			atomic_store(&site_of(t, t->at[i])->bare, false);
	}
	t->count = kept;
}
