#include "agent/tenure_records.h"

#include "agent/recorder_names.h"
#include "base/clock.h"

/* A place in the trace: its frames alone. */
static uint64_t site_of(struct recorder *r, const struct place_context *at)
{
	struct stack_frame stack[1 + PLACE_CALLERS] = {{at->place.vm_method, at->place.bci}};
	for (uint32_t i = 0; i < at->depth; i++)
		stack[1 + i] = (struct stack_frame){at->caller[i].vm_method, at->caller[i].bci};
	return recorder_place(r, at->place.class_id, stack, 1 + at->depth);
}

static uint64_t now_in(const struct recorder *r)
{
	return clock_since(r->start).v;
}

static uint64_t rounded(double x)
{
	return x > 0 && x < 1e18 ? (uint64_t)(x + 0.5) : 0;
}

void tenure_record_action(struct recorder *r, uint64_t round, const struct action *a)
{
	/* As the trace has them: a rest is a taking back for a while. */
	static const uint64_t kinds[ACTION_KINDS] = {[ACTION_TAKE] = 0,
		[ACTION_KEEP] = 1,
		[ACTION_TAKE_BACK] = 2,
		[ACTION_REST] = 3,
		[ACTION_RESUME] = 4,
		[ACTION_ADVISE] = 5};
	struct record record = {.kind = RECORD_decision};
	record.decision = (struct record_decision){.time = now_in(r),
		.round = round,
		.site = a->at.place.vm_method ? site_of(r, &a->at) : 0,
		.lever = (uint64_t)a->lever,
		.action = kinds[a->kind],
		.value = a->value,
		.gain = rounded(a->gain),
		.harm = rounded(a->harm),
		.reason = recorder_string(r, a->reason)};
	recorder_tenure(r, &record);
}

bool tenure_record_round(struct recorder *r, uint64_t round, const struct round *collected,
	const struct controller *c)
{
	size_t jumps;
	controller_jumps(c, &jumps);
	struct record record = {.kind = RECORD_round};
	record.round = (struct record_round){.time = collected->ended,
		.round = round,
		.young = collected->young,
		.samples = collected->samples,
		.copied = rounded(round_total(collected, ROUND_COPIED)),
		.promoted = rounded(round_total(collected, ROUND_PROMOTED)),
		.pause = rounded(round_total(collected, ROUND_PAUSE)),
		.collections = collected->count,
		.allocated = rounded(round_total(collected, ROUND_ALLOCATED)),
		.cpu = rounded(round_total(collected, ROUND_CPU)),
		.longest = collected->longest,
		.state = (uint64_t)controller_state(c),
		.threshold = controller_threshold(c),
		.jumps = jumps};
	return recorder_tenure(r, &record);
}

void tenure_record_outcome(struct recorder *r, uint64_t round, const struct outcome *o)
{
	struct record record = {.kind = RECORD_outcome};
	if (!o->told)
		return;
	record.outcome = (struct record_outcome){.time = now_in(r),
		.round = round,
		.lever = (uint64_t)o->lever,
		.predicted = rounded(o->predicted),
		.observed = rounded(o->observed),
		.margin = rounded(o->margin)};
	recorder_tenure(r, &record);
}
