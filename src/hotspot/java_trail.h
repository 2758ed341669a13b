/*
 * The last walk of a thread's stack (java_stack.h), from its root on: the next one differs in the
 * youngest frames as a rule, so it goes until it meets this one, and knows the rest.
 *
 * A walk goes by words of the stack. Where those are the same, at the same addresses, from some
 * frame on, so is the walk from there, if it comes to that frame at the same place; to compare them
 * takes a nanosecond a word, and nothing waits for the one before. But a method that is not
 * compiled may be another in the same place (method_key.h), and code may: nothing is known any more
 * once code came or went (java_code_changed).
 *
 * The hash is of the youngest frames, as many as are told of: a polynomial in the frames' own, so
 * that it is had from that of all frames less that of the old ones. It is the same whether the walk
 * met the one before or not.
 */
#ifndef HOTSPOT_JAVA_TRAIL_H
#define HOTSPOT_JAVA_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/method_key.h"

enum { TRAIL_FRAMES = 1024, TRAIL_WORDS = 2048 };
/* A walk goes on where nobody wants to know any more, so that the next ones meet it: up to so many
 * of Java's frames. */
enum { TRAIL_TOLD_MAX = 512 };

/* A word of the stack. */
struct trail_word {
	uintptr_t is;
	uintptr_t below; /* bytes from it to the stack's base */
};

/* A step of the walk: where it stood, and what it took from there. */
struct trail_frame {
	uintptr_t sp, pc;
	uintptr_t fp;         /* where it counts */
	uintptr_t at, method; /* what is told of it (struct java_frame) */
	uint64_t key;         /* of the method, where that is to be asked */
	uint64_t part;        /* its own, of the hash */
	uint64_t hash;        /* of all of Java's frames from the root to it */
	uint32_t words;       /* fresh: where its own begin; else: how many there are up to it */
	uint32_t told;        /* Java's frames from the root to it */
	bool tells;           /* it is one of Java's */
	bool by_fp, by_method;
	bool alone; /* of the registers, or of what is not on the stack: never met again */
};

/* A thread's own. Zeros: none was made. */
struct java_trail {
	uintptr_t base;
	uint32_t changes;
	uint32_t count, fresh_count, fresh_words;
	uint32_t method_count;
	uint32_t depth;                      /* frames told of at most, and */
	uint64_t power;                      /* the hash's base to that power */
	uint8_t end;                         /* how it ended (enum java_stack_end) */
	bool forgets;                        /* what the walk goes by finds no room */
	struct trail_frame at[TRAIL_FRAMES]; /* the root's first */
	struct trail_word words[TRAIL_WORDS];
	uint16_t methods[TRAIL_FRAMES];         /* frames whose method is to be asked, in order */
	uint16_t telling[TRAIL_FRAMES];         /* of Java\'s frames, in order */
	struct trail_frame fresh[TRAIL_FRAMES]; /* this walk's, the youngest first */
	struct trail_word of_fresh[TRAIL_WORDS];
};

/* A walk begins at that stack pointer: what still stands is kept of the one before. depth: frames
 * that are told of at most. */
void java_trail_begin(struct java_trail *t, const struct method_key *methods, uintptr_t base,
	uintptr_t sp, uint32_t depth);
/* Its next step; NULL: there is no room. */
struct trail_frame *java_trail_step(struct java_trail *t, uintptr_t pc, uintptr_t sp, uintptr_t fp);
/* The walk is over: it met the trail's youngest frame, or went on to its own end. Returns how many
 * frames of Java's there are, told of or not. */
uint32_t java_trail_end(struct java_trail *t, bool met);
/* Of the youngest frames, after java_trail_end. */
uint64_t java_trail_hash(struct java_trail *t);
/* At last: the next walk may meet this one, which ended as it did. */
void java_trail_keep(struct java_trail *t, uint8_t end);
/* It may not. */
void java_trail_drop(struct java_trail *t);

/* The frame where the walk has come to; NULL: it has not met the trail. What it has passed goes. */
static inline const struct trail_frame *java_trail_meet(
	struct java_trail *t, uintptr_t pc, uintptr_t sp, uintptr_t fp)
{
	while (t->count && t->at[t->count - 1].sp < sp)
		t->count--;
	const struct trail_frame *f = t->count ? &t->at[t->count - 1] : NULL;
	bool same = f && f->sp == sp && f->pc == pc && (!f->by_fp || f->fp == fp);
	return same ? f : NULL;
}

/* The newest frame goes by this word, which stands at that address. */
static inline void java_trail_note(struct java_trail *t, uintptr_t at, uintptr_t is)
{
	if (t->fresh_words == TRAIL_WORDS)
		t->forgets = true;
	else
		t->of_fresh[t->fresh_words++] = (struct trail_word){is, t->base - at};
}

static inline uint64_t java_trail_mix(uint64_t hash, uint64_t part)
{
	hash = (hash ^ part) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

#endif
