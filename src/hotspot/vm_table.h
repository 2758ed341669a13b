/*
 * A table that HotSpot exports for its serviceability agent, as bytes: rows of one length that end
 * with one whose name is NULL. How long a row is, and where in it each column begins, is exported
 * beside it. Only read.
 */
#ifndef HOTSPOT_VM_TABLE_H
#define HOTSPOT_VM_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { VM_TABLE_COLUMNS = 5 };

/* The names of the exported variables. */
struct vm_table_names {
	const char *rows, *stride;
	const char *columns[VM_TABLE_COLUMNS]; /* the first is the one with names; NULL: no more */
};

struct vm_table {
	const char *rows;                           /* NULL: there is no table */
	uint64_t stride, columns[VM_TABLE_COLUMNS]; /* bytes; columns from a row's start */
};

/* The table of the VM whose library `inside` points into; no rows where something is not exported.
 */
struct vm_table vm_table_of(const void *inside, const struct vm_table_names *names);
/* Steps through the rows: `row` is NULL at first, and NULL at the end. */
const char *vm_table_next(const struct vm_table *t, const char *row);
/* A pointer, or bytes, in a column of a row. */
void *vm_table_pointer(const struct vm_table *t, const char *row, unsigned column);
void vm_table_copy(
	const struct vm_table *t, const char *row, unsigned column, void *out, uint64_t size);
/* Whether the text that a column points at is this one. */
bool vm_table_is(const struct vm_table *t, const char *row, unsigned column, const char *text);

#endif
