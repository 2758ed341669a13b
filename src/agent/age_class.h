/*
 * java.lang.MayflyAge inside the VM: what rewritten code calls for a new object. It stays for the
 * VM's life, as classes of the boot loader do; without callers it does nothing.
 */
#ifndef AGENT_AGE_CLASS_H
#define AGENT_AGE_CLASS_H

#include <jni.h>
#include <stdbool.h>

#include "base/diag.h"

#define AGE_CLASS "java/lang/MayflyAge"

/*
 * Gives the class to the VM, where it is not there yet, and sees to it that it works: of an object
 * that is made here the age is 0, and then as old as it gets. In the live phase, in a thread that
 * the VM knows, no exception pending; none is left. ERR_UNSUPPORTED with a sentence.
 */
int age_class_install(JNIEnv *jni, struct diag *d);
/*
 * Whether code of that loader (NULL: the boot loader) finds the class by its name. A loader that
 * gives what it knows only may not, and code that names it would fail. Runs the loader's Java code
 * where it was never asked; from then on the VM knows the answer by itself. No exception pending;
 * none is left.
 */
bool age_class_given(JNIEnv *jni, jobject loader);
/* From now on objects that are given to it stay as they are, or don't. 0 or ERR_JVM. */
int age_class_rest(JNIEnv *jni, bool rest);
/* From now on it is sure, or not, that constructors show their objects to nobody where it was found
 * so. */
void age_class_sure(JNIEnv *jni, bool sure);
/* It is not, for the VM's life, before this returns. Any thread that the VM knows; asks the VM for
 * nothing, so that a callback may do it. */
void age_class_doubt(JNIEnv *jni);

/* The self-test's steps inside the VM (trial.h); as MayflyAge has their answers. */
enum age_step { AGE_MAKE, AGE_NOTE, AGE_JUDGE, AGE_DROP };
enum age_answer { AGE_ANEW, AGE_ON, AGE_AT_ONCE, AGE_STAYS_YOUNG };
/* Whatever goes wrong is AGE_ANEW. */
enum age_answer age_class_try(JNIEnv *jni, enum age_step step);

#endif
