#include "agent/tenure.h"

#include <stdio.h>
#include <string.h>

#include "agent/class_cache.h"
#include "agent/gcs.h"
#include "agent/recorder_lessons.h"
#include "agent/tenure_acts.h"
#include "agent/tenure_notes.h"
#include "agent/tenure_records.h"
#include "agent/tenure_turns.h"
#include "agent/unsampled.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

enum { PATIENCE_NS = 2000000000 };

/* What was learnt where jumps do nothing does not replace what was learnt elsewhere, nor anything
 * what nobody could read. */
static bool saves(const struct tenure *t)
{
	enum tenure_wish w = t->options->tenure;
	return *t->options->decisions && (w == TENURE_YES || w == TENURE_LEARN) && !t->failed &&
	       !*t->handover.unread.text;
}

/* What can only be set as the VM starts. */
static void set_flags(struct tenure *t)
{
	bool live = vm_is_live(t->vm), acts = tenure_acts(t);
	struct vm_flags flags = vm_levers_flags(t->vm);
	if (acts && !live)
		vm_levers_unbias(&flags);
	young_lever_open(&t->young, &flags, &t->handover.decisions.young, acts, live);
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
	t->can_jump = jumps_open(&t->jumps, vm, &t->thread.lock, &t->no_jump) == ERR_NONE;
	handover_read(&t->handover, o->decisions);
	set_flags(t);
}

/* Where the exact engine stamps marks, it can stamp ages too. */
static bool begin_jumps(struct tenure *t, JNIEnv *jni, const struct exact *e)
{
	t->hooked = exact_stamps(e) && tenure_acts(t) &&
		    hook_jumps_open(&t->hook, births_get(), &e->on, t->jumps.rewrites, t->vm,
			    places_home, &e->places);
	struct actuator hook = hook_jumps(&t->hook);
	return jumps_begin(&t->jumps, jni, t->hooked ? &hook : NULL, &t->no_jump) == ERR_NONE;
}

static bool may_rewrite(struct tenure *t, const struct vm_flags *f)
{
	if (!class_cache_is_made(f))
		return true;
	diag_set(&t->no_jump, ERR_UNSUPPORTED,
		"no class is rewritten, so that no object jumps: this run is for a cache of "
		"classes (-XX:AOTCacheOutput, -XX:AOTMode=record), which has none that was "
		"rewritten");
	return false;
}

/* The collector's name is the one that tells. */
static bool is_off(struct tenure *t, const struct vm_flags *f, bool counters)
{
	char text[DIAG_MAX];
	bool blind = unsampled_mostly(f, t->vm->major);
	if (t->levers.copies && counters && !blind)
		return false;
	if (t->levers.copies && blind)
		diag_set(&t->off, ERR_UNSUPPORTED,
			"it learns from samples, and this JDK's code allocates past the VM's "
			"sampler with -XX:-UseTLAB");
	else if (t->levers.copies)
		diag_set(&t->off, ERR_UNSUPPORTED,
			"it goes by the VM's counters, and this VM shows none "
			"(-XX:-UsePerfData turns them off)");
	else
		diag_set(&t->off, ERR_UNSUPPORTED,
			"it is for Serial, Parallel and G1, and the collector is %s", t->gc);
	snprintf(text, sizeof(text), "tenure is off: %.400s", t->off.text);
	recorder_note(t->recorder, NOTE_WARNING, text);
	return true;
}

static void tell_lacks(struct tenure *t)
{
	if (!t->can_jump)
		recorder_note(t->recorder, NOTE_WARNING, t->no_jump.text);
	if (*t->handover.unread.text)
		recorder_note(t->recorder, NOTE_WARNING, t->handover.unread.text);
	tenure_note_unknown(t->recorder, &t->handover.decisions);
	tenure_note_learnt(t->recorder, &t->handover.decisions, t->jdk, t->gc, tenure_acts(t));
	if (t->levers.biased && tenure_acts(t))
		recorder_note(t->recorder, NOTE_WARNING,
			"biased locking is on: objects (not arrays) that can be biased are not "
			"moved by their age; -XX:-UseBiasedLocking mends it");
}

/* Whether there are any. */
static bool find_levers(struct tenure *t, JNIEnv *jni, const struct gcs *g, const struct exact *e,
	struct controller_rule *rule)
{
	struct vm_flags flags = vm_levers_flags(t->vm);
	t->levers = vm_levers_of(&flags, t->gc, vm_code(t->vm));
	if (is_off(t, &flags, g->counters))
		return false;
	rule->can_set_threshold = vm_levers_can_bound(&t->levers);
	rule->threshold_now = vm_levers_threshold(&t->levers);
	t->can_jump = t->can_jump && may_rewrite(t, &flags) && begin_jumps(t, jni, e);
	rule->can_jump = rule->can_rest = t->can_jump;
	rule->rewrites = !t->hooked;
	tell_lacks(t);
	if (!rule->can_jump && !rule->can_set_threshold)
		t->off = t->no_jump;
	return rule->can_jump || rule->can_set_threshold;
}

static int make(struct tenure *t, const struct gcs *g, const struct controller_rule *rule)
{
	uint64_t humongous = gcs_follow_max(g);
	int err = learning_init(&t->learning, t->recorder->live.room,
		humongous == UINT64_MAX ? humongous : humongous + 1, rule->threshold_now,
		t->young.heap);
	t->learning.chooses_first = strcmp(t->gc, "G1") == 0;
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
	struct action a = {.lever = LEVER_THRESHOLD,
		.kind = ACTION_TAKE,
		.value = most,
		.reason = tenure_says_so};
	if (!can || !tenure_acts(t) || most >= vm_levers_threshold(&t->levers))
		return;
	controller_load_threshold(t->controller, most);
	vm_levers_bound(&t->levers, most);
	tenure_record_action(t->recorder, t->rounds, &a);
}

