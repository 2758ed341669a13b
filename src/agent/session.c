#include "agent/session.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/events.h"
#include "agent/facts.h"
#include "agent/sound_ids.h"
#include "agent/tags.h"
#include "agent/writer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/units.h"

enum {
	LIVE_DEFAULT = 16384,
	LIVE_DEFAULT_11 = 8192,
	/* Each object followed: its slot, its place among the free, and among gcs's deaths. */
	LIVE_BYTES = sizeof(struct live_slot) + sizeof(uint32_t) + sizeof(int64_t),
	DEATH_PATIENCE_S = 5,
	/* Of that for single objects: what they leave is for the counts, and for a disk that gets
	 * slower still. */
	EVENTS_PATIENCE_S = 3,
};

static struct session the_session;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A child of fork has no writer thread and must not touch its parent's trace. */
static void after_fork(void)
{
	atomic_store(&the_session.state, STATE_OFF);
	atomic_store(&the_session.opening, false);
	births_set(births_get(), BIRTHS_OFF);
}

static void at_exit(void)
{
	session_process_exit(&the_session);
}

static void prepare(void)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&the_session.changed, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&the_session.lock, NULL);
	pthread_atfork(NULL, NULL, after_fork);
	atexit(at_exit);
}

struct session *session_get(void)
{
	pthread_once(&once, prepare);
	return &the_session;
}

/*
 * Enter and the change of state are a pair (Dekker): both sequentially consistent, so that
 * either the callback sees that recording is over, or whoever stops sees the callback.
 */
static bool enter(struct session *s, enum state first)
{
	atomic_fetch_add(&s->inside, 1);
	int state = atomic_load(&s->state);
	if (state >= (int)first && state <= STATE_RECORDING)
		return true;
	session_leave(s);
	return false;
}

bool session_enter(struct session *s)
{
	return enter(s, STATE_RECORDING);
}

bool session_enter_pause(struct session *s)
{
	if (!enter(s, STATE_BEGINNING))
		return false;
	if (pause_gate_pass(&s->gate))
		return true;
	session_leave(s);
	return false;
}

