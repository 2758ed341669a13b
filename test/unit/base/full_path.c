#include "base/full_path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

TEST(from_the_root)
{
	char out[64], exact[5], small[4];
	EXPECT_INT(0, full_path("/a/b", out, sizeof(out)));
	EXPECT_STR("/a/b", out);
	EXPECT_INT(0, full_path("/a/b", exact, sizeof(exact)));
	EXPECT_STR("/a/b", exact);
	EXPECT_INT(ERR_LIMIT, full_path("/a/b", small, sizeof(small)));
	EXPECT_STR("/a/", small);
}

TEST(from_the_folder)
{
	char out[PATH_MAX], want[PATH_MAX], folder[] = "/tmp/mayfly-path-XXXXXX", small[12];
	EXPECT(mkdtemp(folder) && chdir(folder) == 0);
	snprintf(want, sizeof(want), "%s/b/c", folder);
	EXPECT_INT(0, full_path("b/c", out, sizeof(out)));
	EXPECT_STR(want, out);
	EXPECT_INT(ERR_LIMIT, full_path("b/c", small, sizeof(small)));
	EXPECT_STR("b/c", small);
	EXPECT_INT(0, rmdir(folder));
	errno = 0;
	EXPECT_INT(ERR_IO, full_path("b/c", out, sizeof(out)));
	EXPECT_INT(ENOENT, errno);
	EXPECT_STR("b/c", out);
	EXPECT_INT(0, chdir("/"));
	EXPECT_INT(0, full_path("b", out, sizeof(out)));
	EXPECT_STR("/b", out);
}
