#include "agent/tenure.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "agent/decisions_file.h"
#include "agent/gcs.h"
#include "agent/recorder_lessons.h"
#include "agent/tenure_records.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

enum { LOOK_NS = 500000000, ROUND_LOOK_NS = 50000000, PATIENCE_NS = 2000000000, CALM_WALKS = 20 };
/* While levers are moved: that what was sent to the old generation dies early shows on samples. */
enum { WATCH_WALKS = 1000 };
/* A file of which one place in so many is not to be found is another program's. */
enum { STRANGE = 4 };
enum { LEARN_INTERVAL = 128 << 10, LEARN_WALKS = 4000, LEARN_LIVE = 65536, LEARN_DEPTH = 8 };

/*
 * What learning needs where nobody asked for something else: most of what is sampled dies young,
 * and says nothing; what is left must be enough to tell places apart. A place and its callers are
 * looked at, and not 32 frames.
 */
void tenure_defaults(struct options *o)
{
	if (o->tenure == TENURE_NO)
		return;
	if (!options_given(o, "interval"))
		o->interval = LEARN_INTERVAL;
	if (!options_given(o, "max-walks"))
		o->max_walks = LEARN_WALKS;
	if (!options_given(o, "max-rate"))
		o->max_rate = 0;
	if (!options_given(o, "max-live"))
		o->max_live = LEARN_LIVE;
	if (!options_given(o, "depth"))
		o->depth = LEARN_DEPTH;
}

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

static void make_lock(struct tenure *t)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->changed, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&t->lock, NULL);
}

/* The decisions of an earlier run: none where there is no such file yet. One that can't be read
 * does not keep the program from starting. */
static void read_file(struct tenure *t)
{
	const char *path = t->options->decisions;
	if (!*path || decisions_file_read(path, &t->decisions, &t->no_file) == ERR_NONE)
		return;
	decisions_release(&t->decisions);
	t->decisions = (struct decisions){.list = {0}};
	fprintf(stderr, "mayfly: %s; tenure begins without it\n", t->no_file.text);
}

/*
 * As -XX:-UseBiasedLocking does, where the program has not started yet: an object that can be
 * biased (JDK 11) has a mark that the jump leaves alone.
 */
static void unbias(const struct vm *vm)
{
	struct vm_structs structs = vm_structs_of(vm_code(vm));
	struct vm_constants constants = vm_constants_of(vm_code(vm));
	struct vm_flags flags = vm_flags_of(&structs, &constants);
	bool *biased = vm_flags_find(&flags, "UseBiasedLocking");
	if (biased)
		*biased = false;
}

void tenure_open(struct tenure *t, struct vm *vm, struct recorder *r, const struct options *o)
{
	*t = (struct tenure){.wanted = o->tenure != TENURE_NO && o->engine != ENGINE_NOP,
		.options = o,
		.vm = vm,
		.recorder = r};
	if (!t->wanted)
		return;
	make_lock(t);
	if (acts(t) && !vm_is_live(vm))
		unbias(vm);
	t->can_jump = jumps_open(&t->jumps, vm, &t->lock, &t->no_jump) == ERR_NONE;
	read_file(t);
}

/* Collectors that copy objects through ages; one that heeds MaxTenuringThreshold while it runs. */
static const struct {
	const char *name;
	bool heeds;
} collectors[] = {{"G1", true}, {"Serial", true}, {"Parallel", false}};

/* Where the exact engine stamps marks, it can stamp ages too. */
static bool begin_jumps(struct tenure *t, JNIEnv *jni, const struct exact *e)
{
	t->hooked = exact_stamps(e) && acts(t) &&
		    hook_jumps_open(&t->hook, births_get(), &e->on, t->jumps.rewrites, t->vm,
			    places_home, &e->places);
	struct actuator hook = hook_jumps(&t->hook);
	return jumps_begin(&t->jumps, jni, t->hooked ? &hook : NULL, &t->no_jump) == ERR_NONE;
}

