#include "agent/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/recorder_names.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/agent_trace.h"
#include "support/tap.h"
#include "trace/codec.h"
#include "trace/reader.h"

static struct recorder recorder;
static struct output output;
static struct options options;
static char folder[64], path[128];

static void begin(bool compress)
{
	struct diag d = {0};
	snprintf(folder, sizeof(folder), "/tmp/mayfly-test-XXXXXX");
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/t.mfly", folder);
	options_init(&options);
	options.compress = compress;
	snprintf(options.file, sizeof(options.file), "%s", path);
	EXPECT_INT(0, recorder_init(&recorder, &options, 16, clock_now(), NULL));
	EXPECT_INT(0, output_open(&output, &options, &d));
	EXPECT_STR("", d.text);
}

static off_t file_size(void)
{
	struct stat st;
	return stat(path, &st) ? -1 : st.st_size;
}

static struct agent_totals end(bool complete)
{
	struct agent_trace t = {0};
	output_close(&output);
	recorder_release(&recorder);
	EXPECT(agent_trace_load(&t, path));
	EXPECT_INT(t.bytes.len, file_size());
	struct agent_totals n = agent_trace_verify(&t, complete);
	agent_trace_release(&t);
	unlink(path);
	EXPECT_INT(0, rmdir(folder));
	return n;
}

/* Notes of random text, which no codec shrinks, until that many blocks are full. */
static void fill(uint32_t blocks)
{
	static char text[4000];
	struct rng r = rng_init(tap_seed());
	while (recorder.journal.full_count < blocks) {
		for (size_t i = 0; i + 1 < sizeof(text); i++)
			text[i] = (char)(33 + rng_below(&r, 90));
		recorder_note(&recorder, NOTE_INFO, text);
	}
}

TEST(a_whole_file)
{
	static const bool compress[] = {false, true};
	for (size_t i = 0; i < 2; i++) {
		struct diag d = {0};
		begin(compress[i]);
		EXPECT_INT(compress[i], output.compress);
		for (int round = 0; round < 3; round++) {
			fill(4);
			EXPECT_INT(0, output_drain(&output, &recorder, false, &d));
			EXPECT_INT(file_size(), atomic_load(&output.written));
		}
		recorder_end(&recorder, END_STOPPED);
		EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
		EXPECT_INT(file_size(), atomic_load(&output.written));
		EXPECT_STR("", d.text);
		EXPECT(end(true).notes > 700);
	}
}

TEST(the_file_of_an_earlier_run_is_replaced)
{
	struct diag d = {0};
	begin(false);
	fill(2);
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	off_t before = file_size();
	output_close(&output);
	EXPECT_INT(0, output_open(&output, &options, &d));
	EXPECT(file_size() < before);
	recorder_end(&recorder, END_VM);
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	EXPECT_INT(0, end(true).notes);
}

/* As where a filter of system calls denies it. */
static bool may_not_cut;

int ftruncate(int fd, off_t len)
{
	if (!may_not_cut)
		return (int)syscall(SYS_ftruncate, fd, len);
	errno = EPERM;
	return -1;
}

/* A new file is as good as one that was cut; an earlier run's stays as it is, and is no mixture. */
TEST(where_no_file_may_be_cut)
{
	struct diag d = {0};
	may_not_cut = true;
	begin(false);
	fill(2);
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	off_t before = file_size();
	output_close(&output);
	EXPECT_INT(ERR_DENIED, output_open(&output, &options, &d));
	EXPECT(strstr(d.text, "can't empty the trace") && strstr(d.text, "not permitted"));
	EXPECT_INT(before, file_size());
	may_not_cut = false;
	EXPECT(end(false).notes > 0);
}

