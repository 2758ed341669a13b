/* An agent that only says how it was loaded: Agent_OnAttach returns the number in "rc=N". */
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	(void)vm, (void)reserved;
	return options && strncmp(options, "rc=", 3) == 0 ? (jint)atoi(options + 3) : JNI_OK;
}
