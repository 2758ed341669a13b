#include "hotspot/code_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/error.h"

/* NULL: it is written; else what did not let it, as errno says. */
typedef const char *write_in(void *at, const void *bytes, size_t count);

static const char *write_as_memory(void *at, const void *bytes, size_t count)
{
	struct iovec from = {(void *)(uintptr_t)bytes, count}, to = {at, count};
	bool written = process_vm_writev(getpid(), &from, 1, &to, 1, 0) == (ssize_t)count;
	return written ? NULL : "process_vm_writev";
}

static const char *write_by_file(void *at, const void *bytes, size_t count)
{
	static const char path[] = "/proc/self/mem";
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return path;
	ssize_t written = pwrite(fd, bytes, count, (off_t)(uintptr_t)at);
	int why = errno;
	close(fd);
	errno = why;
	return written == (ssize_t)count ? NULL : path;
}

/* "FROM-TO rwxp …": the protection, if the mapping has the address; else -1. */
static int protection_in(const char *line, uintptr_t address)
{
	char *end;
	uintptr_t from = strtoull(line, &end, 16);
	if (*end != '-')
		return -1;
	uintptr_t to = strtoull(end + 1, &end, 16);
	if (strlen(end) < sizeof(" rwxp") - 1 || address < from || address >= to)
		return -1;
	return (end[1] == 'r' ? PROT_READ : 0) | (end[2] == 'w' ? PROT_WRITE : 0) |
	       (end[3] == 'x' ? PROT_EXEC : 0);
}

int code_protection(const void *at)
{
	uintptr_t address = (uintptr_t)at;
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL;
	size_t room = 0;
	int found = -1;
	if (!maps)
		return -1;
	while (found < 0 && getline(&line, &room, maps) > 0)
		found = protection_in(line, address);
	int why = feof(maps) ? EFAULT : errno;
	free(line); /* of getline */
	fclose(maps);
	errno = why;
	return found;
}

/* Page by page: the bytes may lie across two mappings. protection: -1: it is to be asked for. */
static const char *write_pages(void *at, const void *from, size_t count, int protection)
{
	const uint8_t *bytes = from;
	uintptr_t address = (uintptr_t)at, size = (uintptr_t)sysconf(_SC_PAGESIZE);
	while (count) {
		uintptr_t offset = address % size;
		size_t some = count < size - offset ? count : size - offset;
		char *page = (char *)at - offset;
		int old = protection < 0 ? code_protection(at) : protection;
		if (old < 0)
			return "mprotect, which needs /proc/self/maps";
		if (mprotect(page, size, old | PROT_READ | PROT_WRITE) != 0)
			return "mprotect";
		memcpy(at, bytes, some);
		if (mprotect(page, size, old) != 0)
			return "mprotect";
		at = (char *)at + some;
		bytes += some;
		address += some;
		count -= some;
	}
	return NULL;
}

static const char *write_by_mprotect(void *at, const void *from, size_t count)
{
	return write_pages(at, from, count, -1);
}

static int verify(void *at, const void *bytes, size_t count, struct diag *d)
{
	__builtin___clear_cache((char *)at, (char *)at + count);
	if (memcmp(at, bytes, count) != 0)
		return diag_set(d, ERR_IO, "other bytes than those written stand in the VM's code");
	return ERR_NONE;
}

int code_write_in(enum code_way way, void *at, const void *bytes, size_t count, struct diag *d)
{
	static write_in *const ways[CODE_WAYS] = {
		[CODE_WAY_MEMORY] = write_as_memory,
		[CODE_WAY_FILE] = write_by_file,
		[CODE_WAY_PROTECTION] = write_by_mprotect,
	};
	if (count == 0 || count > CODE_WRITE_MAX)
		return diag_set(d, ERR_LIMIT, "%zu bytes of code at once", count);
	const char *by = ways[way](at, bytes, count);
	if (by)
		return diag_set(d, ERR_DENIED,
			"the system does not let the VM's code be changed, by %s: %s", by,
			strerror(errno));
	return verify(at, bytes, count, d);
}

int code_write_back(void *at, const void *bytes, size_t count, int protection, struct diag *d)
{
	int err = code_write(at, bytes, count, d);
	if (err != ERR_DENIED || write_pages(at, bytes, count, protection))
		return err;
	return verify(at, bytes, count, d);
}

int code_write(void *at, const void *bytes, size_t count, struct diag *d)
{
	int err = code_write_in(CODE_WAY_FILE, at, bytes, count, d);
	return err == ERR_DENIED ? code_write_in(CODE_WAY_PROTECTION, at, bytes, count, d) : err;
}
