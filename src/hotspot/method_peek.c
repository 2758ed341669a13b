#include "hotspot/method_peek.h"

#include "base/compiler.h"
#include "hotspot/heap_walk.h"

enum { WORD = 8, TEXT = 1 /* JVM_CONSTANT_Utf8 */, TEXT_MAX = UINT16_MAX };

#define PART(offset, field)                                                                        \
	{                                                                                          \
		(offset), &(field), sizeof(field)                                                  \
	}

/* What is in its ConstMethod and what follows from it. */
static bool peek_const(const struct vm_methods *m, uintptr_t at, struct method_peek *out)
{
	uint32_t words;
	uint16_t flags, code_bytes;
	const struct heap_part parts[] = {
		PART(at + m->pool, out->pool),
		PART(at + m->words, words),
		PART(at + m->flags, flags),
		PART(at + m->code_bytes, code_bytes),
		PART(at + m->name, out->name),
		PART(at + m->descriptor, out->descriptor),
	};
	if (!heap_peek_meta(parts, ARRAY_SIZE(parts)))
		return false;
	uint64_t bytes = (uint64_t)words * WORD, before = m->header + (uint64_t)code_bytes;
	bool lined = flags & m->line_flag && before <= bytes && bytes <= UINT32_MAX;
	out->code = at + m->header;
	out->code_bytes = code_bytes;
	out->line_bytes = lined ? (uint32_t)(bytes - before) : 0;
	return true;
}

/* On 11 the class has the name of its file. */
static bool peek_pool(const struct vm_methods *m, struct method_peek *out)
{
	const struct heap_part parts[] = {
		PART(out->pool + m->pools.holder, out->klass),
		PART(out->pool + m->pools.tags, out->tags),
		PART(out->pool + m->pools.length, out->constants),
	};
	if (!heap_peek_meta(parts, ARRAY_SIZE(parts)) || !out->klass)
		return false;
	uintptr_t file = m->source_file         ? out->pool + m->source_file
			 : m->klass_source_file ? out->klass + m->klass_source_file
						: 0;
	return !file || heap_peek_meta_one(file, &out->source_file, sizeof(out->source_file));
}

bool method_peek(const struct vm_methods *m, uintptr_t method, struct method_peek *out)
{
	uintptr_t at = 0;
	*out = (struct method_peek){.klass = 0};
	return method && !(method & (WORD - 1)) &&
	       heap_peek_meta_one(method + m->const_method, &at, sizeof(at)) && at &&
	       peek_const(m, at, out) && out->pool && peek_pool(m, out);
}

bool method_peek_code(const struct method_peek *p, uint32_t bci, void *out, uint32_t bytes)
{
	return bytes <= p->code_bytes && bci <= p->code_bytes - bytes &&
	       heap_peek_meta_one(p->code + bci, out, bytes);
}

static bool peek_bytes(uintptr_t at, uint32_t bytes, struct buf *out)
{
	if (buf_reserve(out, bytes) ||
		(bytes && !heap_peek_meta_one(at, out->at + out->len, bytes)))
		return false;
	out->len += bytes;
	return true;
}

static bool peek_symbol(const struct vm_objects *o, uintptr_t symbol, struct buf *out)
{
	uint16_t length;
	return symbol && heap_peek_meta_one(symbol + o->symbol_length, &length, sizeof(length)) &&
	       peek_bytes(symbol + o->symbol_body, length, out);
}

/* What stands at an index of the pool, and of which kind it is. */
static bool peek_constant(const struct vm_methods *m, const struct method_peek *p, uint32_t index,
	uint8_t *tag, uintptr_t *entry)
{
	const struct heap_part parts[] = {
		PART(p->tags + m->pools.array_data + index, *tag),
		PART(p->pool + m->pools.bytes + (uintptr_t)WORD * index, *entry),
	};
	return index && index < p->constants && p->tags && heap_peek_meta(parts, ARRAY_SIZE(parts));
}

bool method_peek_text(
	const struct vm_methods *m, const struct method_peek *p, uint32_t constant, struct buf *out)
{
	uint8_t tag;
	uintptr_t symbol;
	return peek_constant(m, p, constant, &tag, &symbol) && tag == TEXT &&
	       peek_symbol(&m->objects, symbol, out);
}

/* Its entry has the index of the name in the upper half of 32 bits. */
bool method_peek_class_text(
	const struct vm_methods *m, const struct method_peek *p, uint32_t constant, struct buf *out)
{
	uint8_t tag;
	uintptr_t entry;
	return peek_constant(m, p, constant, &tag, &entry) &&
	       method_peek_text(m, p, (uint32_t)entry >> 16, out);
}

static bool peek_holder(const struct vm_methods *m, const struct method_peek *p, struct buf *out)
{
	uintptr_t symbol;
	return heap_peek_meta_one(p->klass + m->objects.name, &symbol, sizeof(symbol)) &&
	       peek_symbol(&m->objects, symbol, out);
}

bool method_peek_lines(const struct method_peek *p, struct buf *out)
{
	return peek_bytes(p->code + p->code_bytes, p->line_bytes, out);
}

bool method_peek_names(
	const struct vm_methods *m, const struct method_peek *p, struct method_names *out)
{
	*out = (struct method_names){.name = {.len = 0}};
	return peek_holder(m, p, &out->class_name) && method_peek_text(m, p, p->name, &out->name) &&
	       out->name.len && method_peek_text(m, p, p->descriptor, &out->descriptor) &&
	       out->descriptor.len;
}

void method_names_release(struct method_names *n)
{
	buf_release(&n->class_name);
	buf_release(&n->name);
	buf_release(&n->descriptor);
}
