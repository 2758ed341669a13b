#include "agent/sound_ids.h"

#include <stdatomic.h>

#include "hotspot/method_ids.h"
#include "hotspot/method_proof.h"

static struct method_proof the_proof;
static atomic_bool the_proof_is_known; /* guards it: it is written once, before */

/* Of Object, which nobody redefines. It is asked for by the thread's class: to find a class by its
 * name can run code of the program's. */
static jmethodID sure_id(const struct vm *vm, JNIEnv *jni)
{
	jthread thread = NULL;
	jmethodID id = NULL;
	if ((*vm->jvmti)->GetCurrentThread(vm->jvmti, &thread) != JVMTI_ERROR_NONE || !thread)
		return NULL;
	jclass k = (*jni)->GetObjectClass(jni, thread);
	if (k)
		id = (*jni)->GetMethodID(jni, k, "getClass", "()Ljava/lang/Class;");
	if (!id)
		(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, k);
	(*jni)->DeleteLocalRef(jni, thread);
	return id;
}

void sound_ids_learn(const struct vm *vm, JNIEnv *jni)
{
	if (atomic_load(&the_proof_is_known) || !jni || vm->major >= METHOD_IDS_NUMBERS_SINCE)
		return;
	jmethodID id = sure_id(vm, jni);
	if (id && method_proof_learn(&the_proof, (uint64_t)(uintptr_t)id))
		atomic_store(&the_proof_is_known, true);
}

bool sound_id(jmethodID id)
{
	return !atomic_load_explicit(&the_proof_is_known, memory_order_acquire) ||
	       method_proof_holds(&the_proof, (uint64_t)(uintptr_t)id);
}
