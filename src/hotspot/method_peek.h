/*
 * A Method whose class may be unloaded at any moment, as where the program runs on, or a pause is
 * on, while a thread of the agent's reads: all that is read of it is copied, through the kernel.
 * It may be of another that came to its place, or of what is left of one: who has the Method by its
 * id asks for that again behind the last read. As long as it has the same Method nothing has gone.
 */
#ifndef HOTSPOT_METHOD_PEEK_H
#define HOTSPOT_METHOD_PEEK_H

#include "base/buf.h"
#include "hotspot/methods.h"

struct method_peek {
	uintptr_t klass;
	uintptr_t code; /* where its bytecode begins */
	uint32_t code_bytes, line_bytes;
	uintptr_t pool, tags;
	uint32_t constants;                     /* of the pool */
	uint16_t name, descriptor, source_file; /* as constants; 0: there is none */
};

/* False: it can't be read, or is none. */
bool method_peek(const struct vm_methods *m, uintptr_t method, struct method_peek *out);
/* So many bytes of its code. False: it has not that many behind bci, or they can't be read. */
bool method_peek_code(const struct method_peek *p, uint32_t bci, void *out, uint32_t bytes);

/* Texts are appended. False: there is none, or no memory for it. */
bool method_peek_text(const struct vm_methods *m, const struct method_peek *p, uint32_t constant,
	struct buf *out);
/* Of the class that the constant stands for. */
bool method_peek_class_text(const struct vm_methods *m, const struct method_peek *p,
	uint32_t constant, struct buf *out);
/* Its table of lines; nothing where it has none. */
bool method_peek_lines(const struct method_peek *p, struct buf *out);

/* The VM's own text of its names, as struct vm_method's. */
struct method_names {
	struct buf class_name, name, descriptor;
};

bool method_peek_names(
	const struct vm_methods *m, const struct method_peek *p, struct method_names *out);
void method_names_release(struct method_names *n);

#endif
