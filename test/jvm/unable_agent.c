/*
 * Makes a VM that can't have classes transformed anew: no environment gets that capability after
 * this. To be named before mayfly. All environments share the VM's one table of functions.
 */
#include <jvmti.h>
#include <stddef.h>
#include <string.h>

static jvmtiError(JNICALL *add)(jvmtiEnv *env, const jvmtiCapabilities *want);

static jvmtiError JNICALL refuse(jvmtiEnv *env, const jvmtiCapabilities *want)
{
	return want->can_retransform_classes ? JVMTI_ERROR_NOT_AVAILABLE : add(env, want);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java, char *options, void *reserved)
{
	void *env = NULL;
	(void)options;
	(void)reserved;
	if ((*java)->GetEnv(java, &env, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_ERR;
	struct jvmtiInterface_1_ *table; /* the VM's own; not in read-only memory */
	memcpy(&table, env, sizeof(table));
	add = table->AddCapabilities;
	table->AddCapabilities = refuse;
	return JNI_OK;
}
