/*
 * Which Method a jmethodID is of. Up to 25 it is where the VM keeps the Method, which is 0 once its
 * class is gone. From 26 on it is a number, never given twice, which the method's class has in a
 * list. So here it is known which class that is of those that were told of; what the class says is
 * asked each time, with reads that may fail, as it may have gone.
 */
#ifndef HOTSPOT_METHOD_IDS_H
#define HOTSPOT_METHOD_IDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

enum { METHOD_IDS_NUMBERS_SINCE = 26 }; /* JDK-8268406 */

struct method_id_slot {
	_Atomic uint64_t id;    /* 0: free */
	_Atomic uint64_t place; /* its InstanceKlass, and above 48 bits which of its methods */
	_Atomic uintptr_t left; /* its Method, if a redefinition took that out of the class */
};

/* Offsets in bytes. All 0: jmethodIDs are no numbers. */
struct method_ids {
	bool numbers;
	uint32_t list, methods; /* in InstanceKlass */
	uint32_t const_method;  /* in Method */
	uint32_t number, pool;  /* in ConstMethod */
	uint32_t holder;        /* in ConstantPool */
	uint32_t array_length, array_data;
	uint32_t klass;            /* in a class's mirror */
	uint32_t data, data_bytes; /* in CodeBlob */
	uint32_t bits;             /* so many slots, to the power of 2 */
	struct method_id_slot *slots;
};

/* inside: an address in the VM's library. 0, ERR_UNSUPPORTED with a sentence, or ERR_NOMEM. */
int method_ids_open(struct method_ids *m, const void *inside, struct diag *d);
/* Room for ids, once the fields are known. 0 or ERR_NOMEM. */
int method_ids_room(struct method_ids *m, uint32_t bits);
void method_ids_release(struct method_ids *m);
/* Any thread. 0: its class is gone, or was not told of. */
uintptr_t method_ids_find(const struct method_ids *m, uint64_t id);
/*
 * Calls with the id's Method, again if that has become another meanwhile: whoever peeked at it
 * (method_peek.h) then has what it was. False: its class is gone, or the last call said so. Any
 * thread.
 */
typedef bool method_ids_reader(void *arg, uintptr_t method);
bool method_ids_read(const struct method_ids *m, uint64_t id, method_ids_reader *read, void *arg);
/* Any thread. Whether the Method has the id, as those have too that a redefinition left behind. */
bool method_ids_is(const struct method_ids *m, uint64_t id, uintptr_t method);
/* Whether it is to be told of, by method_ids_learn. */
bool method_ids_lack(const struct method_ids *m, uint64_t id);
/* mirror: a reference to the method's class, which the caller keeps alive. Any thread. */
void method_ids_learn(struct method_ids *m, uint64_t id, const void *mirror);
/* Methods that a redefinition left behind are in no class's list, but in the code that is made of
 * them: looks for it among what the nmethod refers to. The caller keeps that alive. Any thread. */
void method_ids_left(struct method_ids *m, uint64_t id, uintptr_t nmethod);

#endif
