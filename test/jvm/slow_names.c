/*
 * An agent, and preloaded too; its options are METHOD=FILE. Once the VM has told of that method's
 * code each piece of memory that the thread which is told gets takes 20 ms, and the file is there:
 * agents behind it take their time with whatever they copy then.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compiled_events.h"

enum { NS = 20000000 };

static const char *name, *path;
static __thread bool slow;

static void take_time(void)
{
	if (slow)
		nanosleep(&(struct timespec){0, NS}, NULL);
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
	static void *(*real)(size_t);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "malloc");
	take_time();
	return real(size);
}

__attribute__((visibility("default"))) void *realloc(void *at, size_t size)
{
	static void *(*real)(void *, size_t);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "realloc");
	take_time();
	return real(at, size);
}

static void begin(void)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	slow = fd >= 0;
	if (slow)
		close(fd);
}

static void JNICALL compiled(jvmtiEnv *jvmti, jmethodID method, jint size, const void *code,
	jint map_length, const jvmtiAddrLocationMap *map, const void *info)
{
	char *of = NULL;
	(void)size, (void)code, (void)map_length, (void)map, (void)info;
	if ((*jvmti)->GetMethodName(jvmti, method, &of, NULL, NULL) || !of)
		return;
	if (!slow && strcmp(of, name) == 0)
		begin();
	(*jvmti)->Deallocate(jvmti, (unsigned char *)of);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java, char *options, void *reserved)
{
	char *text = options ? strdup(options) : NULL, *end = text ? strchr(text, '=') : NULL;
	(void)reserved;
	if (!end)
		return JNI_ERR;
	*end = 0;
	name = text;
	path = end + 1;
	return compiled_events(java, compiled);
}
