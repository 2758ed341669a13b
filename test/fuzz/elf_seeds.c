/* Writes the seed corpus of the target `elf` into the directory it is given. */
#include <stdio.h>
#include <string.h>

#include "support/elf_file.h"
#include "support/library_file.h"

#define EXPAND "_ZN16PhaseMacroExpand22expand_allocate_commonEP12AllocateNodeP4NodePK8TypeFuncPh"

static int put(const char *folder, const char *name, struct buf *file)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "wb");
	size_t written = f ? fwrite(file->at, 1, file->len, f) : 0;
	int failed = !f || fclose(f) || written != file->len;
	buf_release(file);
	return failed;
}

/* The functions that C2's fast path on 11 is told by, and those of allocation. */
static void make_vm(struct buf *out)
{
	static const uint8_t push[] = {0x55, 0x48, 0x89, 0xe5},
			     flags[] = {0x88, 0x87, 0xa1, 0, 0, 0, 0x88, 0x87, 0xa4, 0, 0, 0},
			     expand[] = {
				     0x80, 0xb8, 0xa4, 0, 0, 0, 0, 0x80, 0xb8, 0xa1, 0, 0, 0, 0};
	struct library_file f = {.count = 0};
	library_file_function(
		&f, "_ZN13SharedRuntime19dtrace_object_allocEP7oopDesci", push, sizeof(push), 64);
	library_file_function(&f, "_ZN13SharedRuntime24dtrace_object_alloc_baseEP6ThreadP7oopDesci",
		push, sizeof(push), 64);
	library_file_function(&f, "_ZN5ciEnv18cache_dtrace_flagsEv", flags, sizeof(flags), 32);
	library_file_function(&f, EXPAND, expand, sizeof(expand), 256);
	library_file_put(&f, out);
	library_file_release(&f);
}

int main(int argc, char **argv)
{
	struct buf file = {0}, vm = {0};
	if (argc != 2)
		return 2;
	elf_file_make(&file);
	make_vm(&vm);
	int failed = put(argv[1], "small", &file);
	return put(argv[1], "vm", &vm) || failed;
}