/* In another process, until it ends, by which what it wrote is not gone. */
static pid_t write_elsewhere(void)
{
	struct diag d = {0};
	int told[2];
	char byte = 0;
	EXPECT_INT(0, pipe2(told, O_CLOEXEC));
	pid_t pid = fork();
	if (pid == 0) {
		output_close(&output);
		byte = output_open(&output, &options, &d) ? 'n' : 'y';
		fill(2);
		(void)output_drain(&output, &recorder, true, &d);
		(void)!write(told[1], &byte, 1);
		pause();
	}
	close(told[1]);
	EXPECT_INT(1, read(told[0], &byte, 1));
	EXPECT_INT('y', byte);
	close(told[0]);
	return pid;
}

TEST(two_recordings_in_one_file)
{
	struct diag d = {0};
	char number[32];
	begin(false);
	output_close(&output);
	pid_t pid = write_elsewhere();
	off_t written = file_size();
	EXPECT(written > 400000);
	EXPECT_INT(ERR_IO, output_open(&output, &options, &d));
	snprintf(number, sizeof(number), "process %ld is writing", (long)pid);
	EXPECT(strstr(d.text, number) && strstr(d.text, path));
	output_discard(&output);
	EXPECT_INT(written, file_size());
	kill(pid, SIGKILL);
	EXPECT_INT(pid, waitpid(pid, NULL, 0));
	EXPECT_INT(0, output_open(&output, &options, &d));
	EXPECT_INT(32, file_size());
	recorder_end(&recorder, END_VM);
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	EXPECT_INT(0, end(true).notes);
}

/* The name is expanded; the mode lets others read. */
TEST(the_file)
{
	struct stat st;
	char name[128];
	struct diag d = {0};
	begin(false);
	output_close(&output);
	mode_t mask = umask(022);
	snprintf(options.file, sizeof(options.file), "%s/%%p-%%%%.mfly", folder);
	snprintf(name, sizeof(name), "%s/%ld-%%.mfly", folder, (long)getpid());
	EXPECT_INT(0, output_open(&output, &options, &d));
	EXPECT_STR(name, output.path);
	EXPECT_INT(0, stat(name, &st));
	EXPECT_INT(0644, st.st_mode & 0777);
	umask(mask);
	unlink(name);
	end(false);
}

TEST(a_program_keeps_its_own_files)
{
	struct diag d = {0};
	begin(false);
	output_close(&output);
	FILE *f = fopen(path, "wb");
	EXPECT(f && fputs("class X{}\n", f) >= 0 && fclose(f) == 0);
	EXPECT_INT(ERR_DENIED, output_open(&output, &options, &d));
	EXPECT(strstr(d.text, path) && strstr(d.text, "is no trace: it is not written over"));
	output_discard(&output);
	EXPECT_INT(10, file_size());
	unlink(path);
	EXPECT_INT(0, output_open(&output, &options, &d));
	recorder_end(&recorder, END_VM);
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	EXPECT_INT(0, end(true).notes);
}

TEST(what_can_not_be_opened_says_why)
{
	static const struct {
		const char *file;
		int err;
		const char *sentence;
	} rows[] = {
		{"/no/such/folder/t", ERR_NOT_FOUND,
			"can't create the trace /no/such/folder/t: No such file"},
		{"/", ERR_IO, "can't create the trace /: Is a directory"},
		{"/dev/full", ERR_IO, "can't write the trace /dev/full: No space left on device"},
		{"x%z", ERR_FORMAT, "%p"},
	};
	uint64_t held = mem_held();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diag d = {0};
		struct output o;
		options_init(&options);
		snprintf(options.file, sizeof(options.file), "%s", rows[i].file);
		EXPECT_INT(rows[i].err, output_open(&o, &options, &d));
		EXPECT(strstr(d.text, rows[i].sentence) != NULL);
		EXPECT(!own_fd_has(&o.file));
		EXPECT_INT(held, mem_held());
	}
}

