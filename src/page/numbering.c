#include "page/numbering.h"

#include <string.h>

int numbering_init(struct numbering *n, size_t count)
{
	*n = (struct numbering){0};
	if (vec_reserve(&n->numbers, count + 1))
		return ERR_NOMEM;
	n->numbers.count = count ? count : 1;
	memset(n->numbers.at, 0, n->numbers.count * sizeof(*n->numbers.at));
	return ERR_NONE;
}

void numbering_release(struct numbering *n)
{
	vec_release(&n->numbers);
	vec_release(&n->used);
}

bool numbering_mark(struct numbering *n, uint32_t index)
{
	if (!index || index >= n->numbers.count || n->numbers.at[index])
		return false;
	n->numbers.at[index] = 1;
	return true;
}

int numbering_settle(struct numbering *n)
{
	int err = vec_push(&n->used, 0);
	for (size_t i = 1; i < n->numbers.count && !err; i++) {
		if (!n->numbers.at[i])
			continue;
		n->numbers.at[i] = (uint32_t)n->used.count;
		err = vec_push(&n->used, (uint32_t)i);
	}
	return err;
}
