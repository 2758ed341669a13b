#include "agent/tenure_acts.h"

#include <string.h>

#include "agent/recorder_lessons.h"
#include "agent/tenure_notes.h"
#include "agent/tenure_records.h"

enum { CALM_WALKS = 20 };
/* While levers are moved: that what was sent to the old generation dies early shows on samples. */
enum { WATCH_WALKS = 1000 };

const char tenure_says_so[] = "the decisions file says so";

bool tenure_acts(const struct tenure *t)
{
	enum tenure_wish w = t->options->tenure;
	return w == TENURE_YES || w == TENURE_APPLY;
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
	if (a->lever == LEVER_JUMP && (a->kind != ACTION_ADVISE || !tenure_acts(t)))
		jumps_put(&t->jumps, a);
	else if (a->kind == ACTION_ADVISE || a->kind == ACTION_KEEP)
		return;
	else if (a->lever == LEVER_SAMPLING)
		move_sampling(t, a);
	else if (a->lever == LEVER_THRESHOLD && !tenure_acts(t))
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
	if (!*flag)
		t->flag.text[0] = '\0'; /* it may be the same one again, and is news then */
	if (!tenure_acts(t) || !*flag || strcmp(flag, t->flag.text) == 0)
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

static bool is_decision(const struct action *a, enum action_kind kind)
{
	return a->kind == kind && (a->lever == LEVER_JUMP || a->lever == LEVER_THRESHOLD);
}

/* Under the lock. */
void tenure_carry_out(struct tenure *t)
{
	bool decided = false;
	size_t count;
	const struct action *a = controller_actions(t->controller, &count);
	for (size_t i = 0; i < count; i++) {
		tenure_record_action(t->recorder, t->rounds, &a[i]);
		move(t, &a[i]);
		decided |= is_decision(&a[i], ACTION_TAKE);
		t->learns |= is_decision(&a[i], ACTION_TAKE_BACK);
	}
	t->learns = t->learns || decided;
	if (decided)
		tell_cost(t);
	tell_flag(t);
}

/* A place of the file that this run has, too. */
static void take_over(void *arg, const struct jump *j)
{
	struct tenure *t = arg;
	struct action a = {
		.lever = LEVER_JUMP, .kind = ACTION_TAKE, .at = j->at, .reason = tenure_says_so};
	pthread_mutex_lock(&t->thread.lock);
	int err = controller_load_jump(t->controller, &j->at);
	pthread_mutex_unlock(&t->thread.lock);
	if (jump_is_call(j))
		recorder_call(t->recorder, &j->at.place);
	tenure_record_action(t->recorder, t->rounds, &a);
	if (err && !t->unjudged)
		recorder_note(t->recorder, NOTE_WARNING,
			"some places of the decisions file jump, but are not judged: there are too "
			"many");
	t->unjudged = t->unjudged || err;
}

/* What could not be done. */
static void give_up(void *arg, const struct jump *j)
{
	struct tenure *t = arg;
	const struct decision_frame *f = jump_frame(j);
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

JNIEnv *tenure_join_vm(const struct tenure *t)
{
	return vm_join(t->vm, "mayfly tenure");
}

void tenure_leave_vm(const struct tenure *t)
{
	vm_leave(t->vm->java);
}

/* The exact engine may give up at any time. */
static void tell_unhooked(struct tenure *t)
{
	if (!t->hooked || atomic_load(t->hook.on))
		return;
	t->hooked = false;
	recorder_note(t->recorder, NOTE_WARNING,
		"the exact engine stamps no ages any more: objects jump by rewritten classes "
		"alone");
}

/* In the VM: names are asked for and classes rewritten. */
void tenure_act(struct tenure *t)
{
	tell_unhooked(t);
	JNIEnv *jni = jumps_pending(&t->jumps) ? tenure_join_vm(t) : NULL;
	if (!jni)
		return;
	const struct jump_news news = {.failed = give_up, .met = take_over, .arg = t};
	jumps_act(&t->jumps, t->vm, jni, t->recorder, &news);
	tenure_leave_vm(t);
}

/* What was done since the last look is told, too. */
void tenure_tell_last(struct tenure *t)
{
	JNIEnv *jni = jumps_untold(&t->jumps) ? tenure_join_vm(t) : NULL;
	if (!jni)
		return;
	const struct jump_news news = {.failed = give_up, .met = take_over, .arg = t};
	jumps_tell(&t->jumps, t->vm, jni, t->recorder, &news);
	tenure_leave_vm(t);
}