static bool find_levers(struct tenure *t, JNIEnv *jni, const struct gcs *g, const struct exact *e,
	struct controller_rule *rule)
{
	char text[DIAG_MAX];
	struct vm_structs structs = vm_structs_of(vm_code(t->vm));
	struct vm_constants constants = vm_constants_of(vm_code(t->vm));
	struct vm_flags flags = vm_flags_of(&structs, &constants);
	bool copies = false, heeds = false;
	for (size_t i = 0; i < ARRAY_SIZE(collectors); i++)
		if (strcmp(gcs_name(g), collectors[i].name) == 0)
			copies = true, heeds = collectors[i].heeds;
	if (!copies) {
		diag_set(&t->off, ERR_UNSUPPORTED,
			"%s has no young generation that copies objects by their age", gcs_name(g));
		snprintf(text, sizeof(text), "tenure is off: %.400s", t->off.text);
		note(t, NOTE_WARNING, text);
		return false;
	}
	t->bound = tenuring_bound_find(&flags);
	rule->can_set_threshold = heeds && t->bound.at;
	rule->threshold_now = t->bound.at && t->bound.own <= THRESHOLD_MOST ? (uint32_t)t->bound.own
									    : THRESHOLD_MOST;
	t->can_jump = t->can_jump && begin_jumps(t, jni, e);
	rule->can_jump = rule->can_rest = t->can_jump;
	t->can_set_threshold = rule->can_set_threshold;
	if (!t->can_jump)
		note(t, NOTE_WARNING, t->no_jump.text);
	if (*t->no_file.text)
		note(t, NOTE_WARNING, t->no_file.text);
	if (vm_flags_bool(&flags, "UseBiasedLocking", false))
		note(t, NOTE_WARNING,
			"biased locking is on: objects (not arrays) that can be biased are not "
			"moved by their age; -XX:-UseBiasedLocking mends it");
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
		tenuring_bound_set(&t->bound, a->value);
	else if (a->kind == ACTION_TAKE_BACK || a->kind == ACTION_REST)
		tenuring_bound_restore(&t->bound);
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
	else if (a->lever == LEVER_THRESHOLD && t->bound.at)
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
	a.reason = t->flag;
	tenure_record_action(t->recorder, t->rounds, &a);
}

/* With a decision, that it can be understood: what its forecast took for granted. */
static void tell_cost(struct tenure *t)
{
	bool measured;
	struct cost cost = controller_cost(t->controller, &measured);
	struct diag text;
	diag_set(&text, ERR_NONE,
		"tenure takes copying to cost %.0f ns for each object and %.2f ns for each byte "
		"(%s)",
		cost.object, cost.byte,
		measured ? "measured in this program's collections"
			 : "not measured: its collections do not tell the two apart");
	if (strcmp(text.text, t->cost.text) == 0)
		return;
	t->cost = text;
	note(t, NOTE_INFO, text.text);
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
	struct action a = {.lever = LEVER_JUMP, .kind = ACTION_TAKE, .at = j->at};
	diag_set(&a.reason, ERR_NONE, "the decisions file says so");
	pthread_mutex_lock(&t->lock);
	int err = controller_load_jump(t->controller, &j->at);
	pthread_mutex_unlock(&t->lock);
	tenure_record_action(t->recorder, t->rounds, &a);
	if (err && !t->unjudged)
		note(t, NOTE_WARNING,
			"some places of the decisions file jump, but are not judged: there are too "
			"many");
	t->unjudged = t->unjudged || err;
}

/* Under the lock. Where a good part of what a file says is done nowhere in this program, it is
 * another one; what only waits for its code to come to rest is in it. */
static void wonder(struct tenure *t, const struct jump *j)
{
	if (j->one_loader || j->failed == rewrites_running)
		return;
	if (++t->strange * STRANGE >= t->loaded)
		controller_doubt(t->controller);
}

/* What could not be done. */
static void give_up(void *arg, const struct jump *j)
{
	struct tenure *t = arg;
	const struct decision_frame *f = &j->decision.at;
	struct action a = {.lever = LEVER_JUMP, .kind = ACTION_TAKE_BACK, .at = j->at};
	if (j->at.place.vm_method)
		diag_set(&a.reason, ERR_NONE, "it can't be done: %s", j->failed);
	else /* the place has no site */
		diag_set(&a.reason, ERR_NONE, "it can't be done at %.200s.%.100s, index %d: %s",
			f->class_name, f->method, (int)f->bci, j->failed);
	pthread_mutex_lock(&t->lock);
	controller_refused(t->controller, &a);
	wonder(t, j);
	pthread_mutex_unlock(&t->lock);
	tenure_record_action(t->recorder, t->rounds, &a);
	if (j->failed == rewrite_elsewhere)
		recorder_pass(t->recorder, j->at.place.vm_method);
}

static JNIEnv *join_vm(struct tenure *t)
{
	char name[] = "mayfly tenure";
	JavaVMAttachArgs args = {.version = JNI_VERSION_10, .name = name};
	void *jni = NULL;
	JavaVM *java = t->vm->java;
	return (*java)->AttachCurrentThreadAsDaemon(java, &jni, &args) == JNI_OK ? jni : NULL;
}

