#include "hotspot/code_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

enum { PAGES = 2 };
static const uint8_t one[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* mov $1, %eax; ret */

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Two pages, readable and executable, with the function at `offset`. */
static uint8_t *make(size_t offset)
{
	uint8_t *at = mmap(
		NULL, PAGES * page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	memcpy(at + offset, one, sizeof(one));
	mprotect(at, PAGES * page(), PROT_READ | PROT_EXEC);
	return at;
}

static int call(const void *at)
{
	uintptr_t address = (uintptr_t)at;
	return ((int (*)(void))address)();
}

/* As /proc/self/maps has it. */
static void mode_of(const void *at, char mode[5])
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];
	uintptr_t from, to;
	mode[0] = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		char found[5];
		if (sscanf(line, "%lx-%lx %4s", &from, &to, found) == 3 && from <= (uintptr_t)at &&
			(uintptr_t)at < to)
			memcpy(mode, found, sizeof(found));
	}
	if (f)
		fclose(f);
}

static void try(enum code_way way, size_t offset)
{
	char mode[5];
	struct diag d = {""};
	uint8_t *at = make(offset);
	static const uint8_t two[] = {0xb8, 2, 1, 1, 1};
	EXPECT(at != NULL);
	EXPECT_INT(1, call(at + offset));
	EXPECT_INT(0, code_write_in(way, at + offset, two, sizeof(two), &d));
	EXPECT_STR("", d.text);
	EXPECT_INT(0x01010102, call(at + offset));
	EXPECT_INT(0xc3, at[offset + 5]);
	for (size_t i = 0; i < PAGES; i++) {
		mode_of(at + i * page(), mode);
		EXPECT_STR("r-xp", mode);
	}
	munmap(at, PAGES * page());
}

TEST(through_the_file)
{
	try(CODE_WAY_FILE, 64);
	try(CODE_WAY_FILE, page() - 3);
}

TEST(by_protection)
{
	try(CODE_WAY_PROTECTION, 64);
	try(CODE_WAY_PROTECTION, page() - 3);
}

/* Only where any store could, too. */
TEST(as_memory)
{
	struct diag d = {""};
	static const uint8_t two[] = {0xb8, 2, 0, 0, 0};
	uint8_t *at = make(64);
	EXPECT_INT(ERR_DENIED, code_write_in(CODE_WAY_MEMORY, at + 64, two, sizeof(two), &d));
	EXPECT(strstr(d.text, "process_vm_writev") != NULL);
	EXPECT_INT(1, call(at + 64));
	mprotect(at, PAGES * page(), PROT_READ | PROT_WRITE | PROT_EXEC);
	EXPECT_INT(0, code_write_in(CODE_WAY_MEMORY, at + 64, two, sizeof(two), &d));
	EXPECT_INT(2, call(at + 64));
	munmap(at, PAGES * page());
	EXPECT_INT(ERR_DENIED, code_write_in(CODE_WAY_MEMORY, at + 64, two, sizeof(two), &d));
}

/* As many descriptors as the process may have are open. */
static void without_descriptors(struct rlimit *old)
{
	EXPECT_INT(0, getrlimit(RLIMIT_NOFILE, old));
	const struct rlimit none = {0, old->rlim_max};
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT(open("/proc/self/maps", O_RDONLY) < 0 && errno == EMFILE);
}

TEST(back_without_a_descriptor)
{
	char mode[5];
	struct rlimit old;
	struct diag d = {""};
	static const uint8_t two[] = {0xb8, 2, 0, 0, 0};
	uint8_t *at = make(64);
	int protection = code_protection(at);
	EXPECT_INT(PROT_READ | PROT_EXEC, protection);
	without_descriptors(&old);
	EXPECT_INT(-1, code_protection(at));
	EXPECT_INT(ERR_DENIED, code_write(at + 64, two, sizeof(two), &d));
	EXPECT_STR("the system does not let the VM's code be changed, by mprotect, which needs "
		   "/proc/self/maps: Too many open files",
		d.text);
	EXPECT_INT(ERR_DENIED, code_write_back(at + 64, two, sizeof(two), -1, &d));
	EXPECT_INT(1, call(at + 64));
	EXPECT_INT(0, code_write_back(at + 64, two, sizeof(two), protection, &d));
	EXPECT_INT(2, call(at + 64));
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &old));
	mode_of(at, mode);
	EXPECT_STR("r-xp", mode);
	munmap(at, PAGES * page());
}

TEST(what_is_refused)
{
	struct diag d = {""};
	uint8_t many[CODE_WRITE_MAX + 1] = {0}, *at = make(0);
	EXPECT_INT(ERR_LIMIT, code_write(at, many, sizeof(many), &d));
	EXPECT_INT(ERR_LIMIT, code_write(at, many, 0, &d));
	EXPECT_INT(1, call(at));
	EXPECT_INT(0, code_write(at, many, CODE_WRITE_MAX, &d));
	munmap(at, PAGES * page());
	EXPECT_INT(ERR_DENIED, code_write(at, many, 1, &d)); /* nothing is there */
	EXPECT(strstr(d.text, "mprotect") != NULL);
	EXPECT(strstr(d.text, "Bad address") != NULL);
}
