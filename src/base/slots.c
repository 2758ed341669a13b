#include "base/slots.h"

#include "base/error.h"
#include "base/mem.h"

enum { ROOM_MIN = 1024 };

void slots_release(struct slots *s)
{
	mem_free(s->at);
	*s = (struct slots){NULL, 0};
}

bool slots_tight(const struct slots *s, size_t count)
{
	return count + 1 > s->room / 4 * 3;
}

int slots_grow(struct slots *s)
{
	size_t room = s->room ? s->room * 2 : ROOM_MIN;
	uint32_t *at = mem_zalloc(room, sizeof(*at));
	if (!at)
		return ERR_NOMEM;
	mem_free(s->at);
	*s = (struct slots){at, room};
	return ERR_NONE;
}

void slots_put(struct slots *s, uint64_t hash, uint32_t number)
{
	size_t i = slots_home(s, hash);
	while (s->at[i])
		i = slots_next(s, i);
	s->at[i] = number;
}
