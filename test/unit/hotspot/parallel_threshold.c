#include "hotspot/parallel_threshold.h"

#include <dlfcn.h>
#include <unistd.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"

#define NAME "_ZN10PSScavenge19_tenuring_thresholdE"

/* In this program, which stands for the library that is loaded. */
static uint32_t variable = 7;

static uint8_t *base(void)
{
	Dl_info info = {.dli_fbase = NULL};
	EXPECT(dladdr(&variable, &info) != 0);
	return info.dli_fbase;
}

static uint64_t address(void)
{
	return (uint64_t)((uint8_t *)&variable - base());
}

static int find(struct parallel_threshold *p, struct library_file *f, bool in_process)
{
	struct vm_library l;
	char path[64];
	EXPECT(library_file_write(f, path, sizeof(path)));
	EXPECT_INT(0, vm_library_open_file(&l, path, NULL));
	l.base = in_process ? base() : NULL;
	int err = parallel_threshold_find(p, &l);
	vm_library_release(&l);
	unlink(path);
	library_file_release(f);
	return err;
}

static int find_variable(struct parallel_threshold *p, const char *name, size_t size, int times)
{
	struct library_file f = {.count = 0};
	for (int i = 0; i < times; i++)
		library_file_variable(&f, name, address(), size);
	return find(p, &f, true);
}

TEST(one_variable_of_its_name_and_size)
{
	struct parallel_threshold p;
	struct library_file f = {.count = 0};
	EXPECT_INT(0, find_variable(&p, NAME, 4, 1));
	EXPECT(p.at == &variable);
	EXPECT_INT(ERR_NOT_FOUND, find_variable(&p, NAME, 8, 1));
	EXPECT(p.at == NULL);
	EXPECT_INT(ERR_NOT_FOUND, find_variable(&p, NAME, 4, 2));
	EXPECT_INT(ERR_NOT_FOUND, find_variable(&p, "_ZN10PSScavenge19_tenuring_thresholdF", 4, 1));
	library_file_variable(&f, NAME, address(), 4);
	EXPECT_INT(ERR_NOT_FOUND, find(&p, &f, false));
}

TEST(it_is_held_and_let_go)
{
	uint32_t own = 7;
	struct parallel_threshold p = {.at = &own};
	parallel_threshold_keep(&p);
	EXPECT_INT(7, own);
	parallel_threshold_hold(&p, 1);
	EXPECT_INT(1, own);
	own = 6; /* as the VM had it */
	parallel_threshold_keep(&p);
	EXPECT_INT(1, own);
	own = 0;
	parallel_threshold_keep(&p); /* lower is the VM's own affair */
	EXPECT_INT(0, own);
	parallel_threshold_hold(&p, 3);
	EXPECT_INT(3, own);
	parallel_threshold_hold(&p, 12);
	EXPECT_INT(7, own);
	parallel_threshold_release(&p);
	EXPECT_INT(7, own);
	own = 15;
	parallel_threshold_keep(&p);
	parallel_threshold_release(&p);
	EXPECT_INT(15, own);
}

/* Of a VM without one. */
TEST(nothing_is_held_where_there_is_none)
{
	struct parallel_threshold p = {.at = NULL};
	parallel_threshold_hold(&p, 1);
	parallel_threshold_keep(&p);
	parallel_threshold_release(&p);
	EXPECT(!p.held);
}
