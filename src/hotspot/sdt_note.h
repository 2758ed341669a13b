/*
 * The probes that a library has for SystemTap and bpftrace (.note.stapsdt): an address in the code,
 * and where the values are that the probe tells. They stay in a stripped library.
 */
#ifndef HOTSPOT_SDT_NOTE_H
#define HOTSPOT_SDT_NOTE_H

#include <stdbool.h>

#include "hotspot/elf_note.h"

struct sdt_notes {
	struct cursor left;
	uint64_t base; /* where .stapsdt.base is: notes count from where it was when they were made
			*/
};

struct sdt_note {
	uint64_t address;                       /* from the library's start */
	struct slice provider, name, arguments; /* "-8@%rax 8@%rdx -4@%ecx" */
};

struct sdt_argument {
	unsigned size; /* bytes; 0: there is no such argument, or it is in no register */
	bool is_signed;
	unsigned reg; /* 0 to 15: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 … */
};

/* 0; ERR_NOT_FOUND: there are none. */
int sdt_notes_open(struct sdt_notes *n, const struct elf *e);
/* The next one; false at the end, or where the rest is none. */
bool sdt_notes_next(struct sdt_notes *n, struct sdt_note *out);

/* The argument of that number, from 0, where it is in a register. */
struct sdt_argument sdt_argument(struct slice arguments, unsigned number);

#endif
