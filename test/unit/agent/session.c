#include "agent/session.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/agent_rig.h"
#include "support/tap.h"
#include "trace/format.h"

TEST(attached_and_stopped)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "interval=64k", true));
	EXPECT_INT(STATE_RECORDING, atomic_load(&r.session->state));
	EXPECT_INT(65536, fake_vm_interval());
	rig_run(200);
	rig_stop(&r);
	struct agent_totals n = rig_end(&r, true);
	EXPECT_INT(END_STOPPED, n.end.reason);
	EXPECT_INT(200, n.end.samples);
	EXPECT_INT(200, n.end.walked);
	EXPECT_INT(10, n.pauses + n.gcs);
	EXPECT(n.deaths > 100 && n.facts > 5);
}

/* From Agent_OnLoad to VMDeath. Deaths that the VM still holds are told at the end. */
TEST(from_the_vms_start_to_its_end)
{
	struct rig r;
	rig_begin(&r, 21);
	EXPECT_INT(0, rig_open(&r, "interval=64k", false));
	EXPECT_INT(STATE_WAITING, atomic_load(&r.session->state));
	rig_run(5);
	fake_vm_start();
	EXPECT_INT(STATE_RECORDING, atomic_load(&r.session->state));
	rig_run(100);
	static const int stack[] = {1};
	size_t last = fake_vm_allocate(0, 100, stack, 1);
	fake_vm_drop(last);
	fake_vm_collect(false);
	fake_vm_die();
	EXPECT_INT(STATE_STOPPING, atomic_load(&r.session->state));
	rig_run(5); /* late callbacks find nothing */
	EXPECT(fake_vm_tag(last) == 0);
	rig_bury(&r);
	struct agent_totals n = rig_end(&r, true);
	EXPECT_INT(END_VM, n.end.reason);
	EXPECT_INT(101, n.end.samples);
}

static void *leave_by_exit(void *arg)
{
	session_process_exit(arg);
	return NULL;
}

static void find_silence(void *arg, const struct record *r)
{
	*(int *)arg += r->kind == RECORD_note &&
		       memmem(r->note.text.at, r->note.text.len, "without a word", 14) != NULL;
}

/* As by a signal's handler that calls exit in a thread that holds the recorder's lock: the end does
 * not wait for that lock, but for the writer, and not for ever. */
TEST(exit_amid_a_sample)
{
	struct rig r;
	struct agent_trace t = {0};
	pthread_t thread;
	int notes = 0;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", true));
	rig_run(100);
	pthread_mutex_lock(&r.session->recorder.lock);
	EXPECT_INT(0, pthread_create(&thread, NULL, leave_by_exit, r.session));
	uint64_t until = clock_now().v + 20000000000ull;
	while (!atomic_load(&r.session->vm_dies) && clock_now().v < until)
		sched_yield();
	EXPECT(atomic_load(&r.session->vm_dies));
	pthread_mutex_unlock(&r.session->recorder.lock);
	pthread_join(thread, NULL);
	fake_vm_die();
	rig_bury(&r);
	EXPECT(agent_trace_load(&t, r.file));
	agent_trace_each(&t, find_silence, &notes);
	EXPECT_INT(1, notes);
	agent_trace_release(&t);
	EXPECT_INT(100, rig_end(&r, true).end.samples);
}

TEST(the_vm_ends_before_it_is_up)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", false));
	fake_vm_die();
	rig_bury(&r);
	EXPECT_INT(0, rig_end(&r, true).end.samples);
}

TEST(one_recording_after_the_other)
{
	for (int i = 0; i < 4; i++) {
		struct rig r;
		rig_begin(&r, i % 2 ? 11 : 25);
		EXPECT_INT(0, rig_open(&r, i % 2 ? "max-live=16" : "compress=no", true));
		rig_run(100);
		rig_stop(&r);
		struct agent_totals n = rig_end(&r, true);
		EXPECT_INT(100, n.end.walked);
		EXPECT_INT(1, n.threads);
	}
}

/* One environment serves all of a VM's recordings; what an earlier one left means nothing to them.
 */
