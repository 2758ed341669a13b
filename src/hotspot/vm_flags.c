#include "hotspot/vm_flags.h"

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"

enum { FLAGS_MAX = 1 << 14, ROW_MAX = 1 << 10 };

/* JDK 11 does not tell its numbers; these are they. */
static uint32_t constant(const struct vm_constants *c, const char *name, uint32_t otherwise)
{
	int64_t value;
	return vm_constants_find(c, name, &value) ? (uint32_t)value : otherwise;
}

static void read_origins(struct vm_flags *f, const struct vm_constants *c)
{
	f->origin_mask = constant(c, "JVMFlag::VALUE_ORIGIN_MASK", 15);
	f->origin_nobody = constant(c, "JVMFlagOrigin::DEFAULT", 0);
	f->origin_user = constant(c, "JVMFlagOrigin::COMMAND_LINE", 1);
}

struct vm_flags vm_flags_of(const struct vm_structs *s, const struct vm_constants *c)
{
	struct vm_flags f = {.rows = NULL};
	const char *rows;
	uint64_t count;
	bool told = vm_structs_read(s, "JVMFlag", "flags", &rows, sizeof(rows)) &&
		    vm_structs_read(s, "JVMFlag", "numFlags", &count, sizeof(count)) &&
		    vm_structs_offset(s, "JVMFlag", "_name", &f.name) &&
		    vm_structs_offset(s, "JVMFlag", "_addr", &f.address) &&
		    vm_constants_type(c, "JVMFlag", &f.stride);
	bool sound = told && count <= FLAGS_MAX && f.stride <= ROW_MAX &&
		     f.name + sizeof(void *) <= f.stride && f.address + sizeof(void *) <= f.stride;
	if (!sound)
		return (struct vm_flags){.rows = NULL};
	if (!vm_structs_offset(s, "JVMFlag", "_type", &f.type) ||
		f.type + sizeof(int32_t) > f.stride)
		f.type = f.stride;
	if (!vm_structs_offset(s, "JVMFlag", "_flags", &f.flags) ||
		f.flags + sizeof(uint32_t) > f.stride)
		f.flags = f.stride;
	read_origins(&f, c);
	f.rows = rows;
	f.count = count;
	return f;
}

static void *pointer(const char *row, uint64_t offset)
{
	void *value;
	memcpy(&value, row + offset, sizeof(value));
	return value;
}

static const char *row_of(const struct vm_flags *f, const char *name)
{
	for (uint64_t i = 0; f->rows && i < f->count; i++) {
		const char *row = f->rows + i * f->stride;
		const char *own = pointer(row, f->name);
		if (own && strcmp(own, name) == 0)
			return row;
	}
	return NULL;
}

void *vm_flags_find(const struct vm_flags *f, const char *name)
{
	const char *row = row_of(f, name);
	return row ? pointer(row, f->address) : NULL;
}

bool vm_flags_bool(const struct vm_flags *f, const char *name, bool otherwise)
{
	const uint8_t *at = vm_flags_find(f, name);
	return at ? *at != 0 : otherwise;
}

/* From 16 on by the number that the VM gives them (jvmFlag.hpp), before by name. */
struct type {
	int32_t number;
	unsigned width;
	const char *name;
};
static const struct type unsigned_types[] = {
	{2, 4, "uint"}, {4, sizeof(uintptr_t), "uintx"}, {5, 8, "uint64_t"}, {6, 8, "size_t"}};
static const struct type signed_type = {3, sizeof(intptr_t), "intx"};
enum { NUMBERS_END = 64 }; /* no address of a text is as low */

static bool is_of(const struct vm_flags *f, const char *row, const struct type *t)
{
	int32_t number;
	if (!row || f->type >= f->stride)
		return false;
	memcpy(&number, row + f->type, sizeof(number));
	if (number >= 0 && number < NUMBERS_END)
		return number == t->number;
	return f->type + sizeof(void *) <= f->stride && strcmp(pointer(row, f->type), t->name) == 0;
}

unsigned vm_flags_width(const struct vm_flags *f, const char *name)
{
	const char *row = row_of(f, name);
	for (size_t i = 0; i < ARRAY_SIZE(unsigned_types); i++)
		if (is_of(f, row, &unsigned_types[i]))
			return unsigned_types[i].width;
	return 0;
}

int64_t *vm_flags_signed(const struct vm_flags *f, const char *name)
{
	const char *row = row_of(f, name);
	return is_of(f, row, &signed_type) ? pointer(row, f->address) : NULL;
}

static bool read_flags(const struct vm_flags *f, const char *name, uint32_t *out)
{
	const char *row = row_of(f, name);
	if (!row || f->flags >= f->stride)
		return false;
	memcpy(out, row + f->flags, sizeof(*out));
	return true;
}

bool vm_flags_is_free(const struct vm_flags *f, const char *name)
{
	uint32_t flags;
	return read_flags(f, name, &flags) && (flags & f->origin_mask) == f->origin_nobody;
}

bool vm_flags_give(const struct vm_flags *f, const char *name, uint64_t value)
{
	unsigned width = vm_flags_width(f, name);
	uint32_t flags, narrow = (uint32_t)value;
	if (!read_flags(f, name, &flags) || !width || (width < sizeof(value) && narrow != value))
		return false;
	flags = (flags & ~f->origin_mask) | f->origin_user;
	memcpy(vm_flags_find(f, name), width < sizeof(value) ? (void *)&narrow : (void *)&value,
		width);
	/* The row is the VM's own memory. */
	memcpy((void *)(uintptr_t)(row_of(f, name) + f->flags), &flags, sizeof(flags));
	return true;
}
