/*
 * A tool that walks the heap, as a debugger does which counts instances: for java/Walked.java,
 * which loads it a second time as its library.
 */
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *jvmti;

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
	jlong class_tag, jlong from_tag, jlong size, jlong *tag, jlong *from, jint length,
	void *arg)
{
	(void)kind, (void)info, (void)class_tag, (void)from_tag, (void)size, (void)tag, (void)from,
		(void)length;
	++*(jint *)arg;
	return JVMTI_VISIT_OBJECTS;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	const jvmtiCapabilities tags = {.can_tag_objects = 1};
	(void)options, (void)reserved;
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK)
		return JNI_ERR;
	return (*jvmti)->AddCapabilities(jvmti, &tags) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

JNIEXPORT jint JNICALL Java_Walked_walk(JNIEnv *jni, jclass self);

/* How many references it came by; -1: it failed. */
JNIEXPORT jint JNICALL Java_Walked_walk(JNIEnv *jni, jclass self)
{
	jvmtiHeapCallbacks callbacks;
	jint count = 0;
	(void)jni, (void)self;
	memset(&callbacks, 0, sizeof(callbacks));
	callbacks.heap_reference_callback = on_reference;
	if ((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &count) !=
		JVMTI_ERROR_NONE)
		return -1;
	return count;
}
