/*
 * A library's file (ELF of 64 bits, little-endian) as far as finding its sections needs it. The
 * bytes are hostile: each offset and length is checked against the file before it is used.
 */
#ifndef HOTSPOT_ELF_H
#define HOTSPOT_ELF_H

#include "base/diag.h"
#include "base/slice.h"

struct elf {
	struct slice file;    /* borrowed */
	struct slice headers; /* of the sections */
	struct slice names;   /* of the sections */
	uint32_t count;
};

struct elf_section {
	struct slice name, bytes; /* bytes: empty where the file holds none (.bss) */
	uint64_t address;         /* where it is loaded, from the library's start */
	uint32_t link;            /* the number of the section that belongs to it */
};

/* ERR_FORMAT: not ELF; ERR_UNSUPPORTED: of another kind of machine; ERR_TRUNCATED. */
int elf_open(struct elf *e, struct slice file, struct diag *d);
/* The section of that number, from 0. 0, ERR_NOT_FOUND, or ERR_CORRUPT: it is not inside the file.
 */
int elf_section_at(const struct elf *e, uint32_t index, struct elf_section *out);
/* The first section of that name. Errors as elf_section_at. */
int elf_section(const struct elf *e, const char *name, struct elf_section *out);

/* The text at `offset` of a table of texts, without its NUL; empty where there is none, or none
 * that short: a hostile table that never ends would be gone over for each symbol. */
enum { ELF_TEXT_MAX = 1 << 12 };
struct slice elf_text(struct slice table, uint64_t offset);

#endif
