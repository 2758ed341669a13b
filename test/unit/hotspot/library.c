#include "hotspot/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"

static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0x5d, 0xc3};
static const char no_library[128] = "a text";

static int open_made(struct vm_library *l, const struct library_file *f, struct diag *d)
{
	char path[64];
	EXPECT(library_file_write(f, path, sizeof(path)));
	int err = vm_library_open_file(l, path, d);
	unlink(path);
	return err;
}

TEST(a_file_from_outside)
{
	struct library_file f = {.count = 0};
	struct vm_library l;
	struct symbol s;
	uint64_t address = library_file_function(&f, "alloc", code, sizeof(code), 16);
	EXPECT_INT(0, open_made(&l, &f, NULL));
	EXPECT_INT(1, symbols_find(&l.symbols, "alloc", false, &s));
	EXPECT_INT(address, s.address);
	EXPECT_STR("", vm_library_lack(&l));
	struct slice found = vm_library_code(&l, s.address, sizeof(code));
	EXPECT(slice_equal(slice(code, sizeof(code)), found));
	EXPECT(vm_library_at(&l, s.address) == NULL);
	vm_library_forget_symbols(&l);
	EXPECT_INT(0, symbols_find(&l.symbols, "alloc", false, &s));
	EXPECT_STR("", vm_library_lack(&l));
	vm_library_release(&l);
	EXPECT(l.file.at == NULL);
	library_file_release(&f);
}

TEST(what_it_is_made_for)
{
	static const char *const needs[] = {"libc.so.6", "libc.musl-x86_64.so.1"};
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		struct library_file f = {.count = 0};
		struct vm_library l;
		library_file_function(&f, "alloc", code, sizeof(code), 16);
		buf_put(library_file_section(&f, ".dynstr", 0x800), needs[i], strlen(needs[i]) + 1);
		EXPECT_INT(0, open_made(&l, &f, NULL));
		EXPECT_INT(i == 1, l.musl);
		vm_library_release(&l);
		library_file_release(&f);
	}
}

TEST(no_code_outside_of_the_text)
{
	struct library_file f = {.count = 0};
	struct vm_library l;
	uint64_t address = library_file_function(&f, "alloc", code, sizeof(code), 16);
	EXPECT_INT(0, open_made(&l, &f, NULL));
	EXPECT_INT(16, vm_library_code(&l, address, 16).len);
	EXPECT_INT(0, vm_library_code(&l, address, 17).len);
	EXPECT_INT(0, vm_library_code(&l, address - 1, 4).len);
	EXPECT_INT(0, vm_library_code(&l, address + 17, 0).len);
	EXPECT_INT(0, vm_library_code(&l, address, UINT64_MAX).len);
	EXPECT_INT(0, vm_library_code(&l, UINT64_MAX, 4).len);
	vm_library_release(&l);
	library_file_release(&f);
}

TEST(stripped_ones_say_what_is_missing)
{
	struct library_file f = {.stripped = true};
	struct vm_library l;
	library_file_function(&f, "alloc", code, sizeof(code), 16);
	EXPECT_INT(0, open_made(&l, &f, NULL));
	EXPECT_INT(0, l.symbols.count);
	EXPECT_STR("the library is stripped, and its debug symbols are not installed",
		vm_library_lack(&l));
	vm_library_release(&l);
	buf_put_str(library_file_section(&f, ".gnu_debugdata", 0), "no xz at all, this");
	EXPECT_INT(0, open_made(&l, &f, NULL));
	EXPECT_STR("the library is stripped: its symbols are in .gnu_debugdata, but they are "
		   "damaged",
		vm_library_lack(&l));
	vm_library_release(&l);
	library_file_release(&f);
}