/* The disk is full from the start. What is only reached by the file's name stays. */
TEST(what_can_not_begin_leaves_no_file)
{
	struct rlimit before, none;
	struct diag d = {0};
	struct output o;
	char link[160];
	struct stat st;
	begin(false);
	output_close(&output);
	unlink(path);
	EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &before));
	none = (struct rlimit){8, before.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &none));
	EXPECT_INT(ERR_IO, output_open(&o, &options, &d));
	EXPECT(lstat(path, &st) != 0);
	snprintf(link, sizeof(link), "%s.real", path);
	EXPECT_INT(0, symlink(link, path));
	EXPECT_INT(ERR_IO, output_open(&o, &options, &d));
	EXPECT(lstat(path, &st) == 0 && S_ISLNK(st.st_mode));
	EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &before));
	signal(SIGXFSZ, SIG_DFL);
	EXPECT(unlink(path) == 0 && unlink(link) == 0);
	EXPECT_INT(0, output_open(&output, &options, &d));
	recorder_end(&recorder, END_VM);
	(void)output_drain(&output, &recorder, true, &d);
	output_discard(&output); /* there is something in it */
	end(true);
}

static void open_at(const char *file, int err)
{
	struct diag d = {0};
	struct output o;
	options_init(&options);
	snprintf(options.file, sizeof(options.file), "%s", file);
	EXPECT_INT(err, output_open(&o, &options, &d));
	if (!err)
		EXPECT_INT(0, fcntl(o.file.fd, F_GETFL) & O_NONBLOCK);
	output_close(&o);
}

/* Nobody waits for a reader; where there is one, it gets all. */
TEST(a_pipe)
{
	char dir[] = "/tmp/mayfly-test-XXXXXX", file[64];
	EXPECT(mkdtemp(dir) != NULL);
	snprintf(file, sizeof(file), "%s/pipe", dir);
	EXPECT_INT(0, mkfifo(file, 0600));
	open_at(file, ERR_IO);
	int reader = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	EXPECT(reader >= 0);
	open_at(file, 0);
	close(reader);
	unlink(file);
	EXPECT_INT(0, rmdir(dir));
}

/*
 * The disk is full at every possible byte of a block: the file is cut back to whole blocks, the
 * sentence says why each time it is asked, blocks go on being taken so that the program does
 * not stall, and nothing more is written though there is room again.
 */
TEST(full_disk)
{
	struct rlimit before;
	EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &before));
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t room = 0; room < 300000; room += 29989) {
		struct diag d = {0};
		begin(false);
		fill(1);
		EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
		off_t whole = file_size();
		struct rlimit small = {(rlim_t)whole + room, before.rlim_max};
		EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &small));
		fill(3);
		EXPECT_INT(ERR_IO, output_drain(&output, &recorder, false, &d));
		EXPECT(strstr(d.text, "can't write the trace") && strstr(d.text, "File too large"));
		EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &before));
		EXPECT_INT(file_size(), atomic_load(&output.written));
		EXPECT(file_size() == whole || file_size() > whole + 200000);
		EXPECT_INT(0, recorder.journal.full_count);
		fill(2);
		d.text[0] = '\0';
		EXPECT_INT(ERR_IO, output_drain(&output, &recorder, true, &d));
		EXPECT(strstr(d.text, "File too large") != NULL);
		EXPECT_INT(0, recorder.journal.full_count);
		EXPECT_INT(file_size(), atomic_load(&output.written));
		EXPECT(!end(false).ended);
	}
	signal(SIGXFSZ, SIG_DFL);
}

TEST(out_of_memory)
{
	uint64_t held = mem_held();
	for (uint64_t n = 1; n < 6; n++) {
		struct diag d = {0};
		begin(n % 2);
		recorder_end(&recorder, END_VM);
		mem_fail_at(n);
		int err = output_drain(&output, &recorder, true, &d);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		EXPECT((err != 0) == (d.text[0] != '\0'));
		EXPECT_INT(!err, end(!err).ended);
		EXPECT_INT(held, mem_held());
	}
	for (uint64_t n = 1; n < 6; n++) {
		struct diag d = {0};
		options_init(&options);
		snprintf(options.file, sizeof(options.file), "/tmp/mayfly-test-%%p.mfly");
		mem_fail_at(n);
		int err = output_open(&output, &options, &d);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		EXPECT((err != 0) == (d.text[0] != '\0'));
		output_close(&output);
		unlink(output.path);
		EXPECT_INT(held, mem_held());
	}
}

