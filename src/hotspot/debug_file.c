#include "hotspot/debug_file.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/error.h"
#include "hotspot/elf_note.h"
#include "hotspot/file_map.h"

struct query {
	const struct elf *library;
	struct slice root, folder, place; /* /proc/PID/root, /usr/lib/debug, the library's folder */
	struct slice link;                /* the name of .gnu_debuglink; empty: none */
	uint32_t checksum;                /* of that */
};

/* Of "/proc/PID/root/…"; 0: it begins otherwise. */
static size_t root_len(const char *path)
{
	int len = 0;
	sscanf(path, "/proc/%*9[0-9]/root%n", &len);
	return len > 0 && path[len] == '/' ? (size_t)len : 0;
}

/* Only the name of a file: a path would lead anywhere. */
static bool is_name(struct slice name)
{
	return name.len && !memchr(name.at, '/', name.len);
}

static void find_link(struct query *q)
{
	enum { ALIGN = 4 };
	struct elf_section s;
	if (elf_section(q->library, ".gnu_debuglink", &s) != ERR_NONE)
		return;
	struct slice name = elf_text(s.bytes, 0);
	size_t at = (name.len + ALIGN) / ALIGN * ALIGN;
	if (!is_name(name) || at >= s.bytes.len)
		return;
	struct cursor c = cursor_init(slice(s.bytes.at + at, s.bytes.len - at));
	q->checksum = cursor_le32(&c);
	q->link = c.err ? slice(NULL, 0) : name;
}

/* CRC-32 as in zlib, which .gnu_debuglink has. */
static uint32_t checksum(struct slice bytes)
{
	uint32_t table[256], crc = ~UINT32_C(0);
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = (table[i] >> 1) ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
	}
	for (size_t i = 0; i < bytes.len; i++)
		crc = table[(crc ^ bytes.at[i]) & 0xff] ^ (crc >> 8);
	return ~crc;
}

static bool is_same_build(const struct query *q, const struct debug_file *f)
{
	struct slice ours = elf_build_id(q->library), its = elf_build_id(&f->elf);
	if (ours.len && its.len)
		return slice_equal(ours, its);
	return q->link.len && checksum(f->file) == q->checksum;
}

static bool has_symbols(const struct elf *e)
{
	struct elf_section s;
	return elf_section(e, ".symtab", &s) == ERR_NONE && s.bytes.len;
}

/* What the path names is of the library's build, and has symbols. */
static int try_path(struct debug_file *f, const struct query *q, struct buf *path)
{
	const char *text = buf_text(path);
	if (path->failed || path->len >= sizeof(f->path))
		return ERR_NOT_FOUND;
	memcpy(f->path, text, path->len + 1);
	if (file_map_open(&f->file, f->path, NULL) != ERR_NONE)
		return ERR_NOT_FOUND;
	if (elf_open(&f->elf, f->file, NULL) == ERR_NONE && has_symbols(&f->elf) &&
		is_same_build(q, f))
		return ERR_NONE;
	debug_file_release(f);
	return ERR_NOT_FOUND;
}

static void put(struct buf *path, struct slice text)
{
	buf_put(path, text.at, text.len);
}

static int try_build_id(struct debug_file *f, const struct query *q, struct buf *path)
{
	struct slice id = elf_build_id(q->library);
	if (!id.len)
		return ERR_NOT_FOUND;
	buf_clear(path);
	put(path, q->root);
	put(path, q->folder);
	buf_printf(path, "/.build-id/%02x/", id.at[0]);
	for (size_t i = 1; i < id.len; i++)
		buf_printf(path, "%02x", id.at[i]);
	buf_put_str(path, ".debug");
	return try_path(f, q, path);
}

static int try_link(struct debug_file *f, const struct query *q, struct buf *path)
{
	const struct {
		struct slice before;
		const char *after;
	} places[] = {{slice(NULL, 0), "/"}, {slice(NULL, 0), "/.debug/"}, {q->folder, "/"}};
	int err = ERR_NOT_FOUND;
	for (size_t i = 0; q->link.len && err && i < sizeof(places) / sizeof(places[0]); i++) {
		buf_clear(path);
		put(path, q->root);
		put(path, places[i].before);
		put(path, q->place);
		buf_put_str(path, places[i].after);
		put(path, q->link);
		err = try_path(f, q, path);
	}
	return err;
}

int debug_file_open(
	struct debug_file *f, const struct elf *library, const char *path, const char *folder)
{
	struct buf text = {0};
	size_t root = root_len(path);
	const char *rest = path + root, *end = strrchr(rest, '/');
	struct query q = {.library = library,
		.root = slice(path, root),
		.folder = slice_str(folder),
		.place = end ? slice(rest, (size_t)(end - rest)) : slice_str(".")};
	*f = (struct debug_file){.path = ""};
	find_link(&q);
	int err = try_build_id(f, &q, &text);
	err = err ? try_link(f, &q, &text) : err;
	buf_release(&text);
	if (err)
		f->path[0] = '\0';
	return err;
}

void debug_file_release(struct debug_file *f)
{
	file_map_close(&f->file);
	f->elf = (struct elf){.count = 0};
}
