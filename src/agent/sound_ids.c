#include "agent/sound_ids.h"

#include <stdatomic.h>

#include "hotspot/method_proof.h"

enum { NUMBERS_SINCE = 26 }; /* JDK-8268406 */

static struct method_proof the_proof;
static atomic_bool the_proof_is_known; /* guards it: it is written once, before */

/* One of a class that nobody can redefine at the moment, since it has not been yet. */
static jmethodID sure_id(JNIEnv *jni)
{
	jclass object = (*jni)->FindClass(jni, "java/lang/Object");
	jmethodID id = object ? (*jni)->GetMethodID(jni, object, "hashCode", "()I") : NULL;
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	if (object)
		(*jni)->DeleteLocalRef(jni, object);
	return id;
}

void sound_ids_learn(const struct vm *vm, JNIEnv *jni)
{
	if (atomic_load(&the_proof_is_known) || !jni || vm->major >= NUMBERS_SINCE)
		return;
	jmethodID id = sure_id(jni);
	if (id && method_proof_learn(&the_proof, (uint64_t)(uintptr_t)id))
		atomic_store(&the_proof_is_known, true);
}

bool sound_id(jmethodID id)
{
	return !atomic_load_explicit(&the_proof_is_known, memory_order_acquire) ||
	       method_proof_holds(&the_proof, (uint64_t)(uintptr_t)id);
}
