#include "cli/overwrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

#define MARKER "<marker one=\""

enum { CHUNK = 65536 };

static char folder[] = "/tmp/mayfly-overwrite-XXXXXX";
static char path[64];

/* A file with the text at an offset, and dots before and behind. */
static void write_file(const char *text, size_t at, size_t size)
{
	FILE *f = fopen(path, "wb");
	for (size_t i = 0; f && i < size;) {
		if (i == at) {
			i += (size_t)fprintf(f, "%s", text);
		} else {
			fputc('.', f);
			i++;
		}
	}
	if (f)
		fclose(f);
}

TEST(what_may_be_written_over)
{
	struct diag d = {""};
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/file", folder);
	EXPECT_INT(0, overwrite_check(path, MARKER, "a page", &d));
	write_file("", 1, 0);
	EXPECT_INT(0, overwrite_check(path, MARKER, "a page", &d));
	EXPECT_INT(0, overwrite_check("/dev/null", MARKER, "a page", &d));
	EXPECT_INT(ERR_DENIED, overwrite_check(folder, MARKER, "a page", &d));
	EXPECT(strstr(d.text, "is a folder") != NULL);
	write_file("<marker one=", 0, 100);
	EXPECT_INT(ERR_DENIED, overwrite_check(path, MARKER, "a page", &d));
	EXPECT(strstr(d.text, "is there and is not a page: --force writes over it") != NULL);
}

/* Wherever it stands, across the borders of what is read at once too. */
TEST(the_marker_is_found_anywhere)
{
	struct diag d = {""};
	size_t len = strlen(MARKER);
	for (size_t border = 0; border <= 3 * CHUNK; border += CHUNK)
		for (size_t back = 0; back < 2 * len && back <= border; back++) {
			write_file(MARKER, border - back, border + 2 * len);
			EXPECT_INT(0, overwrite_check(path, MARKER, "a page", &d));
		}
}

TEST(the_same_file_by_another_name)
{
	char other[sizeof(path) + 8];
	snprintf(other, sizeof(other), "%s.2", path);
	EXPECT(!overwrite_same(path, other));
	EXPECT_INT(0, symlink(path, other));
	EXPECT(overwrite_same(path, other));
	EXPECT(!overwrite_same("/nowhere/a", "/nowhere/a"));
	unlink(other);
	unlink(path);
	rmdir(folder);
}
