#include "agent/frames.h"

#include "base/map.h"

void frames_release(struct frames *f)
{
	vec_release(&f->nodes);
	slots_release(&f->slots);
}

static uint64_t hash_of(struct frame_node n)
{
	uint64_t place = (uint64_t)n.method << 32 | (uint32_t)n.bci;
	return hash64_pair((uint64_t)n.parent << 32 | n.line, place);
}

static int same(struct frame_node a, struct frame_node b)
{
	return a.parent == b.parent && a.method == b.method && a.bci == b.bci && a.line == b.line;
}

uint32_t frames_find(const struct frames *f, struct frame_node node)
{
	const struct slots *s = &f->slots;
	if (!s->room)
		return 0;
	size_t i = slots_home(s, hash_of(node));
	while (s->at[i] && !same(f->nodes.at[s->at[i] - 1], node))
		i = slots_next(s, i);
	return s->at[i];
}

static int grow(struct frames *f)
{
	if (slots_grow(&f->slots))
		return ERR_NOMEM;
	for (size_t i = 0; i < f->nodes.count; i++)
		slots_put(&f->slots, hash_of(f->nodes.at[i]), (uint32_t)(i + 1));
	return ERR_NONE;
}

int frames_reserve(struct frames *f)
{
	if (slots_tight(&f->slots, f->nodes.count) && grow(f))
		return ERR_NOMEM;
	return vec_reserve(&f->nodes, 1);
}

uint32_t frames_add(struct frames *f, struct frame_node node)
{
	f->nodes.at[f->nodes.count++] = node;
	slots_put(&f->slots, hash_of(node), (uint32_t)f->nodes.count);
	return (uint32_t)f->nodes.count;
}
