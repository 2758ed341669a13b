/*
 * Births that the VM itself has told of, kept by the thread for a while. Of a clone that the VM
 * makes (for the interpreter, and the code of C1) it makes the mark anew after the probe: so these
 * are stamped once more. By then the program may have them.
 *
 * An object is where it was born until the next collection. At its start all are stamped, while the
 * program stands; and where there is no room for one more, by the thread, unless the VM has counted
 * a collection since the last one that was seen: then they are forgotten. One that is locked when
 * the thread comes to it has no mark to write to: it is kept for the next time.
 */
#ifndef EXACT_BIRTH_AGAIN_H
#define EXACT_BIRTH_AGAIN_H

#include <stdint.h>

enum { BIRTH_AGAIN_ROOM = 32 };

struct birth_again {
	uint32_t count;
	uint32_t words[BIRTH_AGAIN_ROOM]; /* of their slots (shape.h) */
	uintptr_t objects[BIRTH_AGAIN_ROOM];
};

/* The VM's count of collections, and what it was when the last one was seen. */
struct birth_clock {
	const volatile uint32_t *now; /* NULL: not told, and nothing is kept */
	uint32_t seen;
};

void birth_again_put(
	struct birth_again *a, const struct birth_clock *c, uintptr_t object, uint32_t word);
/* The last time: none is kept. */
void birth_again_stamp(struct birth_again *a);

#endif
