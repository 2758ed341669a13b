#include "unit/tui/golden_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tap.h"

static void read_all(const char *path, struct buf *out)
{
	char bytes[4096];
	FILE *f = fopen(path, "rb");
	for (size_t n; f && (n = fread(bytes, 1, sizeof(bytes), f)) > 0;)
		buf_put(out, bytes, n);
	if (f)
		fclose(f);
}

static void write_all(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");
	EXPECT(f && fputs(text, f) >= 0);
	if (f)
		fclose(f);
}

/* The first line that differs. */
static void tell(const char *name, const char *want, const char *got)
{
	for (int line = 1; *want || *got; line++) {
		int w = (int)strcspn(want, "\n"), g = (int)strcspn(got, "\n");
		if (w != g || memcmp(want, got, (size_t)w) != 0) {
			tap_check(false, name, line,
				"differs:\n#   want \"%.*s\"\n#   got  \"%.*s\"", w, want, g, got);
			return;
		}
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
	}
}

void golden_text(const char *name, const char *got)
{
	char path[512];
	struct buf want = {0};
	snprintf(path, sizeof(path), "%s/%s.txt", TUI_GOLDENS, name);
	if (getenv("UPDATE_GOLDENS"))
		write_all(path, got);
	read_all(path, &want);
	if (strcmp(buf_text(&want), got) != 0)
		tell(name, buf_text(&want), got);
	else
		tap_check(true, name, 0, "as it should be");
	buf_release(&want);
}

void golden_grid(const char *name, const struct grid *g)
{
	struct buf text = {0};
	grid_text(g, &text);
	golden_text(name, buf_text(&text));
	buf_release(&text);
}
