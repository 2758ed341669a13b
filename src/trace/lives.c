#include "trace/lives.h"

#include "base/error.h"
#include "trace/format.h"

void lives_release(struct lives *l)
{
	map_release(&l->places);
	vec_release(&l->clocks);
	vec_release(&l->vacant);
}

static int take_place(struct lives *l, struct life_clocks birth, uint64_t *place)
{
	if (l->vacant.count) {
		*place = l->vacant.at[--l->vacant.count];
		l->clocks.at[*place] = birth;
		return ERR_NONE;
	}
	*place = l->clocks.count;
	return vec_push(&l->clocks, birth);
}

int lives_begin(struct lives *l, uint64_t object, struct life_clocks birth)
{
	uint64_t place;
	if (map_find(&l->places, object))
		return ERR_BUSY;
	if (lives_count(l) >= FOLLOWED_MAX)
		return ERR_LIMIT;
	int err = take_place(l, birth, &place);
	return err ? err : map_put(&l->places, object, place);
}

int lives_end(struct lives *l, uint64_t object, struct life_clocks *birth)
{
	const uint64_t *place = map_find(&l->places, object);
	if (!place)
		return ERR_NOT_FOUND;
	*birth = l->clocks.at[*place];
	int err = vec_push(&l->vacant, *place);
	if (!err)
		map_remove(&l->places, object);
	return err;
}
