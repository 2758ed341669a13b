#include "cli/ferry.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

static char there[32], here[64]; /* the program's /tmp, and a file on this side */

static int begin(struct ferry *f)
{
	snprintf(there, sizeof(there), "/tmp/mayfly-ferry-XXXXXX");
	EXPECT(mkdtemp(there) != NULL);
	snprintf(here, sizeof(here), "%s.here", there);
	int folder = open(there, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ferry_init(f, folder, 42);
	return folder;
}

static void end(struct ferry *f, int folder)
{
	ferry_release(f);
	close(folder);
	unlink(here);
	EXPECT_INT(0, rmdir(there)); /* nothing is left behind */
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	EXPECT(f != NULL);
	if (!f)
		return;
	fputs(text, f);
	fclose(f);
}

static void expect_text(const char *want, const char *path)
{
	char text[64] = "";
	FILE *f = fopen(path, "r");
	EXPECT(f != NULL);
	if (!f)
		return;
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	EXPECT_STR(want, text);
}

TEST(there_and_back)
{
	struct ferry f;
	struct diag d = {""};
	struct stat st;
	char path[128];
	int folder = begin(&f);
	write_text(here, "library");
	umask(077);
	EXPECT_INT(0, ferry_library(&f, here, &d));
	snprintf(path, sizeof(path), "%s/%s", there, f.library);
	expect_text("library", path);
	EXPECT_INT(0, stat(path, &st));
	EXPECT_INT(0755, st.st_mode & 07777);
	ferry_remove_library(&f);
	EXPECT_INT(-1, access(path, F_OK));

	EXPECT(!ferry_hold(&f));
	EXPECT_INT(ERR_NOT_FOUND, ferry_fetch(&f, here, &d));
	snprintf(path, sizeof(path), "%s/%s", there, f.file);
	write_text(path, "half");
	EXPECT(ferry_hold(&f));
	write_text(path, "the whole trace");
	EXPECT_INT(0, ferry_fetch(&f, here, &d));
	expect_text("the whole trace", here);
	EXPECT_INT(0, ferry_fetch(&f, here, &d)); /* again, from the descriptor: the name is gone */
	expect_text("the whole trace", here);
	end(&f, folder);
}

TEST(one_library_has_one_name)
{
	struct ferry first, again, other, held;
	struct diag d = {""};
	int folder = begin(&first);
	ferry_init(&again, folder, 42);
	ferry_init(&other, folder, 42);
	ferry_init(&held, folder, 42);
	write_text(here, "library");
	EXPECT_INT(0, ferry_library(&first, here, &d));
	char name[64];
	snprintf(name, sizeof(name), "%s", first.library);
	EXPECT_INT(0, ferry_library(&held, here, &d)); /* while the name is taken */
	EXPECT(strcmp(name, held.library) != 0);
	ferry_remove_library(&held);
	ferry_remove_library(&first);
	EXPECT_INT(0, ferry_library(&again, here, &d));
	EXPECT_STR(name, again.library);
	write_text(here, "newer library");
	EXPECT_INT(0, ferry_library(&other, here, &d));
	EXPECT(strcmp(name, other.library) != 0);
	ferry_remove_library(&again);
	ferry_remove_library(&other);
	end(&first, folder);
}

/* Else each later attach would load one more copy into the program. */
TEST(a_copy_that_was_left_over)
{
	struct ferry f;
	struct diag d = {""};
	struct stat st;
	char name[64], path[128];
	int folder = begin(&f);
	write_text(here, "library");
	EXPECT_INT(0, ferry_library(&f, here, &d));
	snprintf(name, sizeof(name), "%s", f.library);
	snprintf(path, sizeof(path), "%s/%s", there, name);
	ferry_remove_library(&f);
	write_text(path, "librar"); /* killed while it was copied */
	int loaded = open(path, O_RDONLY | O_CLOEXEC);
	EXPECT_INT(0, ferry_library(&f, here, &d));
	EXPECT_STR(name, f.library);
	expect_text("library", path);
	EXPECT(fstat(loaded, &st) == 0 && st.st_size == 6); /* not written over: it may be mapped */
	close(loaded);
	ferry_remove_library(&f);
	EXPECT_INT(0, symlink("/etc/passwd", path)); /* whatever that is, it is not ours */
	EXPECT_INT(0, ferry_library(&f, here, &d));
	EXPECT(strcmp(name, f.library) != 0);
	ferry_remove_library(&f);
	EXPECT_INT(0, unlink(path));
	end(&f, folder);
}

/* As a program on musl keeps it (agent/own_file.h). */
TEST(a_copy_that_the_program_keeps_open)
{
	struct ferry f;
	struct diag d = {""};
	char found[32] = "", want[32], again[32];
	int folder = begin(&f);
	write_text(here, "a library");
	EXPECT(!ferry_loaded(getpid(), here, found, sizeof(found)));
	EXPECT_INT(0, ferry_library(&f, here, &d));
	int kept = openat(folder, f.library, O_RDONLY | O_CLOEXEC);
	ferry_remove_library(&f);
	snprintf(want, sizeof(want), "/proc/self/fd/%d", kept);
	EXPECT(ferry_loaded(getpid(), here, found, sizeof(found)));
	EXPECT_STR(want, found);
	write_text(here, "another library");
	EXPECT(!ferry_loaded(getpid(), here, again, sizeof(again)));
	EXPECT(!ferry_loaded(getpid(), "/nowhere/at.so", again, sizeof(again)));
	close(kept);
	write_text(here, "a library");
	EXPECT(!ferry_loaded(getpid(), here, again, sizeof(again)));
	end(&f, folder);
}

TEST(what_the_other_side_might_put_there)
{
	struct ferry f;
	struct diag d = {""};
	char path[128];
	int folder = begin(&f);
	snprintf(path, sizeof(path), "%s/%s", there, f.file);
	EXPECT_INT(0, symlink("/etc/passwd", path));
	EXPECT(!ferry_hold(&f)); /* not followed */
	unlink(path);
	EXPECT_INT(0, mkfifo(path, 0600));
	EXPECT(!ferry_hold(&f)); /* and not waited for */
	unlink(path);
	EXPECT_INT(ERR_IO, ferry_library(&f, "/nowhere/libmayfly.so", &d));
	EXPECT_STR("", f.library);
	end(&f, folder);
}

TEST(a_place_that_can_not_be_written)
{
	struct ferry f;
	struct diag d = {""};
	char path[128];
	int folder = begin(&f);
	snprintf(path, sizeof(path), "%s/%s", there, f.file);
	write_text(path, "trace");
	EXPECT_INT(ERR_IO, ferry_fetch(&f, "/nowhere/x.mfly", &d));
	EXPECT(strstr(d.text, f.file) != NULL); /* where it still is */
	expect_text("trace", path);
	unlink(path);
	end(&f, folder);
}

TEST(a_disk_that_is_full)
{
	struct ferry f;
	struct diag d = {""};
	char path[128];
	int folder = begin(&f);
	struct rlimit was, small = {.rlim_cur = 4};
	snprintf(path, sizeof(path), "%s/%s", there, f.file);
	write_text(path, "trace");
	write_text(here, "before");
	signal(SIGXFSZ, SIG_IGN);
	EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &was));
	small.rlim_max = was.rlim_max;
	EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &small));
	EXPECT_INT(ERR_IO, ferry_fetch(&f, here, &d));
	EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &was));
	EXPECT(strstr(d.text, "could not be written: File too large; the trace is still in") !=
		NULL);
	expect_text("before", here); /* and no half of a trace */
	expect_text("trace", path);
	unlink(path);
	end(&f, folder);
}

