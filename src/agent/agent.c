/* The three symbols that the VM knows. Whatever happens here, the program starts and runs. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdio.h>

#include "agent/own_file.h"
#include "agent/session.h"
#include "base/compiler.h"
#include "base/error.h"

static int open_session(JavaVM *java, char *options, bool attached)
{
	struct diag d = {0};
	struct session *s = session_get();
	int err = session_open(s, java, options, attached, &d);
	if (err)
		fprintf(stderr, "mayfly: %s%s\n", d.text,
			attached ? "" : "; nothing is recorded, the program goes on");
	return err;
}

MF_EXPORT JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java, char *options, void *reserved)
{
	(void)reserved;
	open_session(java, options, false);
	return JNI_OK; /* an agent in trouble must not keep the program from running */
}

MF_EXPORT JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *java, char *options, void *reserved)
{
	(void)reserved;
	own_file_keep();
	return -open_session(java, options, true); /* doc/control.md */
}

MF_EXPORT JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *java)
{
	(void)java;
}
