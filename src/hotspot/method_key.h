/*
 * What tells one method from another in the same place: at the end of each redefinition the VM
 * frees the old methods that nobody is in, and gives their memory to the next (doc/jvm.md, "Methods
 * and code"). Addresses, of a Method or a bytecode, mean the same only until then.
 *
 * A method that is being run is asked for its names, as indices of its constants, and for its
 * class. entry.S does the same.
 */
#ifndef HOTSPOT_METHOD_KEY_H
#define HOTSPOT_METHOD_KEY_H

#include <stdint.h>
#include <string.h>

#define METHOD_KEY_ODD 0x9e3779b97f4a7c15ull

/* Offsets in bytes. */
struct method_key {
	uint32_t const_method; /* in Method; 0: nothing is told, and addresses are all there is */
	uint32_t names, pool;  /* in ConstMethod: eight bytes that begin with the names' indices */
	uint32_t holder;       /* in ConstantPool */
};

static inline uint64_t method_key_word(uintptr_t at, uint32_t offset)
{
	uint64_t word;
	memcpy(&word, (const void *)(at + offset), sizeof(word));
	return word;
}

/* Of a bytecode of a method that is being run, by the bytecode's address; with 0 of the method. */
static inline uint64_t method_key_at(const struct method_key *k, uintptr_t method, uintptr_t bcp)
{
	if (!k->const_method)
		return bcp;
	uintptr_t of = (uintptr_t)method_key_word(method, k->const_method);
	uintptr_t pool = (uintptr_t)method_key_word(of, k->pool);
	uint64_t key = bcp * METHOD_KEY_ODD + method;
	key = key * METHOD_KEY_ODD + method_key_word(of, k->names);
	return key * METHOD_KEY_ODD + method_key_word(pool, k->holder);
}

#endif