TEST(own_process_is_not_elsewhere)
{
	EXPECT(!ferry_needed(getpid()));
	EXPECT(!ferry_needed(999999999));
}

TEST(a_file_that_only_the_program_and_we_may_read)
{
	struct ferry f;
	struct diag d = {""};
	struct stat st;
	char path[128];
	int folder = begin(&f);
	EXPECT_INT(0, ferry_create(&f, geteuid(), getegid(), &d));
	snprintf(path, sizeof(path), "%s/%s", there, f.file);
	EXPECT_INT(0, stat(path, &st));
	EXPECT_INT(0600, st.st_mode & 0777);
	EXPECT(ferry_hold(&f));
	write_text(path, "trace");
	ferry_discard(&f);
	EXPECT(stat(path, &st) != 0);
	/* It is read on through the descriptor. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", f.trace);
	expect_text("trace", path);
	end(&f, folder);
}

TEST(a_file_that_is_there_is_not_taken)
{
	struct ferry f;
	struct diag d = {""};
	char path[128];
	int folder = begin(&f);
	snprintf(path, sizeof(path), "%s/%s", there, f.file);
	write_text(path, "somebody else's");
	EXPECT_INT(ERR_IO, ferry_create(&f, geteuid(), getegid(), &d));
	expect_text("somebody else's", path);
	unlink(path);
	end(&f, folder);
}
