#include "base/real_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

static void expect(const char *want, const char *path)
{
	char out[PATH_MAX], cwd[PATH_MAX], whole[PATH_MAX + 64];
	EXPECT_INT(0, real_path(path, out));
	EXPECT(getcwd(cwd, sizeof(cwd)) != NULL);
	snprintf(whole, sizeof(whole), "%s/%s", cwd, want);
	EXPECT_STR(out[0] == '/' ? whole : want, out);
}

TEST(links_are_followed_to_what_is_there_and_to_what_is_not)
{
	char folder[] = "/tmp/mayfly-real-XXXXXX", out[PATH_MAX], longest[PATH_MAX + 1];
	EXPECT(mkdtemp(folder) && chdir(folder) == 0);
	EXPECT(mkdir("a", 0700) == 0 && mkdir("b", 0700) == 0);
	expect("new", "new");
	EXPECT(symlink("../b/file", "a/link") == 0 && symlink("a/link", "again") == 0);
	expect("a/../b/file", "a/link");
	expect("a/../b/file", "again");
	EXPECT(symlink("/tmp/nobody/has/it", "away") == 0 && real_path("away", out) == 0);
	EXPECT_STR("/tmp/nobody/has/it", out);
	fclose(fopen("b/file", "w"));
	expect("b/file", "again");
	EXPECT(symlink("round", "round") == 0);
	EXPECT_INT(ERR_LIMIT, real_path("round", out));
	memset(longest, 'x', PATH_MAX);
	longest[PATH_MAX] = '\0';
	EXPECT_INT(ERR_LIMIT, real_path(longest, out));
	EXPECT(unlink("b/file") == 0 && unlink("a/link") == 0 && unlink("again") == 0);
	EXPECT(unlink("away") == 0 && unlink("round") == 0 && rmdir("a") == 0 && rmdir("b") == 0);
	EXPECT(chdir("/") == 0 && rmdir(folder) == 0);
}
