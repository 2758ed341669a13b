#include "support/jvmti_memory.h"

#include <string.h>

#include "base/mem.h"

static long out;

void *jvmti_memory(size_t size)
{
	out++;
	return mem_alloc(size);
}

char *jvmti_text(const char *from)
{
	return strcpy(jvmti_memory(strlen(from) + 1), from);
}

jvmtiError JNICALL jvmti_memory_back(jvmtiEnv *e, unsigned char *at)
{
	(void)e;
	out -= at != NULL;
	mem_free(at);
	return JVMTI_ERROR_NONE;
}

long jvmti_memory_out(void)
{
	return out;
}
