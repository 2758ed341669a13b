#include "analyze/rules.h"

#include <math.h>

#include "base/units.h"
#include "stat/share.h"

const struct advise_run *trial_run(const struct trial *t)
{
	return &t->advise->run;
}

bool trial_judge(struct trial *t, struct estimate e)
{
	t->out->share = e;
	t->out->sure = e.lo >= t->threshold       ? SURE_SURE
		       : e.lo >= t->threshold / 2 ? SURE_LIKELY
						  : SURE_POSSIBLE;
	return e.value >= t->threshold;
}

bool trial_enough(const struct total *t)
{
	bool counted = !(t->bytes.variance > 0) && t->objects.sum >= RULE_SAMPLES;
	return counted || t->n >= RULE_SAMPLES;
}

void trial_at_best(struct trial *t, enum sure s)
{
	t->out->sure = t->out->sure < s ? t->out->sure : s;
}

void rule_put_share(struct buf *out, double share)
{
	if (share > 0 && share < 0.0005)
		buf_put_str(out, "<0.1 %");
	else
		buf_printf(out, "%.*f %%", share > 0 && share < 0.0995 ? 1 : 0, 100 * share);
}

void rule_put_least(struct buf *out, double share)
{
	double digit = share < 0.0995 ? 0.001 : 0.01;
	rule_put_share(out, digit * floor(share / digit + 1e-9));
}

void rule_put_rate(struct buf *out, double bytes_per_s)
{
	char a[UNITS_MAX];
	buf_printf(out, "%s/s", units_bytes(bytes_per_s, a));
}

double trial_per_second(const struct trial *t, double amount)
{
	return trial_run(t)->born_seconds > 0 ? amount / trial_run(t)->born_seconds : 0;
}

/* Collections are told of to the end, births perhaps not. */
double trial_pause_per_second(const struct trial *t, double pause)
{
	return trial_run(t)->seconds > 0 ? pause / trial_run(t)->seconds : 0;
}

/* What making it costs: its share of what `young` collections, of `pause` together, take before
 * they copy anything. */
static void cost_of_making(struct trial *t, double share, uint64_t young, double pause)
{
	const struct advise_run *r = trial_run(t);
	t->out->gc_most = trial_pause_per_second(t, share * pause);
	t->out->gc =
		fmin(t->out->gc_most, trial_pause_per_second(t, share * r->fixed * (double)young));
	if (!r->cost_known)
		t->out->gc = (double)NAN;
}

void trial_cost_of_making(struct trial *t, const struct total *made, double share)
{
	const struct advise_run *r = trial_run(t);
	t->out->bytes = trial_per_second(t, made->bytes.sum);
	cost_of_making(t, share, r->young, r->young_pause);
}

double trial_share_of_eden(const struct trial *t)
{
	const struct total *made = &t->row->tally.alloc;
	double bytes = fmax(0, made->bytes.sum - t->place->large.bytes.sum);
	return bytes > 0 ? fmin(1, bytes / trial_run(t)->young_bytes) : 0;
}

void trial_cost_of_filling(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	t->out->bytes = trial_per_second(t, t->row->tally.alloc.bytes.sum);
	cost_of_making(t, trial_share_of_eden(t), r->filled, r->filled_pause);
}

void trial_cost_of_large(struct trial *t, double share)
{
	t->out->gc_most = trial_pause_per_second(t, share * trial_run(t)->for_large_pause);
}

#define DEAREST 10.0 /* ns a byte, where a run does not tell: several times what was measured */
static double copy_most(const struct advise_run *r)
{
	double told = r->cost.hi > 0 ? r->cost.hi : (double)INFINITY;
	return r->cost_known ? told : fmin(told, DEAREST);
}

void trial_cost_of_copying(struct trial *t, double bytes, double share)
{
	const struct advise_run *r = trial_run(t);
	t->out->bytes = trial_per_second(t, bytes);
	t->out->gc_most = fmin(trial_pause_per_second(t, share * r->young_pause),
		trial_per_second(t, bytes * copy_most(r)));
	t->out->gc = r->cost_known
			     ? fmin(t->out->gc_most, trial_per_second(t, bytes * r->cost.value))
			     : (double)NAN;
}

struct estimate trial_share_of_all(const struct trial *t, const struct total *part)
{
	return share_bytes(part, &trial_run(t)->alloc);
}

void trial_put_made(struct trial *t, const struct total *part)
{
	struct estimate e = trial_share_of_all(t, part);
	rule_put_rate(&t->facts, trial_per_second(t, part->bytes.sum));
	buf_put_str(&t->facts, " allocated, ");
	rule_put_share(&t->facts, e.value);
	buf_put_str(&t->facts, " of all");
}

struct slice trial_class(const struct trial *t)
{
	return defs_class_name(&t->model->defs, t->row->class);
}

bool trial_lives_known(const struct trial *t)
{
	return trial_run(t)->ages_known && !t->row->evidence[MEASURE_BYTES].too_few;
}

/* As the young generation sees it: what dies after its promotion, and when, it does not know. */
bool trial_has_shape(const struct trial *t, enum shape shape)
{
	return trial_lives_known(t) &&
	       shape_of(&t->row->by_bytes[CLOCK_YOUNG], trial_run(t)->held_known) == shape;
}

static const struct rule_row rules[RULES] = {
#define RULE(name, word, list, family, threshold, find, title)                                     \
	[RULE_##name] = {word, title, list, family, threshold, find},
#include "analyze/rules.def"
#undef RULE
};

const struct rule_row *rule_row(enum rule r)
{
	return &rules[r];
}

const char *rule_word(enum rule r)
{
	return rules[r].word;
}

const char *rule_title(enum rule r)
{
	return rules[r].title;
}

const char *sure_word(enum sure s)
{
	static const char *const words[] = {"possible", "likely", "sure"};
	return words[s];
}
