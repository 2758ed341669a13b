/*
 * From the VM's SampledObjectAlloc to the recorder: sieves, stack, names at first sight, tag.
 * Runs in the allocating thread, on its stack, which may be nearly used up: little is kept there.
 */
#ifndef AGENT_SAMPLER_H
#define AGENT_SAMPLER_H

#include <regex.h>

#include "agent/in_sight.h"
#include "agent/recorder.h"
#include "agent/vm.h"

/* Bytes: HotSpot's own interval, until somebody tells it another. */
#define VM_INTERVAL (512ull << 10)

struct sampler {
	const struct vm *vm;       /* borrowed */
	struct recorder *recorder; /* borrowed */
	struct in_sight *in_sight; /* borrowed; NULL: nobody wants to look at objects */
	uint32_t depth;
	uint32_t serial;    /* of the recording: what threads remember of another is stale */
	bool has_filter;    /* --thread */
	bool takes_virtual; /* the filter takes virtual threads, by the name they have in the trace
			     */
	regex_t filter;
	uint32_t virtual_thread; /* the one id of all virtual threads */
	bool may_be_virtual;     /* JDK 21 on, or one that is not known */
	uint64_t before;         /* bytes: the interval by which threads of before the recording
				    drew, as far as they don't know better */
	uint64_t follow_max;     /* bytes: larger objects are not followed (region.h) */
	_Atomic bool noted_max;  /* the trace says so */
};

/* Compiles the thread filter. ERR_FORMAT with a sentence. */
int sampler_init(struct sampler *s, const struct vm *vm, struct recorder *r,
	const struct options *o, struct diag *d);
void sampler_release(struct sampler *s);
/* The VM was told of the recording's interval before any thread began. */
void sampler_draws(struct sampler *s);
/* What is followed is offered to it as well. Before the first event. */
void sampler_show(struct sampler *s, struct in_sight *in_sight);

/* The event, of any thread: those that the filter does not take leave nothing. */
void sampler_event(
	struct sampler *s, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size);

/* The calling thread has become one of Java's, maybe again and by another name: it is a new thread
 * to the trace. s: NULL where nothing is recorded. */
void sampler_thread_start(const struct sampler *s);
#endif
