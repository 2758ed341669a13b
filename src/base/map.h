/*
 * A hash map from 64-bit keys to 64-bit values: open addressing, linear probing, at most
 * 3/4 full, deletion by shifting back (no tombstones). Any key is allowed, also such as were made
 * to meet in a table that is known: each hashes by a seed of its own. Not thread-safe.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_slot {
	uint64_t key, value;
	bool used;
};

struct map {
	struct map_slot *slots; /* owned; a power of two of them, or NULL */
	size_t count, room;
	uint64_t seed;
};

void map_release(struct map *m);
/* The value's place, or NULL. Valid until the next map_put or map_remove. */
uint64_t *map_find(const struct map *m, uint64_t key);
/* Sets or replaces. 0 or ERR_NOMEM (then unchanged). */
int map_put(struct map *m, uint64_t key, uint64_t value);
/* Whether the key was there. */
bool map_remove(struct map *m, uint64_t key);
/* The same; its value goes to *value (untouched where it was not there). */
bool map_take(struct map *m, uint64_t key, uint64_t *value);

/* The mixing function: murmur3's 64-bit finaliser. */
static inline uint64_t hash64(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	return x ^ (x >> 33);
}

static inline uint64_t hash64_pair(uint64_t a, uint64_t b)
{
	return hash64(a * 0x9e3779b97f4a7c15ull + hash64(b));
}

/* Any bytes, at a byte per step (FNV-1a), then mixed. The same everywhere and for ever. */
uint64_t hash_bytes(const void *bytes, size_t len);
/* The same from a seed: for tables of bytes that may have been made to meet. */
uint64_t hash_bytes_from(uint64_t seed, const void *bytes, size_t len);

#endif
