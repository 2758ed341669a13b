#include "support/tenure_sim.h"

#include "base/error.h"
#include "base/rng.h"

struct loop {
	const struct tenure_sim *t;
	sim_put *put;
	void *arg;
	struct rng rng;
	uint64_t strings; /* defined by the program; then come the reasons, one for each step */
	bool told;        /* the reasons */
	uint64_t round, young, alloc, began_alloc;
	struct record_round sums;
};

static int tell_reasons(struct loop *l)
{
	int err = ERR_NONE;
	l->told = true;
	for (size_t i = 0; i < l->t->step_count && !err; i++) {
		struct record r = {.kind = RECORD_string};
		r.string.id = l->strings + 1 + i;
		r.string.text = slice_str(l->t->steps[i].reason ? l->t->steps[i].reason : "");
		err = l->put(l->arg, &r);
	}
	return err;
}

static const struct tenure_phase *phase_of(const struct loop *l, uint64_t round)
{
	const struct tenure_phase *p = l->t->phases;
	for (size_t i = 0; i < l->t->phase_count; i++)
		if (l->t->phases[i].from <= round)
			p = &l->t->phases[i];
	return p;
}

static int tell_step(struct loop *l, size_t i, uint64_t time)
{
	const struct tenure_step *s = &l->t->steps[i];
	struct record r = {.kind = s->predicted ? RECORD_outcome : RECORD_decision};
	if (s->predicted)
		r.outcome = (struct record_outcome){
			time, s->round, s->lever, s->predicted, s->observed, s->margin};
	else
		r.decision = (struct record_decision){.time = time,
			.round = s->round,
			.site = s->site,
			.lever = s->lever,
			.action = s->action,
			.value = s->value,
			.gain = s->gain,
			.harm = s->harm,
			.reason = s->reason ? l->strings + 1 + i : 0};
	return l->put(l->arg, &r);
}

static int tell_steps(struct loop *l, uint64_t time)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < l->t->step_count && !err; i++)
		if (l->t->steps[i].round == l->round)
			err = tell_step(l, i, time);
	return err;
}

static uint64_t about(struct loop *l, double value)
{
	return (uint64_t)(value * (0.95 + 0.1 * rng_unit(&l->rng)));
}

static int tell_round(struct loop *l, uint64_t time)
{
	const struct tenure_phase *p = phase_of(l, l->round);
	struct record r = {.kind = RECORD_round};
	double allocated = (double)(l->alloc - l->began_alloc);
	r.round = l->sums;
	r.round.time = time;
	r.round.round = l->round;
	r.round.young = l->young;
	r.round.samples = 200;
	r.round.allocated = (uint64_t)allocated;
	r.round.copied = about(l, allocated * p->copied);
	r.round.promoted = about(l, allocated * p->promoted);
	r.round.cpu = about(l, allocated * p->cpu);
	r.round.state = p->state;
	r.round.threshold = p->threshold;
	r.round.jumps = p->jumps;
	l->sums = (struct record_round){0};
	l->began_alloc = l->alloc;
	return l->put(l->arg, &r);
}

static int take_gc(struct loop *l, struct record *r)
{
	r->gc.pause = (uint64_t)((double)r->gc.pause * phase_of(l, l->round + 1)->pauses);
	r->gc.end = r->gc.start + r->gc.pause;
	int err = l->put(l->arg, r);
	if (r->gc.young == l->young)
		return err;
	l->young = r->gc.young;
	l->alloc = r->gc.alloc;
	l->sums.pause += r->gc.pause;
	if (r->gc.pause > l->sums.longest)
		l->sums.longest = r->gc.pause;
	if (++l->sums.collections < l->t->length)
		return err;
	l->round++;
	err = err ? err : tell_round(l, r->gc.end);
	return err ? err : tell_steps(l, r->gc.end);
}

static int take(void *arg, const struct record *r)
{
	struct loop *l = arg;
	struct record copy = *r;
	int err = ERR_NONE;
	if (r->kind == RECORD_string)
		l->strings = r->string.id;
	if (!l->told && (r->kind == RECORD_birth || r->kind == RECORD_gc)) {
		err = tell_reasons(l);
		err = err ? err : tell_steps(l, 0);
	}
	if (!err && r->kind == RECORD_gc)
		return take_gc(l, &copy);
	return err ? err : l->put(l->arg, r);
}

int tenure_sim_run(const struct tenure_sim *t, sim_put *put, void *arg)
{
	struct loop l = {.t = t, .put = put, .arg = arg, .rng = rng_init(t->sim.seed)};
	return sim_run(&t->sim, take, &l);
}
