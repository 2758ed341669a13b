/*
 * Classes of the running program, rewritten so that the objects of chosen places jump over their
 * ages: all of a set in one batch, and back to what they were. One for the process, in an
 * environment of its own that is kept for ever (vm.h). Classes that are loaded later are rewritten
 * on their way in, and those that other agents have transformed anew, again.
 *
 * What is rewritten has other bytecode indices than what the program's class files have:
 * rewrites_bci tells the original ones.
 */
#ifndef AGENT_REWRITES_H
#define AGENT_REWRITES_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/rewrite_class.h"
#include "agent/vm.h"
#include "base/diag.h"

/* Why a place is refused whose class had a method running when it was to be rewritten (running.h):
 * the `why` of such a wish. Before that class runs, in another run, it can be done. */
extern const char rewrites_running[];

/* The process's one. */
struct rewrites *rewrites_get(void);
/* At OnLoad, or at an attach. ERR_UNSUPPORTED with a sentence. */
int rewrites_open(struct rewrites *r, const struct vm *vm, struct diag *d);
/* From now on classes that come by are rewritten for these places; for those that are loaded
 * already it takes rewrites_apply. Costs next to nothing. Where there was no wish before. As that.
 */
int rewrites_expect(struct rewrites *r, const struct wish *wishes, size_t count);
/*
 * From now on these places jump, and no others: classes that are loaded are rewritten in one batch,
 * where their places differ from before. wishes are copied, and what became of each is put into it
 * (state, why). In the live phase, in a thread that the VM knows; no lock of ours may be held. 0,
 * ERR_NOMEM or ERR_JVM (then as before).
 */
int rewrites_apply(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count);
/* What has become of them by now: classes are loaded at any time. */
void rewrites_look(struct rewrites *r, struct wish *wishes, size_t count);
/* Whether a class of that name is rewritten, or could not be turned back yet. In the thread that
 * applies. */
bool rewrites_touches(struct rewrites *r, const char *class_name);
/* Of the wishes that have no method yet, the VM's id of it, in a class in which they are done; 0
 * stays: no such. One listing of the classes for all. As rewrites_apply. */
void rewrites_methods(struct rewrites *r, JNIEnv *jni, struct wish *wishes, size_t count);
/* Whether classes may have been loaded since of which it is not known where their methods are, or
 * that were on their way in when rewriting began. Those that don't show for long are not waited
 * for. In the thread that applies. */
bool rewrites_unsettled(struct rewrites *r);
/* Finds them. As rewrites_apply, now and then. */
void rewrites_settle(struct rewrites *r, JNIEnv *jni);
/* Classes in which more is rewritten than is wished for, since a method of theirs was running when
 * it was taken back (running.h). They are tried again when things are settled. In the thread that
 * applies. */
size_t rewrites_late(const struct rewrites *r);
/* No class is rewritten any more; those that are have been undone by an empty set before. Where the
 * VM ends (not live) nothing is freed. */
void rewrites_close(struct rewrites *r, bool live);
/* The index in the class file of what stands at `bci` of the method now. Any thread, quick where
 * nothing is rewritten. */
int32_t rewrites_bci(uint64_t vm_method, int32_t bci);

#endif
