/* How wide characters are on a terminal. */
#ifndef REPORT_GLYPH_H
#define REPORT_GLYPH_H

#include <stddef.h>
#include <stdint.h>

/* Columns that it takes: 0 for marks, which join the character before, 2 for wide ones, else 1. */
size_t glyph_columns(uint32_t code);

#endif
