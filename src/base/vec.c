#include "base/vec.h"

#include <stdint.h>

enum { LARGE = 1 << 20 }; /* bytes: moved by the kernel, and what it has too much counts */

static size_t larger(size_t room, size_t size)
{
	return room + room / (room * size < LARGE ? 2 : 4) + 8;
}

static int move(void **at, size_t *room, size_t want, size_t size)
{
	void *moved = mem_realloc(*at, want * size);
	if (!moved)
		return ERR_NOMEM;
	*at = moved;
	*room = want;
	return ERR_NONE;
}

int vec_grow(void **at, size_t *room, size_t count, size_t more, size_t size)
{
	if (*room - count >= more)
		return ERR_NONE;
	if (more > SIZE_MAX / size - count)
		return ERR_NOMEM;
	size_t want = larger(*room, size);
	if (want < count + more)
		want = count + more;
	if (want > SIZE_MAX / size)
		want = count + more;
	return move(at, room, want, size);
}

int vec_room_only(void **at, size_t *room, size_t count, size_t more, size_t size)
{
	if (*room - count >= more)
		return ERR_NONE;
	if (more > SIZE_MAX / size - count)
		return ERR_NOMEM;
	return move(at, room, count + more, size);
}

void vec_shrink(void **at, size_t *room, size_t count, size_t size)
{
	if (count && count < *room)
		(void)move(at, room, count, size); /* without memory it stays as it is */
	if (count)
		return;
	mem_free(*at);
	*at = NULL;
	*room = 0;
}
