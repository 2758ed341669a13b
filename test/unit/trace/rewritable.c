#include "trace/rewritable.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "support/tap.h"

static char folder[64], path[96];

static void begin(void)
{
	snprintf(folder, sizeof(folder), "/tmp/mayfly-test-XXXXXX");
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/file", folder);
}

static void end(void)
{
	unlink(path);
	EXPECT_INT(0, rmdir(folder));
}

static void put(const char *bytes, size_t len)
{
	FILE *f = fopen(path, "wb");
	EXPECT(f && fwrite(bytes, 1, len, f) == len);
	if (f)
		fclose(f);
}

TEST(only_what_is_empty_or_a_trace)
{
	static const struct {
		const char *bytes;
		size_t len;
		bool may;
	} rows[] = {
		{"", 0, true},
		{"\x89MFLY\r\n\x1a and so on", 18, true},
		{"\x89MFLY\r\n\x1a", 8, true},
		{"\x89MFLY\r\n", 7, false},
		{"\x89MFLY\n\x1a and so on", 17, false},
		{"class X{}", 9, false},
		{"\n", 1, false},
	};
	begin();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		put(rows[i].bytes, rows[i].len);
		EXPECT_INT(rows[i].may, rewritable(path));
	}
	end();
}

TEST(what_nobody_knows_may_be)
{
	begin();
	EXPECT(rewritable(path)); /* nothing is there */
	EXPECT(rewritable(folder));
	EXPECT(rewritable("/dev/null"));
	EXPECT_INT(0, mkfifo(path, 0600));
	EXPECT(rewritable(path)); /* and nobody was waited for */
	end();
}
