#include "cli/place.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "support/tap.h"

static void touch(const char *path)
{
	FILE *f = fopen(path, "w");
	EXPECT(f != NULL);
	if (f)
		fclose(f);
}

TEST(pid_goes_before_the_extension)
{
	static const struct {
		const char *pattern, *want;
		int added;
	} cases[] = {
		{"/a.b/app.mfly", "/a.b/app.%p.mfly", 1},
		{"/a.b/app", "/a.b/app.%p", 1},
		{"app-%p.mfly", "app-%p.mfly", 0},
		{"app%%p.mfly", "app%%p.%p.mfly", 1},
		{"/x/.hidden", "/x/.hidden.%p", 1},
		{"a%", "a%.%p", 1},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char pattern[32];
		snprintf(pattern, sizeof(pattern), "%s", cases[i].pattern);
		EXPECT_INT(cases[i].added, place_add_pid(pattern, sizeof(pattern)));
		EXPECT_STR(cases[i].want, pattern);
	}
	char full[] = "abcd";
	EXPECT_INT(0, place_add_pid(full, sizeof(full)));
	EXPECT_STR("abcd", full);
}

TEST(literal)
{
	char out[8];
	EXPECT_INT(0, place_literal("a%b", out, sizeof(out), NULL));
	EXPECT_STR("a%%b", out);
	EXPECT_INT(0, place_literal("", out, sizeof(out), NULL));
	EXPECT_STR("", out);
	EXPECT_INT(0, place_literal("123456", out, sizeof(out), NULL));
	EXPECT_INT(ERR_LIMIT, place_literal("12345678", out, sizeof(out), NULL));
	EXPECT_INT(ERR_LIMIT, place_literal("%%%%", out, sizeof(out), NULL));
}

struct names {
	struct buf all;
};

static void gather(void *arg, const char *path)
{
	const char *slash = strrchr(path, '/');
	buf_printf(&((struct names *)arg)->all, "%s ", slash ? slash + 1 : path);
}

static void expect_written(const char *want, const char *pattern, pid_t pid, time_t since)
{
	struct names names = {{0}};
	const struct place_before before = {.since = since};
	place_written(pattern, pid, &before, gather, &names);
	EXPECT_STR(want, buf_text(&names.all));
	buf_release(&names.all);
}

TEST(a_folder_with_everything)
{
	char folder[] = "/tmp/mayfly-[100%]-XXXXXX", path[PATH_MAX], pattern[PATH_MAX], small[16];
	struct diag d = {""};
	EXPECT(mkdtemp(folder) != NULL);
	EXPECT_INT(0, chdir(folder));
	EXPECT_INT(0, place_absolute("app-%p.mfly", pattern, sizeof(pattern), &d));
	snprintf(path, sizeof(path), "/tmp/mayfly-[100%%%%]-%s/app-%%p.mfly",
		folder + strlen(folder) - 6);
	EXPECT_STR(path, pattern);
	EXPECT_INT(ERR_LIMIT, place_absolute("app-%p.mfly", small, sizeof(small), &d));
	EXPECT_INT(0, place_absolute("/x", small, sizeof(small), &d));
	EXPECT_STR("/x", small);

	EXPECT_INT(0, place_writable(pattern, &d));
	EXPECT_INT(0, place_writable("plain.mfly", &d));
	EXPECT_INT(ERR_NOT_FOUND, place_writable("not/there.mfly", &d));
	EXPECT_INT(ERR_DENIED, place_writable("/proc/there.mfly", &d) ? ERR_DENIED : 0);
	EXPECT_INT(ERR_DENIED, place_writable("/tmp", &d));
	EXPECT_INT(ERR_DENIED, place_writable("/dev/null", &d));
	FILE *own = fopen("Own.java", "wb");
	EXPECT(own && fputs("class Own{}", own) >= 0 && fclose(own) == 0);
	EXPECT_INT(ERR_DENIED, place_writable("Own.java", &d));
	EXPECT(strstr(d.text, "Own.java is there and is no trace") != NULL);
	unlink("Own.java");
	EXPECT_INT(ERR_FORMAT, place_writable("%q.mfly", &d));
	EXPECT_INT(ERR_FORMAT, place_writable("./new/", &d));

	touch("app-17.mfly");
	touch("app-4.mfly");
	touch("app-x.mfly");
	touch("app-17-20260101-000000.mfly");
	expect_written("app-17.mfly ", pattern, 17, 0);
	expect_written("app-17.mfly ", "app-17.mfly", 17, 0);
	expect_written("app-17-20260101-000000.mfly ", "app-%p-%t.mfly", 17, 0);
	expect_written("app-17-20260101-000000.mfly app-17.mfly app-4.mfly ", pattern, 0, 0);
	expect_written("", pattern, 0, time(NULL) + 1000);
	expect_written("", "nothing.mfly", 0, 0);

	struct place_before before;
	struct names names = {{0}};
	EXPECT_INT(0, place_look("app-4.mfly", &before));
	EXPECT(before.files.count == 1 && before.since <= time(NULL));
	EXPECT_INT(0, place_written("app-4.mfly", 0, &before, gather, &names));
	EXPECT_INT(1, place_written("app-17.mfly", 0, &before, gather, &names));
	FILE *f = fopen("app-4.mfly", "w");
	EXPECT(f && fputs("anew", f) >= 0 && fclose(f) == 0);
	EXPECT_INT(1, place_written("app-4.mfly", 0, &before, gather, &names));
	EXPECT_STR("app-17.mfly app-4.mfly ", buf_text(&names.all));
	buf_release(&names.all);
	place_forget(&before);
	EXPECT_INT(0, place_look("nothing.mfly", &before));
	EXPECT(before.files.count == 0);
	place_forget(&before);

	/* Traces of runs just before are not this one's, whatever their number. */
	EXPECT_INT(0, place_look(pattern, &before));
	touch("app-5.mfly");
	EXPECT_INT(1, place_written(pattern, 0, &before, gather, &names));
	EXPECT_STR("app-5.mfly ", buf_text(&names.all));
	buf_release(&names.all);
	place_forget(&before);
	unlink("app-5.mfly");

	unlink("app-17.mfly");
	unlink("app-4.mfly");
	unlink("app-x.mfly");
	unlink("app-17-20260101-000000.mfly");
	EXPECT_INT(0, chdir("/"));
	EXPECT_INT(0, rmdir(folder)); /* the probes are gone too */
}

