/* An agent that takes its time with each method that was compiled, so that agents behind it are
 * told late: so many milliseconds, its options. */
#include <stdlib.h>
#include <time.h>

#include "compiled_events.h"

static long milliseconds;

static void JNICALL compiled(jvmtiEnv *jvmti, jmethodID method, jint size, const void *code,
	jint map_length, const jvmtiAddrLocationMap *map, const void *info)
{
	(void)jvmti, (void)method, (void)size, (void)code, (void)map_length, (void)map, (void)info;
	nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java, char *options, void *reserved)
{
	(void)reserved;
	if (!options)
		return JNI_ERR;
	milliseconds = strtol(options, NULL, 10);
	return compiled_events(java, compiled);
}
