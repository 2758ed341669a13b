#include "agent/frames.h"

#include "base/map.h"

enum { ROOM_MIN = 1024 };

void frames_release(struct frames *f)
{
	vec_release(&f->nodes);
	mem_free(f->slots);
	*f = (struct frames){0};
}

static size_t home_of(const struct frames *f, struct frame_node n)
{
	uint64_t place = (uint64_t)n.method << 32 | (uint32_t)n.bci;
	uint64_t caller = (uint64_t)n.parent << 32 | n.line;
	return (size_t)hash64_pair(caller, place) & (f->room - 1);
}

static int same(struct frame_node a, struct frame_node b)
{
	return a.parent == b.parent && a.method == b.method && a.bci == b.bci && a.line == b.line;
}

static uint32_t *slot_of(const struct frames *f, struct frame_node n)
{
	size_t i = home_of(f, n);
	while (f->slots[i] && !same(f->nodes.at[f->slots[i] - 1], n))
		i = (i + 1) & (f->room - 1);
	return &f->slots[i];
}

uint32_t frames_find(const struct frames *f, struct frame_node node)
{
	return f->room ? *slot_of(f, node) : 0;
}

static int grow(struct frames *f)
{
	size_t room = f->room ? f->room * 2 : ROOM_MIN;
	uint32_t *slots = mem_zalloc(room, sizeof(*slots));
	if (!slots)
		return ERR_NOMEM;
	mem_free(f->slots);
	f->slots = slots;
	f->room = room;
	for (size_t i = 0; i < f->nodes.count; i++)
		*slot_of(f, f->nodes.at[i]) = (uint32_t)(i + 1);
	return ERR_NONE;
}

int frames_reserve(struct frames *f)
{
	if (f->nodes.count + 1 > f->room / 4 * 3 && grow(f))
		return ERR_NOMEM;
	return vec_reserve(&f->nodes, 1);
}

uint32_t frames_add(struct frames *f, struct frame_node node)
{
	uint32_t *slot = slot_of(f, node);
	f->nodes.at[f->nodes.count++] = node;
	*slot = (uint32_t)f->nodes.count;
	return *slot;
}
