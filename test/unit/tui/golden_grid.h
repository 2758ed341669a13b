/* Grids compared with golden/NAME.txt. UPDATE_GOLDENS=1 in the environment writes the files anew:
 * read the difference before it is kept. */
#ifndef UNIT_TUI_GOLDEN_GRID_H
#define UNIT_TUI_GOLDEN_GRID_H

#include "tui/grid.h"

void golden_text(const char *name, const char *got);
void golden_grid(const char *name, const struct grid *g);

#endif
