#include "support/library_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAD = 64, SECTION = 64, PROGRAM = 1, TABLE = 2, TEXTS = 3, FUNCTION = 2, OBJECT = 1 };
enum { NONE, NAMES, CODE, SYMTAB, STRTAB, SECTIONS };
enum { FRAMES_AT = 0x800000, BASE_AT = 0x700000, NOTE_BASE_AT = 0x600000 };

static const char names[] = "\0.shstrtab\0.text\0.symtab\0.strtab";
/* Where each name begins in `names`. */
static const uint32_t name_at[SECTIONS] = {0, 1, 11, 17, 25};

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

struct buf *library_file_section(struct library_file *f, const char *name, uint64_t address)
{
	for (size_t i = 0; i < f->other_count; i++)
		if (strcmp(f->others[i].name, name) == 0)
			return &f->others[i].bytes;
	if (f->other_count == LIBRARY_FILE_OTHERS)
		abort();
	f->others[f->other_count].name = name;
	f->others[f->other_count].address = address;
	return &f->others[f->other_count++].bytes;
}

static void pad(struct buf *b)
{
	while (b->len % 4)
		buf_put_u8(b, 0);
}

static void put_note(struct buf *b, const char *name, uint32_t type, struct slice bytes)
{
	buf_put_le32(b, (uint32_t)strlen(name) + 1);
	buf_put_le32(b, (uint32_t)bytes.len);
	buf_put_le32(b, type);
	buf_put(b, name, strlen(name) + 1);
	pad(b);
	buf_put(b, bytes.at, bytes.len);
	pad(b);
}

void library_file_build_id(struct library_file *f, const void *bytes, size_t len)
{
	struct buf *b = library_file_section(f, ".note.gnu.build-id", 0);
	put_note(b, "GNU", 3, slice(bytes, len));
}

void library_file_probe(
	struct library_file *f, const char *name, uint64_t address, const char *arguments)
{
	struct buf note = {0}, *base = library_file_section(f, ".stapsdt.base", BASE_AT);
	buf_clear(base);
	buf_put_u8(base, 0);
	/* As if the library had been moved since. */
	buf_put_le64(&note, address - (BASE_AT - NOTE_BASE_AT));
	buf_put_le64(&note, NOTE_BASE_AT);
	buf_put_le64(&note, 0);
	buf_put(&note, "hotspot", 8);
	buf_put(&note, name, strlen(name) + 1);
	buf_put(&note, arguments, strlen(arguments) + 1);
	put_note(library_file_section(f, ".note.stapsdt", 0), "stapsdt", 3, buf_slice(&note));
	buf_release(&note);
}

/* As gcc writes them: the first entry, a CIE with the encoding pcrel, sdata4; then FDEs. */
void library_file_range(struct library_file *f, uint64_t address, uint64_t size)
{
	static const uint8_t cie[] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0, 0, 0, 0, 0};
	struct buf *b = library_file_section(f, ".eh_frame", FRAMES_AT);
	if (!b->len)
		buf_put(b, cie, sizeof(cie));
	buf_put_le32(b, 16);
	buf_put_le32(b, (uint32_t)b->len);
	buf_put_le32(b, (uint32_t)(address - (FRAMES_AT + b->len)));
	buf_put_le32(b, (uint32_t)size);
	buf_put_le32(b, 0);
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

static void put_head(struct buf *out, uint64_t sections, uint16_t count)
{
	static const uint8_t magic[16] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
	buf_put(out, magic, sizeof(magic));
	for (int i = 0; i < 6; i++)
		buf_put_le32(out, 0);
	buf_put_le64(out, sections);
	for (int i = 0; i < 5; i++)
		buf_put_le16(out, 0);
	buf_put_le16(out, SECTION);
	buf_put_le16(out, count);
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

/* The others' names follow the first ones. */
static void put_names(const struct library_file *f, struct buf *out)
{
	buf_put(out, names, sizeof(names));
	for (size_t i = 0; i < f->other_count; i++)
		buf_put(out, f->others[i].name, strlen(f->others[i].name) + 1);
}

static void put_others(const struct library_file *f, struct buf *out, uint64_t offset)
{
	uint32_t name = sizeof(names);
	for (size_t i = 0; i < f->other_count; i++) {
		size_t len = f->others[i].bytes.len;
		struct place p = {PROGRAM, 0, f->others[i].address, offset, len};
		put_section(out, name, &p);
		offset += len;
		name += (uint32_t)strlen(f->others[i].name) + 1;
	}
}

void library_file_put(const struct library_file *f, struct buf *out)
{
	struct buf table = {0}, texts = {0}, all_names = {0};
	put_symbols(f, &table, &texts);
	put_names(f, &all_names);
	uint64_t at_code = HEAD + all_names.len, at_table = at_code + f->code.len,
		 at_texts = at_table + table.len, at_others = at_texts + texts.len, end = at_others;
	for (size_t i = 0; i < f->other_count; i++)
		end += f->others[i].bytes.len;
	struct place all[SECTIONS] = {[NAMES] = {TEXTS, 0, 0, HEAD, all_names.len},
		[CODE] = {PROGRAM, 0, LIBRARY_FILE_CODE, at_code, f->code.len},
		[SYMTAB] = {TABLE, STRTAB, 0, at_table, table.len},
		[STRTAB] = {TEXTS, 0, 0, at_texts, texts.len}};
	put_head(out, end, (uint16_t)(SECTIONS + f->other_count));
	buf_put(out, all_names.at, all_names.len);
	buf_put(out, f->code.at, f->code.len);
	buf_put(out, table.at, table.len);
	buf_put(out, texts.at, texts.len);
	for (size_t i = 0; i < f->other_count; i++)
		buf_put(out, f->others[i].bytes.at, f->others[i].bytes.len);
	for (int i = 0; i < SECTIONS; i++)
		put_section(out, i == SYMTAB && f->stripped ? 0 : name_at[i], &all[i]);
	put_others(f, out, at_others);
	buf_release(&table);
	buf_release(&texts);
	buf_release(&all_names);
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
	for (size_t i = 0; i < f->other_count; i++)
		buf_release(&f->others[i].bytes);
	f->count = f->other_count = 0;
}
