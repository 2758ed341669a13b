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

static bool write_as_memory(void *at, const void *bytes, size_t count)
{
	struct iovec from = {(void *)(uintptr_t)bytes, count}, to = {at, count};
	return process_vm_writev(getpid(), &from, 1, &to, 1, 0) == (ssize_t)count;
}

static bool write_by_file(void *at, const void *bytes, size_t count)
{
	int fd = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t written = pwrite(fd, bytes, count, (off_t)(uintptr_t)at);
	close(fd);
	return written == (ssize_t)count;
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
	while (maps && found < 0 && getline(&line, &room, maps) > 0)
		found = protection_in(line, address);
	free(line); /* of getline */
	if (maps)
		fclose(maps);
	return found;
}

/* Page by page: the bytes may lie across two mappings. protection: -1: it is to be asked for. */
static bool write_pages(void *at, const void *from, size_t count, int protection)
{
	const uint8_t *bytes = from;
	uintptr_t address = (uintptr_t)at, size = (uintptr_t)sysconf(_SC_PAGESIZE);
	while (count) {
		uintptr_t offset = address % size;
		size_t some = count < size - offset ? count : size - offset;
		char *page = (char *)at - offset;
		int old = protection < 0 ? code_protection(at) : protection;
		if (old < 0 || mprotect(page, size, old | PROT_READ | PROT_WRITE) != 0)
			return false;
		memcpy(at, bytes, some);
		if (mprotect(page, size, old) != 0)
			return false;
		at = (char *)at + some;
		bytes += some;
		address += some;
		count -= some;
	}
	return true;
}

static bool write_by_mprotect(void *at, const void *from, size_t count)
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
	static const struct {
		bool (*write)(void *, const void *, size_t);
		const char *by;
	} ways[CODE_WAYS] = {
		[CODE_WAY_MEMORY] = {write_as_memory, "process_vm_writev"},
		[CODE_WAY_FILE] = {write_by_file, "/proc/self/mem"},
		[CODE_WAY_PROTECTION] = {write_by_mprotect, "mprotect"},
	};
	if (count == 0 || count > CODE_WRITE_MAX)
		return diag_set(d, ERR_LIMIT, "%zu bytes of code at once", count);
	if (!ways[way].write(at, bytes, count))
		return diag_set(d, ERR_DENIED,
			"the system does not let the VM's code be changed, by %s: %s", ways[way].by,
			strerror(errno));
	return verify(at, bytes, count, d);
}

int code_write_back(void *at, const void *bytes, size_t count, int protection, struct diag *d)
{
	int err = code_write(at, bytes, count, d);
	if (err != ERR_DENIED || !write_pages(at, bytes, count, protection))
		return err;
	return verify(at, bytes, count, d);
}

int code_write(void *at, const void *bytes, size_t count, struct diag *d)
{
	int err = code_write_in(CODE_WAY_FILE, at, bytes, count, d);
	return err == ERR_DENIED ? code_write_in(CODE_WAY_PROTECTION, at, bytes, count, d) : err;
}
