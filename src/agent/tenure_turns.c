#include "agent/tenure_turns.h"

#include <stdio.h>

#include "agent/recorder_lessons.h"
#include "agent/tenure_acts.h"
#include "agent/tenure_records.h"
#include "base/clock.h"

enum { ROUND_LOOK_NS = 50000000 };
/* Rounds after which something may have been found out: the first plan is made in the second one.
 */
enum { ROUNDS_LEARNT = 2 };

void tenure_turns_begin(struct tenure *t)
{
	t->round_began = clock_since(t->recorder->start);
	t->process_cpu = clock_cpu().v;
}

/* All goes back, and nothing jumps any more; the threshold may still be moved. */
static void lose_jumps(struct tenure *t)
{
	char text[DIAG_MAX];
	const char *why = trial_why(&t->test.trial);
	snprintf(text, sizeof(text), "the self-test failed, and no object jumps any more: %s", why);
	recorder_note(t->recorder, NOTE_WARNING, text);
	pthread_mutex_lock(&t->thread.lock);
	t->failed = true;
	controller_lose_jumps(t->controller, text);
	tenure_carry_out(t);
	jumps_drop(&t->jumps);
	pthread_mutex_unlock(&t->thread.lock);
	if (!vm_levers_can_bound(&t->levers))
		recorder_fact(t->recorder, "tenure.why", why);
}

/* While jumps rest nothing can be made. */
static void test(struct tenure *t)
{
	if (!t->jumps.rests && self_test_look(&t->test) && t->test.trial.verdict == TRIAL_FAILED)
		lose_jumps(t);
}

/* From collection to collection: a look may come late, and the next one soon after it. */
static void time_round(struct tenure *t, uint64_t cpu)
{
	uint64_t ended = t->round.ended, began = t->round_began.v;
	t->round.wall = ended > began ? ended - began : 0;
	t->round.process_cpu = cpu - t->process_cpu;
	t->round.process_age = cpu;
}

static void finish_round(struct tenure *t)
{
	uint64_t cpu = clock_cpu().v;
	time_round(t, cpu);
	t->round_began.v = t->round.ended;
	t->process_cpu = cpu;
	t->rounds++;
	t->peeked = 0;
	t->clear = false;
}

static bool looks(struct tenure *t)
{
	pthread_mutex_lock(&t->thread.lock);
	bool on = controller_looks(t->controller);
	pthread_mutex_unlock(&t->thread.lock);
	return on;
}

/* After each collection of a probe: whether it has shown enough, and the round may end here. */
static bool is_clear(struct tenure *t)
{
	if (!looks(t) || !recorder_peek(t->recorder, t->peeked, &t->snapshot, &t->round))
		return false;
	t->peeked = t->round.count;
	time_round(t, clock_cpu().v);
	pthread_mutex_lock(&t->thread.lock);
	t->clear = controller_is_clear(t->controller, &t->snapshot, &t->round);
	pthread_mutex_unlock(&t->thread.lock);
	return t->clear;
}

static bool take_round(struct tenure *t)
{
	uint32_t collections = (uint32_t)t->options->tenure_round;
	return t->clear ? recorder_end_round(t->recorder, &t->snapshot, &t->round)
			: recorder_round(t->recorder, collections, &t->snapshot, &t->round);
}

/* Under the lock. Whether something is to be done. */
static bool decide(struct tenure *t)
{
	size_t count;
	const struct choose_edge *edges = lookout_edges(&t->lookout, &t->snapshot, &count);
	bool told = tenure_record_round(t->recorder, t->rounds, &t->round, t->controller);
	if (told)
		young_lever_round(&t->young, t->recorder, t->rounds, &t->round);
	if (controller_round(t->controller, &t->snapshot, &t->round, edges, count))
		return false; /* out of memory: in the next one */
	t->learns = t->learns || t->rounds >= ROUNDS_LEARNT;
	lookout_want(&t->lookout, controller_chooses(t->controller));
	if (told)
		tenure_record_outcome(t->recorder, t->rounds, controller_outcome(t->controller));
	tenure_carry_out(t);
	controller_actions(t->controller, &count);
	return count;
}

static bool is_stopped(void *arg)
{
	return own_thread_stopped(arg);
}

/* In the VM. */
static void look_out(struct tenure *t)
{
	JNIEnv *jni = lookout_wants(&t->lookout) ? tenure_join_vm(t) : NULL;
	if (!jni)
		return;
	lookout_look(&t->lookout, jni, t->recorder, t->snapshot.young, is_stopped, &t->thread);
	tenure_leave_vm(t);
}

/* If one is over. Whether something is to be done. */
static bool step_round(struct tenure *t)
{
	if (!take_round(t))
		return false;
	finish_round(t);
	look_out(t);
	pthread_mutex_lock(&t->thread.lock);
	bool decided = decide(t);
	pthread_mutex_unlock(&t->thread.lock);
	return decided;
}

/* The next look is half a second after this one, or as soon as the self-test wants it. */
static void look(struct tenure *t)
{
	test(t);
	tenure_act(t);
	t->look_at = self_test_next(&t->test);
}

/* The program goes on while classes are rewritten. */
static void tell_acted(struct tenure *t)
{
	uint32_t passed = recorder_round_so_far(t->recorder);
	pthread_mutex_lock(&t->thread.lock);
	controller_acted(t->controller, passed);
	pthread_mutex_unlock(&t->thread.lock);
}

static void step(struct tenure *t)
{
	recorder_find_threads(t->recorder);
	bool decided = step_round(t);
	if (clock_now().v >= t->look_at.v)
		look(t);
	else if (decided)
		tenure_act(t);
	if (decided)
		tell_acted(t);
}

/* Until it is time to look, or a round is over: where collections come one after the other a round
 * is not to be twice as long as was asked for. Whether to go on. */
static bool rest(struct tenure *t)
{
	uint32_t collections = (uint32_t)t->options->tenure_round;
	bool on = !own_thread_stopped(&t->thread);
	while (on && !recorder_round_is_over(t->recorder, collections) && !is_clear(t)) {
		uint64_t now = clock_now().v, next = now + ROUND_LOOK_NS;
		vm_levers_keep(&t->levers);
		if (now >= t->look_at.v)
			break;
		struct ns until = {next < t->look_at.v ? next : t->look_at.v};
		on = own_thread_sleep(&t->thread, until);
	}
	return on;
}

void *tenure_turns(void *arg)
{
	struct tenure *t = arg;
	if (!own_thread_stopped(&t->thread))
		look(t); /* with what a file says */
	while (rest(t))
		step(t);
	tenure_tell_last(t);
	return NULL;
}
