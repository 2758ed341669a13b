/*
 * The constant pool of a class: what is there, in place, and what is added behind it. Indices of
 * what is there never change, so that nothing else in the class has to.
 */
#ifndef CLASSFILE_POOL_H
#define CLASSFILE_POOL_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"

enum pool_tag {
	POOL_NONE, /* no constant: 0, beyond the end, or the second half of a long or double */
	POOL_UTF8 = 1,
	POOL_INTEGER = 3,
	POOL_FLOAT = 4,
	POOL_LONG = 5,
	POOL_DOUBLE = 6,
	POOL_CLASS = 7,
	POOL_STRING = 8,
	POOL_FIELD = 9,
	POOL_METHOD = 10,
	POOL_INTERFACE_METHOD = 11,
	POOL_NAME_AND_TYPE = 12,
	POOL_METHOD_HANDLE = 15,
	POOL_METHOD_TYPE = 16,
	POOL_DYNAMIC = 17,
	POOL_INVOKE_DYNAMIC = 18,
	POOL_MODULE = 19,
	POOL_PACKAGE = 20
};
enum { POOL_COUNT_MAX = 65535 }; /* JVMS 4.1: of constant_pool_count, one more than the last */

struct pool {
	struct slice bytes;  /* the class file; whoever opened it owns it */
	VEC(uint32_t) at;    /* where constant n is: in bytes, or from `own` on in added; 0: none */
	uint32_t own;        /* constants from this number on were added */
	struct buf added;    /* their bytes */
	struct map by_bytes; /* hash of an added constant to its number */
};

/* What a field or method reference says. Slices are empty where the pool does not keep to the form.
 */
struct pool_member {
	struct slice owner, name, descriptor;
};

/*
 * Reads the pool at the cursor (its count first), which stands in `file`, and leaves the cursor
 * behind it. 0, ERR_FORMAT or ERR_TRUNCATED with a sentence, ERR_NOMEM. Release it in any case.
 */
int pool_read(struct pool *p, struct slice file, struct cursor *c, struct diag *d);
void pool_release(struct pool *p);

static inline uint32_t pool_count(const struct pool *p)
{
	return (uint32_t)p->at.count;
}
/* POOL_NONE for any number that is none. */
enum pool_tag pool_tag(const struct pool *p, uint32_t n);
/* Empty where constant n is no Utf8, or no class. */
struct slice pool_utf8(const struct pool *p, uint32_t n);
struct slice pool_class(const struct pool *p, uint32_t n);
/* Of a field, a method, or a dynamic constant or call (which has no owner). */
struct pool_member pool_member(const struct pool *p, uint32_t n);

/*
 * Adds a constant, or finds it among those added before: *out is its number. 0, ERR_NOMEM, or
 * ERR_FULL: there is no room for one more.
 */
int pool_add_utf8(struct pool *p, struct slice text, uint16_t *out);
/* CLASS, STRING or METHOD_TYPE of a text. */
int pool_add_text(struct pool *p, enum pool_tag tag, struct slice text, uint16_t *out);
/* FIELD, METHOD or INTERFACE_METHOD. */
int pool_add_member(struct pool *p, enum pool_tag tag, const struct pool_member *m, uint16_t *out);
/* INTEGER or FLOAT (four bytes of value), LONG or DOUBLE (eight), as bits. */
int pool_add_bits(struct pool *p, enum pool_tag tag, uint64_t bits, uint16_t *out);

#endif
