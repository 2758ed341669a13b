/* An agent that takes its time with each method that was compiled, so that agents behind it are
 * told late: so many milliseconds, its options. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long milliseconds;

static void JNICALL compiled(jvmtiEnv *jvmti, jmethodID method, jint size, const void *code,
	jint map_length, const jvmtiAddrLocationMap *map, const void *info)
{
	(void)jvmti, (void)method, (void)size, (void)code, (void)map_length, (void)map, (void)info;
	nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java, char *options, void *reserved)
{
	void *env = NULL;
	(void)reserved;
	if ((*java)->GetEnv(java, &env, JVMTI_VERSION_11) != JNI_OK || !options)
		return JNI_ERR;
	jvmtiEnv *jvmti = env;
	jvmtiCapabilities want;
	jvmtiEventCallbacks calls;
	memset(&want, 0, sizeof(want));
	memset(&calls, 0, sizeof(calls));
	want.can_generate_compiled_method_load_events = 1;
	calls.CompiledMethodLoad = compiled;
	milliseconds = strtol(options, NULL, 10);
	bool failed = (*jvmti)->AddCapabilities(jvmti, &want) ||
		      (*jvmti)->SetEventCallbacks(jvmti, &calls, sizeof(calls)) ||
		      (*jvmti)->SetEventNotificationMode(
			      jvmti, JVMTI_ENABLE, JVMTI_EVENT_COMPILED_METHOD_LOAD, NULL);
	return failed ? JNI_ERR : JNI_OK;
}
