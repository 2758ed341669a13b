#include "agent/vm_names.h"

#include <stdio.h>
#include <string.h>

#include "agent/recorder_names.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "hotspot/heap_walk.h"
#include "hotspot/method_peek.h"

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
	struct buf owner, source;
	struct method_names names;
	struct line_entry *lines;
	size_t line_count;
	bool native;
};

static void told_release(struct told *t)
{
	buf_release(&t->owner);
	buf_release(&t->source);
	method_names_release(&t->names);
	mem_free(t->lines);
}

static char *text_of(const struct buf *b)
{
	return (char *)b->at;
}

static int tell_names(struct told *t)
{
	struct method_names *n = &t->names;
	buf_put_str(&t->owner, "L");
	buf_put(&t->owner, n->class_name.at, n->class_name.len);
	buf_put_str(&t->owner, ";");
	struct buf *all[] = {&t->owner, &n->name, &n->descriptor, &t->source};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		buf_put_u8(all[i], '\0');
		if (all[i]->failed)
			return ERR_NOMEM;
	}
	mend_hidden(text_of(&t->owner));
	return ERR_NONE;
}

/* A method may have as many lines as bytes: they are not the stack's. */
static int tell_lines(struct told *t, enum unsigned5 kind, struct slice table)
{
	size_t count = line_table_count(table, kind);
	t->lines = count ? mem_alloc(count * sizeof(*t->lines)) : NULL;
	if (count && !t->lines)
		return ERR_NOMEM;
	t->line_count = line_table_read(table, kind, t->lines, count);
	return ERR_NONE;
}

static bool peek_all(
	struct told *t, const struct vm_methods *m, const struct method_peek *p, struct buf *lines)
{
	t->native = p->code_bytes == 0;
	(void)method_peek_text(m, p, p->source_file, &t->source);
	return method_peek_names(m, p, &t->names) && method_peek_lines(p, lines);
}

/* ERR_CORRUPT: it can't be read, or is none. */
static int tell(struct told *t, const struct vm_methods *m, uintptr_t method)
{
	struct method_peek p;
	struct buf lines = {.at = NULL};
	told_release(t);
	*t = (struct told){.lines = NULL};
	int err = method_peek(m, method, &p) && peek_all(t, m, &p, &lines) ? ERR_NONE : ERR_CORRUPT;
	err = err ? err : tell_names(t);
	err = err ? err : tell_lines(t, m->numbers, buf_slice(&lines));
	buf_release(&lines);
	return err;
}

static int add(struct recorder *r, uint64_t id, const struct told *t)
{
	const struct method_facts facts = {.vm_id = id,
		.class_signature = text_of(&t->owner),
		.name = text_of(&t->names.name),
		.descriptor = text_of(&t->names.descriptor),
		.source = *text_of(&t->source) ? text_of(&t->source) : NULL,
		.lines = t->lines,
		.line_count = (uint32_t)t->line_count,
		.native = t->native};
	return recorder_add_method(r, &facts);
}

/* What was told is nobody's any more. */
static void name(struct recorder *r, uint64_t id, struct told *t, int err)
{
	if (!err)
		err = add(r, id, t);
	told_release(t);
	if (err && err != ERR_CORRUPT)
		recorder_refuse_method(r, id);
}

void vm_name_method(struct recorder *r, const struct vm_methods *m, uint64_t id, uintptr_t method)
{
	struct told t = {.lines = NULL};
	int err = tell(&t, m, method);
	name(r, id, &t, err);
}

struct teller {
	const struct vm_methods *methods;
	struct told told;
	int err;
};

static bool tell_teller(void *arg, uintptr_t method)
{
	struct teller *t = arg;
	t->err = tell(&t->told, t->methods, method);
	return !t->err;
}

void vm_name_method_by_id(
	struct recorder *r, const struct vm_methods *m, const struct method_ids *ids, uint64_t id)
{
	struct teller t = {.methods = m, .err = ERR_CORRUPT};
	bool told = method_ids_read(ids, id, tell_teller, &t);
	name(r, id, &t.told, told ? ERR_NONE : t.err ? t.err : ERR_CORRUPT);
}
