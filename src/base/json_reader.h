/*
 * Reads JSON (RFC 8259) from hostile bytes, a token at a time, with no memory of its own: strict,
 * to a bounded depth. After the first error it stays there.
 */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"

enum { JSON_DEPTH = 32 };

enum json_token {
	JSON_ERROR,
	JSON_END, /* of the document */
	JSON_OBJECT,
	JSON_OBJECT_END,
	JSON_ARRAY,
	JSON_ARRAY_END,
	JSON_KEY, /* its value comes next */
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
	JSON_TOKENS
};

struct json_reader {
	struct slice bytes;
	size_t at, start;  /* where it is, and where the last token begins */
	struct slice text; /* of the last key, string (between its quotes) or number: as written */
	const char *error; /* what is wrong at `at`; NULL: nothing is */
	uint32_t depth;
	uint8_t state;
	bool in_object[JSON_DEPTH];
};

struct json_reader json_reader_init(struct slice bytes);
enum json_token json_reader_next(struct json_reader *r);
/* Passes over the value that comes next, whatever is in it. False on an error. */
bool json_reader_skip(struct json_reader *r);
/* The last key or string, its escapes resolved, as UTF-8 with a NUL: bytes without it, or -1 where
 * it does not fit into `room` or holds U+0000. */
ptrdiff_t json_reader_text(const struct json_reader *r, char *to, size_t room);
/* Whether the last key or string is that, once its escapes are resolved. */
bool json_reader_is(const struct json_reader *r, const char *text);
/* The last number as a whole one; false where it is none, or not within least … most. */
bool json_reader_int(const struct json_reader *r, int64_t least, int64_t most, int64_t *to);
/* Line (from 1) and column (in bytes, from 1) of an offset. */
void json_reader_place(const struct json_reader *r, size_t at, uint32_t *line, uint32_t *column);
/* The reader's error as a sentence, ERR_FORMAT. name: of the file, or what it is. */
int json_reader_say(const struct json_reader *r, const char *name, struct diag *d);
/* Whether the reader's error is that a string holds what is not UTF-8. */
bool json_reader_is_foreign(const struct json_reader *r);
/* The kind of a token in words: "a string". */
const char *json_token_text(enum json_token t);

#endif