TEST(what_is_no_library)
{
	struct vm_library l;
	struct diag d = {""};
	char path[] = "/tmp/mayfly-library-XXXXXX";
	EXPECT_INT(ERR_NOT_FOUND, vm_library_open_file(&l, "/none/such", &d));
	EXPECT_STR("/none/such can't be read: No such file or directory", d.text);
	EXPECT_INT(ERR_NOT_FOUND, vm_library_open_file(&l, "/tmp", &d));
	int fd = mkstemp(path);
	EXPECT_INT(ERR_NOT_FOUND, vm_library_open_file(&l, path, &d)); /* empty */
	EXPECT(write(fd, no_library, sizeof(no_library)) > 0);
	close(fd);
	EXPECT_INT(ERR_FORMAT, vm_library_open_file(&l, path, &d));
	EXPECT(strstr(d.text, "not an ELF file") != NULL);
	EXPECT(l.file.at == NULL);
	unlink(path);
	EXPECT_INT(ERR_NOT_FOUND, vm_library_open(&l, &fd, &d)); /* the stack */
}

/* A file cut anywhere is refused, or opened with nothing outside of it. */
TEST(cut_files)
{
	struct library_file f = {.count = 0};
	struct buf bytes = {0};
	library_file_function(&f, "alloc", code, sizeof(code), 16);
	library_file_put(&f, &bytes);
	for (size_t len = 1; len < bytes.len; len += 7) {
		struct vm_library l;
		char path[] = "/tmp/mayfly-library-XXXXXX";
		int fd = mkstemp(path);
		EXPECT(write(fd, bytes.at, len) == (ssize_t)len);
		close(fd);
		EXPECT(vm_library_open_file(&l, path, NULL) < 0);
		unlink(path);
	}
	buf_release(&bytes);
	library_file_release(&f);
}

/* Against the loader, on the library that every program has. */
TEST(a_library_of_this_process)
{
	struct vm_library l;
	struct symbol s;
	const uint8_t *known = dlsym(RTLD_DEFAULT, "strfry");
	EXPECT_INT(0, vm_library_open(&l, known, NULL));
	EXPECT_INT(1, symbols_find(&l.symbols, "strfry", false, &s));
	EXPECT(vm_library_at(&l, s.address) == known);
	EXPECT(vm_library_code(&l, s.address, s.size).at == known);
	EXPECT(vm_library_at(&l, 0) == l.base);
	EXPECT(vm_library_at(&l, (uint64_t)1 << 40) == NULL);
	EXPECT(vm_library_at(&l, UINT64_MAX) == NULL);
	vm_library_release(&l);
}

static bool copy(const char *from, const char *to)
{
	char command[8300];
	snprintf(
		command, sizeof(command), "cp '%s' '%s.new' && mv '%s.new' '%s'", from, to, to, to);
	return system(command) == 0; /* NOLINT: paths of our own */
}

TEST(a_file_that_was_replaced)
{
	char path[] = "/tmp/mayfly-library-XXXXXX";
	struct vm_library l;
	struct diag d = {""};
	Dl_info info, other;
	close(mkstemp(path));
	void *math = dlopen("libm.so.6", RTLD_NOW);
	EXPECT(math && dladdr(dlsym(math, "cbrt"), &info) && copy(info.dli_fname, path));
	void *ours = dlopen(path, RTLD_NOW);
	const void *inside = ours ? dlsym(ours, "cbrt") : NULL;
	EXPECT(inside && inside != dlsym(math, "cbrt"));
	EXPECT_INT(0, vm_library_open(&l, inside, &d));
	vm_library_release(&l);
	EXPECT(dladdr(dlsym(RTLD_DEFAULT, "strfry"), &other) && copy(other.dli_fname, path));
	EXPECT_INT(ERR_CORRUPT, vm_library_open(&l, inside, &d));
	EXPECT(strstr(d.text, "is another file than the one that runs") != NULL);
	EXPECT(l.file.at == NULL);
	unlink(path);
	EXPECT_INT(ERR_NOT_FOUND, vm_library_open(&l, inside, &d));
}
