#include "agent/output.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/agent_trace.h"
#include "support/tap.h"

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
	EXPECT_INT(0, recorder_init(&recorder, &options, 16, clock_now(), -1));
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
		EXPECT_INT(-1, o.fd);
		EXPECT_INT(held, mem_held());
	}
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
