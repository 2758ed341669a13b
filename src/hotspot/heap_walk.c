#include "hotspot/heap_walk.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"

int heap_walk(const struct vm_objects *o, uintptr_t bottom, uintptr_t top, heap_visit *visit,
	void *arg, uintptr_t *reached)
{
	return heap_walk_with(o, bottom, top, visit, arg, reached);
}

static bool peek_parts(const struct heap_part *parts, size_t count)
{
	struct iovec from[HEAP_PARTS_MAX], to[HEAP_PARTS_MAX];
	size_t size = 0;
	if (count > HEAP_PARTS_MAX)
		return false;
	for (size_t i = 0; i < count; i++) {
		from[i] = (struct iovec){(void *)parts[i].at, parts[i].size};
		to[i] = (struct iovec){parts[i].out, parts[i].size};
		size += parts[i].size;
	}
	return process_vm_readv(getpid(), to, count, from, count, 0) == (ssize_t)size;
}

bool heap_peek(uintptr_t at, void *out, size_t size)
{
	return peek_parts(&(struct heap_part){at, out, size}, 1);
}

/* Of this thread. */
static _Thread_local bool meta_held;

void heap_hold_meta(bool held)
{
	meta_held = held;
}

bool heap_peek_meta(const struct heap_part *parts, size_t count)
{
	if (!meta_held)
		return peek_parts(parts, count);
	for (size_t i = 0; i < count; i++)
		memcpy(parts[i].out, (const void *)parts[i].at, parts[i].size);
	return true;
}

bool heap_peek_meta_one(uintptr_t at, void *out, size_t size)
{
	return heap_peek_meta(&(struct heap_part){at, out, size}, 1);
}

bool heap_peek_name(const struct vm_objects *o, uintptr_t klass, char *out, size_t room)
{
	uintptr_t symbol;
	uint16_t length;
	if (room == 0 || !heap_peek_meta_one(klass + o->name, &symbol, sizeof(symbol)) ||
		!heap_peek_meta_one(symbol + o->symbol_length, &length, sizeof(length)))
		return false;
	size_t len = length < room ? length : room - 1;
	out[len] = 0;
	return len == 0 || heap_peek_meta_one(symbol + o->symbol_body, out, len);
}

/* A C++ object with a table of functions, a layout and a name. */
static bool is_klass(const struct vm_objects *o, uintptr_t klass)
{
	uintptr_t functions, function, name;
	int32_t layout;
	uint16_t length;
	return heap_peek(klass, &functions, sizeof(functions)) && functions &&
	       !(functions & (sizeof(functions) - 1)) &&
	       heap_peek(functions, &function, sizeof(function)) && function &&
	       heap_peek(klass + o->layout, &layout, sizeof(layout)) && layout &&
	       heap_peek(klass + o->name, &name, sizeof(name)) &&
	       heap_peek(name + o->symbol_length, &length, sizeof(length)) && length;
}

enum { KNOWN = 2048 };

/* Classes that have been found good; at most one for each place. */
static bool is_known(const struct vm_objects *o, uintptr_t klass, uintptr_t known[KNOWN])
{
	uintptr_t *slot = &known[(klass >> 3 ^ klass >> 12) % KNOWN];
	if (*slot == klass)
		return true;
	if (!is_klass(o, klass))
		return false;
	*slot = klass;
	return true;
}

static size_t look_closely(const struct vm_objects *o, uintptr_t at, uintptr_t top,
	uintptr_t *klass, uintptr_t known[KNOWN])
{
	uint64_t mark = object_mark(at);
	if ((mark & 3) == MARK_FORWARDED || (top - at < 16 && !o->compact))
		return 0;
	*klass = object_klass(o, at);
	bool there = *klass && is_known(o, *klass, known) && object_least(o, *klass) <= top - at;
	size_t bytes = there ? object_bytes(o, at, *klass) : 0;
	return bytes <= top - at ? bytes : 0;
}

int heap_walk_checked(const struct vm_objects *o, uintptr_t bottom, uintptr_t top,
	heap_visit *visit, void *arg, uintptr_t *reached)
{
	uintptr_t known[KNOWN] = {0}, at = bottom, klass;
	bool able = heap_peek((uintptr_t)&at, &klass, sizeof(klass));
	for (size_t bytes; able && at < top; at += bytes) {
		bytes = look_closely(o, at, top, &klass, known);
		if (!bytes)
			break;
		if (!klass_is_filler(o, klass))
			visit(arg, at, klass, bytes);
	}
	if (reached)
		*reached = at;
	if (!able)
		return ERR_UNSUPPORTED;
	return at == top ? ERR_NONE : ERR_CORRUPT;
}
