#include "agent/vm_names.h"

#include <stdio.h>
#include <string.h>

#include "agent/recorder_names.h"

enum { LINES_MAX = 1024 };

/* The VM's own name of a hidden class has a '+' where its signature has a '.'. */
static void mend_hidden(char *name)
{
	char *at = strstr(name, "+0x");
	if (at)
		*at = '.';
}

void vm_signature(const struct vm_objects *o, uintptr_t klass, char out[VM_SIGNATURE_MAX])
{
	char name[VM_SIGNATURE_MAX - 2];
	klass_name(o, klass, name, sizeof(name));
	mend_hidden(name);
	snprintf(out, VM_SIGNATURE_MAX, name[0] == '[' ? "%s" : "L%s;", name);
}

static void set_text(
	char *to, size_t room, struct slice text, const char *before, const char *after)
{
	snprintf(to, room, "%s%.*s%s", before, (int)(text.len < room - 3 ? text.len : room - 3),
		(const char *)text.at, after);
}

static uint32_t read_lines(
	const struct vm_methods *m, uintptr_t method, struct method_line out[LINES_MAX])
{
	struct line_entry entries[LINES_MAX];
	uint32_t count = (uint32_t)vm_method_lines(m, method, entries, LINES_MAX);
	for (uint32_t i = 0; i < count; i++)
		out[i] = (struct method_line){entries[i].bci, entries[i].line};
	return count;
}

void vm_name_method(struct recorder *r, const struct vm_methods *m, uint64_t id, uintptr_t method)
{
	struct vm_method of;
	struct method_line lines[LINES_MAX];
	char owner[VM_SIGNATURE_MAX], name[256], descriptor[512], source[256];
	if (!method || vm_method_read(m, method, &of))
		return;
	set_text(owner, sizeof(owner), of.class_name, "L", ";");
	mend_hidden(owner);
	set_text(name, sizeof(name), of.name, "", "");
	set_text(descriptor, sizeof(descriptor), of.descriptor, "", "");
	set_text(source, sizeof(source), of.source_file, "", "");
	struct method_facts facts = {.vm_id = id,
		.class_signature = owner,
		.name = name,
		.descriptor = descriptor,
		.source = *source ? source : NULL,
		.lines = lines,
		.line_count = read_lines(m, method, lines),
		.native = of.code_bytes == 0};
	if (recorder_add_method(r, &facts))
		recorder_refuse_method(r, id);
}
