#include "tenure/place.h"

#include "base/map.h"

bool place_context_same(const struct place_context *a, const struct place_context *b)
{
	if (!place_same(&a->place, &b->place) || a->depth != b->depth)
		return false;
	for (uint32_t i = 0; i < a->depth; i++)
		if (!place_frame_same(&a->caller[i], &b->caller[i]))
			return false;
	return true;
}

uint64_t place_context_hash(const struct place_context *c)
{
	uint64_t low = (uint64_t)(uint32_t)c->place.bci << 32 | c->place.class_id;
	uint64_t hash = hash64_pair(c->place.vm_method, low);
	for (uint32_t i = 0; i < c->depth; i++) {
		uint64_t bci = (uint32_t)c->caller[i].bci;
		hash = hash64_pair(hash, hash64_pair(c->caller[i].vm_method, bci));
	}
	return hash;
}

struct place_context place_context_cut(const struct place_context *c, uint32_t depth)
{
	struct place_context cut = {
		.place = c->place, .depth = depth < c->depth ? depth : c->depth};
	for (uint32_t i = 0; i < cut.depth; i++)
		cut.caller[i] = c->caller[i];
	return cut;
}
