#include "agent/exact_out.h"

#include "base/error.h"

void exact_out_room(struct recorder *r, struct output *o)
{
	struct diag d; /* the output keeps its failures */
	output_drain(o, r, false, &d);
}

void exact_out_put(struct recorder *r, struct output *o, const struct record *record)
{
	for (int i = 0; i < 2; i++) {
		if (recorder_exact(r, record) != ERR_FULL)
			return;
		exact_out_room(r, o);
	}
}

uint32_t exact_out_site(struct told_sites *t, struct recorder *r, struct output *o, uint32_t site,
	enum place_state *state)
{
	uint32_t id = told_sites_number(t, site, state);
	if (id)
		return id;
	exact_out_room(r, o);
	return told_sites_number(t, site, state);
}
