#include "agent/writer.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "agent/session.h"
#include "base/clock.h"
#include "base/error.h"

enum { TICK_NS = 1000000000, LOOK_NS = 20000000, STACK_SIZE = 256 * 1024 };

/* Where it can't, it is for a later try. */
static JNIEnv *join_vm(struct session *s)
{
	JNIEnv *jni = vm_join(&s->vm, "mayfly");
	if (!jni)
		s->not_before.v = clock_now().v + TICK_NS;
	return jni;
}

static int begin(struct session *s)
{
	if (!join_vm(s))
		return ERR_JVM;
	int err = session_begin(s);
	vm_leave(s->vm.java);
	return err;
}

/* The end while the program goes on: everything is given back. ERR_JVM: it goes on for now. */
static int stop(struct session *s, enum end_reason reason)
{
	JavaVM *java = s->vm.java;
	JNIEnv *jni = join_vm(s);
	if (!jni)
		return ERR_JVM;
	session_finish(s, reason);
	session_close(s, jni);
	vm_leave(java);
	return ERR_NONE;
}

static const char *state_name(int state)
{
	static const char *const names[] = {"off", "waiting", "waiting", "recording", "stopping"};
	return names[state];
}

static void put_status(struct session *s, struct buf *out)
{
	struct recorder_counts c = recorder_counts(&s->recorder);
	int state = atomic_load(&s->state);
	uint64_t ns = state == STATE_RECORDING ? clock_now().v - s->began.v : 0;
	buf_printf(out, "state %s\nfile %s\n", state_name(state), s->output.path);
	buf_printf(out, "seconds %llu\n", (unsigned long long)(ns / 1000000000u));
	buf_printf(out, "samples %llu\nwalked %llu\ntracked %llu\n", (unsigned long long)c.samples,
		(unsigned long long)c.walked, (unsigned long long)c.tracked);
	buf_printf(out, "died %llu\nlive %llu\nlost %llu\n", (unsigned long long)c.died,
		(unsigned long long)c.alive, (unsigned long long)c.lost);
	buf_printf(out, "young %llu\nfull %llu\n",
		(unsigned long long)atomic_load(&s->recorder.young),
		(unsigned long long)atomic_load(&s->recorder.full));
	buf_printf(out, "bytes %llu\nmemory %llu\n", (unsigned long long)output_bytes(&s->output),
		(unsigned long long)footprint_bytes(&s->recorder.footprint));
}

static void answer_start(struct session *s)
{
	if (atomic_load(&s->state) != STATE_WAITING) {
		control_answer(&s->control, ERR_RUNNING, "it already records", NULL);
		return;
	}
	int err = begin(s);
	control_answer(&s->control, err, err ? "the recording could not begin" : "", NULL);
}

/* The answer to stop goes out after everything is released, so the connection outlives the
 * session's parts. */
static void answer_stop(struct session *s)
{
	struct control late = s->control;
	late.listener = s->control.client = (struct own_fd){0};
	int err = stop(s, END_STOPPED);
	control_answer(&late, err, "the VM does not let the agent in now: try again", NULL);
}

/* The answer comes with heap_request_step. Nothing of ours is held while the VM collects. */
static void answer_heap(struct session *s, bool forced)
{
	if (!heap_request_begin(&s->heap, &s->exact, &s->control, forced) || !forced || !join_vm(s))
		return;
	(*s->vm.jvmti)->ForceGarbageCollection(s->vm.jvmti);
	vm_leave(s->vm.java);
}

static void answer(struct session *s)
{
	struct buf body = {0};
	struct diag d = {0};
	int err;
	enum request request = control_accept(&s->control);
	switch (request) {
	case REQUEST_STATUS:
		put_status(s, &body);
		control_answer(&s->control, body.failed, "out of memory", &body);
		break;
	case REQUEST_START:
		answer_start(s);
		break;
	case REQUEST_STOP:
		answer_stop(s);
		break;
	case REQUEST_FLUSH:
		err = output_drain(&s->output, &s->recorder, true, &d);
		control_answer(&s->control, err, d.text, NULL);
		break;
	case REQUEST_HEAP:
	case REQUEST_HEAP_GC:
		answer_heap(s, request == REQUEST_HEAP_GC);
		break;
	case REQUEST_NONE:
		break;
	}
	buf_release(&body);
}

/* What the exact engine has to tell; in a cyclic trace, whether it is time for a segment. */
static void write_exact(struct session *s)
{
	exact_write(&s->exact, &s->recorder, &s->output, false);
	if (stretch_cyclic(&s->output.stretch))
		output_turn(&s->output, &s->recorder,
			exact_checkpoint(&s->exact, &s->recorder, &s->output));
}

/* Ticks once a second and writes what is there. A failure ends the recording: the program goes on.
 */
static void tick(struct session *s)
{
	struct diag d = {0};
	uint64_t used = 0, committed = 0;
	if (atomic_load(&s->state) == STATE_RECORDING) {
		gcs_heap(&s->gcs, &used, &committed);
		recorder_tick(&s->recorder, used, committed);
		write_exact(s);
	}
	/* check_time stops it, now or when the VM lets the writer in. */
	if (output_drain(&s->output, &s->recorder, true, &d) && !atomic_exchange(&s->trouble, true))
		fprintf(stderr, "mayfly: %s; recording ends, the program goes on\n", d.text);
}

