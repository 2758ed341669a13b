#include "agent/vm_names.h"

#include <stdio.h>
#include <string.h>

#include "agent/recorder_names.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "hotspot/heap_walk.h"

/* The VM's own name of a hidden class has a '+' where its signature has a '.'. */
static void mend_hidden(char *name)
{
	char *at = strstr(name, "+0x");
	if (at)
		*at = '.';
}

static void put_signature(char name[NAME_READ], char out[VM_SIGNATURE_MAX])
{
	mend_hidden(name);
	snprintf(out, VM_SIGNATURE_MAX, name[0] == '[' ? "%s" : "L%s;", name);
}

void vm_signature(const struct vm_objects *o, uintptr_t klass, char out[VM_SIGNATURE_MAX])
{
	char name[NAME_READ];
	klass_name(o, klass, name, sizeof(name));
	put_signature(name, out);
}

bool vm_signature_peek(const struct vm_objects *o, uintptr_t klass, char out[VM_SIGNATURE_MAX])
{
	char name[NAME_READ];
	if (!heap_peek_name(o, klass, name, sizeof(name)))
		return false;
	put_signature(name, out);
	return true;
}

/* What the VM's memory says of a method, as JVMTI would. */
struct told {
	struct buf owner, name, descriptor, source;
	struct line_entry *lines;
	size_t line_count;
};

static void told_release(struct told *t)
{
	buf_release(&t->owner);
	buf_release(&t->name);
	buf_release(&t->descriptor);
	buf_release(&t->source);
	mem_free(t->lines);
}

static void put_text(struct buf *to, struct slice text)
{
	buf_put(to, text.at, text.len);
	buf_put_u8(to, '\0');
}

static char *text_of(const struct buf *b)
{
	return (char *)b->at;
}

static int tell_names(struct told *t, const struct vm_method *of)
{
	buf_put_str(&t->owner, "L");
	buf_put(&t->owner, of->class_name.at, of->class_name.len);
	buf_put_str(&t->owner, ";");
	buf_put_u8(&t->owner, '\0');
	put_text(&t->name, of->name);
	put_text(&t->descriptor, of->descriptor);
	put_text(&t->source, of->source_file);
	if (t->owner.failed || t->name.failed || t->descriptor.failed || t->source.failed)
		return ERR_NOMEM;
	mend_hidden(text_of(&t->owner));
	return ERR_NONE;
}

/* A method may have as many lines as bytes: they are not the stack's. */
static int tell_lines(struct told *t, const struct vm_methods *m, uintptr_t method)
{
	size_t count = vm_method_line_count(m, method);
	t->lines = count ? mem_alloc(count * sizeof(*t->lines)) : NULL;
	if (count && !t->lines)
		return ERR_NOMEM;
	t->line_count = vm_method_lines(m, method, t->lines, count);
	return ERR_NONE;
}

static int add(struct recorder *r, uint64_t id, const struct told *t, bool native)
{
	const struct method_facts facts = {.vm_id = id,
		.class_signature = text_of(&t->owner),
		.name = text_of(&t->name),
		.descriptor = text_of(&t->descriptor),
		.source = *text_of(&t->source) ? text_of(&t->source) : NULL,
		.lines = t->lines,
		.line_count = (uint32_t)t->line_count,
		.native = native};
	return recorder_add_method(r, &facts);
}

void vm_name_method(struct recorder *r, const struct vm_methods *m, uint64_t id, uintptr_t method)
{
	struct vm_method of;
	struct told t = {.lines = NULL};
	if (!method || vm_method_read(m, method, &of))
		return;
	int err = tell_names(&t, &of);
	if (!err)
		err = tell_lines(&t, m, method);
	if (!err)
		err = add(r, id, &t, of.code_bytes == 0);
	told_release(&t);
	if (err)
		recorder_refuse_method(r, id);
}