static void leave_vm(struct tenure *t)
{
	(*t->vm->java)->DetachCurrentThread(t->vm->java);
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

/* ---- the self-test ---- */

static void tell_trial(struct tenure *t)
{
	recorder_fact(t->recorder, "tenure.test", trial_word(&t->trial));
	recorder_fact(t->recorder, "tenure.test.why", trial_why(&t->trial));
}

/* All goes back, and nothing jumps any more; the threshold may still be moved. */
static void lose_jumps(struct tenure *t)
{
	char text[DIAG_MAX];
	const char *why = trial_why(&t->trial);
	snprintf(text, sizeof(text), "the self-test failed, and no object jumps any more: %s", why);
	note(t, NOTE_WARNING, text);
	pthread_mutex_lock(&t->lock);
	t->failed = true;
	controller_lose_jumps(t->controller, text);
	carry_out(t);
	jumps_drop(&t->jumps);
	pthread_mutex_unlock(&t->lock);
	if (!t->can_set_threshold)
		recorder_fact(t->recorder, "tenure.why", why);
}

static void conclude(struct tenure *t)
{
	char text[DIAG_MAX];
	tell_trial(t);
	if (t->trial.verdict == TRIAL_FAILED)
		lose_jumps(t);
	if (t->trial.verdict != TRIAL_OPEN)
		return;
	snprintf(text, sizeof(text), "the self-test came to no end: %s", trial_why(&t->trial));
	note(t, NOTE_INFO, text);
}

static void ask_trial(struct tenure *t, JNIEnv *jni)
{
	struct recorder *r = t->recorder;
	enum age_answer last = t->trial.last, answer = age_class_try(jni, t->trial.step);
	trial_told(&t->trial, answer, atomic_load(&r->young), atomic_load(&r->full));
	if (trial_over(&t->trial))
		age_class_try(jni, AGE_DROP);
	else if (t->trial.last != last)
		tell_trial(t);
}

/* One look, if it is time for it; while jumps rest nothing can be made. */
static void look_at_trial(struct tenure *t)
{
	struct recorder *r = t->recorder;
	bool asks = !t->jumps.rests &&
		    trial_asks(&t->trial, atomic_load(&r->young), atomic_load(&r->full));
	JNIEnv *jni = asks ? join_vm(t) : NULL;
	if (!jni)
		return;
	ask_trial(t, jni);
	leave_vm(t);
	if (trial_over(&t->trial))
		conclude(t);
}

static void finish_round(struct tenure *t)
{
	struct ns now = clock_now();
	uint64_t cpu = process_cpu();
	t->round.wall = now.v - t->round_began.v;
	t->round.process_cpu = cpu - t->process_cpu;
	t->round_began = now;
	t->process_cpu = cpu;
	t->rounds++;
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
	struct tenure *t = arg;
	pthread_mutex_lock(&t->lock);
	bool stop = t->stop;
	pthread_mutex_unlock(&t->lock);
	return stop;
}

/* In the VM. */
static void look_out(struct tenure *t)
{
	JNIEnv *jni = lookout_wants(&t->lookout) ? join_vm(t) : NULL;
	if (!jni)
		return;
	lookout_look(&t->lookout, jni, t->recorder, t->snapshot.young, is_stopped, t);
	leave_vm(t);
}

/* If one is over. Whether something is to be done. */
static bool step_round(struct tenure *t)
{
	uint32_t collections = (uint32_t)t->options->tenure_round;
	if (!recorder_round(t->recorder, collections, &t->snapshot, &t->round))
		return false;
	finish_round(t);
	look_out(t);
	pthread_mutex_lock(&t->lock);
	bool decided = decide(t);
	pthread_mutex_unlock(&t->lock);
	return decided;
}

/* The next look is half a second after this one, or as soon as the self-test wants it. */
static void look(struct tenure *t)
{
	look_at_trial(t);
	act(t);
	t->look_at.v = clock_now().v + (uint64_t)(trial_over(&t->trial) ? LOOK_NS : t->trial.pace);
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

/* Whether to go on, at that time or when told otherwise. */
static bool sleep_until(struct tenure *t, uint64_t ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
	pthread_mutex_lock(&t->lock);
	while (!t->stop && pthread_cond_timedwait(&t->changed, &t->lock, &until) == 0) {
	}
	bool on = !t->stop;
	pthread_mutex_unlock(&t->lock);
	return on;
}

/* Until it is time to look, or a round is over: where collections come one after the other a round
 * is not to be twice as long as was asked for. Whether to go on. */
static bool rest(struct tenure *t)
{
	uint32_t collections = (uint32_t)t->options->tenure_round;
	bool on = !is_stopped(t);
	while (on && !recorder_round_is_over(t->recorder, collections)) {
		uint64_t now = clock_now().v, next = now + ROUND_LOOK_NS;
		if (now >= t->look_at.v)
			break;
		on = sleep_until(t, next < t->look_at.v ? next : t->look_at.v);
	}
	return on;
}

static void *tenure_main(void *arg)
{
	struct tenure *t = arg;
	if (!is_stopped(t))
		look(t); /* with what a file says */
	while (rest(t))
		step(t);
	tell_last(t);
	return NULL;
}

/* The thread takes none of the program's signals. */
static int start_thread(struct tenure *t)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	t->runs = pthread_create(&t->thread, NULL, tenure_main, t) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (t->runs)
		pthread_setname_np(t->thread, "mayfly-tenure");
	return t->runs ? ERR_NONE : ERR_NOMEM;
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
	uint32_t most = t->decisions.threshold;
	struct action a = {.lever = LEVER_THRESHOLD, .kind = ACTION_TAKE, .value = most};
	diag_set(&a.reason, ERR_NONE, "the decisions file says so");
	if (!can || !acts(t) || most > t->bound.own)
		return;
	controller_load_threshold(t->controller, most);
	tenuring_bound_set(&t->bound, most);
	tenure_record_action(t->recorder, t->rounds, &a);
}

static void trust_file(struct tenure *t)
{
	const struct decisions *d = &t->decisions;
	for (size_t i = 0; i < d->list.count; i++)
		t->loaded += d->list.at[i].action == DECISION_JUMP;
	if (acts(t))
		controller_trust(t->controller, decisions_trusted(d, t->jdk, t->gc));
}

int tenure_begin(struct tenure *t, JNIEnv *jni, const struct gcs *g, const struct exact *e)
{
	struct controller_rule rule = controller_rule_default();
	if (!t->wanted)
		return ERR_NONE;
	vm_property(t->vm, "java.vm.version", t->jdk, sizeof(t->jdk));
	t->gc = gcs_name(g);
	if (!find_levers(t, jni, g, e, &rule))
		return ERR_NONE;
	rule.learn_only = !acts(t);
	t->learnt = rule.threshold_now;
	rule.apply_only = t->options->tenure == TENURE_APPLY;
	int err = make(t, g, &rule);
	t->jumps.dry = !acts(t);
	if (!err)
		trust_file(t);
	if (!err)
		err = jumps_load(&t->jumps, &t->decisions);
	if (!err)
		jumps_expect(&t->jumps);
	if (!err && t->decisions.has_threshold)
		load_threshold(t, rule.can_set_threshold);
	decisions_release(&t->decisions);
	if (t->can_jump)
		t->trial = atomic_load(&e->on) ? trial_hindered() : trial_begin(LOOK_NS);
	else
		t->trial = trial_none();
	if (t->can_jump)
		tell_trial(t);
	t->round_began = clock_now();
	t->process_cpu = process_cpu();
	if (!err)
		err = start_thread(t);
	t->began = !err;
	recorder_learn(t->recorder, err ? NULL : &t->learning);
	return err;
}

/* The VM waits for us, and lets the thread tell what it did; but its end must not hang on that.
 * Whether the thread is over. */
static bool await_patiently(struct tenure *t)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_NS / 1000000000;
	if (pthread_timedjoin_np(t->thread, NULL, &until) == 0)
		return true;
	pthread_detach(t->thread);
	return false;
}

