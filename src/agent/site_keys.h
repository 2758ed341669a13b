/*
 * The trace's sites by what they are: a class, a frame and flags, packed into a key (catalog.c).
 * Ids count from 1. There may be hundreds of thousands of them: 8 bytes for the key, and a third
 * more for finding it.
 * Protected by the recorder's lock.
 */
#ifndef AGENT_SITE_KEYS_H
#define AGENT_SITE_KEYS_H

#include <stdint.h>

#include "base/slots.h"
#include "base/vec.h"

struct site_keys {
	VEC(uint64_t) keys; /* site n's is at[n - 1] */
	struct slots slots;
};

void site_keys_release(struct site_keys *s);
/* The site with this key, which is not all ones; or 0. */
uint32_t site_keys_find(const struct site_keys *s, uint64_t key);
/* Makes sure that adding one will not fail. 0 or ERR_NOMEM. */
int site_keys_reserve(struct site_keys *s);
/* A site whose key is not there, after site_keys_reserve. Returns its id, keys.count. */
uint32_t site_keys_add(struct site_keys *s, uint64_t key);
/* The same of one that is not to be found. */
uint32_t site_keys_skip(struct site_keys *s);

#endif
