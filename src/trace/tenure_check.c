#include "trace/tenure_check.h"

#include <inttypes.h>

#include "base/error.h"
#include "trace/format.h"

void tenure_check_release(struct tenure_check *t)
{
	map_release(&t->told);
}

static int take_round(struct tenure_check *t, const struct record_round *r, struct diag *d)
{
	uint64_t last = t->last;
	t->last = r->round;
	if (map_put(&t->told, r->round, 1))
		return ERR_NOMEM;
	if (r->round <= last)
		return diag_set(d, ERR_FORMAT, "round %" PRIu64 " stands behind round %" PRIu64,
			r->round, last);
	return ERR_NONE;
}

static int check_lever(const char *name, uint64_t round, uint64_t lever, struct diag *d)
{
	if (lever >= TENURE_LEVERS)
		return diag_set(d, ERR_FORMAT,
			"%s after round %" PRIu64 ": there is no lever %" PRIu64, name, round,
			lever);
	return ERR_NONE;
}

static int take_decision(const struct record_decision *r, struct diag *d)
{
	int err = check_lever("decision", r->round, r->lever, d);
	if (!err && r->action >= TENURE_ACTIONS)
		err = diag_set(d, ERR_FORMAT,
			"decision after round %" PRIu64 ": there is no action %" PRIu64, r->round,
			r->action);
	return err;
}

static int take_outcome(
	const struct tenure_check *t, const struct record_outcome *r, struct diag *d)
{
	int err = check_lever("outcome", r->round, r->lever, d);
	if (!err && !map_find(&t->told, r->round))
		err = diag_set(d, ERR_FORMAT, "outcome of round %" PRIu64 ", which was not told of",
			r->round);
	return err;
}

int tenure_check_take(struct tenure_check *t, const struct record *r, struct diag *d)
{
	switch (r->kind) {
	case RECORD_round:
		return take_round(t, &r->round, d);
	case RECORD_decision:
		return take_decision(&r->decision, d);
	case RECORD_outcome:
		return take_outcome(t, &r->outcome, d);
	default:
		return ERR_NONE;
	}
}
