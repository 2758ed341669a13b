#include "hotspot/old_code.h"

#include <stdlib.h>

static int by_address(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
	return (x > y) - (x < y);
}

void old_code_once(const struct old_code *o)
{
	uintptr_t array = o->list ? *o->list : 0;
	if (!array)
		return;
	int32_t *length = (int32_t *)(array + o->length), kept = 0;
	uintptr_t *at = *(uintptr_t **)(array + o->data);
	if (*length < 2)
		return;
	qsort(at, (size_t)*length, sizeof(*at), by_address);
	for (int32_t i = 0; i < *length; i++)
		if (!kept || at[kept - 1] != at[i])
			at[kept++] = at[i];
	*length = kept;
}
