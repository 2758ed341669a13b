/* Bytes as a library's file: each symbol, section and note is read, its packed symbols are
 * unpacked, the VM's functions are looked for, by name and by the VM's probe, and all stays inside.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hotspot/capabilities.h"
#include "hotspot/elf_note.h"
#include "hotspot/sdt_note.h"
#include "hotspot/unwind_table.h"

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

static void look_at_notes(const struct elf *e)
{
	struct sdt_notes notes;
	struct sdt_note n;
	struct unwind_range range;
	look(elf_build_id(e));
	if (sdt_notes_open(&notes, e))
		return;
	for (int i = 0; i < 64 && sdt_notes_next(&notes, &n); i++) {
		look(n.provider);
		look(n.name);
		for (unsigned k = 0; k < 5; k++)
			seen = (uint8_t)sdt_argument(n.arguments, k).reg;
		unwind_table_find(e, n.address, &range);
	}
}

/* As symbols_open, but of all that the library's own bytes have; no path leads to a debug file. */
static void look_further(const struct elf *e)
{
	struct symbol_source s;
	struct symbols all;
	struct symbol found;
	if (symbol_source_open(&s, &all, e, "/none/lib.so", NULL))
		return;
	symbols_find(&all, "alloc", false, &found);
	look(found.name);
	look(slice_str(symbol_source_name(&s)));
	symbol_source_release(&s);
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
	look_at_notes(&e);
	look_further(&e);
	if (symbols_open(&s, &e, NULL)) {
		look_for_landmarks(&e, &s); /* by the probe */
		return 0;
	}
	for (size_t i = 0; i < s.count && i < 4096; i++)
		look(symbols_at(&s, i).name);
	symbols_find(&s, "alloc", false, &found);
	symbols_find(&s, "a", true, &found);
	look(found.name);
	look_for_landmarks(&e, &s);
	return 0;
}
