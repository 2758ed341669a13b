#include "hotspot/debug_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "hotspot/symbols.h"
#include "support/library_file.h"
#include "support/tap.h"

static const uint8_t push[] = {0x55}, ours[] = {0xab, 2, 3, 4, 5, 6, 7, 8},
		     theirs[] = {0xab, 2, 3, 4, 5, 6, 7, 9};

/* A folder with a stripped library, and where debug files may be. */
struct rig {
	char work[64], debug[128], library[128];
	struct library_file stripped, whole;
	struct buf file; /* of the library */
	struct elf elf;
	struct debug_file found;
};

static void folder(const struct rig *r, const char *name)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", r->work, name);
	EXPECT_INT(0, mkdir(path, 0700));
}

static struct rig *rig_open(const uint8_t *id, const uint8_t *id_of_debug)
{
	struct rig *r = calloc(1, sizeof(*r));
	snprintf(r->work, sizeof(r->work), "/tmp/mayfly-debug-XXXXXX");
	EXPECT(mkdtemp(r->work) != NULL);
	snprintf(r->debug, sizeof(r->debug), "%s/debug", r->work);
	snprintf(r->library, sizeof(r->library), "%s/lib.so", r->work);
	folder(r, "debug");
	folder(r, "debug/.build-id");
	folder(r, "debug/.build-id/ab");
	folder(r, ".debug");
	r->stripped.stripped = true;
	library_file_function(&r->whole, "alloc", push, sizeof(push), 16);
	if (id)
		library_file_build_id(&r->stripped, id, 8);
	if (id_of_debug)
		library_file_build_id(&r->whole, id_of_debug, 8);
	return r;
}

static void write_debug(struct rig *r, const char *name)
{
	char path[256];
	struct buf b = {0};
	snprintf(path, sizeof(path), "%s/%s", r->work, name);
	library_file_put(&r->whole, &b);
	FILE *f = fopen(path, "wb");
	EXPECT(f && fwrite(b.at, 1, b.len, f) == b.len);
	if (f)
		fclose(f);
	buf_release(&b);
}

static void add_link(struct rig *r, const char *name, uint32_t off)
{
	struct buf b = {0}, *s = library_file_section(&r->stripped, ".gnu_debuglink", 0);
	library_file_put(&r->whole, &b);
	buf_put(s, name, strlen(name) + 1);
	while (s->len % 4)
		buf_put_u8(s, 0);
	buf_put_le32(s, (uint32_t)crc32(0, b.at, (uInt)b.len) + off);
	buf_release(&b);
}

static int look_at(struct rig *r, const char *library, const char *debug)
{
	buf_clear(&r->file);
	library_file_put(&r->stripped, &r->file);
	EXPECT_INT(0, elf_open(&r->elf, buf_slice(&r->file), NULL));
	return debug_file_open(&r->found, &r->elf, library, debug);
}

static int look(struct rig *r)
{
	return look_at(r, r->library, r->debug);
}

/* It is that file, and has its symbols. */
static void expect_found(struct rig *r, const char *name)
{
	char path[256];
	struct symbols s;
	struct symbol one;
	snprintf(path, sizeof(path), "%s/%s", r->work, name);
	EXPECT_STR(path, r->found.path);
	EXPECT_INT(0, symbols_open(&s, &r->found.elf, NULL));
	EXPECT_INT(1, symbols_find(&s, "alloc", false, &one));
	debug_file_release(&r->found);
	EXPECT(r->found.file.at == NULL);
}

static void rig_close(struct rig *r)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -r '%s'", r->work);
	EXPECT_INT(0, system(command)); /* NOLINT: a path of our own */
	library_file_release(&r->stripped);
	library_file_release(&r->whole);
	buf_release(&r->file);
	free(r);
}

TEST(by_build_id)
{
	struct rig *r = rig_open(ours, ours);
	EXPECT_INT(ERR_NOT_FOUND, look(r));
	EXPECT_STR("", r->found.path);
	write_debug(r, "debug/.build-id/ab/02030405060708.debug");
	EXPECT_INT(0, look(r));
	expect_found(r, "debug/.build-id/ab/02030405060708.debug");
	rig_close(r);
}

