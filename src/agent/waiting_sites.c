#include "agent/waiting_sites.h"

#include "base/mem.h"

void waiting_sites_init(struct waiting_sites *w)
{
	pthread_mutex_init(&w->lock, NULL);
	w->count = 0;
}

void waiting_sites_release(struct waiting_sites *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		mem_free(w->at[i].path);
	pthread_mutex_destroy(&w->lock);
}

bool waiting_sites_put(struct waiting_sites *w, struct waiting_site s)
{
	pthread_mutex_lock(&w->lock);
	bool room = w->count < WAITING_SITES;
	if (room)
		w->at[w->count++] = s;
	pthread_mutex_unlock(&w->lock);
	return room;
}

bool waiting_sites_any(struct waiting_sites *w)
{
	pthread_mutex_lock(&w->lock);
	bool any = w->count > 0;
	pthread_mutex_unlock(&w->lock);
	return any;
}

void waiting_sites_drop(struct waiting_sites *w, const struct call_path *path)
{
	struct call_path *mine = NULL;
	pthread_mutex_lock(&w->lock);
	for (uint32_t i = 0; i < w->count && !mine; i++) {
		if (w->at[i].path != path)
			continue;
		mine = w->at[i].path;
		w->at[i] = w->at[--w->count];
	}
	pthread_mutex_unlock(&w->lock);
	mem_free(mine);
}

static bool waits_for(
	const struct waiting_site *s, struct code_map *code, uintptr_t begin, uintptr_t end)
{
	return s->path ? call_path_waits_in(s->path, code, begin, end)
		       : s->key >= begin && s->key <= end;
}

bool waiting_sites_take(struct waiting_sites *w, uint32_t *at, struct code_map *code,
	uintptr_t begin, uintptr_t end, struct waiting_site *out)
{
	bool found = false;
	pthread_mutex_lock(&w->lock);
	while (*at < w->count && !found) {
		found = waits_for(&w->at[*at], code, begin, end);
		if (!found) {
			++*at;
			continue;
		}
		*out = w->at[*at];
		w->at[*at] = w->at[--w->count];
	}
	pthread_mutex_unlock(&w->lock);
	return found;
}

struct call_path *waiting_sites_path(struct waiting_sites *w, uint32_t site)
{
	struct call_path *path = NULL;
	pthread_mutex_lock(&w->lock);
	for (uint32_t i = 0; i < w->count && !path; i++)
		if (w->at[i].site == site && w->at[i].path)
			path = call_path_copy(w->at[i].path);
	pthread_mutex_unlock(&w->lock);
	return path;
}
