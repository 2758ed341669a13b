#include "exact/loaders.h"

#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "exact/pages.h"
#include "hotspot/heap_walk.h"
#include "hotspot/vm_fields.h"

enum { SET_ROOM = 2 * LOADERS_MAX };

static bool read_offsets(struct loaders *l, const struct vm_structs *s)
{
	static const struct vm_field wanted[] = {
		{"ClassLoaderData", "_next", .to = offsetof(struct loaders, next)},
		{"Klass", "_class_loader_data", .to = offsetof(struct loaders, of_class)},
	};
	return vm_fields_read(s, wanted, ARRAY_SIZE(wanted), l, NULL) == ERR_NONE;
}

int loaders_open(struct loaders *l, const struct vm_structs *s)
{
	*l = (struct loaders){.head = NULL};
	const uintptr_t *head = vm_structs_static(s, "ClassLoaderDataGraph", "_head");
	if (!head || !read_offsets(l, s))
		return ERR_NONE;
	l->set = pages_map(SET_ROOM * sizeof(*l->set));
	l->head = l->set ? head : NULL;
	return l->set ? ERR_NONE : ERR_NOMEM;
}

void loaders_release(struct loaders *l)
{
	pages_unmap(l->set, SET_ROOM * sizeof(*l->set));
	*l = (struct loaders){.head = NULL};
}

uintptr_t loaders_of(const struct loaders *l, uintptr_t klass)
{
	return l->head && klass ? VM_AT(uintptr_t, klass, l->of_class) : 0;
}

uintptr_t loaders_peek(const struct loaders *l, uintptr_t klass)
{
	uintptr_t loader = 0;
	return l->head && klass && heap_peek_meta_one(klass + l->of_class, &loader, sizeof(loader))
		       ? loader
		       : 0;
}

/* Where it is in the set, or would be. */
static uintptr_t *slot_of(const struct loaders *l, uintptr_t loader)
{
	size_t i = (size_t)((loader >> 3) * 0x9e3779b97f4a7c15ull >> 32);
	for (;; i++) {
		uintptr_t *slot = &l->set[i & (l->room - 1)];
		if (!*slot || *slot == loader)
			return slot;
	}
}

static uintptr_t after(const struct loaders *l, uintptr_t loader)
{
	return VM_AT(uintptr_t, loader, l->next);
}

static size_t count(const struct loaders *l)
{
	size_t n = 0;
	for (uintptr_t at = *l->head; at && n <= LOADERS_MAX; at = after(l, at))
		n++;
	return n;
}

static void clear(struct loaders *l, size_t n)
{
	for (l->room = 2; l->room < 2 * n;)
		l->room *= 2;
	memset(l->set, 0, l->room * sizeof(*l->set));
	l->sum = 0;
}

bool loaders_read(struct loaders *l)
{
	size_t n = l->head ? count(l) : 0;
	if (n == 0)
		return false;
	bool all = n <= LOADERS_MAX;
	clear(l, all ? n : 0);
	for (uintptr_t at = all ? *l->head : 0; at; at = after(l, at)) {
		*slot_of(l, at) = at;
		l->sum += hash64(at);
	}
	return true;
}

bool loaders_read_oldest(struct loaders *l)
{
	uintptr_t at = l->head ? *l->head : 0;
	if (!at)
		return false;
	while (after(l, at))
		at = after(l, at);
	clear(l, 1);
	*slot_of(l, at) = at;
	l->sum = hash64(at);
	return true;
}

bool loaders_alive(const struct loaders *l, uintptr_t loader)
{
	return !loader || *slot_of(l, loader) == loader;
}