/* A file of the program's in the place of the trace's, under its number. */
static int replace_file(char *name, size_t room)
{
	snprintf(name, room, "%s.mine", path);
	int got = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	EXPECT_INT(4, write(got, "mine", 4));
	EXPECT_INT(output.file.fd, dup3(got, output.file.fd, O_CLOEXEC));
	close(got);
	return output.file.fd;
}

static void expect_clean(int fd, const char *name)
{
	char bytes[8] = "";
	struct stat st;
	EXPECT_INT(0, fstat(fd, &st));
	EXPECT_INT(4, st.st_size);
	EXPECT_INT(4, pread(fd, bytes, sizeof(bytes), 0));
	EXPECT_STR("mine", bytes);
	close(fd);
	unlink(name);
}

/* The program closes what it does not own: its next file has the number, and nothing of ours. */
TEST(closed_by_the_program)
{
	struct diag d = {0};
	char mine[160];
	begin(false);
	fill(1);
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	off_t whole = file_size();
	int fd = replace_file(mine, sizeof(mine));
	fill(3);
	EXPECT_INT(ERR_IO, output_drain(&output, &recorder, false, &d));
	EXPECT(strstr(d.text, "the program closed the agent's descriptor of it") != NULL);
	EXPECT(strstr(d.text, path) != NULL);
	EXPECT_INT(whole, file_size());
	output_close(&output);
	expect_clean(fd, mine);
	EXPECT(!end(false).ended);
}

/* A folder that the program goes to is not where its trace is. */
TEST(a_name_without_a_folder)
{
	struct diag d = {0};
	struct output o;
	begin(false);
	EXPECT_INT(0, chdir(folder));
	options_init(&options);
	snprintf(options.file, sizeof(options.file), "t.mfly");
	EXPECT_INT(0, output_open(&o, &options, &d));
	EXPECT_INT(0, chdir("/"));
	EXPECT_STR(path, o.path);
	output_close(&o);
	recorder_end(&recorder, END_VM);
	(void)output_drain(&output, &recorder, true, &d);
	end(false);
}

/* -- A cyclic trace -- */

static void begin_cyclic(uint64_t bytes, uint64_t ns)
{
	struct diag d = {0};
	begin(true);
	output_close(&output);
	recorder_release(&recorder);
	options.cyclic = (struct option_stretch){.bytes = bytes, .ns = ns};
	EXPECT_INT(0, recorder_init(&recorder, &options, 16, clock_now(), NULL));
	EXPECT_INT(0, output_open(&output, &options, &d));
	EXPECT_STR("", d.text);
}

static uint64_t on_disk(void)
{
	struct stat st;
	return stat(path, &st) ? 0 : (uint64_t)st.st_blocks * 512;
}

/* Pauses: forgettable; a class and a thread now and then: to be told again in each segment. */
static void work(uint32_t n)
{
	char name[64];
	for (uint32_t i = 0; i < n; i++) {
		struct ns now = clock_now();
		recorder_pause(&recorder, now, now, n * 7919 + i);
		recorder_tick(&recorder, 0, 0);
		if (i % 64)
			continue;
		snprintf(name, sizeof(name), "Lcom/acme/C%u;", n * 100 + i);
		EXPECT(recorder_class(&recorder, name) > 0);
		EXPECT(recorder_thread(&recorder, "worker", 0) > 0);
	}
}

/* The trace is sound (ids dense, defined before use, all sums) at any moment, and so is what is
 * left of it. */
static struct forgotten verify_now(uint64_t classes, bool complete)
{
	struct source source;
	struct codec zstd;
	struct reader r;
	struct diag d = {""};
	struct agent_trace t = {0};
	EXPECT_INT(0, codec_zstd_init(&zstd, 1));
	EXPECT_INT(0, source_open_file(&source, path, NULL));
	EXPECT_INT(0, reader_init(&r, &source, &zstd, &d));
	struct forgotten f = r.forgotten;
	reader_release(&r);
	source_close(&source);
	codec_zstd_release(&zstd);
	EXPECT(agent_trace_load(&t, path));
	struct agent_totals n = agent_trace_verify(&t, complete);
	EXPECT(n.classes >= classes);
	agent_trace_release(&t);
	return f;
}