const char *tenure_by(const struct tenure *t)
{
	return t->began && t->can_jump && acts(t) ? t->jumps.by.at[0].name : NULL;
}

/* Whether it is over; it is where there is no end to the patience. */
static bool stop_thread(struct tenure *t, bool wait)
{
	bool over = true;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	if (wait)
		pthread_join(t->thread, NULL);
	else
		over = await_patiently(t);
	t->runs = false;
	return over;
}

/* Under the lock. Some are saved that were not in force: their code was running. */
static bool is_tested(const struct tenure *t, const struct decisions *all)
{
	size_t force, saved = 0;
	controller_jumps(t->controller, &force);
	for (size_t i = 0; i < all->list.count; i++)
		saved += all->list.at[i].action == DECISION_JUMP;
	return saved <= force || (saved - force) * STRANGE < saved;
}

static void save(struct tenure *t)
{
	struct diag d;
	struct decisions all = {.list = {0}};
	pthread_mutex_lock(&t->lock);
	uint32_t most = acts(t) ? controller_threshold(t->controller) : t->learnt;
	int err = jumps_save(&t->jumps, &all);
	all.trusted = acts(t) && is_tested(t, &all) ? controller_trusted(t->controller) : 0;
	pthread_mutex_unlock(&t->lock);
	if (!err && *t->jdk)
		err = decision_text(&all.jdk, t->jdk);
	if (!err)
		err = decision_text(&all.gc, t->gc);
	all.has_threshold = t->bound.at && most < t->bound.own;
	all.threshold = most;
	err = err ? diag_set(&d, err, "out of memory while saving the decisions")
		  : decisions_file_write(t->options->decisions, &all, &d);
	if (err)
		note(t, NOTE_WARNING, d.text);
	decisions_release(&all);
}

