#include "agent/decisions_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

static char folder[64], path[96];

static void begin(void)
{
	snprintf(folder, sizeof(folder), "/tmp/mayfly-decisions-XXXXXX");
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/decisions.json", folder);
}

static int files(void)
{
	int count = 0;
	DIR *d = opendir(folder);
	for (struct dirent *e = readdir(d); e; e = readdir(d))
		count += e->d_name[0] != '.';
	closedir(d);
	return count;
}

static void end(void)
{
	unlink(path);
	EXPECT_INT(0, rmdir(folder));
}

static void put(const char *text, size_t times)
{
	FILE *out = fopen(path, "w");
	for (size_t i = 0; i < times; i++)
		fputs(text, out);
	fclose(out);
}

static void add(struct decisions *d, const char *method)
{
	struct decision *one = decisions_add(d);
	EXPECT_INT(0, decision_text(&one->at.class_name, "com.acme.Shop"));
	EXPECT_INT(0, decision_text(&one->at.method, method));
	EXPECT_INT(0, decision_text(&one->at.descriptor, "()V"));
	EXPECT_INT(0, decision_text(&one->allocates, "byte[]"));
	one->at.bci = 7;
}

static void expect(const char *method, int err, const char *sentence)
{
	struct decisions d;
	struct diag diag = {0};
	EXPECT_INT(err, decisions_file_read(path, &d, &diag));
	EXPECT_INT(method != NULL, d.list.count > 0);
	if (method && d.list.count)
		EXPECT_STR(method, d.list.at[0].at.method);
	if (err)
		tap_check(strstr(diag.text, sentence) && strstr(diag.text, path), __FILE__,
			__LINE__, "%s", diag.text);
	decisions_release(&d);
}

TEST(no_file_is_no_decisions)
{
	begin();
	expect(NULL, ERR_NONE, "");
	end();
}

/* Each takes the place of the one before, whole, and leaves nothing beside it. */
TEST(what_is_written_is_read)
{
	struct diag diag;
	begin();
	for (int i = 0; i < 2; i++) {
		const char *method = i ? "second" : "first";
		struct decisions d = {.list = {0}};
		add(&d, method);
		EXPECT_INT(0, decisions_file_write(path, &d, &diag));
		expect(method, ERR_NONE, "");
		EXPECT_INT(1, files());
		decisions_release(&d);
	}
	end();
}

TEST(what_can_not_be_read_is_said)
{
	begin();
	EXPECT_INT(0, mkdir(path, 0700));
	expect(NULL, ERR_IO, "can't be read: Is a directory");
	EXPECT_INT(0, rmdir(path));
	EXPECT_INT(0, mkfifo(path, 0600)); /* nobody ever writes to it */
	expect(NULL, ERR_IO, "can't be read: it is no regular file");
	EXPECT_INT(0, unlink(path));
	put("{\"mayfly\": 1, ", 1);
	expect(NULL, ERR_FORMAT, "line 1");
	put("{\"mayfly\": 99}", 1);
	expect(NULL, ERR_VERSION, "another version of mayfly");
	put("                                                                ",
		DECISIONS_BYTES / 64 + 1);
	expect(NULL, ERR_LIMIT, "larger than 8 MB");
	end();
}

static mode_t mode_of(const char *name)
{
	struct stat st;
	EXPECT_INT(0, stat(name, &st));
	return st.st_mode & 07777;
}

static void write_one(const char *to)
{
	struct diag diag;
	struct decisions d = {.list = {0}};
	add(&d, "run");
	EXPECT_INT(0, decisions_file_write(to, &d, &diag));
	decisions_release(&d);
}

/* Be there something behind it yet or not. */
TEST(a_link_to_it_stays_and_so_does_who_may_read_it)
{
	char link[128];
	struct stat st;
	begin();
	snprintf(link, sizeof(link), "%s/link.json", folder);
	EXPECT_INT(0, symlink("decisions.json", link));
	for (int i = 0; i < 2; i++) {
		write_one(link);
		expect("run", ERR_NONE, "");
		EXPECT(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
		EXPECT_INT(2, files());
		EXPECT_INT(i ? 0620 : 0644 & ~umask(022), mode_of(path));
		EXPECT_INT(0, chmod(path, 0620));
	}
	EXPECT_INT(0, unlink(link));
	end();
}

/* In containers that share a folder all programs may have the same number. */
TEST(what_another_process_of_this_number_writes_beside_it_stays)
{
	struct decisions d = {.list = {0}};
	struct diag diag;
	char beside[128], has[8] = "";
	begin();
	add(&d, "open");
	snprintf(beside, sizeof(beside), "%s.%ld", path, (long)getpid());
	int fd = open(beside, O_RDWR | O_CREAT | O_EXCL, 0600);
	EXPECT_INT(4, write(fd, "half", 4));
	EXPECT_INT(0, decisions_file_write(path, &d, &diag));
	EXPECT_INT(4, pread(fd, has, sizeof(has), 0));
	EXPECT_STR("half", has);
	EXPECT_INT(2, files());
	expect("open", 0, "");
	close(fd);
	EXPECT_INT(0, unlink(beside));
	decisions_release(&d);
	end();
}

TEST(what_can_not_be_written_is_said)
{
	char nowhere[128];
	struct diag diag = {0};
	struct decisions d = {.list = {0}};
	begin();
	snprintf(nowhere, sizeof(nowhere), "%s/none/decisions.json", folder);
	EXPECT_INT(ERR_IO, decisions_file_write(nowhere, &d, &diag));
	EXPECT(strstr(diag.text, "could not be saved to") && strstr(diag.text, "No such file"));
	/* A folder in its place: what was written beside goes again. */
	EXPECT_INT(0, mkdir(path, 0700));
	EXPECT_INT(ERR_IO, decisions_file_write(path, &d, &diag));
	EXPECT_INT(1, files());
	EXPECT_INT(0, rmdir(path));
	end();
}
