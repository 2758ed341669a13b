/*
 * Writes into code that is mapped read-only and executable. First through /proc/self/mem, which
 * never makes a page writable; where the kernel forbids that, or /proc is mounted read-only, by
 * mprotect, after which the page has the protections that it had. Compiled code, which the VM maps
 * writable, can be written as any memory, but by the kernel, which says no where that is not so.
 *
 * Another thread that executes the very bytes may see some old and some new ones, unless it is one
 * byte. Who calls this knows why nobody does (code_patch.h).
 */
#ifndef HOTSPOT_CODE_WRITE_H
#define HOTSPOT_CODE_WRITE_H

#include <stddef.h>

#include "base/diag.h"

enum { CODE_WRITE_MAX = 16 };

/* CODE_WAY_MEMORY: only where the page may be written (process_vm_writev); one system call. */
enum code_way { CODE_WAY_MEMORY, CODE_WAY_FILE, CODE_WAY_PROTECTION, CODE_WAYS };

/* 0; ERR_LIMIT: none or too many bytes; ERR_DENIED: neither way is allowed; ERR_IO: other bytes
 * stand there afterwards. */
int code_write(void *at, const void *bytes, size_t count, struct diag *d);
/* The protection of the page, as mprotect takes it; -1: unknown, as errno says (EFAULT: nothing is
 * there). */
int code_protection(const void *at);
/*
 * As code_write, also where the process has no descriptor left to open a file by: mprotect is all
 * that it needs then. protection: what code_protection told before, of all the bytes.
 */
int code_write_back(void *at, const void *bytes, size_t count, int protection, struct diag *d);
/* In this way and no other. */
int code_write_in(enum code_way way, void *at, const void *bytes, size_t count, struct diag *d);

#endif
