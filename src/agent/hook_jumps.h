/*
 * The actuator that needs no other code: the exact engine's probe sees each object before anybody
 * else has, and stamps its mark. There the objects of chosen places are made as old as can be
 * (births.h).
 *
 * It takes places where an instruction allocates. What a call gives back it leaves to rewritten
 * classes, and so all places of a class that is rewritten: indices in its code are others then. A
 * place from a file is judged once something was born there, since then its class is loaded; where
 * several loaders have classes of that name it is left to rewritten classes, which are judged one
 * by one.
 */
#ifndef AGENT_HOOK_JUMPS_H
#define AGENT_HOOK_JUMPS_H

#include <stdatomic.h>

#include "agent/actuator.h"
#include "agent/rewrites.h"
#include "agent/vm.h"
#include "agent/wishes.h"
#include "exact/births.h"

/* The loader of a method's class, as sites' places have it (place_key_in); the class is held. */
typedef uintptr_t hook_home(const void *arg, uint64_t vm_method);

struct hook_jumps {
	struct births *births;     /* borrowed, as these are */
	struct rewrites *rewrites; /* what they have rewritten is left alone */
	const struct vm *vm;
	const _Atomic bool *on; /* the engine is at it */
	hook_home *home;
	const void *home_arg;
	struct wishes wishes; /* in force, or waiting for a birth */
	bool rests;
};

/* All borrowed; on is the engine's own. false: this VM does not show bytecode. */
bool hook_jumps_open(struct hook_jumps *h, struct births *b, const _Atomic bool *on,
	struct rewrites *r, const struct vm *vm, hook_home *home, const void *home_arg);
/* Nobody uses it any more. */
void hook_jumps_close(struct hook_jumps *h);
struct actuator hook_jumps(struct hook_jumps *h);

#endif
