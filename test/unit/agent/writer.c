#include "agent/writer.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "support/agent_rig.h"
#include "support/tap.h"

TEST(status)
{
	static const char *const names[] = {"seconds", "samples", "walked", "tracked", "died",
		"live", "lost", "young", "full", "bytes", "memory"};
	char reply[4096], first[256];
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused", true));
	rig_request(&r, "status", reply, sizeof(reply));
	snprintf(first, sizeof(first), "ok\nstate waiting\nfile %s\nseconds 0\n", r.file);
	EXPECT(strncmp(reply, first, strlen(first)) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		EXPECT(rig_status(&r, names[i]) >= 0);
	rig_expect(&r, "start", "ok");
	rig_run(60);
	rig_request(&r, "status", reply, sizeof(reply));
	EXPECT(strncmp(reply, "ok\nstate recording\n", 19) == 0);
	EXPECT_INT(60, rig_status(&r, "samples"));
	EXPECT_INT(60, rig_status(&r, "walked"));
	EXPECT_INT(60, rig_status(&r, "tracked"));
	EXPECT_INT(60, rig_status(&r, "died") + rig_status(&r, "live"));
	EXPECT_INT(0, rig_status(&r, "lost"));
	EXPECT_INT(3, rig_status(&r, "young"));
	EXPECT(rig_status(&r, "memory") > 1 << 20);
	rig_stop(&r);
	rig_end(&r, true);
}

TEST(start_once)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused", true));
	rig_run(5);
	rig_expect(&r, "start", "ok");
	rig_expect(&r, "start", "error 18 it already records");
	rig_run(5);
	rig_expect(&r, "halt", "error 8 the requests are status, start, stop, flush and heap");
	rig_stop(&r);
	EXPECT_INT(5, rig_end(&r, true).end.samples);
}

/* Where the exact engine does not count there is nothing to count the heap by. */
TEST(heap_without_the_engine)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", true));
	rig_expect(&r, "heap",
		"error 12 the exact engine does not count in this program; start the recording "
		"with --exact");
	rig_expect(&r, "heap gc",
		"error 12 the exact engine does not count in this program; start the recording "
		"with --exact");
	rig_run(5);
	rig_stop(&r);
	rig_end(&r, true);
}

/* What was recorded before the flush is in the file when it is answered. */
TEST(flush)
{
	struct agent_trace t = {0};
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", true));
	rig_run(77);
	rig_expect(&r, "flush", "ok");
	EXPECT(agent_trace_load(&t, r.file));
	EXPECT_INT(t.bytes.len, rig_status(&r, "bytes"));
	struct agent_totals n = agent_trace_verify(&t, false);
	EXPECT_INT(77, n.births + n.allocs);
	EXPECT(!n.ended);
	agent_trace_release(&t);
	rig_stop(&r);
	rig_end(&r, true);
}

/* What is waited for is no part of the recording: rates would be over it, too. */
TEST(times_count_from_the_begin)
{
	enum { WAIT_NS = 30000000 };
	struct rig r;
	rig_begin(&r, 17);
	struct ns before = clock_now();
	EXPECT_INT(0, rig_open(&r, "paused", true));
	while (clock_since(before).v < WAIT_NS)
		EXPECT_INT(0, rig_status(&r, "seconds"));
	rig_expect(&r, "start", "ok");
	EXPECT(r.session->waited.v <= clock_since(before).v);
	rig_run(10);
	uint64_t waited = r.session->waited.v;
	rig_stop(&r);
	struct agent_totals n = rig_end(&r, true);
	EXPECT_INT(10, n.births + n.allocs);
	EXPECT(waited > 0 && n.end.time + waited <= clock_since(before).v);
}

/* Nor is it what the agent does before it looks: to put the engine's probes in may take long. */
TEST(times_count_from_when_all_is_ready)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused", true));
	rig_expect(&r, "start", "ok");
	EXPECT(r.session->opened.v + r.session->waited.v >=
		fake_vm_event_since(JVMTI_EVENT_GARBAGE_COLLECTION_START));
	EXPECT(r.session->opened.v + r.session->waited.v <= r.session->began.v);
	rig_stop(&r);
	rig_end(&r, true);
}

