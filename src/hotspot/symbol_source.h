/*
 * Where the symbols of a library are to be had: in it (.symtab), in its debug file, or packed in it
 * (.gnu_debugdata: a small library with nothing but .symtab, and only functions in that, in xz).
 * What it exports (.dynsym) is taken where there is nothing better.
 */
#ifndef HOTSPOT_SYMBOL_SOURCE_H
#define HOTSPOT_SYMBOL_SOURCE_H

#include "base/buf.h"
#include "hotspot/debug_file.h"
#include "hotspot/symbols.h"

enum symbol_origin { SYMBOLS_EXPORTED, SYMBOLS_OWN, SYMBOLS_DEBUG_FILE, SYMBOLS_PACKED };

struct symbol_source {
	enum symbol_origin origin;
	struct debug_file debug; /* owned while open */
	struct buf unpacked;     /* owned */
	bool packed;             /* there is .gnu_debugdata, but the symbols are not from it */
	struct diag lack;        /* why the symbols are not whole: a phrase; else empty */
};

/*
 * Finds the symbols of the library at `path`, whose names belong to `s` or to the library's file.
 * 0, also where there are none at all (out->count 0); ERR_CORRUPT: of .symtab or .dynsym.
 */
int symbol_source_open(struct symbol_source *s, struct symbols *out, const struct elf *library,
	const char *path, struct diag *d);
/* Gives back what the symbols are in, which are gone then; what was said of them stays. */
void symbol_source_forget(struct symbol_source *s);
void symbol_source_release(struct symbol_source *s);

/* ".symtab", ".gnu_debugdata", or the debug file's path; "" where there is none of these. */
const char *symbol_source_name(const struct symbol_source *s);

#endif
