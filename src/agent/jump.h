/*
 * A place whose objects are to jump over their ages: by the program's names, as a decisions file
 * has it, and what has become of it.
 */
#ifndef AGENT_JUMP_H
#define AGENT_JUMP_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/loaded_classes.h"
#include "agent/recorder.h"
#include "agent/vm.h"
#include "agent/wishes.h"
#include "tenure/decisions.h"
#include "tenure/place.h"

struct jump {
	struct place_context at;      /* vm_method 0: from a file, its class has not come by */
	struct decision decision;     /* names; class_name NULL: not asked for yet */
	char *class_name, *allocates; /* as the VM has them; owned */
	bool one_loader;              /* met while it ran: in the class of that loader, */
	int32_t loader;               /* and in no other of its name (loaded_classes.h) */
	bool any_code, any_opcode;    /* the file does not say which it is for */
	bool on;                      /* wanted */
	bool done;                    /* there */
	const char *failed;           /* why it can't be; NULL */
	bool told;                    /* that it failed */
	uint32_t looks;               /* times that its method was looked for */
};

/* Of a decision of the file, which is taken over, but where it fails. 0 or ERR_NOMEM. */
int jump_load(struct jump *j, struct decision *from);
void jump_release(struct jump *j);

/* The names of a place that was met while it ran. */
struct jump_names {
	bool known;                  /* the VM tells them */
	struct loaded_method method; /* in which code goes in */
	char allocates[DECISION_TEXT];
	int32_t line; /* 0: not told */
};
/* In the VM. n: to be released. */
void jump_ask(const struct jump *j, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	struct jump_names *n);
void jump_names_release(struct jump_names *n, const struct vm *vm);
/* 0 or ERR_NOMEM. */
int jump_name(struct jump *j, const struct jump_names *n);
/* Where code goes in, by its names: where a file's decision has callers, the outermost of them. */
const struct decision_frame *jump_frame(const struct jump *j);
/* By their names. */
bool jump_same_place(const struct jump *a, const struct jump *b);

/* As long as the jump's names last. */
struct wish jump_wish(const struct jump *j);
/* What has become of that. */
void jump_take_outcome(struct jump *j, const struct wish *w);
/* On, and not failed. */
bool jump_wanted(const struct jump *j);
/* Whether it is for what a call gives back, whoever calls. */
bool jump_is_call(const struct jump *j);
/* It is there, but nobody has said yet where in this VM. */
bool jump_unmet(const struct jump *j);
/* It has failed, and that was not told. */
bool jump_untold(const struct jump *j);

#endif
