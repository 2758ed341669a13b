/*
 * How far a long reading has come: "reading  42 %", a line on a terminal that is drawn anew where
 * it stands, and erased at the end. Shown only where reading takes longer than PROGRESS_AFTER. Zero
 * is a valid one that shows nothing.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/types.h"
#include "trace/source.h"

enum { PROGRESS_TEXT = 32 };
#define PROGRESS_AFTER 1000000000u /* ns */
#define PROGRESS_EVERY 100000000u  /* ns between two drawings */

struct progress {
	struct source inner; /* owned */
	FILE *out;           /* borrowed; NULL: shows nothing */
	uint64_t size;       /* of the source, bytes */
	struct ns begin, drawn;
	bool shown; /* there is a line to erase */
};

/* What it says with `done` of `size` bytes read; a file that grows while it is read stays at 100 %.
 */
void progress_text(uint64_t done, uint64_t size, char out[PROGRESS_TEXT]);

/*
 * Puts itself between the source and its reader, and takes the source over: closing *s closes it.
 * *p must stay where it is until then. The clock starts now. Not thread-safe: one thread reads at a
 * time, and progress_end comes after the last.
 */
void progress_watch(struct progress *p, struct source *s, uint64_t size, FILE *out);
/* The same for the file at this path, drawn on stderr where redrawn lines are welcome there. */
void progress_watch_file(struct progress *p, struct source *s, const char *path);
/* Draws where it is time to: at `now`, `done` bytes are read. */
void progress_at(struct progress *p, struct ns now, uint64_t done);
/* Erases the line, where there is one: before anything else is printed. It may come again. */
void progress_clear(struct progress *p);

#endif
