#include <stdio.h>
#include <stdlib.h>

#include "golden/cases.h"
#include "support/tap.h"

static bool load(struct buf *out, const char *name, const char *suffix)
{
	char path[4096];
	uint8_t part[4096];
	size_t n;
	snprintf(path, sizeof(path), "%s/%s%s", GOLDEN_FOLDER, name, suffix);
	FILE *f = fopen(path, "rb");
	tap_check(f != NULL, __FILE__, __LINE__, "%s: can't be read", path);
	while (f && (n = fread(part, 1, sizeof(part), f)) > 0)
		buf_put(out, part, n);
	if (f)
		fclose(f);
	return f != NULL;
}

/* The committed files are what this version writes: another result is a change of the format. */
TEST(written_as_ever)
{
	for (size_t i = 0; i < golden_count; i++) {
		struct buf file = {0}, built = {0};
		load(&file, goldens[i].name, ".mfly");
		goldens[i].build(&built);
		tap_check(goldens[i].inexact || slice_equal(buf_slice(&file), buf_slice(&built)),
			__FILE__, __LINE__, "%s: other bytes than before", goldens[i].name);
		buf_release(&file);
		buf_release(&built);
	}
}

TEST(read_as_ever)
{
	for (size_t i = 0; i < golden_count; i++) {
		struct buf file = {0}, want = {0}, got = {0};
		load(&file, goldens[i].name, ".mfly");
		load(&want, goldens[i].name, ".txt");
		golden_dump(&got, slice(file.len ? file.at : (const uint8_t *)"", file.len));
		EXPECT_STR(buf_text(&want), buf_text(&got));
		buf_release(&file);
		buf_release(&want);
		buf_release(&got);
	}
}
