/* The VM's compressed tables of line numbers: pairs of a bytecode index and a line, as differences.
 */
#ifndef HOTSPOT_LINE_TABLE_H
#define HOTSPOT_LINE_TABLE_H

#include <stdbool.h>

#include "base/slice.h"

/* How the VM packs numbers: without bytes of 0 from JDK 20 on. */
enum unsigned5 { UNSIGNED5_PLAIN, UNSIGNED5_NO_ZERO };

/* The number at *at, which moves behind it. False: the bytes end before, or it can't be one. */
bool unsigned5_read(struct slice bytes, enum unsigned5 kind, size_t *at, uint32_t *out);

struct line_entry {
	uint32_t bci, line;
};

/* Code has 65 535 bytes at most. */
enum { LINE_TABLE_MOST = 1 << 16 };

/* How many entries it has: up to the first that no bytecode can have, or LINE_TABLE_MOST. */
size_t line_table_count(struct slice table, enum unsigned5 kind);
/* The entries by rising bci, those of one bci as they come; as far as there is room. Returns how
 * many. */
size_t line_table_read(
	struct slice table, enum unsigned5 kind, struct line_entry *out, size_t room);

/* The line of the instruction at bci; 0: not told. `table` may be longer than what is used of it.
 */
uint32_t line_table_line(struct slice table, enum unsigned5 kind, uint32_t bci);

#endif
