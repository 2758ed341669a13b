/* Bytes as a library's file: each symbol and section is read, the VM's functions are looked for,
 * and all stays inside. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hotspot/capabilities.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint8_t seen; /* so that nothing read is left out */

static void look(struct slice s)
{
	for (size_t i = 0; i < s.len; i++)
		seen = s.at[i];
}

/* As a VM's library, seen from outside. */
static void look_for_landmarks(const struct elf *e, const struct symbols *s)
{
	struct vm_library l = {.elf = *e, .symbols = *s};
	struct landmarks m;
	struct capabilities c;
	if (elf_section(e, ".text", &l.code))
		return;
	landmarks_find(&m, &l);
	for (unsigned major = 11; major <= 25; major += 2)
		capabilities_find(&c, &l, &m, major);
	for (int i = 0; i < LANDMARKS; i++)
		if (m.found[i].state == LANDMARK_FOUND)
			look(vm_library_code(&l, m.found[i].address, m.found[i].size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf e;
	struct elf_section section;
	struct symbols s;
	struct symbol found;
	if (elf_open(&e, slice(data, size), NULL))
		return 0;
	for (uint32_t i = 0; i < e.count && i < 64; i++)
		if (elf_section_at(&e, i, &section) == 0) {
			look(section.name);
			look(section.bytes);
		}
	if (symbols_open(&s, &e, NULL))
		return 0;
	for (size_t i = 0; i < s.count && i < 4096; i++)
		look(symbols_at(&s, i).name);
	symbols_find(&s, "alloc", false, &found);
	symbols_find(&s, "a", true, &found);
	look(found.name);
	look_for_landmarks(&e, &s);
	return 0;
}
