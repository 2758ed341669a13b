#include "agent/exact_accounts.h"

#include <stdio.h>

#include "agent/account_out.h"
#include "agent/exact_out.h"
#include "base/clock.h"

enum {
	SETTLE_NS = 200000000,    /* an account is written when it is that old, */
	PATIENCE_NS = 2000000000, /* and with places that are not known yet, that old */
};

/* Whether all places of its births are known. */
static bool settled(struct exact *e, const struct account *a)
{
	for (uint32_t i = 0; i < a->cells; i++) {
		const struct account_cell *c = accounts_at(&e->pauses.accounts, a, i);
		if (!atomic_load(&births_get()->sites.at[c->site].site))
			return false;
	}
	return true;
}

static bool due(struct exact *e, const struct account *a, uint64_t now)
{
	uint64_t age = now - a->time;
	return age >= PATIENCE_NS || (age >= SETTLE_NS && settled(e, a));
}

static void tell_number(struct recorder *r, const char *key, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	recorder_fact(r, key, text);
}

/* Since when births are in the trace. */
static void tell_begin(struct recorder *r, const struct account *a)
{
	tell_number(r, "exact.from", a->time > r->start.v ? a->time - r->start.v : 0);
	tell_number(r, "exact.from.young", a->young);
}

/* Whether the account is to be written; the first after it came to be trusted begins where that one
 * ends. */
static bool trust(struct exact *e, struct recorder *r, const struct account *a)
{
	if (e->audits.trusted)
		return true;
	if (audits_try(&e->audits, &a->audit, a->kind == ACCOUNT_END)) {
		/* The one that was tried speaks of births that are not in the trace. */
		tell_begin(r, a);
		e->trusted_from = a->time;
		atomic_store(&e->pauses.audit.wanted, true);
		atomic_store(&e->pauses.audit.all, e->audits_asked);
	}
	e->walked = a->walks; /* their births are not in the trace either */
	return false;
}

/* Where a recording waited for its begin, the program may have collected between that and the first
 * birth: none of these collections lacks its account. */
static void tell_earlier(struct exact *e, struct recorder *r)
{
	if (e->earlier)
		tell_number(r, "exact.from.young", e->earlier);
	e->earlier = 0;
}

static enum lost_reason why_lost(const struct exact *e)
{
	const struct pauses *p = &e->pauses;
	return atomic_load(&p->relief.abandoned) &&
			       e->lost_births > atomic_load(&p->relief.lost_before)
		       ? LOST_GIVEN_UP
		       : LOST_BUFFERS;
}

/*
 * Only those of accounts that are written: what is lost while the writer is far behind is announced
 * in its turn, or a cyclic trace would forget the announcement before the account.
 *
 * The first time by a fact too: each segment of a cyclic trace is told that, when the record is
 * forgotten.
 */
static void write_lost(struct exact *e, struct recorder *r, struct output *o)
{
	struct record record = {.kind = RECORD_lost};
	uint64_t lost = e->lost_births + e->chunks.untold;
	if (lost == e->lost_intervals)
		return;
	record.lost = (struct record_lost){.time = clock_now().v - r->start.v,
		.what = LOST_INTERVALS,
		.count = lost - e->lost_intervals,
		.reason = why_lost(e)};
	exact_out_put(r, o, &record);
	if (!e->lost_intervals)
		exact_out_put(r, o,
			&(const struct record){.kind = RECORD_fact,
				.fact = {.key = slice_str("intervals"),
					.value = slice_str("lost")}});
	e->lost_intervals = lost;
}

void exact_accounts_lost(struct exact *e, struct recorder *r, struct output *o)
{
	if (!e->traces)
		return;
	e->lost_births = e->tracing.follow.totals.lost_intervals;
	write_lost(e, r, o);
}

void exact_accounts_events(struct exact *e, struct recorder *r, struct output *o, uint64_t interval)
{
	if (!e->traces)
		return;
	chunks_write(&e->chunks, r, o, interval);
	write_lost(e, r, o);
}

/* How walks went since this was last told. */
static void write_walks(
	struct exact *e, struct recorder *r, struct output *o, const struct account *a)
{
	struct record record = {.kind = RECORD_walks};
	struct record_walks *w = &record.walks;
	const struct account_walks *now = &a->walks;
	if (!births_get()->every)
		return;
	/* What comes in place of others takes further names. */
	if (catalog_scarce(&r->catalog))
		atomic_store(&births_get()->paths_stay, true);
	w->young = a->young;
	w->walks = now->walks - e->walked.walks;
	w->refused = now->refused - e->walked.refused;
	w->unnamed = atomic_load(&e->places.unnamed) - e->unnamed;
	for (w->ends.count = 0; w->ends.count < STACK_ENDS; w->ends.count++)
		w->ends.at[w->ends.count] =
			now->ends[w->ends.count] - e->walked.ends[w->ends.count];
	e->unnamed += w->unnamed;
	e->walked = *now;
	exact_out_put(r, o, &record);
}

/* Where an account goes. */
struct way_out {
	struct exact *exact;
	struct recorder *recorder;
	struct output *output;
};

static uint32_t site_out(void *arg, uint32_t site, bool *known)
{
	const struct way_out *w = arg;
	enum place_state state;
	uint32_t id = exact_out_site(&w->exact->told, w->recorder, w->output, site, &state);
	*known = state == PLACE_KNOWN;
	return id;
}

static void put_out(void *arg, const struct record *record)
{
	const struct way_out *w = arg;
	struct recorder *r = w->recorder;
	const struct record_site_births *b = &record->site_births;
	if (record->kind == RECORD_site_births && r->journal.primer)
		primer_count(&r->primer, b->site, b->objects, b->bytes);
	exact_out_put(r, w->output, record);
}

static void write_account(
	struct exact *e, struct recorder *r, struct output *o, const struct account *a)
{
	struct account_out out = {
		.arg = &(struct way_out){e, r, o}, .site = site_out, .put = put_out};
	tell_earlier(e, r);
	e->lost_births = a->lost_intervals;
	exact_accounts_events(e, r, o, a->interval);
	account_out_sites(&out, &e->pauses.accounts, a);
	audits_add(&e->audits, &a->audit);
	write_walks(e, r, o, a);
	if (a->kind == ACCOUNT_END)
		return;
	account_out_gc(&out, a, a->time - r->start.v);
	e->told_gcs++;
}

/* The oldest account that there is, and all events that were ready before it; NULL: none. What is
 * taken then is older than all accounts to come, but for the last interval's. */
static const struct account *next_account(struct exact *e)
{
	if (e->traces)
		chunks_take(&e->chunks);
	const struct account *a = accounts_next(&e->pauses.accounts);
	if (e->traces && a)
		chunks_take(&e->chunks);
	return a;
}

bool exact_accounts_write(struct exact *e, struct recorder *r, struct output *o, bool all)
{
	const struct account *a;
	while ((a = next_account(e)) != NULL && (all || due(e, a, clock_now().v))) {
		if (trust(e, r, a))
			write_account(e, r, o, a);
		accounts_done(&e->pauses.accounts);
	}
	return !a;
}