void session_leave(struct session *s)
{
	if (atomic_fetch_sub(&s->inside, 1) != 1 || atomic_load(&s->state) == STATE_RECORDING)
		return;
	pthread_mutex_lock(&s->lock);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void session_set_state(struct session *s, enum state state)
{
	pthread_mutex_lock(&s->lock);
	atomic_store(&s->state, state);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void session_drain_callbacks(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	while (atomic_load(&s->inside) > 0)
		pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

void session_wake(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	waker_call(&s->waker);
	pthread_mutex_unlock(&s->lock);
}

/* Frees what a recording owns. Nobody may be inside any more. */
static void release(struct session *s)
{
	if (s->gcs_ready && atomic_load(&s->vm_dies))
		gcs_give_up_memory(&s->gcs); /* the VM may not have waited for us */
	if (s->gcs_ready)
		gcs_release(&s->gcs);
	s->gcs_ready = false;
	sampler_release(&s->sampler);
	recorder_release(&s->recorder);
	output_close(&s->output);
	control_close(&s->control);
	pthread_mutex_lock(&s->lock);
	waker_close(&s->waker);
	pthread_mutex_unlock(&s->lock);
}

static bool waits(const struct session *s)
{
	return s->options.paused || s->options.delay;
}

/* To the next state, where nobody has stopped it meanwhile. */
static bool advance(struct session *s, enum state from, enum state to)
{
	pthread_mutex_lock(&s->lock);
	bool there = atomic_load(&s->state) == (int)from;
	if (there)
		atomic_store(&s->state, to);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return there;
}

/* What came before is no part of it: rates are over what was recorded. */
static void end_wait(struct session *s)
{
	struct ns now = clock_now();
	if (!waits(s) || s->waited.v)
		return;
	s->waited.v = now.v - s->opened.v;
	recorder_begin(&s->recorder, now);
}

/* The writer ends a recording that could not begin; where it does not run yet, whoever starts it.
 */
static int no_begin(struct session *s, int err, const char *sentence)
{
	end_wait(s);
	recorder_note(&s->recorder, NOTE_TROUBLE, sentence);
	fprintf(stderr, "mayfly: %s\n", sentence);
	atomic_store(&s->trouble, true);
	session_wake(s);
	return err;
}

static JNIEnv *own_jni(struct session *s)
{
	void *jni = NULL;
	return (*s->vm.java)->GetEnv(s->vm.java, &jni, JNI_VERSION_10) == JNI_OK ? jni : NULL;
}

/* Before anything is born for the recording: what has survived a pause that the clocks do not know
 * of would look a collection older by them than by its age. */
static void count_pauses(struct session *s)
{
	unsigned seen;
	do {
		seen = pause_gate_look(&s->gate);
		gcs_again(&s->gcs);
		exact_again(&s->exact);
	} while (!pause_gate_open(&s->gate, seen));
}

int session_begin(struct session *s)
{
	struct diag d;
	if (gcs_init(&s->gcs, &s->recorder, s->recorder.live.room, vm_code(&s->vm)))
		return no_begin(s, ERR_NOMEM, "out of memory while beginning the recording");
	s->gcs_ready = true;
	if (s->tenure.wanted)
		gcs_measure_promoted(&s->gcs, vm_code(&s->vm));
	s->sampler.follow_max = gcs_follow_max(&s->gcs);
	if (!advance(s, STATE_WAITING, STATE_BEGINNING))
		return ERR_GONE;
	if (events_pauses(s, &d))
		return no_begin(s, ERR_JVM, d.text);
	sound_ids_learn(&s->vm, own_jni(s));
	if (exact_ready(&s->exact, &s->vm, own_jni(s), &s->recorder, &s->options, &d))
		return no_begin(s, ERR_UNSUPPORTED, d.text);
	exact_counters(&s->exact, s->gcs.heap.eden_used.at, s->gcs.unloaded.at);
	/* The engine's probes are in place, which may have taken long; nothing has been born yet,
	 * and no pause been told. */
	end_wait(s);
	count_pauses(s);
	exact_begin(&s->exact, own_jni(s));
	if (tenure_begin(&s->tenure, own_jni(s), &s->gcs, &s->exact))
		return no_begin(s, ERR_NOMEM, "out of memory while beginning to learn");
	sampler_show(&s->sampler, s->tenure.lookout.in_sight);
	facts_write(s);
	s->began = clock_now();
	if (!advance(s, STATE_BEGINNING, STATE_RECORDING)) {
		events_end(s);
		return ERR_GONE;
	}
	int err = events_begin(s, &d);
	return err ? no_begin(s, err, d.text) : ERR_NONE;
}

void session_write_end(struct session *s, enum end_reason reason)
{
	struct diag d;
	/* So that the last records find room. */
	int err = output_drain(&s->output, &s->recorder, false, &d);
	if (waits(s) && !s->waited.v)
		recorder_note(&s->recorder, NOTE_WARNING,
			"nothing was recorded: it ended while the recording waited to begin, as it "
			"was asked to (delay, paused)");
	recorder_end(&s->recorder, reason);
	err = err ? err : output_drain(&s->output, &s->recorder, true, &d);
	if (err && reason != END_TROUBLE && !atomic_load(&s->trouble)) /* told when it came */
		fprintf(stderr, "mayfly: %s; recording ends, the program goes on\n", d.text);
}

/* A collection behind the exact engine's end is no part of the recording: it has no account. */
void session_settle(struct session *s, bool dies)
{
	if (s->gcs_ready && !exact_is_done(&s->exact))
		gcs_settle(&s->gcs, s->exact.missed, dies);
}

static void see_silent(void *session)
{
	struct session *s = session;
	uint64_t missed = exact_missed(&s->exact);
	if (!missed)
		return;
	if (s->gcs_ready)
		gcs_settle(&s->gcs, missed, false);
	exact_settle(&s->exact);
}

/* Collections that no event told of, and that none came behind: while the program stands they can
 * be looked at as at the next one's start. Births are still on. */
static void look_at_silent(struct session *s, const struct vm *vm)
{
	if (vm && exact_follows(&s->exact) && exact_missed(&s->exact))
		(void)vm_while_still(vm, see_silent, s);
}

void session_finish(struct session *s, enum end_reason reason)
{
	/* What is born has its pauses to the end. Then none is counted any more, so that the state
	 * changes before the events do, of which the one may still come and the other not. */
	tenure_stop(&s->tenure, own_jni(s) != NULL);
	look_at_silent(s, &s->vm);
	exact_stop(&s->exact, &s->vm);
	session_set_state(s, STATE_STOPPING);
	events_end(s);
	session_drain_callbacks(s);
	heap_request_end(&s->heap);
	tenure_end(&s->tenure, own_jni(s));
	session_settle(s, false);
	exact_end(&s->exact, &s->recorder, &s->output);
	session_write_end(s, reason);
}

void session_close(struct session *s, JNIEnv *jni)
{
	if (jni && s->vm.mourns)
		tags_take_out(&s->vm, jni, &s->recorder.live, s->sampler.serial,
			s->recorder.catalog.class_count, &s->vm_dies);
	exact_close(&s->exact, jni);
	vm_close(&s->vm);
	tenure_close(&s->tenure);
	release(s);
	session_set_state(s, STATE_OFF);
}

static_assert((int)OPTION_LIVE_MAX <= (int)LIVE_ROOM_MAX, "what can be asked for has a tag");

/* Objects followed at once: as asked for, as far as half of the memory goes; the names have what
 * they leave. */
static uint32_t capacity(const struct session *s)
{
	uint64_t most = s->options.memory / 2 / LIVE_BYTES;
	uint64_t want = s->options.max_live ? s->options.max_live
			: s->vm.major == 11 ? LIVE_DEFAULT_11
					    : LIVE_DEFAULT;
	return (uint32_t)(want < most ? want : most);
}

/* What the recording does other than it was asked to. */
static void note_limits(struct session *s, int deaf)
{
	char text[192], memory[UNITS_MAX];
	if (deaf)
		recorder_note(&s->recorder, NOTE_WARNING,
			"the control socket could not be opened: the recording can't be asked for "
			"its state, or stopped, from outside");
	if (s->options.compress && !s->output.compress)
		recorder_note(&s->recorder, NOTE_WARNING,
			"the trace is not compressed: libzstd.so.1 could not be loaded in the "
			"program (install it, or record with --no-compress)");
	if (s->recorder.live.room >= s->options.max_live)
		return;
	snprintf(text, sizeof(text),
		"max-live=%llu does not fit in half of the agent's memory, %s: only %u objects "
		"were followed at once (raise it with memory=SIZE)",
		(unsigned long long)s->options.max_live,
		units_bytes((double)s->options.memory, memory), s->recorder.live.room);
	recorder_note(&s->recorder, NOTE_WARNING, text);
}

static int open_waker(struct session *s, struct diag *d)
{
	pthread_mutex_lock(&s->lock);
	int err = waker_open(&s->waker);
	pthread_mutex_unlock(&s->lock);
	return err ? diag_set(d, err, "no pair of sockets: %s", strerror(errno)) : ERR_NONE;
}

static int open_parts(struct session *s, struct diag *d)
{
	int err = open_waker(s, d);
	if (err)
		return err;
	int deaf = control_open(&s->control, s->options.control, d);
	/* Only a socket that was asked for by name is worth more than the recording. */
	if (deaf && *s->options.control)
		return deaf;
	err = output_open(&s->output, &s->options, d);
	if (!err) {
		struct ns start = waits(s) ? RECORDER_WAITS : s->opened;
		err = recorder_init(&s->recorder, &s->options, capacity(s), start, &s->waker);
		if (err)
			diag_set(d, err, "out of memory while starting the recording");
	}
	if (!err)
		err = sampler_init(&s->sampler, &s->vm, &s->recorder, &s->options, d);
	if (!err)
		note_limits(s, deaf);
	return err;
}

/* Until the writer is gone, at most DEATH_PATIENCE_S: the VM's end must not hang on us. Whether it
 * is. */
static bool await_writer(struct session *s)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += DEATH_PATIENCE_S;
	pthread_mutex_lock(&s->lock);
	while (s->writer_runs &&
		pthread_cond_timedwait(&s->changed, &s->lock, &until) != ETIMEDOUT) {
	}
	bool gone = !s->writer_runs;
	pthread_mutex_unlock(&s->lock);
	return gone;
}

static int open_all(struct session *s, JavaVM *java, struct diag *d)
{
	s->opened = clock_now();
	int err = vm_open(&s->vm, java, d);
	if (err)
		return err;
	/* Before there is a file: it may be required. */
	err = exact_open(&s->exact, &s->vm, &s->options, d);
	if (s->exact.opened)
		options_count_births(&s->options);
	tenure_open(&s->tenure, &s->vm, &s->recorder, &s->options);
	if (!err)
		err = open_parts(s, d);
	if (!err && events_arm(s))
		err = diag_set(d, ERR_JVM, "the VM refused the events that mayfly needs");
	if (err) {
		exact_close(&s->exact, NULL);
		tenure_close(&s->tenure);
		vm_close(&s->vm);
		output_discard(&s->output);
		release(s);
	}
	return err;
}

/* In a VM that starts no thread of Java's has drawn a distance yet. */
static void space_early(struct session *s)
{
	if (!waits(s) && vm_interval(&s->vm, recorder_first(&s->recorder)) == ERR_NONE)
		sampler_draws(&s->sampler);
}

/* Starts the writer, and the recording too where the program runs already. */
static int launch(struct session *s, struct diag *d)
{
	bool live = vm_is_live(&s->vm), now = live && !waits(s);
	JNIEnv *jni = now ? own_jni(s) : NULL;
	atomic_store(&s->vm_up, live);
	if (!live)
		space_early(s);
	session_set_state(s, STATE_WAITING);
	int err = now && !jni ? ERR_JVM : now ? session_begin(s) : ERR_NONE;
	if (!err)
		err = writer_start(s);
	if (err) {
		diag_set(d, err, "the recording could not begin: %s", err_text(err));
		/* All of it: where there was no thread for the writer, everything else runs by now.
		 */
		session_finish(s, END_TROUBLE);
		session_close(s, jni);
	}
	return err;
}

static int open_alone(
	struct session *s, JavaVM *java, const char *option_text, bool attached, struct diag *d)
{
	int state = atomic_load(&s->state);
	if (state == STATE_OFF || state == STATE_STOPPING)
		await_writer(s); /* of an earlier recording, on its last steps */
	if (atomic_load(&s->state) != STATE_OFF)
		return diag_set(d, ERR_RUNNING, "mayfly already records this program, to %s",
			s->output.path);
	options_init(&s->options);
	int err = options_parse(&s->options, option_text, d);
	if (err)
		return err;
	learning_defaults(&s->options);
	s->attached = attached;
	s->pid = getpid();
	s->began = s->waited = s->not_before = (struct ns){0};
	s->gate = (struct pause_gate){0};
	atomic_store(&s->trouble, false);
	atomic_store(&s->vm_silent, false);
	atomic_store(&s->nop, s->options.engine == ENGINE_NOP);
	memset(&s->recorder, 0, sizeof(s->recorder));
	memset(&s->sampler, 0, sizeof(s->sampler));
	memset(&s->exact, 0, sizeof(s->exact));
	memset(&s->tenure, 0, sizeof(s->tenure));
	heap_request_init(&s->heap);
	s->output.file = (struct own_fd){0};
	s->control = (struct control){.path = ""};
	err = open_all(s, java, d);
	return err ? err : launch(s, d);
}

/* The VM's own listener takes one attach after the other, but its MBean of diagnostic commands
 * takes them in any thread. */
int session_open(
	struct session *s, JavaVM *java, const char *option_text, bool attached, struct diag *d)
{
	if (atomic_exchange(&s->opening, true))
		return diag_set(d, ERR_RUNNING,
			"mayfly is being attached to this program by somebody else right now");
	int err = open_alone(s, java, option_text, attached, d);
	atomic_store(&s->opening, false);
	return err;
}

void session_vm_init(struct session *s)
{
	atomic_fetch_add(
		&s->inside, 1); /* so that a stop meanwhile frees nothing that is in use here */
	atomic_store(&s->vm_up, true);
	if (atomic_load(&s->state) == STATE_WAITING && !waits(s))
		session_begin(s);
	session_wake(s); /* a delay may be over */
	session_leave(s);
}

/* vm: NULL: nothing can be asked of it. */
static void silence(struct session *s, const struct vm *vm)
{
	if (!session_enter(s))
		return;
	/* It would find the engine's probe gone, and have classes rewritten for it. */
	tenure_stop(&s->tenure, false);
	look_at_silent(s, vm);
	exact_stop(&s->exact, vm);
	exact_hurry(&s->exact, clock_now().v + EVENTS_PATIENCE_S * 1000000000ull);
	session_leave(s);
}

static void last_will(struct session *s)
{
	atomic_store(&s->vm_dies, true);
	session_wake(s);
	if (!await_writer(s))
		fprintf(stderr,
			"mayfly: %d seconds after the program's end its trace %s was not written "
			"yet: it is cut there\n",
			DEATH_PATIENCE_S, s->output.path);
}

/*
 * Nothing is asked of the VM here: it has told the deaths that it still held (from JDK 20 on), its
 * events end by themselves, and the environment goes with it. Callbacks may be late.
 */
void session_vm_death(struct session *s)
{
	silence(s, &s->vm);
	last_will(s);
}

void session_note_exit(struct session *s)
{
	if (atomic_load(&s->vm_silent) && s->began.v)
		recorder_note(&s->recorder, NOTE_WARNING,
			"the process ended without a word from the VM (its heap was full, or "
			"native code called exit): what was born and died in its last moments may "
			"be missing");
}

/* Who calls exit may hold the lock: in a signal's handler. A child of vfork has our memory, and no
 * writer. */
static bool is_ours(struct session *s)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += DEATH_PATIENCE_S;
	if (s->pid != getpid() || pthread_mutex_timedlock(&s->lock, &until))
		return false;
	bool writes = s->writer_runs;
	pthread_mutex_unlock(&s->lock);
	return writes;
}

void session_process_exit(struct session *s)
{
	if (atomic_load(&s->vm_dies) || atomic_load(&s->state) == STATE_OFF || !is_ours(s))
		return;
	atomic_store(&s->vm_silent, true);
	silence(s, NULL);
	last_will(s);
}
