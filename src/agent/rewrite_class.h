/* A class file in which the objects of chosen places are given to java.lang.MayflyAge. */
#ifndef AGENT_REWRITE_CLASS_H
#define AGENT_REWRITE_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

enum wish_state {
	WISH_WAITS, /* its class has not come by */
	WISH_DONE,
	WISH_REFUSED, /* it can't be done; `why` says why */
};

/* Why a place is refused whose objects a caller may know better: the `why` of such a wish. */
extern const char rewrite_elsewhere[];

/* A place whose objects are to jump. Texts are borrowed, but for what rewrites.h copies. */
struct wish {
	const char *class_name; /* as in the VM: java/util/HashMap */
	const char *method, *descriptor;
	int32_t bci;        /* in the class file */
	const char *opcode; /* expected there; NULL: any that will do */
	bool has_hash;
	uint64_t hash;         /* of the method's bytecode (rewrite_hash) */
	const char *allocates; /* signature of the objects' class */
	bool one_loader;       /* of classes of that name only the one of: */
	int32_t loader;        /* (loaded_classes.h) */
	uint64_t vm_method;    /* the VM's id of the method; 0: not known */
	uint64_t key;          /* of a place that the probe has: place_key_in */
	/* Descriptors of constructors that show the new object to nobody (quiet.h); NULL: none.
	 * Borrowed, while the class is rewritten. */
	const char *quiet;
	uint32_t asked; /* times that it was looked for those */
	enum wish_state state;
	bool plain;          /* done, and by a plain store although there is a constructor */
	const char *why;     /* static */
	bool other_code;     /* refused, since the code is not what was decided on */
	uint64_t found_hash; /* of what was found there; WISH_DONE, or its class was running: */
	const char *found_opcode; /* static; NULL: nothing was */
	struct wish_texts *texts; /* of a copy: its texts, shared with others (wishes.h) */
};

/* Where instructions have moved to, in a rewritten method: in the order of both. */
struct moved {
	uint32_t now, was;
};
struct moved_method {
	struct slice name, descriptor; /* in the class file's bytes */
	struct moved *moved;           /* owned */
	size_t count;
	uint32_t len; /* of its bytecode now, by which it is known from what it was */
};

struct rewriting {
	struct buf bytes;             /* empty: the class stays as it is; owned */
	struct moved_method *methods; /* owned */
	size_t method_count;
};

/*
 * Rewrites; the state of each wish is set, those for other classes are left alone. What is written
 * is `out`, to be released in any case; its methods' names are in `file`. 0 or ERR_NOMEM; an error
 * of the class file refuses all wishes of that class.
 */
int rewrite_class(struct slice file, struct wish *wishes, size_t count, struct rewriting *out);
void rewriting_release(struct rewriting *r);

/* hash_bytes of a method's bytecode, by which a place is known to be the same one in another run.
 */
uint64_t rewrite_hash(struct slice code);

#endif