/* It does not begin after all: nobody would put back later what was moved. */
static void take_back(struct tenure *t, JNIEnv *jni)
{
	vm_levers_restore(&t->levers);
	self_test_end(&t->test, jni);
	jumps_end(&t->jumps, jni);
}

/* All that learns and decides, by the rule: what the levers don't say of it is the options'. */
static int make_to_rule(struct tenure *t, struct gcs *g, struct controller_rule *rule)
{
	const struct decisions *learnt = &t->handover.decisions;
	gcs_threshold(g, t->levers.own.at);
	rule->learn_only = !tenure_acts(t);
	rule->apply_only = t->options->tenure == TENURE_APPLY;
	t->learnt = learnt->has_threshold ? learnt->threshold : rule->threshold_now;
	int err = make(t, g, rule);
	t->jumps.dry = !tenure_acts(t);
	t->jumps.no_strings = t->levers.shares;
	return err;
}

/* What the file says is done, or to be done. */
static int take_over(struct tenure *t, bool can_set_threshold)
{
	if (tenure_acts(t))
		handover_trust(&t->handover, t->controller, t->jdk, t->gc);
	int err = jumps_load(&t->jumps, &t->handover.decisions);
	if (err)
		return err;
	jumps_expect(&t->jumps);
	if (t->handover.decisions.has_threshold)
		load_threshold(t, can_set_threshold);
	return ERR_NONE;
}

static void look_out(struct tenure *t, const struct exact *e)
{
	young_lever_begin(&t->young, t->recorder);
	self_test_begin(
		&t->test, t->vm, t->recorder, t->can_jump, atomic_load(&e->on) ? &e->pauses : NULL);
	tenure_turns_begin(t);
}

int tenure_begin(struct tenure *t, JNIEnv *jni, struct gcs *g, const struct exact *e)
{
	struct controller_rule rule = controller_rule_default();
	if (!t->wanted)
		return ERR_NONE;
	vm_property(t->vm, "java.vm.version", t->jdk, sizeof(t->jdk));
	t->gc = gcs_name(g);
	if (!find_levers(t, jni, g, e, &rule))
		return ERR_NONE;
	int err = make_to_rule(t, g, &rule);
	err = err ? err : take_over(t, rule.can_set_threshold);
	tenure_note_twice(t->recorder, &t->jumps.twice);
	handover_release(&t->handover);
	look_out(t, e);
	err = err ? err : own_thread_start(&t->thread, "mayfly-tenure", tenure_turns, t);
	t->began = !err;
	recorder_learn(t->recorder, err ? NULL : &t->learning);
	if (err)
		take_back(t, jni);
	return err;
}

const char *tenure_by(const struct tenure *t)
{
	return t->began && t->can_jump && tenure_acts(t) ? t->jumps.by.at[0].name : NULL;
}

/* Of a VM that can't move it nothing was learnt of it. */
static void say_threshold(const struct tenure *t, struct decisions *all, uint32_t most)
{
	bool can = vm_levers_can_bound(&t->levers);
	all->has_threshold = can ? most < t->levers.bound.own : t->handover.bounds;
	all->threshold = can ? most : t->handover.bound;
}

static int hand_over(struct tenure *t, struct decisions *all, struct diag *d)
{
	bool overtaken = handover_overtaken(&t->handover);
	int err = handover_write(&t->handover, all, t->jdk, t->gc, d);
	if (!err && overtaken)
		tenure_note_overtaken(t->recorder, t->handover.path);
	if (!err)
		tenure_note_unwritten(t->recorder, decisions_unwritten(all));
	return err;
}

static void save(struct tenure *t)
{
	struct diag d;
	size_t in_force;
	bool changed;
	struct decisions all = {.list = {0}};
	pthread_mutex_lock(&t->thread.lock);
	uint32_t most = tenure_acts(t) ? controller_threshold(t->controller) : t->learnt;
	int err = jumps_save(&t->jumps, &all);
	controller_jumps(t->controller, &in_force);
	if (tenure_acts(t) && handover_tested(&all, in_force))
		all.trusted = controller_trusted(t->controller);
	const struct young_end end = {
		controller_young(t->controller), controller_young_told(t->controller)};
	all.young = young_lever_next(&t->young, t->recorder, &end, &changed);
	if (changed) /* it was tested with another size */
		all.trusted = 0;
	pthread_mutex_unlock(&t->thread.lock);
	say_threshold(t, &all, most);
	err = err ? diag_set(&d, err, "out of memory while saving the decisions")
		  : hand_over(t, &all, &d);
	if (err)
		recorder_note(t->recorder, NOTE_WARNING, d.text);
	decisions_release(&all);
}

/* A helper that only starts and ends, beside the program or before it, has nothing to say. */
static void save_learnt(struct tenure *t)
{
	pthread_mutex_lock(&t->thread.lock);
	bool learns = t->learns;
	pthread_mutex_unlock(&t->thread.lock);
	if (learns)
		save(t);
	else
		tenure_note_unsaved(t->recorder);
}

/* Of what the file says every place is told of, as a decision or here; or all of them by why no
 * object jumps. */
static void tell_silent(struct tenure *t, bool over)
{
	struct jumps_some of[JUMPS_SILENTS];
	if (!t->can_jump)
		return;
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
		save_learnt(t);
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
