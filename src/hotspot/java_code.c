#include "hotspot/java_code.h"

#include <stdatomic.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/methods.h"
#include "hotspot/vm_fields.h"

static _Atomic uint32_t changes;

void java_code_changed(void)
{
	atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
}

uint32_t java_code_changes(void)
{
	return atomic_load_explicit(&changes, memory_order_relaxed);
}

static bool is_special(const struct java_code_layout *l, uintptr_t method)
{
	struct vm_method m;
	return vm_method_read(l->methods, method, &m) == ERR_NONE &&
	       slice_equal(m.name, slice_str("enterSpecial")) &&
	       slice_equal(m.class_name, slice_str("jdk/internal/vm/Continuation"));
}

static uint8_t kind_of_method(
	const struct java_code_layout *l, const struct code_blob *b, uintptr_t pc)
{
	if (pc >= b->blob + VM_AT(uint32_t, b->blob, l->stub))
		return CODE_CHANGED;
	if (!b->is_native)
		return CODE_COMPILED;
	return is_special(l, b->method) ? CODE_SPECIAL : CODE_NATIVE;
}

static uint8_t kind_of_stub(
	const struct java_code_layout *l, const struct code_blob *b, uintptr_t pc)
{
	if (pc == l->entry)
		return CODE_ENTRY;
	if (strcmp(b->name, "Interpreter") == 0)
		return CODE_INTERPRETER;
	return strstr(b->name, "ontinuation") ? CODE_BARRIER : CODE_STUB;
}

static void learn_method(
	const struct java_code_layout *l, const struct code_blob *b, struct java_code *c)
{
	c->kind = b->frame_bytes ? kind_of_method(l, b, c->pc) : CODE_NONE;
	c->used = (const uint8_t *)b->blob - l->blobs->block_bytes + l->blobs->block_used;
	c->id = (const int32_t *)(b->blob + l->compilation);
	c->compilation = *(const volatile int32_t *)c->id;
	c->method = b->method;
	c->original = VM_AT(uint32_t, b->blob, l->original);
	c->begin = b->begin;
	c->end = b->blob + VM_AT(uint32_t, b->blob, l->stub);
}

MF_COLD void java_code_learn(const struct java_code_layout *l, uintptr_t pc, struct java_code *c)
{
	struct code_blob b;
	*c = (struct java_code){.pc = pc, .kind = CODE_NONE};
	if (code_blob_find(l->blobs, pc, &b)) {
		c->pc = 0; /* none today; it is not kept */
		return;
	}
	c->frame_bytes = b.frame_bytes;
	if (b.is_nmethod)
		learn_method(l, &b, c);
	else
		c->kind = kind_of_stub(l, &b, pc);
}