static uint64_t facts_with(const char *options)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, options, true));
	rig_run(5);
	rig_stop(&r);
	return rig_end(&r, true).facts;
}

/* Of two runs that were recorded with different ones, not all can be compared. */
TEST(filters_are_facts)
{
	uint64_t plain = facts_with("");
	EXPECT_INT(plain + 3, facts_with("include=*,exclude=none.*,thread=.*"));
}

TEST(stop_before_the_start)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused,compress=no", true));
	rig_stop(&r);
	struct agent_totals n = rig_end(&r, true);
	EXPECT_INT(0, n.end.samples);
	EXPECT_INT(0, n.end.time);
	EXPECT_INT(1, n.notes);
}

TEST(delay_and_duration)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "delay=5ms,duration=20ms", true));
	/* Whether it records then or not: on a busy machine it may be over before it is seen. */
	rig_run(10);
	rig_await(&r, STATE_OFF);
	EXPECT_INT(END_DURATION, rig_end(&r, true).end.reason);
}

/* The delay is over before the VM is up: it begins when it is. */
TEST(a_delay_at_the_vms_start)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "delay=1ms", false));
	while (rig_status(&r, "bytes") < 0) {
	}
	EXPECT_INT(STATE_WAITING, atomic_load(&r.session->state));
	fake_vm_start();
	rig_await(&r, STATE_RECORDING);
	rig_stop(&r);
	rig_end(&r, true);
}

/* About once a second totals are written, though nobody asks. */
TEST(ticks)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "duration=1100ms", true));
	rig_run(10);
	rig_await(&r, STATE_OFF);
	EXPECT_INT(1, rig_end(&r, true).ticks);
}

/* The VM does not let the writer in: it says so, goes on, and tries again without haste. */
TEST(not_let_in)
{
	struct rig r;
	rig_begin(&r, 17);
	fake_vm_refuse(FAKE_AttachCurrentThreadAsDaemon, 1);
	EXPECT_INT(0, rig_open(&r, "delay=1ms", true));
	rig_await(&r, STATE_RECORDING);
	EXPECT_INT(2, fake_vm_calls(FAKE_AttachCurrentThreadAsDaemon));
	fake_vm_refuse(FAKE_AttachCurrentThreadAsDaemon, 1);
	rig_expect(&r, "stop", "error 16 the VM does not let the agent in now: try again");
	EXPECT_INT(STATE_RECORDING, atomic_load(&r.session->state));
	rig_run(10);
	rig_stop(&r);
	EXPECT_INT(10, rig_end(&r, true).end.samples);
}

/* It is asked for again and again, and still the VM is asked once a second at most. */
TEST(not_let_in_for_long)
{
	struct rig r;
	rig_begin(&r, 17);
	fake_vm_refuse_all(FAKE_AttachCurrentThreadAsDaemon, true);
	uint64_t begun = clock_now().v;
	EXPECT_INT(0, rig_open(&r, "delay=1us", true));
	for (int i = 0; i < 300; i++)
		EXPECT_INT(0, rig_status(&r, "samples"));
	uint64_t seconds = (clock_now().v - begun) / 1000000000u;
	EXPECT(fake_vm_calls(FAKE_AttachCurrentThreadAsDaemon) <= 2 + seconds);
	fake_vm_refuse_all(FAKE_AttachCurrentThreadAsDaemon, false);
	rig_stop(&r);
	rig_end(&r, true);
}

static void find_trouble(void *arg, const struct record *r)
{
	bool *found = arg;
	*found = *found || (r->kind == RECORD_note && r->note.severity == NOTE_TROUBLE);
}