/* Ends with the pipe's other end. */
static pid_t lock_in_child(const char *path, int *end)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int ends[2];
	char byte = 0;
	EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		int fd = open(path, O_RDWR);
		bool fine = fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0 &&
			    write(ends[1], &byte, 1) == 1 && read(ends[1], &byte, 1) == 0;
		_exit(!fine);
	}
	close(ends[1]);
	EXPECT_INT(1, read(ends[0], &byte, 1));
	*end = ends[0];
	return child;
}

TEST(what_another_writes)
{
	char path[] = "/tmp/mayfly-locked-XXXXXX-1", pattern[] = "/tmp/mayfly-locked-XXXXXX-%p";
	struct place_before before;
	struct names names = {{0}};
	int end, status = 1;
	close(mkostemps(path, 2, 0));
	memcpy(pattern, path, strlen(path) - 1);
	EXPECT(!place_locked(path));
	pid_t child = lock_in_child(path, &end);
	EXPECT(place_locked(path));
	EXPECT_INT(0, place_look(pattern, &before));
	EXPECT_INT(0, truncate(path, 10)); /* as if it went on */
	EXPECT_INT(0, place_written(pattern, 0, &before, gather, &names));
	place_forget(&before);
	close(end);
	waitpid(child, &status, 0);
	EXPECT_INT(0, status);
	EXPECT_INT(0, place_look(pattern, &before));
	EXPECT_INT(0, truncate(path, 20));
	EXPECT_INT(1, place_written(pattern, 0, &before, gather, &names));
	place_forget(&before);
	buf_release(&names.all);
	unlink(path);
}

TEST(the_agent)
{
	char file[] = "/tmp/mayfly-agent-XXXXXX", odd[] = "/tmp/mayfly=agent-XXXXXX", out[PATH_MAX];
	struct diag d = {""};
	close(mkstemp(file));
	close(mkstemp(odd));
	setenv("MAYFLY_AGENT", file, 1);
	EXPECT_INT(0, place_agent(out, sizeof(out), &d));
	EXPECT_STR(file, out);
	EXPECT_INT(ERR_LIMIT, place_agent(out, 8, &d));
	setenv("MAYFLY_AGENT", odd, 1);
	EXPECT_INT(ERR_UNSUPPORTED, place_agent(out, sizeof(out), &d));
	setenv("MAYFLY_AGENT", "/nowhere/libmayfly.so", 1);
	EXPECT_INT(ERR_NOT_FOUND, place_agent(out, sizeof(out), &d));
	EXPECT_STR("MAYFLY_AGENT names /nowhere/libmayfly.so, which can't be read", d.text);
	unsetenv("MAYFLY_AGENT");
	EXPECT_INT(ERR_NOT_FOUND,
		place_agent(out, sizeof(out), &d)); /* there is none beside a unit test */
	EXPECT(strstr(d.text, "set MAYFLY_AGENT") != NULL);
	unlink(file);
	unlink(odd);
}
