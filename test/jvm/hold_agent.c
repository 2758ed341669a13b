/* Another agent that samples allocations: takes the capability, which only one may hold, and keeps
 * it. */
#include <jvmti.h>
#include <string.h>

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java, char *options, void *reserved)
{
	void *env = NULL;
	(void)options, (void)reserved;
	if ((*java)->GetEnv(java, &env, JVMTI_VERSION_11) != JNI_OK)
		return JNI_ERR;
	jvmtiEnv *jvmti = env;
	jvmtiCapabilities want;
	memset(&want, 0, sizeof(want));
	want.can_generate_sampled_object_alloc_events = 1;
	return (*jvmti)->AddCapabilities(jvmti, &want) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}