/* What can't begin in VMInit ends by itself, and the trace says why. */
TEST(a_beginning_that_fails)
{
	static const enum fake_call calls[] = {
		FAKE_SetHeapSamplingInterval, FAKE_SetEventNotificationMode};
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct agent_trace t = {0};
		struct rig r;
		bool found = false;
		rig_begin(&r, 17);
		EXPECT_INT(0, rig_open(&r, "", false));
		fake_vm_refuse(calls[i], 1);
		fake_vm_start();
		rig_await(&r, STATE_OFF);
		EXPECT(agent_trace_load(&t, r.file));
		agent_trace_each(&t, find_trouble, &found);
		EXPECT(found);
		agent_trace_release(&t);
		EXPECT_INT(END_TROUBLE, rig_end(&r, true).end.reason);
	}
}

TEST(a_start_that_fails)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused", true));
	fake_vm_refuse(FAKE_SetHeapSamplingInterval, 1);
	rig_expect(&r, "start", "error 16 the recording could not begin");
	rig_await(&r, STATE_OFF);
	EXPECT_INT(END_TROUBLE, rig_end(&r, true).end.reason);
}

static void find_waited(void *arg, const struct record *r)
{
	static const char said_of_waits[] = "while the recording waited";
	bool *found = arg;
	if (r->kind == RECORD_note)
		*found = *found || memmem(r->note.text.at, r->note.text.len, said_of_waits,
					   sizeof(said_of_waits) - 1);
}

/* It did not end while it waited, and is not said to have. */
TEST(a_start_that_fails_before_all_is_ready)
{
	struct agent_trace t = {0};
	struct rig r;
	bool found = false;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "paused,compress=no", true));
	fake_vm_refuse(FAKE_SetEventNotificationMode, 1);
	rig_expect(&r, "start", "error 16 the recording could not begin");
	rig_await(&r, STATE_OFF);
	EXPECT(r.session->waited.v > 0);
	EXPECT(agent_trace_load(&t, r.file));
	agent_trace_each(&t, find_waited, &found);
	EXPECT(!found);
	agent_trace_release(&t);
	EXPECT_INT(END_TROUBLE, rig_end(&r, true).end.reason);
}

/* -- The program closes what is not its own, and something of its own has the number -- */

static FILE *said;
static int before;

static void listen_to_stderr(void)
{
	said = tmpfile();
	before = dup(STDERR_FILENO);
	dup2(fileno(said), STDERR_FILENO);
}

static int times_said(const char *want)
{
	char text[4096];
	int times = 0;
	ssize_t len = pread(fileno(said), text, sizeof(text) - 1, 0);
	text[len > 0 ? len : 0] = '\0';
	for (const char *at = text; (at = strstr(at, want)); at++)
		times++;
	return times;
}

static bool has_said(const char *want)
{
	return times_said(want) > 0;
}

static void end_listening(void)
{
	dup2(before, STDERR_FILENO);
	close(before);
	fclose(said);
}

/* The other end of what the number is now. */
static int take(const struct own_fd *own)
{
	int mine[2];
	EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, mine));
	EXPECT_INT(own->fd, dup3(mine[0], own->fd, O_CLOEXEC));
	close(mine[0]);
	return mine[1];
}

static void expect_untouched(int mine, int fd)
{
	char byte;
	EXPECT(recv(mine, &byte, 1, 0) < 0);
	EXPECT(fcntl(fd, F_GETFD) >= 0);
	close(mine);
	close(fd);
}

/* It looks at its descriptors when it is woken, and else at the next tick. */
static void await_said(const struct rig *r, const char *want)
{
	session_wake(r->session);
	while (!has_said(want))
		sched_yield();
}

struct expected_note {
	const char *text;
	int count;
};

static void count_note(void *arg, const struct record *r)
{
	struct expected_note *n = arg;
	if (r->kind == RECORD_note && r->note.severity == NOTE_WARNING &&
		memmem(r->note.text.at, r->note.text.len, n->text, strlen(n->text)))
		n->count++;
}

static void expect_noted(const struct rig *r, const char *text)
{
	struct agent_trace t = {0};
	struct expected_note n = {.text = text};
	EXPECT(agent_trace_load(&t, r->file));
	EXPECT(agent_trace_each(&t, count_note, &n) > 0);
	EXPECT_INT(1, n.count);
	agent_trace_release(&t);
}

