/* A small library: a few symbols, and no code. */
#ifndef SUPPORT_ELF_FILE_H
#define SUPPORT_ELF_FILE_H

#include "base/buf.h"

enum { ELF_FILE_NAMES = 1, ELF_FILE_SYMTAB, ELF_FILE_STRTAB, ELF_FILE_BSS, ELF_FILE_SECTIONS };

/*
 * Symbols: "alloc" (a function at 0x1000 of 64 bytes), "alloc_more" (0x2000), "twice" (0x2100 and
 * 0x2200), "missing" (not defined), "flag" (no function, 0x4000).
 */
void elf_file_make(struct buf *out);

#endif
