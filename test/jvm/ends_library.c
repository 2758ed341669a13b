/* For java/Ends.java: native code that ends the process without asking the VM. */
#include <jni.h>
#include <stdlib.h>

JNIEXPORT void JNICALL Java_Ends_leave(JNIEnv *jni, jclass ends, jint status);

JNIEXPORT void JNICALL Java_Ends_leave(JNIEnv *jni, jclass ends, jint status)
{
	(void)jni, (void)ends;
	exit(status);
}
