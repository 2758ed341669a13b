/* The Code attribute of a method: the code, its handlers, and the attributes that speak of it. */
#ifndef CLASSFILE_CODE_H
#define CLASSFILE_CODE_H

#include "base/diag.h"
#include "classfile/insn.h"
#include "classfile/pool.h"

enum { HANDLER_SIZE = 8 };

struct code {
	uint16_t max_stack, max_locals;
	struct slice bytes;
	struct slice handlers; /* HANDLER_SIZE bytes each */
	uint16_t handler_count, attribute_count;
	struct slice attributes; /* behind their count */
};

struct handler {
	uint32_t start, end, target; /* bytes of code; end is behind the last */
	uint16_t type;               /* the class that it catches, 0 for any */
};

/* 0, or ERR_FORMAT or ERR_TRUNCATED with a sentence; attributes are stepped over, code is not
 * decoded. */
int code_read(struct code *k, struct slice content, struct diag *d);

/* n < handler_count. */
struct handler code_handler(const struct code *k, uint32_t n);

/* Content of the first attribute with that name; ERR_NOT_FOUND. */
int code_attribute(
	const struct code *k, const struct pool *p, const char *name, struct slice *content);

#endif