static void expect_one_environment(int major)
{
	static const int stack[] = {1};
	struct rig r;
	rig_begin(&r, major);
	for (int i = 0; i < 5; i++) {
		EXPECT_INT(0, rig_open(&r, i == 3 ? "engine=nop" : "", true));
		EXPECT(fake_vm_holds_sampler());
		if (i) /* what the last recording followed, and the VM still held at its end */
			fake_vm_tell_deaths();
		EXPECT_INT(0, rig_status(&r, "died"));
		rig_run(i == 3 ? 0 : 100);
		for (int k = 0; k < 40; k++)
			fake_vm_drop(fake_vm_allocate(k % FAKE_CLASSES, 100, stack, 1));
		fake_vm_collect(false);
		EXPECT((fake_vm_tagged() > 0) == (i != 3));
		rig_stop(&r);
		struct agent_trace t = {0};
		EXPECT(agent_trace_load(&t, r.file));
		EXPECT_INT(i == 3 ? 0 : 140, agent_trace_verify(&t, true).end.walked);
		agent_trace_release(&t);
	}
	EXPECT_INT(1, fake_vm_calls(FAKE_SetEventCallbacks));
	rig_end(&r, true);
}

TEST(one_environment)
{
	expect_one_environment(17);
	expect_one_environment(21);
}

/* Tags that can't be taken out mean nothing to the next recording. */
TEST(tags_that_stay)
{
	struct rig r;
	rig_begin(&r, 17);
	for (int i = 0; i < 3; i++) {
		EXPECT_INT(0, rig_open(&r, "", true));
		rig_run(100);
		fake_vm_refuse_all(FAKE_GetObjectsWithTags, true);
		rig_stop(&r);
		fake_vm_refuse_all(FAKE_GetObjectsWithTags, false);
		EXPECT(fake_vm_kept_tags() && fake_vm_tagged_classes() == FAKE_CLASSES);
		struct agent_trace t = {0};
		EXPECT(agent_trace_load(&t, r.file));
		EXPECT_INT(100, agent_trace_verify(&t, true).births);
		agent_trace_release(&t);
	}
	rig_end(&r, true);
}

struct limits {
	uint64_t capacity;
	int notes;
};

static void keep_limits(void *arg, const struct record *r)
{
	struct limits *l = arg;
	if (r->kind == RECORD_config)
		l->capacity = r->config.capacity;
	else if (r->kind == RECORD_note)
		l->notes += r->note.text.len > 9 && memcmp(r->note.text.at, "max-live=", 9) == 0;
}