TEST(a_cyclic_file)
{
	enum { ROUNDS = 120 };
	static const struct option_stretch bounds[] = {{.bytes = 1 << 19}, {.ns = 1000000000}};
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		struct diag d = {0};
		struct forgotten f = {0};
		begin_cyclic(bounds[i].bytes, bounds[i].ns);
		for (uint32_t n = 1; n <= ROUNDS; n++) {
			recorder.start.v -= 50000000; /* so much time goes by */
			work(2000);
			EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
			output_turn(&output, &recorder, false);
			EXPECT(!bounds[i].bytes || on_disk() <= bounds[i].bytes + 8192);
			if (n % 20 == 0)
				f = verify_now(recorder.catalog.class_count, false);
		}
		EXPECT_STR("", d.text);
		EXPECT(f.blocks > ROUNDS / 4);
		EXPECT_INT(on_disk() / 16384, output_bytes(&output) / 16384);
		recorder_end(&recorder, END_VM);
		EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
		verify_now(recorder.catalog.class_count, true);
		end(true);
	}
}

/* What is told again in each segment needs more than there is: the file stays what it was. */
TEST(definitions_that_do_not_fit)
{
	struct diag d = {0};
	begin_cyclic(1 << 20, 0);
	for (int n = 0; n < 40 && !output.err; n++) {
		fill(1);
		(void)output_drain(&output, &recorder, true, &d);
		EXPECT(on_disk() <= (1 << 20) + 8192);
	}
	EXPECT_INT(ERR_FULL, output.err);
	EXPECT(strstr(d.text, "take more of") != NULL);
	verify_now(0, false);
	end(false);
}

/* Where the disk is full a cyclic trace makes room of its own: each of so many writes finds none,
 * at some byte of its block. */
static int full_writes;

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (fd == output.file.fd && full_writes) {
		size_t part = len > 5000 ? 5000 : 0;
		if (part)
			return syscall(SYS_write, fd, bytes, part);
		full_writes--;
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_write, fd, bytes, len);
}

TEST(a_cyclic_trace_on_a_full_disk)
{
	struct diag d = {0};
	begin_cyclic(4 << 20, 0);
	while (output.stretch.count < 6) {
		work(2000);
		EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
		output_turn(&output, &recorder, false);
	}
	struct forgotten before = verify_now(0, false);
	full_writes = 3;
	work(2000);
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	EXPECT_INT(0, full_writes);
	EXPECT_INT(3, output.stretch.count);
	struct forgotten after = verify_now(recorder.catalog.class_count, false);
	EXPECT(after.blocks > before.blocks);
	full_writes = 3; /* one more than there is to give */
	work(2000);
	EXPECT_INT(ERR_IO, output_drain(&output, &recorder, true, &d));
	EXPECT(strstr(d.text, "No space left on device") != NULL);
	full_writes = 0;
	verify_now(0, false);
	end(false);
}

/* Nor does it take space back of what is the program's by now. */
TEST(a_cyclic_trace_closed_by_the_program)
{
	struct diag d = {0};
	char mine[160];
	begin_cyclic(1 << 20, 0);
	while (output.stretch.count < 6) {
		work(2000);
		EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
		output_turn(&output, &recorder, false);
	}
	output.stretch.bytes = 1 << 19; /* so that there is something to take */
	int fd = replace_file(mine, sizeof(mine));
	output_turn(&output, &recorder, true);
	EXPECT_INT(ERR_IO, output.err);
	EXPECT(strstr(output.trouble.text, "the program closed") != NULL);
	output_close(&output);
	expect_clean(fd, mine);
	verify_now(0, false);
	end(false);
}
