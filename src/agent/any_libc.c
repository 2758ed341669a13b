/*
 * What glibc has and musl has not, of all that the agent is linked with: so one library is loaded
 * by JVMs on either (doc/decisions/0025-one-agent-for-musl-too.md). Nobody but the agent sees
 * these.
 *
 * The names that end in _chk are what the compiler makes of calls where it knows how much room
 * there is (-D_FORTIFY_SOURCE). Where that does not suffice, glibc's end the program. The agent is
 * a guest: these take what there is room for.
 */
#undef _FORTIFY_SOURCE /* or each would call itself */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

#define STANDS_FOR(name) __asm__(#name) __attribute__((visibility("hidden")))

int any_vsnprintf(char *out, size_t size, int flag, size_t room, const char *format, va_list args)
	STANDS_FOR(__vsnprintf_chk) __attribute__((format(printf, 5, 0)));
int any_snprintf(char *out, size_t size, int flag, size_t room, const char *format, ...)
	STANDS_FOR(__snprintf_chk) MF_PRINTF(5, 6);
int any_fprintf(FILE *out, int flag, const char *format, ...) STANDS_FOR(__fprintf_chk)
	MF_PRINTF(3, 4);
void *any_memcpy(void *to, const void *from, size_t len, size_t room) STANDS_FOR(__memcpy_chk);
int any_open(const char *path, int flags) STANDS_FOR(__open_2);
char *any_realpath(const char *path, char *out, size_t room) STANDS_FOR(__realpath_chk);
int any_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
	STANDS_FOR(pthread_atfork);

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

int any_vsnprintf(char *out, size_t size, int flag, size_t room, const char *format, va_list args)
{
	(void)flag;
	return vsnprintf(out, least(size, room), format, args);
}

int any_snprintf(char *out, size_t size, int flag, size_t room, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = any_vsnprintf(out, size, flag, room, format, args);
	va_end(args);
	return len;
}

int any_fprintf(FILE *out, int flag, const char *format, ...)
{
	va_list args;
	(void)flag;
	va_start(args, format);
	int len = vfprintf(out, format, args);
	va_end(args);
	return len;
}

void *any_memcpy(void *to, const void *from, size_t len, size_t room)
{
	return memcpy(to, from, least(len, room));
}

/* Without the mode that a new file would need. */
int any_open(const char *path, int flags)
{
	return open(path, flags & ~O_CREAT, 0);
}

char *any_realpath(const char *path, char *out, size_t room)
{
	if (!out || room >= PATH_MAX)
		return realpath(path, out);
	errno = ERANGE;
	return NULL;
}

typedef int atfork(void (*before)(void), void (*parent)(void), void (*child)(void));
typedef int register_atfork(
	void (*before)(void), void (*parent)(void), void (*child)(void), void *library);

/* glibc's is a part of each program that is linked with it, and registers what is forgotten once
 * the library is unloaded; ours never is (-z nodelete). */
int any_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
	register_atfork *of_glibc = NULL;
	atfork *of_musl = NULL;
	*(void **)&of_glibc = dlsym(RTLD_DEFAULT, "__register_atfork");
	if (of_glibc)
		return of_glibc(before, parent, child, NULL);
	*(void **)&of_musl = dlsym(RTLD_DEFAULT, "pthread_atfork");
	return of_musl ? of_musl(before, parent, child) : ENOSYS;
}
