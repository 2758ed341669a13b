/*
 * A tool that walks the heap, as a debugger does which counts instances: for java/Walked.java,
 * which loads it a second time as its library.
 */
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *jvmti;

struct walk {
	jint count, visited, most; /* references; objects, and the most of them; 0: all */
};

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
	jlong class_tag, jlong from_tag, jlong size, jlong *tag, jlong *from, jint length,
	void *arg)
{
	(void)info, (void)class_tag, (void)from_tag, (void)size, (void)tag, (void)from,
		(void)length;
	struct walk *w = arg;
	w->count++;
	w->visited += kind == JVMTI_HEAP_REFERENCE_CLASS;
	return w->most && w->visited == w->most ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	const jvmtiCapabilities tags = {.can_tag_objects = 1};
	(void)options, (void)reserved;
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK)
		return JNI_ERR;
	return (*jvmti)->AddCapabilities(jvmti, &tags) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

JNIEXPORT jint JNICALL Java_Walked_walk(JNIEnv *jni, jclass self, jobject from, jint most);

/* From the object, or all roots, until it has visited so many objects; how many references it came
 * by; -1: it failed. */
JNIEXPORT jint JNICALL Java_Walked_walk(JNIEnv *jni, jclass self, jobject from, jint most)
{
	jvmtiHeapCallbacks callbacks;
	struct walk w = {0, 0, most};
	(void)jni, (void)self;
	memset(&callbacks, 0, sizeof(callbacks));
	callbacks.heap_reference_callback = on_reference;
	if ((*jvmti)->FollowReferences(jvmti, 0, NULL, from, &callbacks, &w) != JVMTI_ERROR_NONE)
		return -1;
	return w.count;
}
