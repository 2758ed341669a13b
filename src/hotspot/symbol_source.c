#include "hotspot/symbol_source.h"

#include "base/error.h"
#include "hotspot/unxz.h"

static int open_debug_file(
	struct symbol_source *s, struct symbols *out, const struct elf *library, const char *path)
{
	int err = debug_file_open(&s->debug, library, path, DEBUG_FILE_FOLDER);
	if (!err && (symbols_open(out, &s->debug.elf, NULL) != ERR_NONE || !out->whole)) {
		debug_file_release(&s->debug);
		err = ERR_NOT_FOUND;
	}
	return err;
}

/* Like symbols_open of what .gnu_debugdata holds; why not goes to *why. */
static int open_packed(
	struct symbol_source *s, struct symbols *out, struct slice packed, struct diag *why)
{
	struct elf e;
	int err = unxz(&s->unpacked, packed, why);
	if (!err) {
		err = elf_open(&e, buf_slice(&s->unpacked), why);
		err = err ? err : symbols_open(out, &e, why);
		if (err || !out->whole)
			err = diag_set(why, ERR_CORRUPT, "it holds none");
	}
	if (err)
		buf_release(&s->unpacked);
	return err;
}

static void say_lack(struct symbol_source *s, const char *why)
{
	if (s->packed)
		diag_set(&s->lack, ERR_NONE,
			"the library is stripped: its symbols are in .gnu_debugdata, but %.300s",
			why);
	else
		diag_set(&s->lack, ERR_NONE,
			"the library is stripped, and its debug symbols are not installed");
}

/* Symbols of another file than the library's own, where they are not whole. */
static void look_further(
	struct symbol_source *s, struct symbols *out, const struct elf *library, const char *path)
{
	struct elf_section packed;
	struct symbols found;
	struct diag why = {""};
	bool is_packed = elf_section(library, ".gnu_debugdata", &packed) == ERR_NONE;
	if (open_debug_file(s, &found, library, path) == ERR_NONE)
		s->origin = SYMBOLS_DEBUG_FILE;
	else if (is_packed && open_packed(s, &found, packed.bytes, &why) == ERR_NONE)
		s->origin = SYMBOLS_PACKED;
	s->packed = is_packed && s->origin != SYMBOLS_PACKED;
	if (s->origin == SYMBOLS_EXPORTED)
		say_lack(s, why.text);
	else
		*out = found;
}

int symbol_source_open(struct symbol_source *s, struct symbols *out, const struct elf *library,
	const char *path, struct diag *d)
{
	struct diag why = {""};
	*s = (struct symbol_source){.origin = SYMBOLS_EXPORTED};
	int err = symbols_open(out, library, &why);
	if (err && err != ERR_NOT_FOUND)
		return diag_set(d, err, "%s: %s", path, why.text);
	if (out->whole)
		s->origin = SYMBOLS_OWN;
	else
		look_further(s, out, library, path);
	return ERR_NONE;
}

void symbol_source_forget(struct symbol_source *s)
{
	debug_file_release(&s->debug);
	buf_release(&s->unpacked);
}

void symbol_source_release(struct symbol_source *s)
{
	symbol_source_forget(s);
	*s = (struct symbol_source){.origin = SYMBOLS_EXPORTED};
}

const char *symbol_source_name(const struct symbol_source *s)
{
	static const char *const names[] = {[SYMBOLS_EXPORTED] = "",
		[SYMBOLS_OWN] = ".symtab",
		[SYMBOLS_PACKED] = ".gnu_debugdata"};
	return s->origin == SYMBOLS_DEBUG_FILE ? s->debug.path : names[s->origin];
}
