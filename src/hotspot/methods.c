#include "hotspot/methods.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/map.h"
#include "hotspot/heap_walk.h"
#include "hotspot/method_peek.h"
#include "hotspot/vm_fields.h"

enum { WORD = 8, NO_ZERO_SINCE = 20 /* JDK-8292758 */ };

#define TO(field) .to = offsetof(struct vm_methods, field)

static int open_fields(struct vm_methods *m, const struct vm_structs *s, struct diag *d)
{
	static const struct vm_field fields[] = {
		{"Method", "_constMethod", TO(const_method)},
		{"ConstMethod", "_constants", TO(pool)},
		{"ConstMethod", "_constMethod_size", TO(words)},
		{"ConstMethod", "_flags._flags", NULL, "_flags", TO(flags)},
		{"ConstMethod", "_code_size", TO(code_bytes)},
		{"ConstMethod", "_name_index", TO(name)},
		{"ConstMethod", "_signature_index", TO(descriptor)},
	};
	static const struct vm_field in_pool = {
		"ConstantPool", "_source_file_name_index", TO(source_file)};
	static const struct vm_field in_klass = {
		"InstanceKlass", "_source_file_name_index", TO(klass_source_file)};
	int err = vm_fields_read(s, fields, ARRAY_SIZE(fields), m, d);
	/* No method is less of one for want of its file's name. */
	if (!err && vm_fields_read(s, &in_pool, 1, m, NULL))
		(void)vm_fields_read(s, &in_klass, 1, m, NULL);
	return err;
}

static int open_constants(struct vm_methods *m, const struct vm_structs *s,
	const struct vm_constants *c, struct diag *d)
{
	uint64_t header;
	int64_t flag;
	int32_t major;
	if (!vm_constants_type(c, "ConstMethod", &header) || header > UINT16_MAX)
		return diag_set(
			d, ERR_UNSUPPORTED, "this VM does not tell the size of a ConstMethod");
	if (!vm_constants_find(c, "ConstMethodFlags::_misc_has_linenumber_table", &flag) &&
		!vm_constants_find(c, "ConstMethod::_has_linenumber_table", &flag))
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM does not tell ConstMethodFlags::_misc_has_linenumber_table");
	int err = vm_release(s, &major, d);
	if (err)
		return err;
	m->header = (uint32_t)header;
	m->line_flag = (uint32_t)flag;
	m->numbers = major >= NO_ZERO_SINCE ? UNSIGNED5_NO_ZERO : UNSIGNED5_PLAIN;
	return ERR_NONE;
}

int vm_methods_open(struct vm_methods *m, const void *inside, struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	struct vm_constants c = vm_constants_of(inside);
	*m = (struct vm_methods){.header = 0};
	int err = vm_objects_open(&m->objects, inside, d);
	if (!err)
		err = constant_pools_open(&m->pools, &s, &c, d);
	if (!err)
		err = open_fields(m, &s, d);
	if (!err)
		err = open_constants(m, &s, &c, d);
	m->key = (struct method_key){.const_method = m->const_method,
		.names = m->name,
		.pool = m->pool,
		.holder = m->pools.holder};
	return err;
}

static uintptr_t const_method(const struct vm_methods *m, uintptr_t method)
{
	return method && !(method & (WORD - 1)) ? VM_AT(uintptr_t, method, m->const_method) : 0;
}

/* The text at an index of the pool; none where there is none. */
static struct slice text_at(const struct vm_methods *m, uintptr_t pool, uint32_t index)
{
	uintptr_t symbol = constant_pool_symbol(&m->pools, pool, index);
	return symbol ? symbol_text(&m->objects, symbol) : slice(NULL, 0);
}

static struct slice source_file(const struct vm_methods *m, uintptr_t pool, uintptr_t klass)
{
	if (m->source_file)
		return text_at(m, pool, VM_AT(uint16_t, pool, m->source_file));
	if (m->klass_source_file)
		return text_at(m, pool, VM_AT(uint16_t, klass, m->klass_source_file));
	return slice(NULL, 0);
}

int vm_method_read(const struct vm_methods *m, uintptr_t method, struct vm_method *out)
{
	*out = (struct vm_method){.code = 0};
	uintptr_t at = const_method(m, method);
	uintptr_t pool = at ? VM_AT(uintptr_t, at, m->pool) : 0;
	if (!pool)
		return ERR_CORRUPT;
	out->klass = VM_AT(uintptr_t, pool, m->pools.holder);
	out->name = text_at(m, pool, VM_AT(uint16_t, at, m->name));
	out->descriptor = text_at(m, pool, VM_AT(uint16_t, at, m->descriptor));
	if (!out->klass || !out->name.len || !out->descriptor.len)
		return ERR_CORRUPT;
	out->class_name = symbol_text(&m->objects, klass_symbol(&m->objects, out->klass));
	out->source_file = source_file(m, pool, out->klass);
	out->code = at + m->header;
	out->code_bytes = VM_AT(uint16_t, at, m->code_bytes);
	/* 16 bits on 11 and 17, 32 later: the flag is in the low half. */
	out->has_lines = VM_AT(uint16_t, at, m->flags) & m->line_flag;
	return ERR_NONE;
}

