/*
 * Methods, as they lie in the VM's memory: names, and the line of an instruction. A Method is
 * believed to be one: take it from a frame of a thread that stands still.
 */
#ifndef HOTSPOT_METHODS_H
#define HOTSPOT_METHODS_H

#include "hotspot/constant_pool.h"
#include "hotspot/line_table.h"
#include "hotspot/method_key.h"
#include "hotspot/objects.h"

/* Offsets in bytes. */
struct vm_methods {
	struct vm_objects objects;
	struct constant_pools pools;
	enum unsigned5 numbers;
	uint32_t const_method;                                     /* in Method */
	uint32_t pool, words, flags, code_bytes, name, descriptor; /* in ConstMethod */
	uint32_t header;            /* of a ConstMethod, bytes: its bytecode follows */
	uint32_t line_flag;         /* of flags: a table of lines follows that */
	uint32_t source_file;       /* in ConstantPool; 0: not there */
	uint32_t klass_source_file; /* in InstanceKlass (11); 0: not there */
	struct method_key key;
};

struct vm_method {
	struct slice class_name, name,
		descriptor;       /* the VM's own text: java/lang/String, length, ()I */
	struct slice source_file; /* empty: not told */
	uintptr_t klass;
	uintptr_t code; /* where its bytecode begins */
	uint32_t code_bytes;
	bool has_lines;
};

/* As vm_objects_open. */
int vm_methods_open(struct vm_methods *m, const void *inside, struct diag *d);
/* 0, or ERR_CORRUPT: that can't be a method. The text is the VM's for as long as the class is
 * loaded. */
int vm_method_read(const struct vm_methods *m, uintptr_t method, struct vm_method *out);
/* 0: not told. */
uint32_t vm_method_line(const struct vm_methods *m, uintptr_t method, uint32_t bci);
enum { METHOD_MADE_NAME = 511 };
/* The instruction at bci, or the one that ends there, if it makes objects of that class: its index.
 * -1: neither does, or the class's name is longer than METHOD_MADE_NAME, or what is to be read is
 * gone: the method and the class may be unloaded (method_peek.h). */
int vm_method_maker(const struct vm_methods *m, uintptr_t method, uint32_t bci, uintptr_t klass);
/*
 * Tells the method whose bytecode begins at `code` from another that stands there later, not 0.
 * Where its class's loader is alive that can be read, whatever has become of the method.
 */
uint32_t vm_method_version(const struct vm_methods *m, uintptr_t code);
/* The index of the instruction at bcp; -1: it is not inside the method's code. */
int vm_method_bci(const struct vm_methods *m, uintptr_t method, uintptr_t bcp);

#endif
