/*
 * The symbols of a library: .symtab where its builder kept it. Most JDKs' libjvm has it; where it
 * is stripped, only what the library exports has names (.dynsym).
 */
#ifndef HOTSPOT_SYMBOLS_H
#define HOTSPOT_SYMBOLS_H

#include <stdbool.h>

#include "hotspot/elf.h"

struct symbol {
	struct slice name;      /* mangled; borrowed from the file */
	uint64_t address, size; /* bytes; the address from the library's start */
	bool function;
};

struct symbols {
	struct slice table, names; /* borrowed from the file */
	size_t count;
	bool whole; /* of .symtab: all that the linker saw */
};

/* HotSpot has some 60 000, and all are gone over for each name. */
enum { SYMBOLS_MAX = 1 << 22 };

/* 0; ERR_NOT_FOUND: there are none at all; ERR_CORRUPT; ERR_LIMIT: more than SYMBOLS_MAX. */
int symbols_open(struct symbols *s, const struct elf *e, struct diag *d);
/* i < count. */
struct symbol symbols_at(const struct symbols *s, size_t i);
/*
 * How many defined symbols have this name, or, with `prefix`, begin with it; the first goes to
 * *out. More than one is no answer: a name may stand for several copies.
 */
size_t symbols_find(const struct symbols *s, const char *name, bool prefix, struct symbol *out);

#endif
