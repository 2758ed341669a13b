/* A native thread that becomes one of Java's twice, by two names, and allocates each time. At
 * VMInit, which waits for it. */
#include <jvmti.h>
#include <pthread.h>
#include <string.h>

enum { ARRAYS = 2000, BYTES = 1024 };

static void allocate_as(JavaVM *vm, char *name)
{
	JavaVMAttachArgs args = {.version = JNI_VERSION_10, .name = name};
	JNIEnv *jni = NULL;
	if ((*vm)->AttachCurrentThread(vm, (void **)&jni, &args) != JNI_OK)
		return;
	for (int i = 0; i < ARRAYS; i++)
		(*jni)->DeleteLocalRef(jni, (*jni)->NewByteArray(jni, BYTES));
	(*vm)->DetachCurrentThread(vm);
}

static void *twice(void *vm)
{
	char first[] = "decoder", second[] = "encoder";
	allocate_as(vm, first);
	allocate_as(vm, second);
	return NULL;
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	JavaVM *vm = NULL;
	pthread_t native;
	(void)jvmti, (void)thread;
	if ((*jni)->GetJavaVM(jni, &vm) == 0 && pthread_create(&native, NULL, twice, vm) == 0)
		pthread_join(native, NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiEnv *jvmti = NULL;
	jvmtiEventCallbacks c;
	(void)options, (void)reserved;
	memset(&c, 0, sizeof(c));
	c.VMInit = on_vm_init;
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK ||
		(*jvmti)->SetEventCallbacks(jvmti, &c, (jint)sizeof(c)) ||
		(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL))
		return JNI_ERR;
	return JNI_OK;
}
