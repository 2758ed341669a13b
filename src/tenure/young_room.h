/* What the heap has for young objects, and what for others. */
#ifndef TENURE_YOUNG_ROOM_H
#define TENURE_YOUNG_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes; 0: not known. */
struct young_room {
	uint64_t heap;  /* the most that it may have */
	uint64_t young; /* eden and survivor spaces, where it will have no more */
	uint64_t held;  /* of the old generation: old_held_most */
	bool garbage;   /* held has garbage in it, as no full collection has told */
};

#endif
