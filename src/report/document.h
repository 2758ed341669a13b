/*
 * A JSON document under way, over jansson: the first failure stays, and all that follows does
 * nothing, so that a writer checks once at the end.
 */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"

struct document {
	struct buf *out; /* borrowed */
	bool failed;
};

/* Also makes jansson allocate through base/mem.h. */
struct document document_init(struct buf *out);
/* Both take `value` over, NULL (out of memory) included. */
void document_set(struct document *d, json_t *object, const char *key, json_t *value);
void document_append(struct document *d, json_t *array, json_t *value);
/* Writes `before` and the value, which is freed. */
void document_put(struct document *d, const char *before, json_t *value);
/* The same of an object's members, without its braces. */
void document_put_members(struct document *d, const char *before, json_t *object);
/* 0 or ERR_NOMEM. */
int document_error(const struct document *d);

/* null where it is not finite. */
json_t *document_number(double value);
/* Rounded, not below 0. */
json_t *document_whole(double value);
json_t *document_count(uint64_t value);
/* Cleaned (text.h); null where it is empty. */
json_t *document_text(struct slice text);

#endif
