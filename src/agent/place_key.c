#include "agent/place_key.h"

#include "base/map.h"

/* The VM's own name of a hidden class has a '+' where JVMTI's has a '.'. */
static uint64_t hash_name(struct slice name)
{
	const unsigned char *at = name.at;
	uint64_t hash = 0xcbf29ce484222325ull;
	for (size_t i = 0; i < name.len; i++)
		hash = (hash ^ (at[i] == '+' ? (unsigned char)'.' : at[i])) * 0x100000001b3ull;
	return hash;
}

uint64_t place_key(struct slice class_name, struct slice method, struct slice descriptor,
	int32_t bci, struct slice allocates)
{
	uint64_t key = hash64_pair(hash_name(class_name), hash_name(method));
	key = hash64_pair(key, hash_name(descriptor));
	key = hash64_pair(key, (uint32_t)bci);
	key = hash64_pair(key, hash_name(allocates));
	return key ? key : 1;
}

uint64_t place_key_in(uint64_t key, uintptr_t loader)
{
	uint64_t in = loader ? hash64_pair(key, loader) : key;
	return in ? in : 1;
}
