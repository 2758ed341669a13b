#include "agent/tenure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "agent/gcs.h"
#include "agent/recorder_lessons.h"
#include "agent/tenure_notes.h"
#include "agent/tenure_records.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

enum { ROUND_LOOK_NS = 50000000, PATIENCE_NS = 2000000000, CALM_WALKS = 20 };
/* While levers are moved: that what was sent to the old generation dies early shows on samples. */
enum { WATCH_WALKS = 1000 };

static const char says_so[] = "the decisions file says so";

/* What was learnt where jumps do nothing does not replace what was learnt elsewhere. */
static bool saves(const struct tenure *t)
{
	enum tenure_wish w = t->options->tenure;
	return *t->options->decisions && (w == TENURE_YES || w == TENURE_LEARN) && !t->failed;
}

static bool acts(const struct tenure *t)
{
	enum tenure_wish w = t->options->tenure;
	return w == TENURE_YES || w == TENURE_APPLY;
}

static void note(struct tenure *t, enum severity severity, const char *text)
{
	recorder_note(t->recorder, severity, text);
}

void tenure_open(struct tenure *t, struct vm *vm, struct recorder *r, const struct options *o)
{
	*t = (struct tenure){.wanted = o->tenure != TENURE_NO && o->engine != ENGINE_NOP,
		.options = o,
		.vm = vm,
		.recorder = r};
	if (!t->wanted)
		return;
	own_thread_open(&t->thread);
	if (acts(t) && !vm_is_live(vm)) {
		struct vm_flags flags = vm_levers_flags(vm);
		vm_levers_unbias(&flags);
	}
	t->can_jump = jumps_open(&t->jumps, vm, &t->thread.lock, &t->no_jump) == ERR_NONE;
	handover_read(&t->handover, o->decisions);
}

/* Where the exact engine stamps marks, it can stamp ages too. */
static bool begin_jumps(struct tenure *t, JNIEnv *jni, const struct exact *e)
{
	t->hooked = exact_stamps(e) && acts(t) &&
		    hook_jumps_open(&t->hook, births_get(), &e->on, t->jumps.rewrites, t->vm,
			    places_home, &e->places);
	struct actuator hook = hook_jumps(&t->hook);
	return jumps_begin(&t->jumps, jni, t->hooked ? &hook : NULL, &t->no_jump) == ERR_NONE;
}

/* The collector's name is the one that tells. */
static bool is_off(struct tenure *t)
{
	char text[DIAG_MAX];
	if (t->levers.copies)
		return false;
	diag_set(&t->off, ERR_UNSUPPORTED,
		"it is for Serial, Parallel and G1, and the collector is %s", t->gc);
	snprintf(text, sizeof(text), "tenure is off: %.400s", t->off.text);
	note(t, NOTE_WARNING, text);
	return true;
}

static void tell_lacks(struct tenure *t)
{
	if (!t->can_jump)
		note(t, NOTE_WARNING, t->no_jump.text);
	if (*t->handover.unread.text)
		note(t, NOTE_WARNING, t->handover.unread.text);
	tenure_note_unknown(t->recorder, &t->handover.decisions);
	tenure_note_learnt(t->recorder, &t->handover.decisions, t->jdk, t->gc);
	if (t->levers.biased)
		note(t, NOTE_WARNING,
			"biased locking is on: objects (not arrays) that can be biased are not "
			"moved by their age; -XX:-UseBiasedLocking mends it");
}

/* Whether there are any. */
static bool find_levers(
	struct tenure *t, JNIEnv *jni, const struct exact *e, struct controller_rule *rule)
{
	struct vm_flags flags = vm_levers_flags(t->vm);
	t->levers = vm_levers_of(&flags, t->gc);
	if (is_off(t))
		return false;
	rule->can_set_threshold = vm_levers_can_bound(&t->levers);
	rule->threshold_now = vm_levers_threshold(&t->levers);
	t->can_jump = t->can_jump && begin_jumps(t, jni, e);
	rule->can_jump = rule->can_rest = t->can_jump;
	tell_lacks(t);
	if (!rule->can_jump && !rule->can_set_threshold)
		t->off = t->no_jump;
	return rule->can_jump || rule->can_set_threshold;
}

static uint64_t process_cpu(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now))
		return 0;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void move_threshold(struct tenure *t, const struct action *a)
{
	if (a->kind == ACTION_TAKE || a->kind == ACTION_RESUME)
		vm_levers_bound(&t->levers, a->value);
	else if (a->kind == ACTION_TAKE_BACK || a->kind == ACTION_REST)
		vm_levers_restore(&t->levers);
}

static bool is_moved(const struct tenure *t)
{
	size_t jumps;
	controller_jumps(t->controller, &jumps);
	return jumps || controller_threshold(t->controller) < THRESHOLD_MOST;
}

