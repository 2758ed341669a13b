#include "model/texts.h"

#include "base/error.h"

void texts_release(struct texts *t)
{
	intern_release(&t->table);
	map_release(&t->by_id);
}

uint32_t texts_add(struct texts *t, struct slice text)
{
	return text.len ? intern_add(&t->table, text, NULL) : 0;
}

int texts_define(struct texts *t, uint64_t id, struct slice text)
{
	uint32_t number = texts_add(t, text);
	if (text.len && !number)
		return ERR_NOMEM;
	uint64_t *old = map_find(&t->by_id, id);
	if (old)
		return *old != number;
	return map_put(&t->by_id, id, number);
}

uint32_t texts_number(const struct texts *t, uint64_t id, bool *known)
{
	uint64_t *number = id ? map_find(&t->by_id, id) : NULL;
	*known = number || !id;
	return number ? (uint32_t)*number : 0;
}
