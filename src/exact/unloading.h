/*
 * When sites are forgotten: once the classes that they name are unloaded, or the code that was
 * theirs is gone. Looked at in pauses, while the program stands; nothing is allocated.
 */
#ifndef EXACT_UNLOADING_H
#define EXACT_UNLOADING_H

#include "exact/births.h"
#include "exact/loaders.h"

/* What code_oracle.look tells, together. */
enum { CODE_GONE = 1, CODE_REDEFINED = 2 };

/* Asked while the program stands. */
struct code_oracle {
	void *arg;
	/* Whether other code stands where some sites' was, and whether such were methods of classes
	 * that live on. NULL: nobody knows. unloaded: loaders may have gone, and have been read. */
	unsigned (*look)(void *arg, bool unloaded);
	birth_gone *replaced; /* of a site, as it was looked at last */
};

struct unloading {
	struct births *births; /* borrowed */
	struct loaders loaders;
	uint64_t loaders_sum;             /* when they were read last */
	const volatile int64_t *unloaded; /* classes, in the VM; NULL: it does not count them */
	int64_t unloaded_then;            /* when it was looked at last */
	struct code_oracle code;
	uint32_t code_changes; /* when it was asked last */
};

/* What loaders_open says; released by the caller in any case. */
int unloading_init(struct unloading *u, struct births *b, const void *inside);
void unloading_release(struct unloading *u);

/* A pause in which classes may have been unloaded: full collections, and of G1 the end of a
 * marking. */
void unloading_look(struct unloading *u);
/* One behind such a pause that nobody told of, where some classes may have been unloaded and others
 * loaded since: what stands where they stood can't be told from them. All sites go then but the
 * VM's own, unless it has unloaded none. */
void unloading_look_late(struct unloading *u);
/* Where the VM counts the classes that it has unloaded; NULL: nowhere. */
void unloading_count(struct unloading *u, const volatile int64_t *classes);
/* Any other one. From 20 on code goes in the pauses that unload classes, before that at any time.
 * Of methods that are redefined what was before goes then, or a little later. */
void unloading_look_code(struct unloading *u);

#endif
