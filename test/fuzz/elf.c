/* Bytes as a library's file: each symbol and section is read, and all stays inside. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hotspot/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned sum(struct slice s)
{
	unsigned n = 0;
	for (size_t i = 0; i < s.len; i++)
		n += s.at[i];
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf e;
	struct elf_section section;
	struct symbols s;
	struct symbol found;
	volatile unsigned n = 0;
	if (elf_open(&e, slice(data, size), NULL))
		return 0;
	for (uint32_t i = 0; i < e.count && i < 64; i++)
		if (elf_section_at(&e, i, &section) == 0)
			n += sum(section.name) + sum(section.bytes);
	if (symbols_open(&s, &e, NULL))
		return 0;
	for (size_t i = 0; i < s.count && i < 4096; i++)
		n += sum(symbols_at(&s, i).name);
	n += (unsigned)symbols_find(&s, "alloc", false, &found);
	n += (unsigned)symbols_find(&s, "a", true, &found);
	return 0;
}
