/*
 * Loaded classes that are to be exchanged: found by their names in one listing, sieved, and given
 * to the VM at once. In a thread that the VM knows, with no lock held.
 */
#ifndef AGENT_CLASS_BATCH_H
#define AGENT_CLASS_BATCH_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/loaded_classes.h"

struct class_batch {
	jvmtiEnv *env;
	JNIEnv *jni;
	struct loaded_classes found; /* those in the batch are `wanted` */
	jclass *watched;             /* that were asked about (class_batch_watch); owned */
	bool *works;                 /* of each; owned; NULL: who knows, so all do */
	size_t watched_count;
};

/* 0, ERR_NOMEM, ERR_JVM: then it is empty. To be released in any case. */
int class_batch_find(
	struct class_batch *b, jvmtiEnv *env, JNIEnv *jni, loaded_class_wanted *wanted, void *arg);
void class_batch_release(struct class_batch *b);

/* One of them; the name is the VM's, until the test is over. */
struct batch_class {
	const struct class_batch *batch;
	jclass k;
	const char *name; /* java/util/HashMap */
	int32_t loader;   /* loaded_classes.h */
};
typedef bool class_test(void *arg, const struct batch_class *c);
/* Leaves out those that don't pass. */
void class_batch_keep(struct class_batch *b, class_test *test, void *arg);
/* Leaves out all behind the first ones; whether there were any. */
bool class_batch_cut(struct class_batch *b, size_t most);

/* Looks which classes of the batch are at work (running.h), and takes its time. */
void class_batch_watch(struct class_batch *b);
/* What was seen then; true of those that were not in the batch. */
bool class_batch_works(const struct class_batch *b, jclass k);

/* Has the VM exchange these classes, by what whoever listens makes of them. Whether it did. */
bool class_batch_exchange(jvmtiEnv *env, JNIEnv *jni, const jclass *classes, size_t count);
/*
 * For who asks the VM for indices in methods' code, and then what the code is: whether it may have
 * been exchanged in between. The moment before the first question; lock-free, any thread. Exchanges
 * of others are not known.
 */
uint32_t class_batch_moment(void);
bool class_batch_holds(uint32_t moment);
/* As the caller of class_batch_exchange has it, in whose thread it is asked about the class; NULL:
 * it is none of them, but another agent's. */
jclass class_batch_own(JNIEnv *jni, jclass exchanged);

#endif
