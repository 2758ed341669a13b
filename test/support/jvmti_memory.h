/* Memory that a fake JVMTI gives out, counted until Deallocate gets it back. */
#ifndef SUPPORT_JVMTI_MEMORY_H
#define SUPPORT_JVMTI_MEMORY_H

#include <jvmti.h>
#include <stddef.h>

void *jvmti_memory(size_t size);
char *jvmti_text(const char *from);
/* Deallocate. */
jvmtiError JNICALL jvmti_memory_back(jvmtiEnv *e, unsigned char *at);
/* Pieces that did not come back. */
long jvmti_memory_out(void);

#endif
