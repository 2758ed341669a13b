#include "hotspot/process_flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

static bool peek(pid_t pid, uint64_t at, void *out, size_t size)
{
	struct iovec from = {(void *)(uintptr_t)at, size}, to = {out, size};
	return process_vm_readv(pid, &to, 1, &from, 1, 0) == (ssize_t)size;
}

/* "START-END RIGHTS OFFSET …", of /proc/PID/maps. */
static bool piece(const char *line, uint64_t *start, uint64_t *offset, bool *code)
{
	enum { RIGHTS = 4 };
	char *at;
	*start = strtoull(line, &at, 16);
	if (*at != '-')
		return false;
	(void)strtoull(at + 1, &at, 16);
	if (strnlen(at, RIGHTS + 2) < RIGHTS + 2)
		return false;
	*code = at[3] == 'x';
	*offset = strtoull(at + RIGHTS + 1, NULL, 16);
	return true;
}

/* Copies for programs that see another file system have the other name (cli/ferry.c). */
static bool is_agent(const char *line)
{
	return strstr(line, "/libmayfly.so") || strstr(line, "/.mayfly-agent-");
}

/* A symbol's address counts from the library's beginning, with which the piece that has its code
 * goes. The file may be mapped once more, by who reads it: that has none. */
static void look_at(struct process_flags *f, uint64_t *begin, const char *line)
{
	uint64_t start, offset;
	bool code;
	f->recorded |= is_agent(line);
	if (f->base || !strstr(line, "/libjvm.so") || !piece(line, &start, &offset, &code))
		return;
	if (offset == 0)
		*begin = start;
	if (code)
		f->base = *begin;
}

bool process_flags_open(struct process_flags *f, pid_t pid, const struct vm_library *l)
{
	char path[64], *line = NULL, first;
	size_t room = 0;
	uint64_t begin = 0;
	*f = (struct process_flags){.pid = pid, .library = l};
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "re");
	while (maps && getline(&line, &room, maps) > 0)
		look_at(f, &begin, line);
	free(line); /* of getline */
	if (maps)
		fclose(maps);
	return f->base && peek(pid, f->base, &first, sizeof(first));
}

bool process_flags_read(const void *arg, const char *name, unsigned width, void *out)
{
	const struct process_flags *f = arg;
	struct symbol s;
	return f->library->symbols.whole &&
	       symbols_find(&f->library->symbols, name, false, &s) == 1 && !s.function &&
	       s.size >= width && peek(f->pid, f->base + s.address, out, width);
}