static void check_time(struct session *s, struct ns now)
{
	int state = atomic_load(&s->state);
	if (now.v < s->not_before.v)
		return;
	if (atomic_load(&s->trouble)) {
		stop(s, END_TROUBLE);
		return;
	}
	if (state == STATE_WAITING && s->options.delay && !s->options.paused &&
		now.v - s->opened.v >= s->options.delay && s->vm_up)
		begin(s);
	if (state == STATE_RECORDING && s->options.duration &&
		now.v - s->began.v >= s->options.duration)
		stop(s, END_DURATION);
}

static void tell(struct session *s, const char *sentence)
{
	recorder_note(&s->recorder, NOTE_WARNING, sentence);
	fprintf(stderr, "mayfly: %s\n", sentence);
}

/* The program may close what is not its own. */
static void tell_lost(struct session *s)
{
	if (waker_lost(&s->waker))
		tell(s, "the program closed the descriptor by which the agent's writer is woken: "
			"it looks 50 times a second by itself, and more may be lost than is usual");
	if (control_lost(&s->control))
		tell(s, "the program closed the descriptor of the control socket: the recording "
			"can't be asked for its state, or stopped, from outside any more");
}

/* Until there is something to do: the socket, a wake-up, or the next tick. */
static void wait(struct session *s, struct ns next)
{
	struct ns now = clock_now();
	struct pollfd fds[] = {{.fd = waker_awaits(&s->waker), .events = POLLIN},
		{.fd = control_awaits(&s->control, now), .events = POLLIN}};
	uint64_t most = fds[0].fd < 0 ? LOOK_NS : UINT64_MAX;
	uint64_t left = next.v > now.v ? next.v - now.v : 0;
	left = left < most ? left : most;
	struct timespec timeout = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
	if (ppoll(fds, 2, &timeout, NULL) <= 0)
		return;
	if (fds[0].revents & POLLIN)
		(void)waker_heed(&s->waker);
	if (fds[1].revents & POLLIN)
		answer(s);
}

/* When the delay or the duration is over, if that is before the next tick. */
static struct ns next_event(const struct session *s, struct ns tick_at)
{
	int state = atomic_load(&s->state);
	uint64_t at = UINT64_MAX;
	/* At VM start the delay may be over before the VM is up. */
	if (state == STATE_WAITING && s->options.delay && !s->options.paused &&
		atomic_load(&s->vm_up))
		at = s->opened.v + s->options.delay;
	if (state == STATE_RECORDING && s->options.duration)
		at = s->began.v + s->options.duration;
	if (at < s->not_before.v)
		at = s->not_before.v;
	uint64_t heap = heap_request_next(&s->heap).v;
	at = heap < at ? heap : at;
	return at < tick_at.v ? (struct ns){at} : tick_at;
}

static void serve(struct session *s)
{
	struct ns tick_at = {clock_now().v + TICK_NS};
	bool begun = false;
	while (atomic_load(&s->state) != STATE_OFF && !atomic_load(&s->vm_dies)) {
		tell_lost(s);
		wait(s, next_event(s, tick_at));
		if (atomic_load(&s->state) == STATE_OFF || atomic_load(&s->vm_dies))
			return;
		struct ns now = clock_now();
		struct diag d = {0};
		/* What VM this is: at once, for a program that dies before the first tick. */
		if (!begun && atomic_load(&s->state) == STATE_RECORDING) {
			begun = true;
			output_drain(&s->output, &s->recorder, true, &d);
		}
		if (now.v >= tick_at.v) {
			tick(s);
			tick_at.v = now.v + TICK_NS;
		} else {
			output_drain(&s->output, &s->recorder, false, &d);
			if (atomic_load(&s->state) == STATE_RECORDING)
				write_exact(s);
		}
		heap_request_step(&s->heap, &s->exact, &s->recorder, &s->output);
		if (atomic_load(&s->state) != STATE_OFF)
			check_time(s, now);
	}
}

/* The VM ends: no calls into it any more, and nothing is freed, because callbacks may be late. */
static void last_words(struct session *s)
{
	session_set_state(s, STATE_STOPPING);
	session_drain_callbacks(s);
	heap_request_end(&s->heap);
	tenure_end(&s->tenure, NULL);
	session_settle(s, true);
	session_note_exit(s);
	exact_end(&s->exact, &s->recorder, &s->output);
	session_write_end(s, END_VM);
	control_close(&s->control);
}

static void *writer_main(void *arg)
{
	struct session *s = arg;
	/* Nobody else can: it is detached, and may be gone. */
	pthread_setname_np(pthread_self(), "mayfly");
	serve(s);
	if (atomic_load(&s->vm_dies) && atomic_load(&s->state) != STATE_OFF)
		last_words(s);
	pthread_mutex_lock(&s->lock);
	s->writer_runs = false;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* The thread takes none of the program's signals. */
int writer_start(struct session *s)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	s->writer_runs = true;
	int err = pthread_create(&thread, &attr, writer_main, s);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		s->writer_runs = false;
	return err ? ERR_NOMEM : ERR_NONE;
}