/* Where "nothing was made there" is a reason too. */
static void tell_unloaded(struct tenure *t, const struct jumps_silence *s)
{
	char text[DIAG_MAX];
	snprintf(text, sizeof(text),
		"%zu of the places in the decisions file came to nothing: its class was not "
		"loaded%s (the first: %.256s)",
		s->count, t->jumps.by.count > 1 ? ", or nothing was made there" : "",
		s->first.text);
	note(t, NOTE_INFO, text);
}

/*
 * Of what the file says every place is told of, as a decision or here. Unloaded: they are of
 * another version of the program, or of another part of it.
 */
static void tell_silent(struct tenure *t, bool over)
{
	static const char *const why[JUMPS_SILENTS] = {
		[JUMPS_UNLINKED] =
			"were put in, and the VM did not show their methods up to the end: "
			"their classes were not linked, or are gone",
		[JUMPS_UNDONE] = "came to nothing: the recording ended first",
		[JUMPS_UNKNOWN] = "were being put in when the program ended: whether their objects "
				  "jumped is not known"};
	char text[DIAG_MAX];
	struct jumps_silence of[JUMPS_SILENTS];
	pthread_mutex_lock(&t->lock);
	jumps_silent(&t->jumps, over, of);
	pthread_mutex_unlock(&t->lock);
	if (of[JUMPS_UNLOADED].count)
		tell_unloaded(t, &of[JUMPS_UNLOADED]);
	for (int i = 0; i < JUMPS_SILENTS; i++) {
		if (!of[i].count || !why[i])
			continue;
		snprintf(text, sizeof(text),
			"%zu of the places in the decisions file %s (the first: %.256s)",
			of[i].count, why[i], of[i].first.text);
		note(t, NOTE_INFO, text);
	}
}

static void tell_left(struct tenure *t, size_t count)
{
	char text[DIAG_MAX];
	if (!count)
		return;
	snprintf(text, sizeof(text),
		"%zu of the rewritten classes could not be turned back: a method of theirs is "
		"running, and would go on in the interpreter; what was put in does nothing any "
		"more",
		count);
	note(t, NOTE_INFO, text);
}

/* What the jumps cost. */
static void tell_constructed(struct tenure *t)
{
	char text[DIAG_MAX];
	pthread_mutex_lock(&t->lock);
	struct jumps_constructed c = jumps_constructed(&t->jumps);
	pthread_mutex_unlock(&t->lock);
	if (!c.all)
		return;
	snprintf(text, sizeof(text),
		"at %zu of %zu places with a constructor an age is a plain store: the constructor "
		"shows the object to nobody",
		c.plain, c.all);
	note(t, NOTE_INFO, text);
}

void tenure_end(struct tenure *t, JNIEnv *jni)
{
	if (!t->began)
		return;
	/* Where the VM ends, it may hold the thread for ever. */
	bool over = stop_thread(t, jni != NULL);
	recorder_learn(t->recorder, NULL);
	tell_silent(t, over);
	lookout_end(&t->lookout, jni, t->recorder);
	tell_constructed(t);
	if (saves(t))
		save(t);
	if (jni && t->bound.at)
		tenuring_bound_restore(&t->bound);
	if (jni && !trial_over(&t->trial))
		age_class_try(jni, AGE_DROP);
	tell_left(t, jumps_end(&t->jumps, jni));
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
	decisions_release(&t->decisions);
	if (t->wanted) {
		pthread_cond_destroy(&t->changed);
		pthread_mutex_destroy(&t->lock);
	}
	*t = (struct tenure){.wanted = false};
}
