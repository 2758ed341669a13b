/*
 * The VM's library: its file, and where it stands in this process. Addresses of symbols count from
 * the library's start; vm_library_at turns them into pointers.
 *
 * A package manager may have put another file in the place of the one that runs. Its symbols would
 * send patches anywhere, so the two are compared (build id, else the beginning of the code), and a
 * library whose file is another is refused.
 */
#ifndef HOTSPOT_LIBRARY_H
#define HOTSPOT_LIBRARY_H

#include "hotspot/symbol_source.h"

enum { VM_LIBRARY_PATH_MAX = 4096 };

struct vm_library {
	char path[VM_LIBRARY_PATH_MAX];
	uint8_t *base;     /* where it is loaded in this process; NULL: looked at from outside */
	struct slice file; /* mapped, read-only; owned */
	struct elf elf;    /* of the file */
	struct symbols symbols; /* count 0: there are none; symbols.whole: all, not the exported */
	struct symbol_source source; /* whose they are */
	struct elf_section code;     /* .text */
	bool musl;                   /* made for that C library */
};

/*
 * The library that `inside` points into, in this process. ERR_NOT_FOUND: it points into none, or
 * the file is gone; ERR_CORRUPT: the file is another than the one that runs; errors of elf_open.
 */
int vm_library_open(struct vm_library *l, const void *inside, struct diag *d);
/* A file, from outside: nothing of it runs. */
int vm_library_open_file(struct vm_library *l, const char *path, struct diag *d);
/* Gives the memory back that unpacked symbols take. None is found any more; whether they were whole
 * is still known. */
void vm_library_forget_symbols(struct vm_library *l);
void vm_library_release(struct vm_library *l);

/*
 * `count` bytes of code at the address: those in memory where the library is loaded, else those of
 * the file. Empty where they are not inside .text.
 */
struct slice vm_library_code(const struct vm_library *l, uint64_t address, uint64_t count);
/* A pointer into the loaded library; NULL where it is not loaded, or has no such address. */
void *vm_library_at(const struct vm_library *l, uint64_t address);

/* What is missing where symbols are: "" (they are whole), or a phrase. */
const char *vm_library_lack(const struct vm_library *l);

#endif
