#include "agent/sentry_post.h"

#include <stddef.h>
#include <string.h>

/* Where an array's bytes begin, up to 22. */
static size_t body_of(const struct vm_objects *o)
{
	return (o->array_length + sizeof(uint32_t) + 7) & ~(size_t)7;
}

/*
 * Up to 17 or so a global reference is the address of the cell that has the object's. Later ones
 * have tags, and are none that this fits.
 */
static bool post(struct sentry *s, JNIEnv *jni, const struct vm_objects *o, jobject object)
{
	uintptr_t cell = (uintptr_t)object, is;
	/* The object stays where it is until that is given back. */
	char *bytes = (*jni)->GetPrimitiveArrayCritical(jni, object, NULL);
	if (!bytes)
		return false;
	memcpy(&is, (const void *)(cell & ~(uintptr_t)7), sizeof(is));
	bool fits = cell % 8 == 0 && is == (uintptr_t)bytes - body_of(o);
	if (fits)
		sentry_post(s, (const void *)cell);
	(*jni)->ReleasePrimitiveArrayCritical(jni, object, bytes, JNI_ABORT);
	return fits;
}

jobject sentry_make(struct sentry *s, JNIEnv *jni, const struct vm_objects *o)
{
	jobject local = o->compact ? NULL : (*jni)->NewByteArray(jni, 1);
	jobject object = local ? (*jni)->NewGlobalRef(jni, local) : NULL;
	if (local)
		(*jni)->DeleteLocalRef(jni, local);
	else if (!o->compact)
		(*jni)->ExceptionClear(jni);
	if (object && !post(s, jni, o, object)) {
		(*jni)->DeleteGlobalRef(jni, object);
		return NULL;
	}
	return object;
}

void sentry_dismiss(struct sentry *s, JNIEnv *jni, jobject object)
{
	s->at = NULL;
	s->walked = NULL;
	if (object)
		(*jni)->DeleteGlobalRef(jni, object);
}
