#include "hotspot/code_patch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"

/* push %rbp; mov %rsp, %rbp; lea 1(%rdi), %eax; pop %rbp; ret */
static const uint8_t plain[] = {0x55, 0x48, 0x89, 0xe5, 0x8d, 0x47, 0x01, 0x5d, 0xc3},
		     marked[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x8d, 0x47, 0x01,
			     0x5d, 0xc3};

struct rig {
	struct library_file f;
	uint8_t *base, *function;
	size_t size;
};

static void set_up(struct rig *r, const uint8_t *code, size_t len)
{
	*r = (struct rig){.size = 0};
	uint64_t at = library_file_function(&r->f, "f", code, len, 64);
	r->base = library_file_load(&r->f, &r->size);
	r->function = r->base + at;
}

static void tear_down(struct rig *r)
{
	munmap(r->base, r->size);
	library_file_release(&r->f);
}

static int call(const struct rig *r, int x)
{
	uintptr_t address = (uintptr_t)r->function;
	return ((int (*)(int))address)(x);
}

static int hook(int x)
{
	return 100 * x;
}

static const void *target(void)
{
	uintptr_t address = (uintptr_t)&hook;
	return (const void *)address;
}

static void there_and_back(const uint8_t *code, size_t len, size_t skip)
{
	struct rig r;
	struct code_patch p;
	set_up(&r, code, len);
	EXPECT_INT(8, call(&r, 7));
	EXPECT(!code_patch_leads(r.function));
	EXPECT_INT(0, code_patch_jump(&p, r.function, target(), NULL));
	EXPECT(p.on);
	EXPECT(code_patch_leads(r.function) == target());
	EXPECT(p.at == r.function + skip);
	EXPECT_INT(0, memcmp(r.function, code, skip)); /* the endbr64 stays */
	EXPECT_INT(700, call(&r, 7));
	EXPECT_INT(0, code_patch_undo(&p, NULL));
	EXPECT(!p.on);
	EXPECT_INT(8, call(&r, 7));
	EXPECT_INT(0, memcmp(r.function, code, len));
	EXPECT_INT(0, code_patch_undo(&p, NULL)); /* again */
	tear_down(&r);
}

TEST(a_jump_there_and_back)
{
	there_and_back(plain, sizeof(plain), 0);
	there_and_back(marked, sizeof(marked), 4);
}

TEST(one_byte)
{
	struct rig r;
	struct code_patch p;
	set_up(&r, plain, sizeof(plain));
	EXPECT_INT(0, code_patch_bytes(&p, r.function + 6, &(uint8_t){5}, 1, NULL));
	EXPECT_INT(12, call(&r, 7));
	EXPECT_INT(0, code_patch_undo(&p, NULL));
	EXPECT_INT(8, call(&r, 7));
	tear_down(&r);
}

/* A program that leaks descriptors has none left when the recording ends. */
TEST(undone_without_a_descriptor)
{
	struct rig r;
	struct code_patch p;
	struct rlimit old;
	set_up(&r, plain, sizeof(plain));
	EXPECT_INT(0, code_patch_bytes(&p, r.function + 6, &(uint8_t){5}, 1, NULL));
	EXPECT_INT(0, getrlimit(RLIMIT_NOFILE, &old));
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &(const struct rlimit){0, old.rlim_max}));
	EXPECT_INT(0, code_patch_undo(&p, NULL));
	EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &old));
	EXPECT(!p.on);
	EXPECT_INT(8, call(&r, 7));
	tear_down(&r);
}

/* Of its two pages the second can be written by nobody: it is a file that is open for reading. */
TEST(what_came_halfway_is_taken_back)
{
	struct code_patch p;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/exe", O_RDONLY);
	uint8_t *at =
		mmap(NULL, 2 * page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *end = at + page, before[CODE_PATCH_JUMP];
	EXPECT(mmap(end, page, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) == end);
	close(fd);
	memcpy(before, end - 4, sizeof(before));
	EXPECT_INT(ERR_DENIED, code_patch_jump(&p, end - 4, target(), NULL));
	EXPECT(!p.on);
	EXPECT_INT(0, memcmp(before, end - 4, sizeof(before)));
	munmap(at, 2 * page);
}

TEST(another_was_here_since)
{
	struct rig r;
	struct code_patch p;
	struct diag d = {""};
	set_up(&r, plain, sizeof(plain));
	EXPECT_INT(0, code_patch_jump(&p, r.function, target(), NULL));
	EXPECT_INT(0, code_write(r.function, "\xe9", 1, NULL));
	EXPECT_INT(ERR_BUSY, code_patch_undo(&p, &d));
	EXPECT_STR("another tool has changed the VM's code over mayfly's patch", d.text);
	EXPECT(p.on);
	EXPECT_INT(0xe9, r.function[0]);
	tear_down(&r);
}

TEST(what_is_refused)
{
	struct code_patch p;
	uint8_t bytes[CODE_WRITE_MAX + 1] = {0};
	EXPECT_INT(ERR_LIMIT, code_patch_bytes(&p, bytes, bytes, sizeof(bytes), NULL));
	EXPECT_INT(ERR_LIMIT, code_patch_bytes(&p, bytes, bytes, 0, NULL));
	EXPECT(!p.on);
	EXPECT_INT(0, code_patch_undo(&p, NULL));
}
