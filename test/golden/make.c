/* Writes the golden traces and their texts below the folder it is given; then read the difference.
 */
#include <stdio.h>

#include "golden/cases.h"

static int save(const char *folder, const char *name, const char *suffix, struct slice bytes)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffix);
	FILE *f = fopen(path, "wb");
	if (f && fwrite(bytes.at, 1, bytes.len, f) == bytes.len && fclose(f) == 0)
		return 0;
	perror(path);
	return 1;
}

int main(int argc, char **argv)
{
	int failures = 0;
	if (argc != 2) {
		fprintf(stderr, "usage: golden_make test/golden\n");
		return 2;
	}
	for (size_t i = 0; i < golden_count; i++) {
		struct buf bytes = {0}, text = {0};
		goldens[i].build(&bytes);
		golden_dump(&text, buf_slice(&bytes));
		failures += save(argv[1], goldens[i].name, ".mfly", buf_slice(&bytes));
		failures += save(argv[1], goldens[i].name, ".txt", buf_slice(&text));
		buf_release(&bytes);
		buf_release(&text);
	}
	return failures ? 1 : 0;
}