/* What follows the bytecode, up to the ConstMethod's end: the lines are the first. */
static struct slice lines(const struct vm_methods *m, uintptr_t at)
{
	uint64_t bytes = (uint64_t)VM_AT(uint32_t, at, m->words) * WORD;
	uint64_t before = m->header + (uint64_t)VM_AT(uint16_t, at, m->code_bytes);
	if (!(VM_AT(uint16_t, at, m->flags) & m->line_flag) || before > bytes || bytes > UINT32_MAX)
		return slice(NULL, 0);
	return slice((const void *)(at + before), (size_t)(bytes - before));
}

uint32_t vm_method_line(const struct vm_methods *m, uintptr_t method, uint32_t bci)
{
	uintptr_t at = const_method(m, method);
	return at ? line_table_line(lines(m, at), m->numbers, bci) : 0;
}

int vm_method_bci(const struct vm_methods *m, uintptr_t method, uintptr_t bcp)
{
	uintptr_t at = const_method(m, method);
	uintptr_t code = at + m->header;
	if (!at || bcp < code || bcp - code >= VM_AT(uint16_t, at, m->code_bytes))
		return -1;
	return (int)(bcp - code);
}

uint32_t vm_method_version(const struct vm_methods *m, uintptr_t code)
{
	uintptr_t at = code - m->header;
	uint64_t names = (uint64_t)VM_AT(uint16_t, at, m->name) << 32 |
			 (uint64_t)VM_AT(uint16_t, at, m->descriptor) << 16 |
			 VM_AT(uint16_t, at, m->code_bytes);
	return (uint32_t)hash64_pair(VM_AT(uintptr_t, at, m->pool), names) | 1;
}

/* X or [X, to [LX; or [[X. */
static bool is_array_of(struct slice array, struct slice element)
{
	if (array.len < 2 || element.len == 0 || array.at[0] != '[')
		return false;
	struct slice rest = slice(array.at + 1, array.len - 1);
	if (element.at[0] == '[')
		return slice_equal(rest, element);
	return rest.len == element.len + 2 && rest.at[0] == 'L' && rest.at[rest.len - 1] == ';' &&
	       memcmp(rest.at + 1, element.at, element.len) == 0;
}

/* A [[[X is made of [[X, and these of [X. */
static bool is_part_of(struct slice array, struct slice whole)
{
	return array.len > 0 && array.at[0] == '[' && array.len <= whole.len &&
	       memcmp(whole.at + whole.len - array.len, array.at, array.len) == 0;
}

enum { NEW = 0xbb, NEWARRAY = 0xbc, ANEWARRAY = 0xbd, MULTIANEWARRAY = 0xc5 };

static bool makes_numbers(const uint8_t *code, int32_t layout)
{
	/* In a layout: the kind of an array's elements, as newarray has it. */
	return layout < 0 && code[1] == ((uint32_t)layout >> 8 & 255);
}

/* Of the class whose objects are made: a copy, for it may go while the method stays. */
struct made {
	int32_t layout;
	char name[METHOD_MADE_NAME + 2]; /* one that fills it is too long */
};

static bool copy_made(const struct vm_objects *o, uintptr_t klass, struct made *out)
{
	return heap_peek_meta_one(klass + o->layout, &out->layout, sizeof(out->layout)) &&
	       heap_peek_name(o, klass, out->name, sizeof(out->name)) &&
	       strlen(out->name) <= METHOD_MADE_NAME;
}

static bool names_made(uint8_t opcode, struct slice named, struct slice made)
{
	if (opcode == NEW)
		return slice_equal(named, made);
	return opcode == ANEWARRAY ? is_array_of(made, named) : is_part_of(made, named);
}

/* Whether the instruction at bci makes objects of that class. */
static bool makes(const struct vm_methods *m, const struct method_peek *p, uint32_t bci,
	const struct made *of)
{
	uint8_t code[3];
	struct buf named = {.at = NULL};
	if (!method_peek_code(p, bci, code, 2))
		return false;
	if (code[0] == NEWARRAY)
		return makes_numbers(code, of->layout);
	if ((code[0] != NEW && code[0] != ANEWARRAY && code[0] != MULTIANEWARRAY) ||
		!method_peek_code(p, bci, code, sizeof(code)))
		return false;
	bool yes = method_peek_class_text(m, p, (uint32_t)code[1] << 8 | code[2], &named) &&
		   names_made(code[0], buf_slice(&named), slice_str(of->name));
	buf_release(&named);
	return yes;
}

int vm_method_maker(const struct vm_methods *m, uintptr_t method, uint32_t bci, uintptr_t klass)
{
	/* newarray has 2 bytes, new and anewarray 3, with a dup, and multianewarray, 4. */
	static const uint32_t backs[] = {0, 2, 3, 4};
	struct method_peek p;
	struct made made;
	if (!copy_made(&m->objects, klass, &made) || !method_peek(m, method, &p))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(backs); i++)
		if (bci >= backs[i] && makes(m, &p, bci - backs[i], &made))
			return (int)(bci - backs[i]);
	return -1;
}
