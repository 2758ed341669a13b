/* An agent that only says how it was loaded: Agent_OnAttach returns the number in "rc=N". Where the
 * program has ATTACH_AGENT_ENDS in its environment, that ends there and then. */
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	(void)vm, (void)reserved;
	if (getenv("ATTACH_AGENT_ENDS"))
		_exit(EXIT_FAILURE);
	return options && strncmp(options, "rc=", 3) == 0 ? (jint)atoi(options + 3) : JNI_OK;
}
