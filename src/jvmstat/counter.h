/*
 * Handles on the VM's performance counters: pointers into the mapped memory that the VM goes
 * on writing. Reading one is a volatile load of eight aligned bytes: no call, no lock, nothing
 * allocated, safe in any JVMTI callback. A handle is valid until perfdata_release.
 */
#ifndef JVMSTAT_COUNTER_H
#define JVMSTAT_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counter {
	const volatile int64_t *at; /* NULL: this VM has no such counter */
};

static inline bool counter_exists(struct counter c)
{
	return c.at != NULL;
}

/* The value now; 0 where the counter does not exist. */
static inline int64_t counter_read(struct counter c)
{
	return c.at ? *c.at : 0;
}

/* As counter_read, for what can't be negative: a negative value (never seen) reads as 0. */
static inline uint64_t counter_read_u64(struct counter c)
{
	int64_t v = counter_read(c);
	return v > 0 ? (uint64_t)v : 0;
}

/* A string that the VM may rewrite at any time. */
struct counter_text {
	const volatile uint8_t *at; /* NULL: this VM has no such counter */
	size_t room;                /* bytes the VM keeps for it, its NUL included */
};

/*
 * Copies the text, cut to size - 1 bytes, always NUL-terminated; "" where the counter does
 * not exist. Bytes that are not printable ASCII come out as '?'. The VM writes without a lock,
 * so a text read in the middle of a change can be half of each. Returns the length.
 */
size_t counter_text_read(struct counter_text t, char *out, size_t size);

#endif
