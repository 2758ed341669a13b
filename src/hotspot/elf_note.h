/* The notes of a library's file: its build id, and what else sections of notes hold. */
#ifndef HOTSPOT_ELF_NOTE_H
#define HOTSPOT_ELF_NOTE_H

#include <stdbool.h>

#include "base/cursor.h"
#include "hotspot/elf.h"

struct elf_note {
	struct slice name, bytes; /* the name without its NUL */
	uint32_t type;
};

/* The next note of a section's bytes; false at the end, or where the rest is none. */
bool elf_note_next(struct cursor *c, struct elf_note *out);
/* What the linker made of all that it linked; empty where there is none. */
struct slice elf_build_id(const struct elf *e);

#endif