static void move_sampling(struct tenure *t, const struct action *a)
{
	uint64_t most = t->options->max_walks, few = is_moved(t) ? WATCH_WALKS : CALM_WALKS;
	recorder_bound(t->recorder, a->value && (most == 0 || most > few) ? few : most);
}

/* Under the lock. The jumps are only put down here: jumps_act has the classes rewritten. Where
 * nothing is to be done they are put down all the same, to be saved. */
static void move(struct tenure *t, const struct action *a)
{
	if (a->lever == LEVER_JUMP && (a->kind != ACTION_ADVISE || !acts(t)))
		jumps_put(&t->jumps, a);
	else if (a->kind == ACTION_ADVISE || a->kind == ACTION_KEEP)
		return;
	else if (a->lever == LEVER_SAMPLING)
		move_sampling(t, a);
	else if (a->lever == LEVER_THRESHOLD && !acts(t))
		t->learnt = (uint32_t)a->value;
	else if (a->lever == LEVER_THRESHOLD)
		move_threshold(t, a);
}

/* "-XX:MaxTenuringThreshold=1 gives you this without mayfly": once, as long as it stays the same.
 * Where nothing is moved the controller's own advice says it. */
static void tell_flag(struct tenure *t)
{
	struct action a = {.lever = LEVER_THRESHOLD,
		.kind = ACTION_ADVISE,
		.value = controller_flag_bound(t->controller)};
	const char *flag = controller_flag(t->controller);
	if (!acts(t) || !*flag || strcmp(flag, t->flag.text) == 0)
		return;
	diag_set(&t->flag, ERR_NONE, "%s", flag);
	a.reason = t->flag.text;
	tenure_record_action(t->recorder, t->rounds, &a);
}

/* With a decision, that it can be understood: what its forecast took for granted. */
static void tell_cost(struct tenure *t)
{
	bool measured;
	struct cost cost = controller_cost(t->controller, &measured);
	tenure_note_cost(t->recorder, &cost, measured, &t->cost);
}

static bool is_decision(const struct action *a)
{
	return a->kind == ACTION_TAKE && (a->lever == LEVER_JUMP || a->lever == LEVER_THRESHOLD);
}

/* Under the lock. */
static void carry_out(struct tenure *t)
{
	bool decided = false;
	size_t count;
	const struct action *a = controller_actions(t->controller, &count);
	for (size_t i = 0; i < count; i++) {
		tenure_record_action(t->recorder, t->rounds, &a[i]);
		move(t, &a[i]);
		decided |= is_decision(&a[i]);
	}
	if (decided)
		tell_cost(t);
	tell_flag(t);
}

/* A place of the file that this run has, too. */
static void take_over(void *arg, const struct jump *j)
{
	struct tenure *t = arg;
	struct action a = {
		.lever = LEVER_JUMP, .kind = ACTION_TAKE, .at = j->at, .reason = says_so};
	pthread_mutex_lock(&t->thread.lock);
	int err = controller_load_jump(t->controller, &j->at);
	pthread_mutex_unlock(&t->thread.lock);
	tenure_record_action(t->recorder, t->rounds, &a);
	if (err && !t->unjudged)
		note(t, NOTE_WARNING,
			"some places of the decisions file jump, but are not judged: there are too "
			"many");
	t->unjudged = t->unjudged || err;
}

/* What could not be done. */
static void give_up(void *arg, const struct jump *j)
{
	struct tenure *t = arg;
	const struct decision_frame *f = &j->decision.at;
	struct diag why;
	struct action a = {
		.lever = LEVER_JUMP, .kind = ACTION_TAKE_BACK, .at = j->at, .reason = why.text};
	if (j->at.place.vm_method)
		diag_set(&why, ERR_NONE, "it can't be done: %s", j->failed);
	else /* the place has no site */
		diag_set(&why, ERR_NONE, "it can't be done at %.200s.%.100s, index %d: %s",
			f->class_name, f->method, (int)f->bci, j->failed);
	pthread_mutex_lock(&t->thread.lock);
	controller_refused(t->controller, &a);
	handover_miss(&t->handover, t->controller, j);
	pthread_mutex_unlock(&t->thread.lock);
	tenure_record_action(t->recorder, t->rounds, &a);
	if (j->failed == rewrite_elsewhere)
		recorder_pass(t->recorder, j->at.place.vm_method);
}

static JNIEnv *join_vm(const struct tenure *t)
{
	return vm_join(t->vm, "mayfly tenure");
}

static void leave_vm(const struct tenure *t)
{
	vm_leave(t->vm->java);
}