/* max-live is had in full where the memory is; where not, the trace says how far it went. */
TEST(max_live_and_the_memory)
{
	static const struct {
		const char *options;
		uint64_t capacity;
		int notes;
	} rows[] = {
		{"max-live=200000", 200000, 0},
		{"max-live=16777215,memory=1m", (1 << 19) / 28, 1},
		{"max-live=16777215,memory=4m", (1 << 21) / 28, 1},
		{"memory=1m", 16384, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct agent_trace t = {0};
		struct limits l = {0};
		struct rig r;
		rig_begin(&r, 17);
		EXPECT_INT(0, rig_open(&r, rows[i].options, true));
		rig_expect(&r, "flush", "ok");
		EXPECT(agent_trace_load(&t, r.file));
		EXPECT(agent_trace_each(&t, keep_limits, &l) > 0);
		EXPECT_INT(rows[i].capacity, l.capacity);
		EXPECT_INT(rows[i].notes, l.notes);
		agent_trace_release(&t);
		rig_stop(&r);
		rig_end(&r, true);
	}
}

static bool no_zstd;

/* For all of this program: as if the library were not there. */
void *dlopen(const char *name, int flags)
{
	static void *(*real)(const char *, int);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return no_zstd && name && strstr(name, "zstd") ? NULL : real(name, flags);
}

static void count_uncompressed(void *arg, const struct record *r)
{
	static const char begin[] = "the trace is not compressed";
	if (r->kind == RECORD_note && r->note.severity == NOTE_WARNING &&
		r->note.text.len > sizeof(begin) &&
		memcmp(r->note.text.at, begin, sizeof(begin) - 1) == 0)
		++*(int *)arg;
}

/* That a trace is larger than it could be is told, unless it was to be. */
TEST(without_zstd)
{
	static const struct {
		const char *options;
		bool none;
		int notes;
	} rows[] = {{"", false, 0}, {"", true, 1}, {"compress=no", true, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct agent_trace t = {0};
		struct rig r;
		int notes = 0;
		rig_begin(&r, 17);
		no_zstd = rows[i].none;
		EXPECT_INT(0, rig_open(&r, rows[i].options, true));
		no_zstd = false;
		rig_expect(&r, "flush", "ok");
		EXPECT(agent_trace_load(&t, r.file));
		EXPECT(agent_trace_each(&t, count_uncompressed, &notes) > 0);
		EXPECT_INT(rows[i].notes, notes);
		agent_trace_release(&t);
		rig_stop(&r);
		rig_end(&r, true);
	}
}

static void keep_interval(void *arg, const struct record *r)
{
	if (r->kind == RECORD_config)
		*(uint64_t *)arg = r->config.interval;
}

/* Tenure (which does no more than that with the nop engine) learns from more samples, unless an
 * interval was asked for, be it the usual one. */
TEST(the_interval_that_was_asked_for)
{
	static const struct {
		const char *options;
		uint64_t interval;
	} rows[] = {
		{"", 512 << 10},
		{"engine=nop,tenure", 128 << 10},
		{"engine=nop,tenure,interval=512k", 512 << 10},
		{"interval=64k,engine=nop,tenure", 64 << 10},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct agent_trace t = {0};
		uint64_t interval = 0;
		struct rig r;
		rig_begin(&r, 17);
		EXPECT_INT(0, rig_open(&r, rows[i].options, true));
		rig_expect(&r, "flush", "ok");
		EXPECT(agent_trace_load(&t, r.file));
		EXPECT(agent_trace_each(&t, keep_interval, &interval) > 0);
		EXPECT_INT(rows[i].interval, interval);
		agent_trace_release(&t);
		rig_stop(&r);
		rig_end(&r, true);
	}
}

TEST(recording_already)
{
	struct rig r;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "", true));
	EXPECT_INT(ERR_RUNNING, rig_open(&r, "", true));
	EXPECT(strstr(r.diag.text, r.file) != NULL);
	EXPECT_INT(STATE_RECORDING, atomic_load(&r.session->state));
	rig_stop(&r);
	rig_end(&r, true);
}

/* In another thread, which has not come far. */
TEST(attached_by_two_at_once)
{
	struct rig r;
	rig_begin(&r, 17);
	atomic_store(&r.session->opening, true);
	EXPECT_INT(ERR_RUNNING, rig_open(&r, "", true));
	EXPECT_INT(0, fake_vm_calls(FAKE_SetEventCallbacks));
	EXPECT(access(r.file, F_OK) != 0);
	atomic_store(&r.session->opening, false);
	EXPECT(rig_open(&r, "depth=x", true) != 0);
	EXPECT_INT(0, rig_open(&r, "", true));
	rig_stop(&r);
	rig_end(&r, true);
}

