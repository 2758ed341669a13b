/* Writes the seed corpus of the target `perfdata` into the directory it is given: one image for
 * each kind of VM. */
#include <stdio.h>
#include <string.h>

#include "support/perfimage.h"

static const struct {
	const char *file;
	const char *names[3];
} vms[] = {
	{"serial", {"Copy", "MSC", NULL}},
	{"g1", {"G1 young collection pauses", "G1 full collection pauses",
		       "G1 concurrent cycle pauses"}},
	{"zgc", {"ZGC minor collection pauses", NULL, "ZGC major collection pauses"}},
	{"shenandoah", {"Shenandoah partial", "Shenandoah full", NULL}},
	{"none", {NULL, NULL, NULL}},
};

static void fill(struct perfimage *i, const char *const names[3])
{
	perfimage_text(i, "sun.gc.cause", "No GC", PERFIMAGE_TEXT);
	perfimage_text(i, "sun.gc.lastCause", "System.gc()", PERFIMAGE_TEXT);
	perfimage_long(i, "sun.gc.generation.0.space.0.used", 1 << 20);
	perfimage_long(i, "sun.gc.generation.1.space.0.capacity", (8 << 20) + 8);
	perfimage_long(i, "sun.gc.generation.0.agetable.bytes.01", 4096);
	perfimage_long(i, "sun.os.hrt.frequency", 1000000000);
	for (int n = 0; n < 3; n++)
		if (names[n])
			perfimage_collector(i, n, names[n], n + 3);
}

static int save(const char *directory, const char *name, const struct perfimage *i)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	FILE *f = fopen(path, "wb");
	if (!f)
		return 1;
	size_t written = fwrite(i->bytes.at, 1, i->bytes.len, f);
	return fclose(f) != 0 || written != i->bytes.len;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	int failed = 0;
	for (size_t n = 0; n < sizeof(vms) / sizeof(vms[0]); n++) {
		struct perfimage i;
		perfimage_init(&i);
		fill(&i, vms[n].names);
		failed |= save(argv[1], vms[n].file, &i);
		perfimage_release(&i);
	}
	return failed;
}
