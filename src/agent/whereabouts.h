/*
 * Where what stands in rewritten classes stands in the program's class files. Asked of frames as
 * they are walked, by the VM's id of a method, while classes are rewritten again and back, and old
 * versions of their methods still run. A VM gives such a version an id of its own when it is first
 * met on a stack.
 *
 * It is told of a class when the class is given to the VM (that may come to nothing), and of the
 * ids of its methods when they are there. In between the code itself tells which version it is
 * (classfile/outline.h), and so it does where an id is met that nobody has told of.
 */
#ifndef AGENT_WHEREABOUTS_H
#define AGENT_WHEREABOUTS_H

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "agent/loaded_classes.h"
#include "agent/moves.h"
#include "agent/rewritten.h"

enum { WHEREABOUTS_PLAIN = 1024 };

struct whereabouts {
	JavaVM *java;
	jvmtiEnv *env;        /* NULL: nothing can be rewritten */
	pthread_mutex_t lock; /* protects `rewritten` and changes of `moves`; never held across a
				 call into the VM */
	struct rewritten rewritten;
	struct moves moves;
	atomic_bool any;       /* something was ever rewritten */
	atomic_size_t waiting; /* methods of classes that were given to the VM, without ids */
	/* Ids that no exchanged version has, or one that was not rewritten: that holds for good. */
	_Atomic uint64_t plain[WHEREABOUTS_PLAIN];
};

/* A class is given to the VM; done: as what, NULL: as it is in its file. Any thread. */
void whereabouts_class(struct whereabouts *w, const char *class_name, int32_t loader,
	const struct rewriting *done);
/* The VM has these classes: its ids of their methods are for what it was given last. Where the
 * memory is not there, frames of them show where they are now. */
void whereabouts_publish(struct whereabouts *w, JNIEnv *jni, const jclass *classes, size_t count);
/* Whether a class of that name, of any loader, waits to be published; the loader's; whether any
 * does. Those that don't show for long are not waited for. */
bool whereabouts_waits(struct whereabouts *w, const char *class_name);
bool whereabouts_waits_in(struct whereabouts *w, const char *class_name, int32_t loader);
bool whereabouts_waiting(struct whereabouts *w);
/* Whether any waits since before the last look. */
bool whereabouts_overdue(struct whereabouts *w);
/* All that wait were looked for. */
void whereabouts_looked(struct whereabouts *w);
/* As rewrites_bci. */
int32_t whereabouts_bci(struct whereabouts *w, uint64_t vm_method, int32_t bci);

#endif
