/* Runs a fuzz target over files, and over the files in folders, given as arguments. Needs no
 * fuzzer. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

enum { INPUT_MAX = 1 << 20 };

static unsigned long runs;

static bool run_file(const char *path)
{
	static uint8_t bytes[INPUT_MAX];
	FILE *f = fopen(path, "rb");
	if (!f) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	size_t len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	/* A block of just that size, so that a sanitizer sees a read beyond it. */
	uint8_t *exact = malloc(len ? len : 1);
	if (!exact)
		return false;
	memcpy(exact, bytes, len);
	LLVMFuzzerTestOneInput(exact, len);
	free(exact);
	runs++;
	return true;
}

static bool run_folder(const char *path)
{
	DIR *folder = opendir(path);
	bool ok = folder != NULL;
	for (struct dirent *e; ok && (e = readdir(folder));) {
		char file[4096];
		if (e->d_name[0] == '.')
			continue;
		int n = snprintf(file, sizeof(file), "%s/%s", path, e->d_name);
		ok = n > 0 && (size_t)n < sizeof(file) && run_file(file);
	}
	if (folder)
		closedir(folder);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = true;
	for (int i = 1; i < argc; i++) {
		struct stat st;
		bool is_folder = stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode);
		ok = (is_folder ? run_folder(argv[i]) : run_file(argv[i])) && ok;
	}
	printf("%lu inputs\n", runs);
	return ok && runs ? 0 : 1;
}
