#include "loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tap.h"

const struct heap_law a_third[3] = {
	{.share = 0.66, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.14, .size = 120, .part = {{1, 30, 60}}},
	{.share = 0.2, .size = 400, .part = {{1, 20, 50}}, .flags = SNAPSHOT_LEAF},
};

const struct heap_law other_phase[3] = {
	{.share = 0.66, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.14, .size = 120, .part = {{1, 1.2, 3}}},
	{.share = 0.2, .size = 400, .part = {{1, 1.2, 4}}, .flags = SNAPSHOT_LEAF},
};

static struct controller_rule able(void)
{
	struct controller_rule r = controller_rule_default();
	r.can_jump = r.can_set_threshold = r.can_rest = true;
	return r;
}

void begin(struct loop *l, const struct heap_law *laws, uint32_t count)
{
	*l = (struct loop){.rule = able(), .process_cpu = 100000000};
	young_heap_init(&l->heap, laws, count, tap_seed());
	l->heap.eden = 200000;
	l->heap.mark_every = 8;
	l->heap.noise = 0.03;
	l->heap.tables = true;
	struct learner_rule rule = {.slots = HEAP_SLOTS, .places = 256};
	EXPECT_INT(0, learner_init(&l->heap.learner, &rule));
	EXPECT_INT(0, snapshot_init(&l->s, learner_rows(l->heap.learner)));
}

void end(struct loop *l)
{
	controller_free(l->c);
	learner_free(l->heap.learner);
	snapshot_release(&l->s);
	young_heap_release(&l->heap);
}

static void rest(struct loop *l, bool on)
{
	l->heap.rests = on;
	learner_rest(l->heap.learner, on);
}

static void do_jump(struct loop *l, const struct action *a)
{
	if (a->kind == ACTION_REST || a->kind == ACTION_RESUME) {
		rest(l, a->kind == ACTION_REST);
		return;
	}
	bool on = a->kind != ACTION_TAKE_BACK;
	young_heap_jump(&l->heap, &a->at, on);
	learner_jump(l->heap.learner, &a->at, on);
}

static void do_sampling(struct loop *l, const struct action *a)
{
	*(a->value ? &l->low_at : &l->full_at) = l->rounds;
}

void carry_out(struct loop *l, const struct action *a)
{
	EXPECT(a->reason[0]);
	if (getenv("SHOW"))
		printf("# round %u: lever %d kind %d value %d place %d gain %.3g harm %.3g %s\n",
			l->rounds, (int)a->lever, (int)a->kind, (int)a->value,
			(int)a->at.place.vm_method, a->gain, a->harm, a->reason);
	if (a->kind == ACTION_ADVISE) {
		*(a->lever == LEVER_YOUNG ? &l->young_advices : &l->advices) += 1;
		return;
	}
	if (l->rule.learn_only)
		;
	else if (a->lever == LEVER_JUMP)
		do_jump(l, a);
	else if (a->lever == LEVER_THRESHOLD)
		l->heap.most = (uint32_t)a->value;
	else
		do_sampling(l, a);
	if (a->lever == LEVER_SAMPLING)
		return;
	l->takes += a->kind == ACTION_TAKE;
	l->takes_back += a->kind == ACTION_TAKE_BACK;
	l->keeps += a->kind == ACTION_KEEP;
	if (a->kind == ACTION_KEEP)
		snprintf(l->kept, sizeof(l->kept), "%s", a->reason);
	l->probes += a->kind == ACTION_REST;
	l->asked += a->kind == ACTION_REST && strncmp(a->reason, "to see again", 12) != 0;
	l->any_zero |= a->lever == LEVER_THRESHOLD && a->kind == ACTION_TAKE && !a->value;
	if (a->kind == ACTION_TAKE && !l->first_take)
		l->first_take = l->rounds;
	if (a->kind == ACTION_TAKE_BACK)
		l->last_take_back = l->rounds;
}

/* Whether the round may end here. */
static bool is_clear(struct loop *l, struct round *r)
{
	r->wall = 1000000000 / ROUND * r->count;
	r->process_cpu = l->process_cpu / ROUND * r->count;
	r->young = l->heap.young;
	if (l->c && controller_state(l->c) == CONTROLLER_PROBE)
		r->spilt = l->spill < r->count ? l->spill : r->count;
	if (l->patient || !controller_looks(l->c))
		return false;
	learner_glance(l->heap.learner, &l->s);
	return controller_is_clear(l->c, &l->s, r);
}

static void count_probe(struct loop *l, const struct round *r)
{
	if (controller_state(l->c) == CONTROLLER_PROBE) {
		l->probed += r->count;
		l->probing += r->count;
	}
}

static void end_probe(struct loop *l)
{
	if (controller_state(l->c) == CONTROLLER_PROBE || !l->probing)
		return;
	if (!l->shortest || l->probing < l->shortest)
		l->shortest = l->probing;
	if (l->probing > l->longest)
		l->longest = l->probing;
	l->probing = 0;
}

static void measure(struct loop *l, struct round *r)
{
	bool clear = false;
	*r = l->begun;
	round_clear(&l->begun);
	r->room = (struct young_room){.heap = 1ull << 30, .young = 100 << 20};
	if (l->dear > 0)
		l->heap.card = l->heap.most < 15 ? l->dear : 0;
	while (r->count < ROUND && !clear) {
		young_heap_cycle(&l->heap);
		round_add(r, &l->heap.last);
		clear = is_clear(l, r);
	}
	count_probe(l, r);
	l->copied = round_total(r, ROUND_COPIED) / round_total(r, ROUND_ALLOCATED);
}

/* For a look the brake is enough. */
static bool any_rewritten(const struct action *a, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i].lever == LEVER_JUMP &&
			(a[i].kind == ACTION_TAKE || a[i].kind == ACTION_TAKE_BACK))
			return true;
	return false;
}

/* Classes are rewritten, and the program goes on. */
static void act(struct loop *l)
{
	size_t count;
	const struct action *a = controller_actions(l->c, &count);
	while (any_rewritten(a, count) && l->begun.count < l->late) {
		young_heap_cycle(&l->heap);
		round_add(&l->begun, &l->heap.last);
	}
	for (size_t i = 0; i < count; i++)
		carry_out(l, &a[i]);
	if (count)
		controller_acted(l->c, l->begun.count);
}

void one_round(struct loop *l)
{
	struct round r;
	if (!l->c)
		EXPECT_INT(0, controller_init(&l->c, &l->rule));
	measure(l, &r);
	l->rounds++;
	if (r.count < ROUND)
		learner_glance(l->heap.learner, &l->s);
	else
		learner_snapshot(l->heap.learner, &l->s);
	learner_decay(l->heap.learner);
	enum controller_state state = controller_state(l->c);
	EXPECT_INT(0, controller_round(l->c, &l->s, &r, NULL, 0));
	end_probe(l);
	if (getenv("SHOW"))
		printf("# round %u: %s n %u copied %.4f cpu %.4g\n", l->rounds,
			controller_state_text(controller_state(l->c)), r.count, l->copied,
			round_total(&r, ROUND_CPU) / round_total(&r, ROUND_ALLOCATED));
	act(l);
	const struct outcome *o = controller_outcome(l->c);
	if (o->told && !(l->predicted > 0)) {
		l->predicted = o->predicted;
		l->observed = o->observed;
		l->judged = state;
	}
}

void rounds(struct loop *l, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		one_round(l);
}
