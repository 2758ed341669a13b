/* Writes the seed corpus of the target `elf` into the directory it is given. */
#include <stdio.h>
#include <string.h>

#include "support/elf_file.h"
#include "support/library_file.h"
#include "support/xz_of.h"

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

/* Its functions by the probe, as of 17; a build id, a link to a debug file. */
static void make_noted(struct buf *out)
{
	enum { PROBE = 26, SIZE = 64 };
	static const uint8_t
		oop[] = "\x55\x48\x89\xe5\x48\x89\xfb\x41\x89\xf4\x48\x8b\x43\x08\x48\x8b"
			"\x58\x18\x49\xc1\xe4\x03\x48\x8d\x43\x06\x90\x31\xc0\x5d\xc3",
		thread[] = "\x55\x48\x89\xe5\x48\x89\xf3\x49\x89\xd4\x48\x8b\x43\x08\x48\x8b"
			   "\x58\x18\x49\xc1\xe4\x03\x48\x8d\x43\x06\x90\x31\xc0\x5d\xc3",
		*const codes[] = {oop, thread};
	struct library_file f = {.stripped = true};
	for (size_t i = 0; i < 2; i++) {
		uint64_t at = library_file_function(&f, "f", codes[i], sizeof(oop), SIZE);
		library_file_range(&f, at, SIZE);
		library_file_probe(
			&f, "object__alloc", at + PROBE, "-8@%rcx 8@%rax -4@%edx -4@%r12d");
	}
	library_file_build_id(&f, "\1\2\3\4\5\6\7\10", 8);
	buf_put(library_file_section(&f, ".gnu_debuglink", 0), "lib.debug\0\0\0\1\2\3\4", 16);
	library_file_put(&f, out);
	library_file_release(&f);
}

static void make_packed(struct buf *out)
{
	static const uint8_t push[] = {0x55, 0x48, 0x89, 0xe5};
	struct library_file f = {.stripped = true}, small = {.count = 0};
	struct buf file = {0};
	library_file_function(&small, "alloc", push, sizeof(push), 64);
	library_file_put(&small, &file);
	xz_of(library_file_section(&f, ".gnu_debugdata", 0), buf_slice(&file));
	library_file_put(&f, out);
	buf_release(&file);
	library_file_release(&small);
	library_file_release(&f);
}

int main(int argc, char **argv)
{
	struct buf file = {0}, vm = {0}, noted = {0}, packed = {0};
	if (argc != 2)
		return 2;
	elf_file_make(&file);
	make_vm(&vm);
	make_noted(&noted);
	make_packed(&packed);
	int failed = put(argv[1], "small", &file);
	failed |= put(argv[1], "vm", &vm);
	failed |= put(argv[1], "noted", &noted);
	return put(argv[1], "packed", &packed) || failed;
}
