#include "tenure/old_held.h"

void old_held_add(struct old_held *h, uint64_t old_after, uint64_t young, bool full)
{
	if (!old_after)
		return;
	h->now = old_after;
	h->now_at = young;
	if (!full)
		return;
	h->left = old_after;
	h->left_at = young;
}

bool old_held_told(const struct old_held *h)
{
	return h->left && h->left_at * 2 >= h->now_at;
}

uint64_t old_held_most(const struct old_held *h)
{
	return old_held_told(h) ? h->left : h->now;
}
