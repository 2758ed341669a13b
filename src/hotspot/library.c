#include "hotspot/library.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "base/error.h"
#include "hotspot/file_map.h"

enum { BEGINNING = 4096 }; /* of the code: compared where there is no build id */

/* Alpine's C library has a name of its own among what a library needs: libc.musl-x86_64.so.1. */
static bool needs_musl(const struct elf *e)
{
	static const char name[] = "libc.musl-";
	struct elf_section texts;
	return elf_section(e, ".dynstr", &texts) == ERR_NONE && texts.bytes.len &&
	       memmem(texts.bytes.at, texts.bytes.len, name, sizeof(name) - 1);
}

static int open_path(struct vm_library *l, const char *path, struct diag *d)
{
	struct diag why = {""};
	*l = (struct vm_library){.base = NULL};
	size_t len = strlen(path);
	if (len >= sizeof(l->path))
		return diag_set(d, ERR_LIMIT, "a path of %zu bytes", len);
	memcpy(l->path, path, len + 1);
	int err = file_map_open(&l->file, path, d);
	if (err)
		return err;
	err = elf_open(&l->elf, l->file, &why);
	if (err)
		diag_set(d, err, "%s: %s", path, why.text);
	else
		err = symbol_source_open(&l->source, &l->symbols, &l->elf, path, d);
	if (!err && elf_section(&l->elf, ".text", &l->code) != ERR_NONE)
		err = diag_set(d, ERR_FORMAT, "%s: it has no code", path);
	l->musl = !err && needs_musl(&l->elf);
	if (err)
		vm_library_release(l);
	return err;
}

int vm_library_open_file(struct vm_library *l, const char *path, struct diag *d)
{
	return open_path(l, path, d);
}

/* What dl_iterate_phdr is asked: whether these bytes of the library at `base` are loaded. */
struct segment {
	const uint8_t *base;
	uint64_t address, count;
};

static int has_segment(struct dl_phdr_info *info, size_t size, void *arg)
{
	const struct segment *s = arg;
	(void)size;
	if ((uintptr_t)info->dlpi_addr != (uintptr_t)s->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && (p->p_flags & PF_R) && s->address >= p->p_vaddr &&
			s->address - p->p_vaddr <= p->p_memsz &&
			s->count <= p->p_memsz - (s->address - p->p_vaddr))
			return 1;
	}
	return 0;
}

static bool same(const struct vm_library *l, const struct elf_section *s, size_t count)
{
	struct segment wanted = {l->base, s->address, count};
	return dl_iterate_phdr(has_segment, &wanted) == 1 &&
	       memcmp(l->base + s->address, s->bytes.at, count) == 0;
}

static int check_same(const struct vm_library *l, struct diag *d)
{
	struct elf_section id;
	size_t some = l->code.bytes.len < BEGINNING ? l->code.bytes.len : BEGINNING;
	bool has_id = elf_section(&l->elf, ".note.gnu.build-id", &id) == ERR_NONE && id.bytes.len;
	struct segment all = {l->base, l->code.address, l->code.bytes.len};
	bool agrees = (has_id ? same(l, &id, id.bytes.len) : same(l, &l->code, some)) &&
		      dl_iterate_phdr(has_segment, &all) == 1;
	return agrees ? ERR_NONE
		      : diag_set(d, ERR_CORRUPT,
				"%s is another file than the one that runs; was the JDK updated "
				"meanwhile?",
				l->path);
}

int vm_library_open(struct vm_library *l, const void *inside, struct diag *d)
{
	Dl_info info;
	*l = (struct vm_library){.base = NULL};
	if (!dladdr(inside, &info) || !info.dli_fname || !info.dli_fbase)
		return diag_set(d, ERR_NOT_FOUND, "the VM's library is not found");
	int err = open_path(l, info.dli_fname, d);
	if (err)
		return err;
	l->base = info.dli_fbase;
	err = check_same(l, d);
	if (err)
		vm_library_release(l);
	return err;
}

void vm_library_forget_symbols(struct vm_library *l)
{
	l->symbols = (struct symbols){.whole = l->symbols.whole};
	symbol_source_forget(&l->source);
}

void vm_library_release(struct vm_library *l)
{
	symbol_source_release(&l->source);
	file_map_close(&l->file);
	*l = (struct vm_library){.base = NULL};
}

struct slice vm_library_code(const struct vm_library *l, uint64_t address, uint64_t count)
{
	const struct elf_section *c = &l->code;
	uint64_t offset = address - c->address;
	if (!c->bytes.at || address < c->address || offset > c->bytes.len ||
		count > c->bytes.len - offset)
		return slice(NULL, 0);
	return slice(l->base ? l->base + address : c->bytes.at + offset, count);
}

void *vm_library_at(const struct vm_library *l, uint64_t address)
{
	struct segment one = {l->base, address, 1};
	return l->base && dl_iterate_phdr(has_segment, &one) == 1 ? l->base + address : NULL;
}

const char *vm_library_lack(const struct vm_library *l)
{
	return l->symbols.whole ? "" : l->source.lack.text;
}
