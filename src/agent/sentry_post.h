/*
 * Makes the object that tells of other tools' heap walks (exact/sentry.h), an array of one byte.
 */
#ifndef AGENT_SENTRY_POST_H
#define AGENT_SENTRY_POST_H

#include <jni.h>

#include "exact/sentry.h"
#include "hotspot/objects.h"

/* Where the VM's references are not what is expected there is none. Returned: what sentry_dismiss
 * wants, or NULL. */
jobject sentry_make(struct sentry *s, JNIEnv *jni, const struct vm_objects *o);
/* No pause looks at it any more. */
void sentry_dismiss(struct sentry *s, JNIEnv *jni, jobject object);

#endif