TEST(what_can_not_begin_says_why)
{
	static const struct {
		const char *options;
		int err;
		const char *sentence;
	} rows[] = {
		{"intervall=1", ERR_NOT_FOUND, "did you mean 'interval'"},
		{"depth=x", ERR_FORMAT, "depth takes"},
		{"thread=(", ERR_FORMAT, "thread=( is no regular expression"},
		{"file=/no/such/folder/t.mfly", ERR_NOT_FOUND, "/no/such/folder/t.mfly"},
		{"file=%x", ERR_FORMAT, "%p"},
		{"control=/no/such/folder/s", ERR_IO, "/no/such/folder/s"},
		{"file=/dev/full", ERR_IO, "No space left"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rig r;
		rig_begin(&r, 17);
		EXPECT_INT(rows[i].err, rig_open(&r, rows[i].options, true));
		EXPECT(strstr(r.diag.text, rows[i].sentence) != NULL);
		if (!strstr(r.diag.text, rows[i].sentence))
			printf("# got: %s\n", r.diag.text);
		rig_end(&r, false);
	}
}

TEST(another_agent_samples)
{
	struct rig r;
	rig_begin(&r, 17);
	fake_vm_take_sampler();
	EXPECT_INT(ERR_BUSY, rig_open(&r, "", true));
	EXPECT(access(r.file, F_OK) != 0); /* an old trace of that name would still be there */
	rig_end(&r, false);
}

/* Makes the session be off, whatever became of it. */
static void take_down(struct rig *r, int err)
{
	if (!err && atomic_load(&r->session->state) != STATE_OFF) {
		char reply[512];
		rig_request(r, "stop", reply, sizeof(reply));
		if (strncmp(reply, "error 16", 8) == 0) /* refused: it says so, and goes on */
			rig_request(r, "stop", reply, sizeof(reply));
		EXPECT(!*reply || strncmp(reply, "ok", 2) == 0);
	}
	rig_await(r, STATE_OFF);
}

/* What could not begin leaves no file, or one that says why. */
static void expect_no_empty_file(const struct rig *r)
{
	struct stat st;
	EXPECT(stat(r->file, &st) != 0 || st.st_size > FILE_HEADER);
}

static const uint64_t times[] = {1, 2, 3, 4, 5, 7, 10, 20, 40};

/* Whatever call is refused, at its n-th time: it ends clean, and says so where it could not begin.
 */
TEST(refused_at_every_call)
{
	static const char *const options[] = {
		"compress=no", "compress=no,thread=worker-[0-9]+,max-live=32"};
	for (int call = 0; call < FAKE_CALL_COUNT * 2; call++) {
		for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
			struct rig r;
			rig_begin(&r, 21);
			fake_vm_refuse((enum fake_call)(call / 2), times[i]);
			int err = rig_open(&r, options[call % 2], true);
			EXPECT((err != 0) == (r.diag.text[0] != '\0'));
			if (err)
				expect_no_empty_file(&r);
			rig_run(100);
			take_down(&r, err);
			rig_end(&r, !err);
		}
	}
}

/* The same in a recording that begins with the VM: what fails in VMInit ends it too. */
TEST(refused_at_the_vms_start)
{
	for (int call = 0; call < FAKE_CALL_COUNT; call++) {
		for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
			struct rig r;
			rig_begin(&r, 17);
			fake_vm_refuse((enum fake_call)call, times[i]);
			int err = rig_open(&r, "compress=no", false);
			fake_vm_start();
			rig_run(50);
			take_down(&r, err);
			rig_end(&r, !err);
		}
	}
}

/* Out of memory from the n-th allocation on: through the opening, or through all of it. */
TEST(out_of_memory)
{
	int opened = 0;
	for (uint64_t n = 1; opened < 40; n++) {
		struct rig r;
		rig_begin(&r, 17);
		mem_fail_at(n);
		int err = rig_open(&r, "max-live=16,depth=100", true);
		EXPECT((err != 0) == (r.diag.text[0] != '\0'));
		opened += !err;
		if (n % 2)
			mem_fail_at(0);
		rig_run(100);
		mem_fail_at(0);
		take_down(&r, err);
		rig_end(&r, false);
	}
}

TEST(out_of_memory_to_the_end)
{
	for (uint64_t n = 1; n < 300; n += 3) {
		struct rig r;
		rig_begin(&r, 17);
		EXPECT_INT(0, rig_open(&r, "", true));
		mem_fail_at(n);
		rig_run(200);
		take_down(&r, 0);
		mem_fail_at(0);
		rig_end(&r, false);
	}
}

/* A child of fork in the middle of a recording does nothing to its parent's trace. */
TEST(fork_in_a_recording)
{
	struct rig r;
	int status = 0;
	rig_begin(&r, 17);
	EXPECT_INT(0, rig_open(&r, "compress=no", true));
	rig_run(100);
	pid_t child = fork();
	if (child == 0) {
		bool entered = session_enter(r.session);
		rig_run(3000);
		_exit(entered || atomic_load(&r.session->inside) != 0 ||
			atomic_load(&r.session->state) != STATE_OFF);
	}
	EXPECT_INT(child, waitpid(child, &status, 0));
	EXPECT_INT(0, status);
	rig_run(100);
	rig_expect(&r, "flush", "ok");
	rig_stop(&r);
	EXPECT_INT(200, rig_end(&r, true).end.samples);
}

/* The disk is full in the middle: the recording ends by itself, what was written stays, the program
 * goes on. */
