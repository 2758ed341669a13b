/*
 * What has been defined, by what it is, packed into a key or hashed to one. Ids count from 1.
 * There may be hundreds of thousands of them: 8 bytes for the key, and some 8 more for finding it.
 * Protected by the recorder's lock.
 */
#ifndef AGENT_KEY_IDS_H
#define AGENT_KEY_IDS_H

#include <stdint.h>

#include "base/slots.h"
#include "base/vec.h"

struct key_ids {
	VEC(uint64_t) keys; /* number n's is at[n - 1] */
	struct slots slots;
};

void key_ids_release(struct key_ids *s);
/* The id of this key, which is not all ones; or 0. */
uint32_t key_ids_find(const struct key_ids *s, uint64_t key);
/* Makes sure that adding one will not fail. 0 or ERR_NOMEM. */
int key_ids_reserve(struct key_ids *s);
/* The next one, whose key is not there, after key_ids_reserve. Returns its id, keys.count. */
uint32_t key_ids_add(struct key_ids *s, uint64_t key);
/* The same of one that is not to be found. */
uint32_t key_ids_skip(struct key_ids *s);

#endif
