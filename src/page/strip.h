/*
 * The numbers of one column of the page's data (doc/page-data.md): told by a function, stored in
 * the narrowest type that holds them all.
 */
#ifndef PAGE_STRIP_H
#define PAGE_STRIP_H

#include <stddef.h>

#include "trace/sink.h"

enum strip_type {
#define STRIP_TYPE(name, bytes, largest) STRIP_##name,
#include "page/strip_type.def"
#undef STRIP_TYPE
	STRIP_TYPES
};

enum strip_form {
	STRIP_COUNT,  /* whole, not below 0 */
	STRIP_RISING, /* the same; stored as differences. Where it falls, it is held */
	STRIP_REAL,   /* to 24 bits */
};

struct strip {
	const char *name; /* "table.column" */
	enum strip_form form;
	/* Row i of what `of` points to; finite. */
	double (*at)(const void *of, size_t i);
};

/* "u8", and its bytes. */
const char *strip_type_word(enum strip_type type);
size_t strip_type_bytes(enum strip_type type);

/* The narrowest type for rows 0 … count - 1. */
enum strip_type strip_type_for(const struct strip *s, const void *of, size_t count);
/* Writes the rows, little-endian, count * strip_type_bytes bytes. 0 or the sink's error. */
int strip_put(const struct strip *s, const void *of, size_t count, enum strip_type type,
	const struct sink *out);

#endif
