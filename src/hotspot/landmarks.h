/*
 * The VM's functions and variables that the exact engine wants, and what was found of them. A
 * function is only used where it looks as it should: one of its name, not too small, and, where it
 * is to be patched, with the beginning that every compiler's frame has and no other's hook. One
 * that does nothing may be smaller than its patch, which then goes on over the filling behind it.
 */
#ifndef HOTSPOT_LANDMARKS_H
#define HOTSPOT_LANDMARKS_H

#include "hotspot/library.h"

enum landmark {
#define LANDMARK(id, text, kind, least, ...) LANDMARK_##id,
#include "hotspot/landmarks.def"
#undef LANDMARK
	LANDMARKS
};

enum landmark_state {
	LANDMARK_FOUND,
	LANDMARK_MISSING,   /* no such name */
	LANDMARK_AMBIGUOUS, /* more than one */
	LANDMARK_SMALL,     /* smaller than it can be */
	LANDMARK_PROLOGUE,  /* begins otherwise than a function does */
	LANDMARK_HOOKED,    /* begins with a jump or a trap: someone else was here first */
	LANDMARK_SHARED,    /* another function has its bytes too, and would be patched with it */
	LANDMARK_STATES
};

/* In which register a function of allocation gets the object. */
enum landmark_object { LANDMARK_OBJECT_NONE, LANDMARK_OBJECT_RDI, LANDMARK_OBJECT_RSI };

struct landmark_found {
	enum landmark_state state;
	enum landmark_object object;
	uint64_t address, size; /* from the library's start; 0 where it is MISSING or AMBIGUOUS */
	uint8_t *at;            /* in this process; NULL: looked at from outside */
};

struct landmarks {
	struct landmark_found found[LANDMARKS];
	/* Functions of allocation with parameters that the table does not know: events would be
	 * lost there. */
	size_t strange;
	/* Without names, the functions of allocation were found by the VM's own probe: all that
	 * there are, though some of the table may be missing (alloc_notes.h). */
	bool noted;
	bool wide;       /* noted, of a release from 18 on */
	struct diag why; /* not found by it either: a phrase; else empty */
};

/* Once in a process, before it is patched: what mayfly has patched is HOOKED too. */
void landmarks_find(struct landmarks *out, const struct vm_library *l);
/* Where it is, if it is FOUND in this process; else NULL. */
uint8_t *landmarks_at(const struct landmarks *m, enum landmark id);

/* "SharedRuntime::dtrace_object_alloc(oop)". */
const char *landmark_name(enum landmark id);
/* "found", "hooked": one word. */
const char *landmark_state_name(enum landmark_state s);
/* "begins with another's hook": a phrase that follows the name. */
const char *landmark_state_text(enum landmark_state s);
/* By the mangled parameters: (oopDesc*, …) or (Thread*, oopDesc*, …). */
enum landmark_object landmark_object_of(struct slice mangled);

#endif
