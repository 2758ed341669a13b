/*
 * Objects on their way through a full collection, found again by what survives it: the identity
 * hash in their mark. Those that had none are given a number that was not given before; those that
 * had one keep it, so two may have the same, and so may objects that are not known, which may have
 * been given theirs too. Who can't be told apart is `unsure`, never guessed. One confusion can't be
 * seen: where a known object is dead, and one that is not known had its hash before and its class,
 * that one is taken for it (a chance of one in 2^31 for each such pair, and less by the number of
 * classes).
 *
 * Three phases: put, found, visit; any number of threads in each, none in two.
 */
#ifndef EXACT_IDENTITIES_H
#define EXACT_IDENTITIES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "exact/residents.h"

enum { IDENTITY_BITS = 31, IDENTITY_LOST = 0, IDENTITY_UNSURE = 1 };
enum { IDENTITY_LEFT = 1 << 28, IDENTITY_OTHER = 1 << 29 }; /* above a site's 20 bits, and 8 */

/* Bytes that the VM keeps of a mark with a number while a full collection is on. */
enum { IDENTITY_VM_BYTES = 16 };

struct identity {
	_Atomic uint32_t id;   /* and above its bits, whether another may have it too; 0: empty */
	uint32_t packed;       /* IDENTITY_LEFT and _OTHER, site, survived */
	uintptr_t from;        /* where it was */
	_Atomic uintptr_t now; /* where it is; IDENTITY_LOST: not found; IDENTITY_UNSURE */
};

/*
 * Numbers proposed in this collection have a place each, in their order, which is that of the heap:
 * what lies side by side is looked up side by side. Where one is empty its number was given to an
 * object that was not put, or to nobody. All others are in a hash table, in which numbers that were
 * proposed one after the other, in an earlier collection, are neighbours.
 */
struct identities {
	struct identity *at;        /* [most]: proposed now; owned */
	struct identity *others;    /* [room], linear probing; owned */
	uint64_t most, room, slots; /* of the others, `slots` are in use in this collection */
	uint64_t first;             /* the first proposal of this collection */
	_Atomic uint64_t count;     /* of the others */
	_Atomic uint64_t proposed;  /* so far */
};

/* Whether an object of that site can be the one at the address (its class is the same). */
typedef bool identity_same(void *arg, uint32_t site, uintptr_t address);

/* Bytes that a full collection takes for so many objects, at most; they are given back behind it.
 */
uint64_t identities_bytes(uint64_t objects);

/* most: objects in a full collection. 0 or ERR_NOMEM. */
int identities_init(struct identities *t, uint64_t most) MF_MUST_USE;
void identities_release(struct identities *t);

/* Empties it, for at most so many objects; fewer are taken where there is no room. */
void identities_begin(struct identities *t, uint64_t objects);
/* Gives the memory back. */
void identities_end(struct identities *t);

/* Places in use are 0 to identities_places - 1; NULL: nobody is there. */
uint64_t identities_places(const struct identities *t);
const struct identity *identities_at(const struct identities *t, uint64_t place);

/* A number that was not proposed before in this process, but for 2^31 times: nor by a table that is
 * released. */
uint32_t identities_propose(struct identities *t);
/* Of one that had the number. false: no room. left: it may have moved away from where it was before
 * it got the number, and if it is not found it need not be dead. */
bool identities_put(struct identities *t, uint32_t id, const struct resident *o, bool left);
/* Of one that it was proposed for, in this collection. */
bool identities_put_given(struct identities *t, uint32_t id, const struct resident *o, bool left);
/* The same of one that is not followed, and is not to be taken for one that is. */
bool identities_put_other(struct identities *t, uint32_t id, const struct resident *o);
/* Has the place looked for that will be looked at, or put to, for that number, some objects later.
 */
void identities_ahead(const struct identities *t, uint32_t id);
/* An object with that hash is at the address now. */
void identities_found(
	struct identities *t, uint32_t id, uintptr_t address, identity_same *same, void *arg);

static inline uint32_t identity_site(const struct identity *i)
{
	return (i->packed & (IDENTITY_LEFT - 1)) >> 8;
}

static inline bool identity_left(const struct identity *i)
{
	return i->packed & IDENTITY_LEFT;
}

static inline bool identity_other(const struct identity *i)
{
	return i->packed & IDENTITY_OTHER;
}

static inline struct resident identity_was(const struct identity *i)
{
	return (struct resident){i->from, identity_site(i), i->packed & 255};
}

#endif
