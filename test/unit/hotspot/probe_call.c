#include "hotspot/probe_call.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

#ifdef __x86_64__

enum { ROOM = 4096, LEAD = 4, TAIL = 5 };

/* sub $8, %rsp; mov $0, %r10; call *%r10; add $8, %rsp; ret */
static const uint8_t code[] = {0x48, 0x83, 0xec, 0x08, 0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0, 0x41,
	0xff, 0xd2, 0x48, 0x83, 0xc4, 0x08, 0xc3};

static int seven(void)
{
	return 7;
}

static int eight(void)
{
	return 8;
}

static uint8_t *make(size_t offset, int (*function)(void))
{
	uint8_t *at = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	memcpy(at + offset, code, sizeof(code));
	memcpy(at + offset + LEAD + 2, &function, sizeof(function));
	return at;
}

static uintptr_t behind(const uint8_t *at, size_t offset)
{
	return (uintptr_t)at + offset + LEAD + PROBE_CALL_BYTES;
}

static int run(const uint8_t *at, size_t offset)
{
	uintptr_t address = (uintptr_t)at + offset;
	return ((int (*)(void))address)();
}

/* At each place in a cache line: the constant lies across two of them in some. */
TEST(a_call_goes_elsewhere)
{
	EXPECT(code_fence_open());
	for (size_t offset = 0; offset < 64; offset++) {
		uint8_t *at = make(offset, seven);
		EXPECT_INT(7, run(at, offset));
		EXPECT(probe_call_target(behind(at, offset)) == (uintptr_t)seven);
		EXPECT_INT(0, probe_call_lead(behind(at, offset), (uintptr_t)eight, NULL));
		EXPECT(code_fence());
		EXPECT_INT(8, run(at, offset));
		EXPECT(probe_call_target(behind(at, offset)) == (uintptr_t)eight);
		EXPECT_INT(0, memcmp(at + offset, code, LEAD + 2));
		EXPECT_INT(0, memcmp(at + offset + LEAD + 10, code + LEAD + 10, 3 + TAIL));
		munmap(at, 2 * ROOM);
	}
}

/* Of a constant in two pages one half alone might be written. */
TEST(a_constant_in_two_pages)
{
	enum { CONSTANT = LEAD + 2 };
	for (size_t offset = ROOM - CONSTANT - 10; offset < ROOM - CONSTANT + 2; offset++) {
		uint8_t *at = make(offset, seven);
		size_t first = offset + CONSTANT;
		bool two = first < ROOM && first + 8 > ROOM;
		EXPECT_INT(two ? ERR_UNSUPPORTED : 0,
			probe_call_lead(behind(at, offset), (uintptr_t)eight, NULL));
		EXPECT(code_fence());
		EXPECT_INT(two ? 7 : 8, run(at, offset));
		munmap(at, 2 * ROOM);
	}
}

/* Nor is there a file to write it by where /proc is mounted read-only. */
TEST(a_call_without_a_descriptor)
{
	struct rlimit old;
	uint8_t *at = make(16, seven);
	EXPECT_INT(0, getrlimit(RLIMIT_NOFILE, &old));
	const struct rlimit none = {0, old.rlim_max};
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT(open("/proc/self/mem", O_WRONLY | O_CLOEXEC) < 0);
	EXPECT_INT(0, probe_call_lead(behind(at, 16), (uintptr_t)eight, NULL));
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &old));
	EXPECT_INT(8, run(at, 16));
	munmap(at, 2 * ROOM);
}

/* Where the system does not let it be written: of a mapping that is shared. */
TEST(a_call_that_can_not_be_written)
{
	int fd = memfd_create("code", MFD_CLOEXEC);
	uint8_t *at = make(16, seven);
	EXPECT(write(fd, at, ROOM) == ROOM);
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int again = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *shared = mmap(NULL, ROOM, PROT_READ | PROT_EXEC, MAP_SHARED, again, 0);
	if (shared != MAP_FAILED) {
		EXPECT_INT(ERR_DENIED, probe_call_lead(behind(shared, 16), (uintptr_t)eight, NULL));
		EXPECT_INT(7, run(shared, 16));
		munmap(shared, ROOM);
	}
	EXPECT(shared != MAP_FAILED);
	close(again);
	close(fd);
	munmap(at, 2 * ROOM);
}

/* Any byte of the two instructions that is another, and any other place. */
TEST(what_is_no_such_call)
{
	uint8_t *at = make(16, seven);
	for (size_t i = 0; i < PROBE_CALL_BYTES; i++) {
		bool constant = i >= 2 && i < 10;
		for (int bit = 0; bit < 8 && !constant; bit++) {
			at[16 + LEAD + i] ^= (uint8_t)(1 << bit);
			EXPECT(!probe_call_target(behind(at, 16)));
			EXPECT_INT(ERR_CORRUPT,
				probe_call_lead(behind(at, 16), (uintptr_t)eight, NULL));
			at[16 + LEAD + i] ^= (uint8_t)(1 << bit);
		}
	}
	for (size_t offset = 1; offset < 40; offset++)
		EXPECT(offset == 16 || !probe_call_target(behind(at, offset)));
	EXPECT_INT(7, run(at, 16));
	munmap(at, 2 * ROOM);
}

#endif
