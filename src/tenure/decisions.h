/*
 * The file of `--decisions`: what a run learnt, for the next one. JSON that a person reads and
 * edits; its schema stands in doc/tenure.md, "The decisions file".
 */
#ifndef TENURE_DECISIONS_H
#define TENURE_DECISIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"
#include "tenure/place.h"

enum {
	DECISIONS_VERSION = 1,     /* of the file */
	DECISIONS_MOST = 4096,     /* decisions in a file */
	DECISIONS_BYTES = 8 << 20, /* of a file */
	DECISION_TEXT = 4096,      /* bytes of a name, a descriptor or a reason */
	DECISIONS_TRUST = 256,     /* rounds; and runs */
	DECISIONS_YOUNG = 1 << 24, /* MiB */
	DECISIONS_FIGURE = 1 << 30 /* bytes, or ns, for each MiB */
};

enum decision_action { DECISION_JUMP, DECISION_KEEP_OUT, DECISION_ACTIONS };
extern const char *const decision_action_texts[DECISION_ACTIONS]; /* as the file has them */
extern const char *const decision_young_texts[2];                 /* by `set` */

/* A place, by the names and the bytes of the program. Texts are owned and NUL-terminated. */
struct decision_frame {
	char *class_name; /* "java.util.HashMap" */
	char *method, *descriptor;
	int32_t bci;
	int32_t line; /* 0: not known; only for people */
};

struct decision {
	struct decision_frame at;
	char *opcode; /* "new", "newarray", "invokestatic", … */
	bool has_hash;
	uint64_t hash;   /* of the class file's bytes; hash_bytes */
	char *allocates; /* class of the objects: "java.util.HashMap$Node", "byte[]" */
	enum decision_action action;
	char *why; /* for people; may be NULL */
	struct decision_frame caller[PLACE_CALLERS];
	uint32_t callers;
};

/* What the collector did for each MiB that was allocated. */
struct young_figures {
	uint64_t copied, cpu; /* bytes, ns of CPU; 0: not known */
	uint64_t full;        /* bytes that full collections kept; YOUNG_FULL_UNKNOWN */
	uint64_t cpu_calm;    /* ns, in the tenth of the rounds that took least; 0: not known */
};
#define YOUNG_FULL_UNKNOWN UINT64_MAX

/* The young generation's size, as the VM starts. */
struct decision_young {
	bool there;
	bool set;                        /* else it is kept out: it was tried, and did not pay */
	uint32_t mb, heap_mb, before_mb; /* MiB: it; the heap it is for; without it. 0: not said */
	uint32_t runs;                   /* in which it has paid */
	struct young_figures before;     /* without it */
	uint64_t expected;               /* copied with it */
};

struct decisions {
	VEC(struct decision) list; /* owned */
	struct decision_young young;
	bool has_threshold;
	uint32_t threshold;
	uint32_t trusted; /* rounds: controller_trusted; 0: not said */
	char *jdk, *gc;   /* that the decisions were learnt with; may be NULL */
	/* Keys that are not known, which a later version may know, or a misspelt one: how many, and
	 * a sentence about the first. */
	uint32_t unknown;
	struct diag first_unknown;
	uint32_t beyond; /* that were to be added to DECISIONS_MOST */
};

void decisions_release(struct decisions *d);
/* Reads a file's bytes: any bytes. name: of the file, for sentences. What it does not know is
 * passed over, and noted. 0; ERR_FORMAT, ERR_LIMIT or ERR_VERSION with a sentence that names the
 * line and what to do; ERR_NOMEM. d is to be released in any case. */
int decisions_read(struct decisions *d, struct slice bytes, const char *name, struct diag *diag);
/*
 * For how many rounds a run with that JDK and collector may trust them; 0: no longer than what
 * nobody has tested. They were tested as they stand, so not those that name no code or that a
 * person has added, and not in another JVM.
 */
uint32_t decisions_trusted(const struct decisions *d, const char *jdk, const char *gc);
/* Whether there is anything in it to do, so not where places are only kept out. */
bool decisions_do(const struct decisions *d);
/* Sorted by class, method and bci, so that two runs' files can be compared. Names are as the VM has
 * them (java_text.h); a decision that could not be read back (a text of DECISION_TEXT bytes or
 * more, half a character) is left out. b->failed tells. */
void decisions_write(const struct decisions *d, struct buf *b);
/* Decisions that this leaves out, with those for which there was no room. */
size_t decisions_unwritten(const struct decisions *d);
/* An empty decision at the end of the list, or NULL. Texts by decision_text. */
struct decision *decisions_add(struct decisions *d);
/* A copy of all of it into one that is empty: release it where it fails. 0 or ERR_NOMEM. */
int decision_copy(struct decision *to, const struct decision *from);
void decision_release(struct decision *d);
/* Sets a text: a copy. 0 or ERR_NOMEM. */
int decision_text(char **to, const char *text);

#endif
