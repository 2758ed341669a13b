#include "agent/stack_fetch.h"

#include "agent/class_batch.h"
#include "agent/rewrites.h"
#include "base/map.h"

enum { AGAIN_MOST = 4 }; /* each is another exchange of code on this very stack */

static uint32_t ask(jvmtiEnv *jvmti, jthread thread, uint32_t depth, jvmtiFrameInfo *infos)
{
	jint count = 0;
	jvmtiError err = (*jvmti)->GetStackTrace(jvmti, thread, 0, (jint)depth, infos, &count);
	return err == JVMTI_ERROR_NONE && count > 0 ? (uint32_t)count : 0;
}

static uint64_t hash_of(const jvmtiFrameInfo *infos, uint32_t count)
{
	uint64_t hash = count;
	for (uint32_t i = 0; i < count; i++)
		hash = hash64_pair(hash64_pair(hash, (uint64_t)(uintptr_t)infos[i].method),
			(uint64_t)infos[i].location);
	return hash;
}

/* As in the program's class files, whatever tenure has made of it. */
static struct stack_frame frame_of(const jvmtiFrameInfo *info)
{
	uint64_t method = (uint64_t)(uintptr_t)info->method;
	return (struct stack_frame){method, rewrites_bci(method, (int32_t)info->location)};
}

static void translate(const jvmtiFrameInfo *infos, uint32_t count, struct stack_frame *stack)
{
	for (uint32_t i = 0; i < count; i++)
		stack[i] = frame_of(&infos[i]);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

uint32_t stack_fetch(jvmtiEnv *jvmti, jthread thread, uint32_t depth, jvmtiFrameInfo *infos,
	struct stack_frame *stack, bool *cut)
{
	uint64_t was = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i <= AGAIN_MOST; i++) {
		uint32_t moment = class_batch_moment();
		/* One frame more than is kept, to know whether the stack went on. */
		count = ask(jvmti, thread, depth + 1, infos);
		/* Frames whose code is exchanged get another id: those that are the same before
		 * and after were the same in between, when they were translated. */
		if (i && hash_of(infos, count) == was)
			break;
		translate(infos, least(count, depth), stack);
		if (class_batch_holds(moment))
			break;
		was = hash_of(infos, count);
	}
	*cut = count > depth;
	return least(count, depth);
}
