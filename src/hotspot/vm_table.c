#include "hotspot/vm_table.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

enum { ROWS_MAX = 1 << 16 };

void vm_table_copy(
	const struct vm_table *t, const char *row, unsigned column, void *out, uint64_t size)
{
	memcpy(out, row + t->columns[column], size);
}

void *vm_table_pointer(const struct vm_table *t, const char *row, unsigned column)
{
	void *value;
	vm_table_copy(t, row, column, &value, sizeof(value));
	return value;
}

bool vm_table_is(const struct vm_table *t, const char *row, unsigned column, const char *text)
{
	const char *own = vm_table_pointer(t, row, column);
	return own && strcmp(own, text) == 0;
}

const char *vm_table_next(const struct vm_table *t, const char *row)
{
	const char *next = row ? row + t->stride : t->rows;
	bool over = !next || next >= t->rows + ROWS_MAX * t->stride;
	return over || !vm_table_pointer(t, next, 0) ? NULL : next;
}

static bool find(void *library, const char *name, void *out, size_t size)
{
	const void *at = dlsym(library, name);
	if (at)
		memcpy(out, at, size);
	return at != NULL;
}

static bool find_all(void *library, const struct vm_table_names *n, struct vm_table *t)
{
	bool found = find(library, n->rows, &t->rows, sizeof(t->rows)) &&
		     find(library, n->stride, &t->stride, sizeof(t->stride)) && t->stride;
	for (int i = 0; found && i < VM_TABLE_COLUMNS && n->columns[i]; i++)
		found = find(library, n->columns[i], &t->columns[i], sizeof(t->columns[i]));
	return found;
}

struct vm_table vm_table_of(const void *inside, const struct vm_table_names *names)
{
	struct vm_table t = {0};
	Dl_info info;
	void *library =
		dladdr(inside, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	if (!library)
		return t;
	if (!find_all(library, names, &t))
		t = (struct vm_table){0};
	dlclose(library);
	return t;
}
