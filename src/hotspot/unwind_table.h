/*
 * Where functions begin and end, by the table for unwinding the stack (.eh_frame), which a stripped
 * library keeps. A compiler may split a function, so that a range is a part of one.
 */
#ifndef HOTSPOT_UNWIND_TABLE_H
#define HOTSPOT_UNWIND_TABLE_H

#include "hotspot/elf.h"

struct unwind_range {
	uint64_t address, size; /* bytes; the address from the library's start */
};

/*
 * The range that has the address. 0; ERR_NOT_FOUND: none, or more than one; ERR_UNSUPPORTED: there
 * is no table that can be read.
 */
int unwind_table_find(const struct elf *e, uint64_t address, struct unwind_range *out);

#endif