TEST(a_file_of_another_build)
{
	struct rig *r = rig_open(ours, theirs);
	write_debug(r, "debug/.build-id/ab/02030405060708.debug");
	write_debug(r, "lib.debug");
	add_link(r, "lib.debug", 0); /* whose checksum is right */
	EXPECT_INT(ERR_NOT_FOUND, look(r));
	EXPECT(r->found.file.at == NULL);
	rig_close(r);
	r = rig_open(ours, NULL);
	write_debug(r, "debug/.build-id/ab/02030405060708.debug");
	EXPECT_INT(ERR_NOT_FOUND, look(r));
	rig_close(r);
}

TEST(a_file_without_symbols)
{
	struct rig *r = rig_open(ours, ours);
	r->whole.stripped = true;
	write_debug(r, "debug/.build-id/ab/02030405060708.debug");
	EXPECT_INT(ERR_NOT_FOUND, look(r));
	rig_close(r);
}

TEST(by_link_and_checksum)
{
	char deep[256];
	struct rig *r = rig_open(NULL, NULL);
	add_link(r, "lib.debug", 0);
	EXPECT_INT(ERR_NOT_FOUND, look(r));
	snprintf(deep, sizeof(deep), "mkdir -p '%s%s'", r->debug, r->work);
	EXPECT_INT(0, system(deep)); /* NOLINT: paths of our own */
	snprintf(deep, sizeof(deep), "debug%s/lib.debug", r->work);
	write_debug(r, deep);
	EXPECT_INT(0, look(r));
	expect_found(r, deep);
	write_debug(r, ".debug/lib.debug");
	EXPECT_INT(0, look(r));
	expect_found(r, ".debug/lib.debug");
	write_debug(r, "lib.debug");
	EXPECT_INT(0, look(r));
	expect_found(r, "lib.debug");
	rig_close(r);
}

TEST(a_wrong_checksum)
{
	struct rig *r = rig_open(NULL, NULL);
	write_debug(r, "lib.debug");
	add_link(r, "lib.debug", 1);
	EXPECT_INT(ERR_NOT_FOUND, look(r));
	rig_close(r);
	/* Which nobody needs where the build ids are the same. */
	r = rig_open(ours, ours);
	write_debug(r, "lib.debug");
	add_link(r, "lib.debug", 1);
	EXPECT_INT(0, look(r));
	expect_found(r, "lib.debug");
	rig_close(r);
}

TEST(links_that_lead_elsewhere)
{
	static const char *const names[] = {".debug/lib.debug", "", "/lib.debug", "."};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct rig *r = rig_open(NULL, NULL);
		write_debug(r, ".debug/lib.debug");
		add_link(r, names[i], 0);
		EXPECT_INT(ERR_NOT_FOUND, look(r));
		rig_close(r);
	}
	struct rig *r = rig_open(NULL, NULL);
	write_debug(r, "lib.debug");
	add_link(r, "lib.debug", 0);
	library_file_section(&r->stripped, ".gnu_debuglink", 0)->len -= 1;
	EXPECT_INT(ERR_NOT_FOUND, look(r));
	rig_close(r);
}

/* Seen through /proc/PID/root, all of it is looked for below that. */
TEST(of_a_process_with_another_root)
{
	char library[256], path[256];
	struct rig *r = rig_open(ours, ours);
	write_debug(r, "debug/.build-id/ab/02030405060708.debug");
	snprintf(library, sizeof(library), "/proc/%d/root%s", (int)getpid(), r->library);
	EXPECT_INT(0, look_at(r, library, r->debug));
	snprintf(path, sizeof(path), "/proc/%d/root%s/.build-id/ab/02030405060708.debug",
		(int)getpid(), r->debug);
	EXPECT_STR(path, r->found.path);
	debug_file_release(&r->found);
	rig_close(r);
}
