/*
 * C2's fast path of allocation on JDK 11 and 17 while allocations are probed.
 *
 * With DTraceAllocProbes, C2 of these releases sends every allocation through the VM (2–6 times as
 * slow), and would put the probe into the fast path only under another flag, which implies the
 * first. From 19 on the fast path has it (JDK-8278079). The same is had here by two displacements:
 * the test that forces the slow path reads the flag of method probes instead, which is off, and the
 * test before the probe reads the flag of allocation probes. On 17 the code behind the latter,
 * never reached by anyone, gives the probe the wrong memory; its call is led through a wrapper that
 * mends the node.
 *
 * Everything is told by the code itself; if any place is not there exactly once, nothing is
 * touched.
 */
#ifndef HOTSPOT_FAST_PATH_H
#define HOTSPOT_FAST_PATH_H

#include "hotspot/code_patch.h"
#include "hotspot/landmarks.h"

struct fast_path {
	bool needed; /* false: this release has the fast path by itself */
	bool wraps;  /* 17: the probe's call is led through the wrapper */
	/* From the library's start. */
	uint64_t alloc_at, extended_at;    /* the bytes of the displacements that change */
	uint64_t call_at;                  /* the distance of the call of `part` */
	uint64_t entry, part, grow;        /* expand_dtrace_alloc_probe, its part, Node::out_grow */
	uint8_t alloc_byte, extended_byte; /* what is to stand there */
	int32_t distance;                  /* from the call to the entry */
	uint8_t *base;                     /* of the library; NULL: looked at from outside */
	struct code_patch alloc, extended, call, jump;
};

/*
 * Looks, and touches nothing. 0 (see `needed`); ERR_NOT_FOUND: a function isn't there;
 * ERR_UNSUPPORTED: the code is other than expected, with what and how often. Works on a file from
 * outside too, to tell whether it would do.
 */
int fast_path_open(
	struct fast_path *f, const struct vm_library *l, const struct landmarks *m, struct diag *d);
/* Before the flag is set. 0 or an error of code_write; nothing is changed then. One in a process.
 */
int fast_path_apply(struct fast_path *f, struct diag *d);
/* After the flag is off: the two displacements, each of which is one byte. What the probe's call
 * needs stays; nobody comes there any more. */
int fast_path_undo(struct fast_path *f, struct diag *d);

/* How often the wrapper mended a node, and how often it found one other than expected (the probe
 * stays as the VM made it then). Any thread. */
uint64_t fast_path_mended(void);
uint64_t fast_path_missed(void);

#endif
