#include "model/texts.h"

#include "base/error.h"
#include "base/surrogates.h"

void texts_release(struct texts *t)
{
	intern_release(&t->table);
	map_release(&t->by_id);
}

uint32_t texts_add(struct texts *t, struct slice text)
{
	return text.len ? intern_add(&t->table, text, NULL) : 0;
}

/* As people write it, so that what they look for is found. */
static uint32_t add_plain(struct texts *t, struct slice text)
{
	struct buf plain = {0};
	if (!surrogates_may(text))
		return texts_add(t, text);
	surrogates_plain(&plain, text);
	uint32_t number = plain.failed ? 0 : texts_add(t, buf_slice(&plain));
	buf_release(&plain);
	return number;
}

int texts_define(struct texts *t, uint64_t id, struct slice text)
{
	uint32_t number = add_plain(t, text);
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
