/* Makes small class files: class T, which extends java/lang/Object, with methods of given code. */
#ifndef SUPPORT_CLASS_MAKER_H
#define SUPPORT_CLASS_MAKER_H

#include "classfile/pool.h"

/* A number of two bytes among those of code. */
#define U2(n) (uint8_t)((n) >> 8), (uint8_t)(n)

struct class_maker {
	struct pool pool;
	struct buf methods, handlers, attributes; /* the last two of the next method */
	uint16_t major, count, handler_count, attribute_count, this_class, super;
};

struct made_code {
	uint16_t access, max_stack, max_locals;
	struct slice bytes;
};

void class_maker_init(struct class_maker *m, uint16_t major);
void class_maker_release(struct class_maker *m);

/* Numbers of constants. */
uint16_t class_maker_class(struct class_maker *m, const char *name);
uint16_t class_maker_ref(struct class_maker *m, enum pool_tag tag, const char *owner,
	const char *name, const char *descriptor);

/* For the method that is added next. */
void class_maker_handler(struct class_maker *m, uint16_t start, uint16_t end, uint16_t target);
void class_maker_attribute(struct class_maker *m, const char *name, struct slice content);

void class_maker_method(
	struct class_maker *m, const char *name, const char *descriptor, struct made_code code);
/* The class file. Release *out. */
void class_maker_put(struct class_maker *m, struct buf *out);

#endif
