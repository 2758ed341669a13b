/*
 * Followed objects that are kept in sight, by weak references, until what they refer to can be
 * looked at (lookout.h): a bounded number, and only while somebody wants to look. A sample that
 * comes takes the place of one that has died; so those that survive pile up.
 *
 * Any Java thread offers, lock-free; tenure's thread takes. The VM gives the jobject back at once:
 * to look for it by its tag (GetObjectsWithTags) would have it go through all tags, with a lock
 * held that a collection waits for.
 */
#ifndef AGENT_IN_SIGHT_H
#define AGENT_IN_SIGHT_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { IN_SIGHT_ROOM = 1024, IN_SIGHT_CLASSES = 16384 /* ids that can be passed over */ };

struct in_sight_slot {
	_Atomic uint32_t state; /* who has it; the rest is protected by it */
	jweak object;
	uint32_t class_id;
	uint64_t young; /* the young clock at its birth */
};

struct in_sight {
	uint32_t recording; /* whose class ids: of the sampler; immutable while it records */
	_Atomic bool wanted;
	_Atomic uint64_t passed_over[IN_SIGHT_CLASSES / 64]; /* a bit for each class */
	struct in_sight_slot slot[IN_SIGHT_ROOM];
};

/* From now on samples are taken in, or not. */
void in_sight_want(struct in_sight *s, bool wanted);
/* Objects of that class are not taken in, and dropped, or are taken in again. */
void in_sight_pass_over(struct in_sight *s, uint32_t class_id, bool over);
bool in_sight_is_passed_over(const struct in_sight *s, uint32_t class_id);

/* A new object that is followed; young: the clock at its birth; random: any number. */
void in_sight_offer(struct in_sight *s, JNIEnv *jni, jobject object, uint32_t class_id,
	uint64_t young, uint64_t random);
/*
 * The next object, from slot *from on, that has survived a collection by that clock, as a local
 * reference of the caller's; it is in sight no more. NULL: there are no more.
 */
jobject in_sight_take(struct in_sight *s, JNIEnv *jni, uint32_t *from, uint64_t young);
/* Gives all references back. Nobody offers any more. */
void in_sight_end(struct in_sight *s, JNIEnv *jni);

#endif