TEST(full_disk)
{
	struct rig r;
	struct rlimit before, small;
	rig_begin(&r, 17);
	EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &before));
	signal(SIGXFSZ, SIG_IGN);
	small = (struct rlimit){300000, before.rlim_max};
	EXPECT_INT(0, rig_open(&r, "compress=no,max-walks=0,max-rate=0", true));
	EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &small));
	while (atomic_load(&r.session->state) == STATE_RECORDING)
		rig_run(1000);
	rig_await(&r, STATE_OFF);
	EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &before));
	signal(SIGXFSZ, SIG_DFL);
	rig_run(100);
	struct agent_totals n = rig_end(&r, false);
	EXPECT(!n.ended);
	EXPECT(n.births > 1000);
}

/* What goes through the pipe from now on, into a file of the same name. */
static void drain(int pipe_end, const char *file)
{
	char bytes[4096];
	unlink(file);
	FILE *f = fopen(file, "w");
	for (ssize_t n; f && (n = read(pipe_end, bytes, sizeof(bytes))) > 0;)
		EXPECT_INT(n, fwrite(bytes, 1, (size_t)n, f));
	EXPECT(f && fclose(f) == 0);
	close(pipe_end);
}

/* The pipe has an end when the writer is gone, and its file closed. */
static void *close_later(void *arg)
{
	struct session *s = arg;
	pthread_mutex_lock(&s->lock);
	while (s->writer_runs)
		pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
	output_close(&s->output);
	return NULL;
}

/* The disk stands still when the program ends: that waits for it for some seconds, and says that
 * the rest is missing. The disk is a pipe that nobody reads until then. */
TEST(a_disk_that_does_not_keep_up)
{
	struct rig r;
	char said[512] = "", want[512];
	pthread_t closer;
	rig_begin(&r, 17);
	EXPECT_INT(0, mkfifo(r.file, 0600));
	int pipe_end = open(r.file, O_RDONLY | O_NONBLOCK), before = dup(STDERR_FILENO);
	FILE *err = tmpfile();
	EXPECT(fcntl(pipe_end, F_SETPIPE_SZ, 4096) == 4096);
	EXPECT_INT(0, rig_open(&r, "compress=no", true));
	rig_run(1000);
	dup2(fileno(err), STDERR_FILENO);
	fake_vm_die();
	dup2(before, STDERR_FILENO);
	snprintf(want, sizeof(want),
		"mayfly: 5 seconds after the program's end its trace %s was not written yet: it is "
		"cut there\n",
		r.file);
	rewind(err);
	EXPECT(fread(said, 1, sizeof(said) - 1, err) > 0);
	EXPECT_STR(want, said);
	EXPECT(r.session->writer_runs);
	/* It would have been whole. */
	EXPECT_INT(0, fcntl(pipe_end, F_SETFL, 0));
	EXPECT_INT(0, pthread_create(&closer, NULL, close_later, r.session));
	drain(pipe_end, r.file);
	pthread_join(closer, NULL);
	rig_bury(&r);
	EXPECT_INT(1000, rig_end(&r, true).end.samples);
	fclose(err);
	close(before);
}

/* Threads that run all the while; stop in the middle of it. */
enum { THREADS = 4 };
static _Atomic bool enough;

static void *work(void *arg)
{
	fake_vm_be(*(int *)arg);
	while (!atomic_load(&enough))
		rig_run(50);
	return NULL;
}

TEST(threads)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	struct rig r;
	rig_begin(&r, 17);
	atomic_store(&enough, false);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i + 1;
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	}
	for (int round = 0; round < 5; round++) {
		EXPECT_INT(0, rig_open(&r, "max-live=64,max-walks=0,max-rate=0", true));
		while (rig_status(&r, "samples") < 500)
			rig_expect(&r, "flush", "ok");
		rig_stop(&r);
		struct agent_trace t = {0};
		EXPECT(agent_trace_load(&t, r.file));
		struct agent_totals n = agent_trace_verify(&t, true);
		EXPECT(n.end.samples >= 500 && n.births > 0 && n.deaths > 0);
		agent_trace_release(&t);
	}
	atomic_store(&enough, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	rig_end(&r, true);
}
