#include "cli/draft.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

static char folder[] = "/tmp/mayfly-draft-XXXXXX";
static char path[64];

/* How many files there are. */
static size_t files(void)
{
	size_t count = 0;
	DIR *d = opendir(folder);
	while (d && readdir(d))
		count++;
	if (d)
		closedir(d);
	return count - 2;
}

static void expect_content(const char *want)
{
	char got[64] = "";
	FILE *f = fopen(path, "rb");
	EXPECT(f != NULL);
	if (!f)
		return;
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	EXPECT_STR(want, got);
}

static int put(struct draft *d, const char *text)
{
	struct sink sink = draft_sink(d);
	return sink.write(sink.arg, text, strlen(text));
}

TEST(a_file_appears_when_it_is_whole)
{
	struct draft d;
	struct diag diag = {""};
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/page", folder);
	for (int named = 0; named < 2; named++) {
		EXPECT_INT(0, draft_open(&d, path, named, &diag));
		EXPECT_INT(0, put(&d, "one"));
		EXPECT(access(path, F_OK) != 0);
		EXPECT_INT(named || !d.nameless, files());
		EXPECT_INT(0, put(&d, " two"));
		EXPECT_INT(7, d.written);
		EXPECT_INT(0, draft_keep(&d, &diag));
		expect_content("one two");
		EXPECT_INT(1, files());
		unlink(path);
	}
}

TEST(it_takes_the_place_of_what_was_there)
{
	struct draft d;
	struct stat st;
	mode_t mask = umask(027);
	for (int named = 0; named < 2; named++) {
		EXPECT_INT(0, draft_open(&d, path, named, NULL));
		EXPECT_INT(0, put(&d, named ? "new" : "old"));
		EXPECT_INT(0, draft_keep(&d, NULL));
		EXPECT_INT(0, stat(path, &st));
		EXPECT_INT(0640, st.st_mode & 0777);
	}
	umask(mask);
	expect_content("new");
	EXPECT_INT(1, files());
}

TEST(a_link_stays_a_link)
{
	char link[80];
	struct draft d;
	struct stat st;
	snprintf(link, sizeof(link), "%s.link", path);
	EXPECT_INT(0, symlink(path, link));
	EXPECT_INT(0, draft_open(&d, link, false, NULL));
	EXPECT_INT(0, put(&d, "through"));
	EXPECT_INT(0, draft_keep(&d, NULL));
	expect_content("through");
	EXPECT(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
	unlink(link);
}

TEST(what_is_dropped_leaves_nothing)
{
	struct draft d;
	struct diag diag = {""};
	for (int named = 0; named < 2; named++) {
		EXPECT_INT(0, draft_open(&d, path, named, NULL));
		EXPECT_INT(0, put(&d, "lost"));
		draft_drop(&d, &diag);
		expect_content("through");
		EXPECT_INT(1, files());
		EXPECT_STR("", diag.text);
	}
}

TEST(a_full_disk_is_told_and_leaves_nothing)
{
	struct draft d;
	struct diag diag = {""};
	struct rlimit was, small = {4, RLIM_INFINITY};
	signal(SIGXFSZ, SIG_IGN);
	EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &was));
	small.rlim_max = was.rlim_max;
	for (int named = 0; named < 2; named++) {
		EXPECT_INT(0, draft_open(&d, path, named, NULL));
		EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &small));
		EXPECT_INT(ERR_IO, put(&d, "too much"));
		EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &was));
		draft_drop(&d, &diag);
		EXPECT(strstr(diag.text, "/page could not be written: File too large") != NULL);
		EXPECT_INT(1, files());
	}
	expect_content("through");
}

TEST(devices_are_written_in_place)
{
	struct draft d;
	struct diag diag = {""};
	struct stat st;
	EXPECT_INT(0, draft_open(&d, "/dev/null", false, &diag));
	EXPECT_INT(0, put(&d, "gone"));
	EXPECT_INT(0, draft_keep(&d, &diag));
	EXPECT_INT(0, draft_open(&d, "/dev/full", false, &diag));
	EXPECT_INT(ERR_IO, put(&d, "no"));
	draft_drop(&d, &diag);
	EXPECT_STR("/dev/full could not be written: No space left on device", diag.text);
	EXPECT(stat("/dev/full", &st) == 0 && S_ISCHR(st.st_mode));
}

TEST(a_folder_that_is_not_there)
{
	struct draft d;
	struct diag diag = {""};
	EXPECT_INT(ERR_IO, draft_open(&d, "/nowhere/page", false, &diag));
	EXPECT_STR("/nowhere/page can't be written: No such file or directory", diag.text);
}

TEST(out_of_memory)
{
	struct draft d;
	uint64_t held = mem_held();
	for (uint64_t n = 1; n <= 2; n++) {
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, draft_open(&d, path, false, NULL));
		mem_fail_at(0);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(1, files());
	unlink(path);
	EXPECT_INT(0, rmdir(folder));
}
