/* Finds instructions in code of x86-64 without decoding all of it: each search is for one form,
 * and its caller wants exactly one. Code is hostile: nothing outside of the slice is read. */
#ifndef HOTSPOT_CODE_SCAN_H
#define HOTSPOT_CODE_SCAN_H

#include <stdbool.h>

#include "base/slice.h"

/*
 * How many instructions test or read a byte at `offset` of an object: `cmpb $0, offset(reg)` or
 * `movzbl offset(reg), reg`, with a displacement of 32 bits. *at: where the displacement of the
 * last one stands.
 */
size_t code_scan_reads(struct slice code, uint32_t offset, size_t *at);
/* How many `call` go to `target`, if the code stands at `address`; *at: where the distance stands.
 */
size_t code_scan_calls(struct slice code, uint64_t address, uint64_t target, size_t *at);
/* Whether a `jmp` of 32 bits goes to `target`, from `from` on in the code at `address`; *at: the
 * first one's offset. */
bool code_scan_jump(struct slice code, uint64_t address, uint64_t target, size_t from, size_t *at);
/*
 * The least and greatest offset of a byte that `mov %al.., offset(%rdi)` writes, one or two at a
 * time (`movb`, `movw`). Whether there is any.
 */
bool code_scan_writes(struct slice code, uint32_t *least, uint32_t *greatest);

#endif