/* The exact engine may give up at any time. */
static void tell_unhooked(struct tenure *t)
{
	if (!t->hooked || atomic_load(t->hook.on))
		return;
	t->hooked = false;
	note(t, NOTE_WARNING,
		"the exact engine stamps no ages any more: objects jump by rewritten classes "
		"alone");
}

/* In the VM: names are asked for and classes rewritten. */
static void act(struct tenure *t)
{
	tell_unhooked(t);
	JNIEnv *jni = jumps_pending(&t->jumps) ? join_vm(t) : NULL;
	if (!jni)
		return;
	const struct jump_news news = {.failed = give_up, .met = take_over, .arg = t};
	jumps_act(&t->jumps, t->vm, jni, t->recorder, &news);
	leave_vm(t);
}

/* What was done since the last look is told, too. */
static void tell_last(struct tenure *t)
{
	JNIEnv *jni = jumps_untold(&t->jumps) ? join_vm(t) : NULL;
	if (!jni)
		return;
	const struct jump_news news = {.failed = give_up, .met = take_over, .arg = t};
	jumps_tell(&t->jumps, t->vm, jni, t->recorder, &news);
	leave_vm(t);
}

/* All goes back, and nothing jumps any more; the threshold may still be moved. */
static void lose_jumps(struct tenure *t)
{
	char text[DIAG_MAX];
	const char *why = trial_why(&t->test.trial);
	snprintf(text, sizeof(text), "the self-test failed, and no object jumps any more: %s", why);
	note(t, NOTE_WARNING, text);
	pthread_mutex_lock(&t->thread.lock);
	t->failed = true;
	controller_lose_jumps(t->controller, text);
	carry_out(t);
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

static void time_round(struct tenure *t, struct ns now, uint64_t cpu)
{
	t->round.wall = now.v - t->round_began.v;
	t->round.process_cpu = cpu - t->process_cpu;
}

static void finish_round(struct tenure *t)
{
	struct ns now = clock_now();
	uint64_t cpu = process_cpu();
	time_round(t, now, cpu);
	t->round_began = now;
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
	time_round(t, clock_now(), process_cpu());
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
	if (controller_round(t->controller, &t->snapshot, &t->round, edges, count))
		return false; /* out of memory: in the next one */
	lookout_want(&t->lookout, controller_chooses(t->controller));
	if (told)
		tenure_record_outcome(t->recorder, t->rounds, controller_outcome(t->controller));
	carry_out(t);
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
	JNIEnv *jni = lookout_wants(&t->lookout) ? join_vm(t) : NULL;
	if (!jni)
		return;
	lookout_look(&t->lookout, jni, t->recorder, t->snapshot.young, is_stopped, &t->thread);
	leave_vm(t);
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
	act(t);
	t->look_at = self_test_next(&t->test);
}

static void step(struct tenure *t)
{
	recorder_find_threads(t->recorder);
	bool decided = step_round(t);
	if (clock_now().v >= t->look_at.v)
		look(t);
	else if (decided)
		act(t);
}

/* Until it is time to look, or a round is over: where collections come one after the other a round
 * is not to be twice as long as was asked for. Whether to go on. */
static bool rest(struct tenure *t)
{
	uint32_t collections = (uint32_t)t->options->tenure_round;
	bool on = !own_thread_stopped(&t->thread);
	while (on && !recorder_round_is_over(t->recorder, collections) && !is_clear(t)) {
		uint64_t now = clock_now().v, next = now + ROUND_LOOK_NS;
		if (now >= t->look_at.v)
			break;
		struct ns until = {next < t->look_at.v ? next : t->look_at.v};
		on = own_thread_sleep(&t->thread, until);
	}
	return on;
}

static void *tenure_main(void *arg)
{
	struct tenure *t = arg;
	if (!own_thread_stopped(&t->thread))
		look(t); /* with what a file says */
	while (rest(t))
		step(t);
	tell_last(t);
	return NULL;
}

static int make(struct tenure *t, const struct gcs *g, const struct controller_rule *rule)
{
	uint64_t humongous = gcs_follow_max(g);
	int err = learning_init(&t->learning, t->recorder->live.room,
		humongous == UINT64_MAX ? humongous : humongous + 1, rule->threshold_now);
	if (!err)
		err = snapshot_init(&t->snapshot, learner_rows(t->learning.learner));
	if (!err)
		err = controller_init(&t->controller, rule);
	if (!err && controller_chooses(t->controller))
		err = lookout_init(&t->lookout, t->vm);
	return err;
}

static void load_threshold(struct tenure *t, bool can)
{
	uint32_t most = t->handover.decisions.threshold;
	struct action a = {
		.lever = LEVER_THRESHOLD, .kind = ACTION_TAKE, .value = most, .reason = says_so};
	if (!can || !acts(t) || most > t->levers.bound.own)
		return;
	controller_load_threshold(t->controller, most);
	vm_levers_bound(&t->levers, most);
	tenure_record_action(t->recorder, t->rounds, &a);
}

int tenure_begin(struct tenure *t, JNIEnv *jni, const struct gcs *g, const struct exact *e)
{
	struct controller_rule rule = controller_rule_default();
	if (!t->wanted)
		return ERR_NONE;
	vm_property(t->vm, "java.vm.version", t->jdk, sizeof(t->jdk));
	t->gc = gcs_name(g);
	if (!find_levers(t, jni, e, &rule))
		return ERR_NONE;
	rule.learn_only = !acts(t);
	t->learnt = rule.threshold_now;
	rule.apply_only = t->options->tenure == TENURE_APPLY;
	int err = make(t, g, &rule);
	t->jumps.dry = !acts(t);
	if (!err && acts(t))
		handover_trust(&t->handover, t->controller, t->jdk, t->gc);
	if (!err)
		err = jumps_load(&t->jumps, &t->handover.decisions);
	if (!err)
		jumps_expect(&t->jumps);
	if (!err && t->handover.decisions.has_threshold)
		load_threshold(t, rule.can_set_threshold);
	handover_release(&t->handover);
	self_test_begin(&t->test, t->vm, t->recorder, t->can_jump, atomic_load(&e->on));
	t->round_began = clock_now();
	t->process_cpu = process_cpu();
	if (!err)
		err = own_thread_start(&t->thread, "mayfly-tenure", tenure_main, t);
	t->began = !err;
	recorder_learn(t->recorder, err ? NULL : &t->learning);
	return err;
}

const char *tenure_by(const struct tenure *t)
{
	return t->began && t->can_jump && acts(t) ? t->jumps.by.at[0].name : NULL;
}

static void save(struct tenure *t)
{
	struct diag d;
	size_t in_force;
	struct decisions all = {.list = {0}};
	pthread_mutex_lock(&t->thread.lock);
	uint32_t most = acts(t) ? controller_threshold(t->controller) : t->learnt;
	int err = jumps_save(&t->jumps, &all);
	controller_jumps(t->controller, &in_force);
	if (acts(t) && handover_tested(&all, in_force))
		all.trusted = controller_trusted(t->controller);
	pthread_mutex_unlock(&t->thread.lock);
	all.has_threshold = t->levers.bound.at && most < t->levers.bound.own;
	all.threshold = most;
	err = err ? diag_set(&d, err, "out of memory while saving the decisions")
		  : handover_write(&t->handover, &all, t->jdk, t->gc, &d);
	if (err)
		note(t, NOTE_WARNING, d.text);
	decisions_release(&all);
}

/* Of what the file says every place is told of, as a decision or here. */
static void tell_silent(struct tenure *t, bool over)
{
	struct jumps_silence of[JUMPS_SILENTS];
	pthread_mutex_lock(&t->thread.lock);
	jumps_silent(&t->jumps, over, of);
	pthread_mutex_unlock(&t->thread.lock);
	tenure_note_silent(t->recorder, of, t->jumps.by.count > 1);
}

static void tell_constructed(struct tenure *t)
{
	pthread_mutex_lock(&t->thread.lock);
	struct jumps_constructed c = jumps_constructed(&t->jumps);
	pthread_mutex_unlock(&t->thread.lock);
	tenure_note_constructed(t->recorder, c);
}

void tenure_stop(struct tenure *t, bool wait)
{
	if (!t->began || t->stopped)
		return;
	t->stopped = true;
	bool over = own_thread_stop(&t->thread, wait ? UINT64_MAX : PATIENCE_NS);
	recorder_learn(t->recorder, NULL);
	tell_silent(t, over);
}

void tenure_end(struct tenure *t, JNIEnv *jni)
{
	if (!t->began)
		return;
	tenure_stop(t, jni != NULL);
	lookout_end(&t->lookout, jni, t->recorder);
	tell_constructed(t);
	if (saves(t))
		save(t);
	if (jni)
		vm_levers_restore(&t->levers);
	self_test_end(&t->test, jni);
	tenure_note_left(t->recorder, jumps_end(&t->jumps, jni));
}

void tenure_close(struct tenure *t)
{
	if (t->learning.learner)
		learning_release(&t->learning);
	snapshot_release(&t->snapshot);
	lookout_release(&t->lookout);
	if (t->controller)
		controller_free(t->controller);
	jumps_close(&t->jumps);
	hook_jumps_close(&t->hook);
	handover_release(&t->handover);
	if (t->wanted)
		own_thread_close(&t->thread);
	*t = (struct tenure){.wanted = false};
}
