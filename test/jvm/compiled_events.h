/* For agents of tests that are told of what was compiled, before the agents behind them. */
#ifndef JVM_TEST_COMPILED_EVENTS_H
#define JVM_TEST_COMPILED_EVENTS_H

#include <jvmti.h>
#include <stdbool.h>
#include <string.h>

/* What Agent_OnLoad returns. */
static inline jint compiled_events(JavaVM *java, jvmtiEventCompiledMethodLoad told)
{
	void *env = NULL;
	if ((*java)->GetEnv(java, &env, JVMTI_VERSION_11) != JNI_OK)
		return JNI_ERR;
	jvmtiEnv *jvmti = env;
	jvmtiCapabilities want;
	jvmtiEventCallbacks calls;
	memset(&want, 0, sizeof(want));
	memset(&calls, 0, sizeof(calls));
	want.can_generate_compiled_method_load_events = 1;
	calls.CompiledMethodLoad = told;
	bool failed = (*jvmti)->AddCapabilities(jvmti, &want) ||
		      (*jvmti)->SetEventCallbacks(jvmti, &calls, sizeof(calls)) ||
		      (*jvmti)->SetEventNotificationMode(
			      jvmti, JVMTI_ENABLE, JVMTI_EVENT_COMPILED_METHOD_LOAD, NULL);
	return failed ? JNI_ERR : JNI_OK;
}

#endif
