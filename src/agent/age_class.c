#include "agent/age_class.h"

#include <stddef.h>

#include "base/error.h"
#include "exact/births.h"

enum { OLDEST = 15, ASKED_MOST = 100 };

extern const unsigned char age_class_bytes[];
extern const size_t age_class_bytes_len;

/* Kept for the VM's life, as the class is. NULL: none yet. */
static struct {
	jclass k;
	jfieldID sure, doubt;
} known;

static int refuse(JNIEnv *jni, struct diag *d, const char *what)
{
	(*jni)->ExceptionClear(jni);
	return diag_set(d, ERR_UNSUPPORTED,
		"this VM %s: objects' ages can't be set by rewritten code", what);
}

static jclass define(JNIEnv *jni)
{
	jclass found = (*jni)->FindClass(jni, AGE_CLASS);
	if (found)
		return found;
	(*jni)->ExceptionClear(jni);
	return (*jni)->DefineClass(
		jni, AGE_CLASS, NULL, (const jbyte *)age_class_bytes, (jsize)age_class_bytes_len);
}

/* The age of a new array after `setter`: -1 where a call failed. */
static jint age_after(JNIEnv *jni, jclass k, const char *setter)
{
	jmethodID age = (*jni)->GetStaticMethodID(jni, k, "age", "(Ljava/lang/Object;)I");
	jmethodID set = age && setter
				? (*jni)->GetStaticMethodID(jni, k, setter, "(Ljava/lang/Object;)V")
				: NULL;
	jobject o = age && (set || !setter) ? (*jni)->NewByteArray(jni, 8) : NULL;
	if (!o)
		return -1;
	if (set)
		(*jni)->CallStaticVoidMethod(jni, k, set, o);
	jint got = (*jni)->ExceptionCheck(jni) ? -1 : (*jni)->CallStaticIntMethod(jni, k, age, o);
	(*jni)->DeleteLocalRef(jni, o);
	return (*jni)->ExceptionCheck(jni) ? -1 : got;
}

/*
 * A collection may come between the calls: then an object that was just made is older, and is left
 * alone. That says nothing, and another object is asked.
 */
static bool becomes(JNIEnv *jni, jclass k, const char *setter, jint age)
{
	jint got = 1;
	for (int i = 0; i < ASKED_MOST && got >= 1 && got != age; i++)
		got = age_after(jni, k, setter);
	return got == age;
}

static bool works(JNIEnv *jni, jclass k)
{
	return becomes(jni, k, NULL, 0) && becomes(jni, k, "swap", OLDEST) &&
	       becomes(jni, k, "store", OLDEST) && becomes(jni, k, "fresh", OLDEST);
}

static bool keep(JNIEnv *jni, jclass k)
{
	if (known.k)
		return true;
	known.sure = (*jni)->GetStaticFieldID(jni, k, "sure", "Z");
	known.doubt = (*jni)->GetStaticFieldID(jni, k, "doubt", "Z");
	known.k = known.sure && known.doubt ? (*jni)->NewGlobalRef(jni, k) : NULL;
	return known.k != NULL;
}

void age_class_sure(JNIEnv *jni, bool sure)
{
	if (known.k)
		(*jni)->SetStaticBooleanField(jni, known.k, known.sure, sure);
}

void age_class_doubt(JNIEnv *jni)
{
	if (known.k)
		(*jni)->SetStaticBooleanField(jni, known.k, known.doubt, JNI_TRUE);
}

int age_class_install(JNIEnv *jni, struct diag *d)
{
	jclass k = define(jni);
	if (!k)
		return refuse(jni, d, "does not take a class of mayfly's");
	bool good = age_class_rest(jni, false) == ERR_NONE && works(jni, k) && keep(jni, k);
	(*jni)->DeleteLocalRef(jni, k);
	return good ? ERR_NONE : refuse(jni, d, "has no age where it is looked for");
}

/* What the loader gives for the name; NULL: nothing. */
static jobject ask(JNIEnv *jni, jobject loader)
{
	jclass k = (*jni)->FindClass(jni, "java/lang/Class");
	jmethodID for_name = k ? (*jni)->GetStaticMethodID(jni, k, "forName",
					 "(Ljava/lang/String;ZLjava/lang/ClassLoader;)"
					 "Ljava/lang/Class;")
			       : NULL;
	jstring name = for_name ? (*jni)->NewStringUTF(jni, "java.lang.MayflyAge") : NULL;
	jobject found =
		name ? (*jni)->CallStaticObjectMethod(jni, k, for_name, name, JNI_FALSE, loader)
		     : NULL;
	if ((*jni)->ExceptionCheck(jni))
		found = NULL;
	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, name);
	(*jni)->DeleteLocalRef(jni, k);
	return found;
}

bool age_class_given(JNIEnv *jni, jobject loader)
{
	if (!loader)
		return true;
	jobject found = ask(jni, loader);
	bool given = found && (*jni)->IsSameObject(jni, found, known.k);
	(*jni)->DeleteLocalRef(jni, found);
	return given;
}

int age_class_rest(JNIEnv *jni, bool rest)
{
	jclass k = (*jni)->FindClass(jni, AGE_CLASS);
	jfieldID jump = k ? (*jni)->GetStaticFieldID(jni, k, "jump", "J") : NULL;
	if (jump)
		(*jni)->SetStaticLongField(jni, k, jump, rest ? 0 : BIRTH_JUMPED);
	(*jni)->ExceptionClear(jni);
	if (k)
		(*jni)->DeleteLocalRef(jni, k);
	return jump ? ERR_NONE : ERR_JVM;
}

enum age_answer age_class_try(JNIEnv *jni, enum age_step step)
{
	static const char *const names[] = {[AGE_MAKE] = "make",
		[AGE_NOTE] = "note",
		[AGE_JUDGE] = "judge",
		[AGE_DROP] = "drop"};
	jclass k = (*jni)->FindClass(jni, AGE_CLASS);
	jmethodID method = k ? (*jni)->GetStaticMethodID(jni, k, names[step], "()I") : NULL;
	jint said = method ? (*jni)->CallStaticIntMethod(jni, k, method) : AGE_ANEW;
	if ((*jni)->ExceptionCheck(jni))
		said = AGE_ANEW;
	(*jni)->ExceptionClear(jni);
	if (k)
		(*jni)->DeleteLocalRef(jni, k);
	return said >= AGE_ANEW && said <= AGE_STAYS_YOUNG ? (enum age_answer)said : AGE_ANEW;
}
