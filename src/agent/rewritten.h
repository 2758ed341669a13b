/*
 * The methods that were rewritten, by the names of the program, each version of each once: a
 * version that has been exchanged may still run, and the VM's id of a version is known only once
 * its class is linked, or the version is met on a stack. Classes of one name are told apart by
 * their loaders. The owner locks.
 */
#ifndef AGENT_REWRITTEN_H
#define AGENT_REWRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/moves.h"
#include "base/vec.h"

/* Texts are borrowed. */
struct method_key {
	const char *class_name; /* java/util/HashMap */
	int32_t loader;         /* loaded_classes.h */
	const char *name, *descriptor;
};

struct rewritten_method {
	struct method_key key;
	char *texts;             /* owned: of the key, in one piece */
	struct moved_code *code; /* a user of it */
	bool current;            /* it is what the VM has, or is being given */
	bool known;              /* its id is */
	uint32_t looks;          /* times that its class was looked for */
	uint32_t next;           /* index + 1 of another in the same bucket; 0: none */
};

enum { REWRITTEN_MOST = 8192, REWRITTEN_LOOKS = 40, REWRITTEN_BUCKETS = 1024 };

struct rewritten {
	VEC(struct rewritten_method) list;
	size_t oldest;  /* the next to go, where there are REWRITTEN_MOST; else 0 */
	size_t waiting; /* of the list */
	/* By name and loader of their classes: index + 1 of the last one; 0: none. */
	uint32_t buckets[REWRITTEN_BUCKETS];
};

/* A class is given to the VM anew: what was made of it is not current any more. */
void rewritten_class(struct rewritten *r, const char *class_name, int32_t loader);
/* That version of it is current. 0 or ERR_NOMEM. */
int rewritten_add(struct rewritten *r, const struct method_key *key, const struct moved_method *m,
	uint64_t outline);
/* The id of the method is that of its current version, or of what the class file has: NULL.
 * Borrowed.
 */
struct moved_code *rewritten_known(struct rewritten *r, const struct method_key *key);
bool rewritten_has(const struct rewritten *r, const struct method_key *key);
/* Any version with that outline; NULL: there is none. Borrowed. */
struct moved_code *rewritten_version(
	const struct rewritten *r, const struct method_key *key, uint64_t outline);
/* Whether current methods of the class wait for their ids; of a class of any loader. */
bool rewritten_waits(const struct rewritten *r, const char *class_name);
bool rewritten_waits_in(const struct rewritten *r, const char *class_name, int32_t loader);
/* How many wait in all. Those that were looked for REWRITTEN_LOOKS times wait no more. */
size_t rewritten_waiting(const struct rewritten *r);
/* Whether any of them was looked for before. */
bool rewritten_overdue(const struct rewritten *r);
/* All that wait were looked for. */
void rewritten_looked(struct rewritten *r);
void rewritten_release(struct rewritten *r);

#endif