/* It does without, and the trace is whole. */
static void expect_done_without(bool waker, const char *sentence)
{
	struct rig r;
	rig_begin(&r, 17);
	listen_to_stderr();
	EXPECT_INT(0, rig_open(&r, "", false));
	fake_vm_start();
	struct own_fd own = waker ? r.session->waker.caller : r.session->control.listener;
	int mine = take(&own);
	await_said(&r, sentence);
	rig_run(1000);
	fake_vm_die();
	rig_bury(&r);
	end_listening();
	expect_noted(&r, sentence);
	expect_untouched(mine, own.fd);
	EXPECT_INT(1000, rig_end(&r, true).end.samples);
}

TEST(a_waker_closed_by_the_program)
{
	expect_done_without(true, "the descriptor by which the agent's writer is woken");
}

/* Until something is in the file. */
static void write_some(struct session *s)
{
	char text[4000];
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (uint64_t was = output_bytes(&s->output); output_bytes(&s->output) == was;)
		recorder_note(&s->recorder, NOTE_INFO, text);
}

/* Not once a second: what is full by then would be lost. */
TEST(without_its_waker_it_looks_by_itself)
{
	enum { ROUNDS = 8 };
	struct rig r;
	rig_begin(&r, 17);
	listen_to_stderr();
	EXPECT_INT(0, rig_open(&r, "compress=no", true));
	struct own_fd own = r.session->waker.caller;
	int mine = take(&own);
	await_said(&r, "the agent's writer is woken");
	for (int i = 0; i < ROUNDS; i++)
		write_some(r.session);
	rig_stop(&r);
	end_listening();
	expect_untouched(mine, own.fd);
	EXPECT(rig_end(&r, true).ticks < ROUNDS / 2);
}

TEST(a_control_socket_closed_by_the_program)
{
	expect_done_without(false, "the descriptor of the control socket");
}

/* What was written stays; the recording ends, the program goes on. */
TEST(a_trace_closed_by_the_program)
{
	struct rig r;
	rig_begin(&r, 17);
	listen_to_stderr();
	EXPECT_INT(0, rig_open(&r, "", true));
	rig_run(100);
	rig_expect(&r, "flush", "ok");
	struct own_fd own = r.session->output.file;
	int mine = take(&own);
	rig_await(&r, STATE_OFF);
	EXPECT(has_said("the program closed the agent's descriptor of it; recording ends, the "
			"program goes on\n"));
	end_listening();
	expect_untouched(mine, own.fd);
	rig_run(100);
	struct agent_totals n = rig_end(&r, false);
	EXPECT(!n.ended);
	EXPECT_INT(100, n.births + n.allocs);
}

/* A trace that can't be written any more, while the VM does not let the writer in: it is said once,
 * however long that takes, and be it to the program's end. */
static void expect_said_once(bool dies)
{
	struct rig r;
	rig_begin(&r, 17);
	listen_to_stderr();
	EXPECT_INT(0, rig_open(&r, "", true));
	uint64_t calls = fake_vm_calls(FAKE_AttachCurrentThreadAsDaemon);
	fake_vm_refuse_all(FAKE_AttachCurrentThreadAsDaemon, true);
	struct own_fd own = r.session->output.file;
	int mine = take(&own);
	while (fake_vm_calls(FAKE_AttachCurrentThreadAsDaemon) < calls + 3)
		sched_yield();
	if (dies)
		fake_vm_die();
	fake_vm_refuse_all(FAKE_AttachCurrentThreadAsDaemon, false);
	if (dies)
		rig_bury(&r);
	rig_await(&r, STATE_OFF);
	EXPECT_INT(1, times_said("the program closed the agent's descriptor of it"));
	end_listening();
	expect_untouched(mine, own.fd);
	EXPECT(!rig_end(&r, false).ended);
}

TEST(trouble_is_said_once)
{
	expect_said_once(false);
	expect_said_once(true);
}
