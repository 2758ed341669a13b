/* Bytes that someone else owns. */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct slice {
	const uint8_t *at;
	size_t len;
};

static inline struct slice slice(const void *at, size_t len)
{
	return (struct slice){.at = at, .len = len};
}

static inline struct slice slice_str(const char *text)
{
	return slice(text, strlen(text));
}

static inline int slice_equal(struct slice a, struct slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

#endif
