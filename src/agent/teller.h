/*
 * The thread of the VM that tells deaths, from JDK 16 on some time after the collection that found
 * them (doc/jvm.md, "When deaths are told"): whether it had come to it when the next one begins. On
 * a busy machine it may not have had a processor in between; then it is runnable, and has taken no
 * CPU time since. A thread that sleeps was not woken: nothing was found.
 */
#ifndef AGENT_TELLER_H
#define AGENT_TELLER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct teller {
	const char *tasks;        /* "/proc/self/task" but in tests */
	_Atomic uintptr_t thread; /* the pthread_t that told last; 0: none has */
	_Atomic int tid;
	_Atomic bool told; /* since the last teller_collected */
	bool known;        /* `cpu` is */
	uint64_t cpu;      /* that it had taken then, ns */
};

void teller_init(struct teller *t, const char *tasks);
/* What was told so far was not listened to. */
void teller_again(struct teller *t);
/* A death is told, by the calling thread, outside of a pause. */
void teller_tells(struct teller *t);
/* A collection of the young generation has ended, in whose pause the program still stands. */
void teller_collected(struct teller *t);
/* In the next pause: a flag of the `gc` record (GC_WAITED, GC_NOTHING), or 0: deaths were told, or
 * nobody knows. Some 15 µs where none was, else nothing. */
uint64_t teller_seen(const struct teller *t);

#endif
