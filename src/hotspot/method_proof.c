#include "hotspot/method_proof.h"

#include <string.h>

#include "hotspot/heap_walk.h"

enum { FREE_METHOD = 55 }; /* JNIMethodBlock::_free_method */

static bool read_functions(uintptr_t method, uintptr_t out[METHOD_PROOF_FUNCTIONS])
{
	uintptr_t table;
	return heap_peek(method, &table, sizeof(table)) &&
	       heap_peek(table, out, METHOD_PROOF_FUNCTIONS * sizeof(*out));
}

bool method_proof_learn(struct method_proof *p, uint64_t id)
{
	uintptr_t method;
	return heap_peek((uintptr_t)id, &method, sizeof(method)) &&
	       read_functions(method, p->functions);
}

bool method_proof_holds(const struct method_proof *p, uint64_t id)
{
	uintptr_t method, functions[METHOD_PROOF_FUNCTIONS];
	if (!heap_peek((uintptr_t)id, &method, sizeof(method)))
		return false;
	if (!method || method == FREE_METHOD)
		return true;
	return read_functions(method, functions) &&
	       memcmp(functions, p->functions, sizeof(functions)) == 0;
}
