/*
 * The separate file with the symbols of a stripped library, as distributions install it:
 *
 *     /usr/lib/debug/.build-id/ab/cdef….debug       by the library's build id
 *     NAME beside the library, in .debug there, or in /usr/lib/debug/FOLDER     by .gnu_debuglink
 *
 * It is taken only if it is of the same build: the build ids are the same, or, where one of them
 * has none, the checksum that .gnu_debuglink has of it is right.
 */
#ifndef HOTSPOT_DEBUG_FILE_H
#define HOTSPOT_DEBUG_FILE_H

#include "hotspot/elf.h"

#define DEBUG_FILE_FOLDER "/usr/lib/debug"
enum { DEBUG_FILE_PATH_MAX = 4096 };

struct debug_file {
	char path[DEBUG_FILE_PATH_MAX];
	struct slice file; /* mapped, read-only; owned */
	struct elf elf;    /* of the file */
};

/*
 * `path`: of the library; where that begins with /proc/PID/root, so does what is looked for.
 * `folder`: DEBUG_FILE_FOLDER. 0, or ERR_NOT_FOUND: there is none of this build.
 */
int debug_file_open(
	struct debug_file *f, const struct elf *library, const char *path, const char *folder);
void debug_file_release(struct debug_file *f);

#endif
