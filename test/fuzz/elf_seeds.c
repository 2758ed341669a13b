/* Writes the seed corpus of the target `elf` into the directory it is given. */
#include <stdio.h>

#include "support/elf_file.h"

int main(int argc, char **argv)
{
	struct buf file = {0};
	char path[512];
	if (argc != 2)
		return 2;
	snprintf(path, sizeof(path), "%s/small", argv[1]);
	elf_file_make(&file);
	FILE *f = fopen(path, "wb");
	size_t written = f ? fwrite(file.at, 1, file.len, f) : 0;
	int failed = !f || fclose(f) || written != file.len;
	buf_release(&file);
	return failed;
}
