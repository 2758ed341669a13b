#include "support/library_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAD = 64, SECTION = 64, PROGRAM = 1, TABLE = 2, TEXTS = 3, FUNCTION = 2, OBJECT = 1 };
enum { NONE, NAMES, CODE, SYMTAB, STRTAB, DEBUG, SECTIONS };

static const char names[] = "\0.shstrtab\0.text\0.symtab\0.strtab\0.gnu_debugdata";
/* Where each name begins in `names`. */
static const uint32_t name_at[SECTIONS] = {0, 1, 11, 17, 25, 33};

struct place {
	uint32_t type, link;
	uint64_t address, offset, size;
};

static void add(
	struct library_file *f, const char *name, uint64_t address, size_t size, uint8_t type)
{
	if (f->count == LIBRARY_FILE_SYMBOLS)
		abort();
	f->symbols[f->count].name = name;
	f->symbols[f->count].address = address;
	f->symbols[f->count].size = size;
	f->symbols[f->count++].type = type;
}

uint64_t library_file_function(
	struct library_file *f, const char *name, const void *bytes, size_t len, size_t size)
{
	uint64_t address = LIBRARY_FILE_CODE + f->code.len;
	buf_put(&f->code, bytes, len);
	for (size_t i = len; i < size; i++)
		buf_put_u8(&f->code, 0x90);
	add(f, name, address, size, FUNCTION);
	return address;
}

void library_file_variable(struct library_file *f, const char *name, uint64_t address, size_t size)
{
	add(f, name, address, size, OBJECT);
}

static void put_symbols(const struct library_file *f, struct buf *table, struct buf *texts)
{
	buf_put_u8(texts, 0);
	for (size_t i = 0; i < f->count; i++) {
		buf_put_le32(table, (uint32_t)texts->len);
		buf_put_u8(table, f->symbols[i].type);
		buf_put_u8(table, 0);
		buf_put_le16(table, CODE);
		buf_put_le64(table, f->symbols[i].address);
		buf_put_le64(table, f->symbols[i].size);
		buf_put(texts, f->symbols[i].name, strlen(f->symbols[i].name) + 1);
	}
}

static void put_head(struct buf *out, uint64_t sections)
{
	static const uint8_t magic[16] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
	buf_put(out, magic, sizeof(magic));
	for (int i = 0; i < 6; i++)
		buf_put_le32(out, 0);
	buf_put_le64(out, sections);
	for (int i = 0; i < 5; i++)
		buf_put_le16(out, 0);
	buf_put_le16(out, SECTION);
	buf_put_le16(out, SECTIONS);
	buf_put_le16(out, NAMES);
}

static void put_section(struct buf *out, uint32_t name, const struct place *p)
{
	buf_put_le32(out, name);
	buf_put_le32(out, p->type);
	buf_put_le64(out, 0);
	buf_put_le64(out, p->address);
	buf_put_le64(out, p->offset);
	buf_put_le64(out, p->size);
	buf_put_le32(out, p->link);
	for (int i = 0; i < 5; i++)
		buf_put_le32(out, 0);
}

void library_file_put(const struct library_file *f, struct buf *out)
{
	struct buf table = {0}, texts = {0};
	put_symbols(f, &table, &texts);
	uint64_t at_code = HEAD + sizeof(names), at_table = at_code + f->code.len,
		 at_texts = at_table + table.len, end = at_texts + texts.len;
	struct place all[SECTIONS] = {[NAMES] = {TEXTS, 0, 0, HEAD, sizeof(names)},
		[CODE] = {PROGRAM, 0, LIBRARY_FILE_CODE, at_code, f->code.len},
		[SYMTAB] = {TABLE, STRTAB, 0, at_table, table.len},
		[STRTAB] = {TEXTS, 0, 0, at_texts, texts.len},
		[DEBUG] = {PROGRAM, 0, 0, HEAD, 1}};
	put_head(out, end);
	buf_put(out, names, sizeof(names));
	buf_put(out, f->code.at, f->code.len);
	buf_put(out, table.at, table.len);
	buf_put(out, texts.at, texts.len);
	for (int i = 0; i < SECTIONS; i++) {
		bool hidden = (i == SYMTAB && f->stripped) || (i == DEBUG && !f->packed);
		put_section(out, hidden ? 0 : name_at[i], &all[i]);
	}
	buf_release(&table);
	buf_release(&texts);
}

bool library_file_write(const struct library_file *f, char *path, size_t room)
{
	struct buf bytes = {0};
	library_file_put(f, &bytes);
	snprintf(path, room, "/tmp/mayfly-library-XXXXXX");
	int fd = mkstemp(path);
	bool ok = fd >= 0 && write(fd, bytes.at, bytes.len) == (ssize_t)bytes.len;
	if (fd >= 0)
		close(fd);
	buf_release(&bytes);
	return ok;
}

uint8_t *library_file_load(const struct library_file *f, size_t *size)
{
	*size = LIBRARY_FILE_CODE + f->code.len;
	uint8_t *at = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	memcpy(at + LIBRARY_FILE_CODE, f->code.at, f->code.len);
	mprotect(at, *size, PROT_READ | PROT_EXEC);
	return at;
}

void library_file_release(struct library_file *f)
{
	buf_release(&f->code);
	f->count = 0;
}
