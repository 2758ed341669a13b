/*
 * A class file (JVMS, chapter 4), read whole and kept in place: its pool, and where its methods and
 * their code are. Every length is held against what is left before it is used. What has no place in
 * finding and changing code (fields, annotations, other attributes) is stepped over.
 */
#ifndef CLASSFILE_CLASS_FILE_H
#define CLASSFILE_CLASS_FILE_H

#include "base/diag.h"
#include "classfile/pool.h"

enum { ACCESS_STATIC = 0x0008, ACCESS_INTERFACE = 0x0200 };
enum { CLASS_FILE_MAX = 1 << 26 }; /* bytes; the largest that a person has seen have 2 MB */

struct class_method {
	uint16_t access;
	struct slice name, descriptor;
	struct slice code;    /* the content of its Code attribute; at is NULL where it has none */
	uint32_t code_len_at; /* where that attribute's length stands in the file */
};

struct class_file {
	struct slice bytes; /* the caller's */
	uint16_t minor, major, access;
	uint16_t this_class;      /* its number in the pool */
	struct slice name, super; /* as in the VM: java/lang/Object, which has an empty super */
	struct pool pool;
	uint32_t pool_at, pool_end; /* where its count and what follows it stand in the file */
	VEC(struct class_method) methods;
};

/*
 * Reads the file; the bytes must stay as long as what was read. 0; ERR_FORMAT, ERR_TRUNCATED or
 * ERR_LIMIT with a sentence that has the byte; ERR_UNSUPPORTED: older than Java 1.1 (45.3);
 * ERR_NOMEM. Release it in any case.
 */
int class_file_read(struct class_file *f, struct slice bytes, struct diag *d);
void class_file_release(struct class_file *f);

/* The method's number, or methods.count where there is none such. */
size_t class_file_method(const struct class_file *f, struct slice name, struct slice descriptor);

#endif
