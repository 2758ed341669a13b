#include "agent/late_classes.h"

#include <string.h>

#include "base/mem.h"

void late_classes_release(struct late_classes *l)
{
	for (size_t i = 0; i < l->list.count; i++)
		mem_free(l->list.at[i].name);
	vec_release(&l->list);
	*l = (struct late_classes){.wait_s = 0};
}

static size_t find(const struct late_classes *l, const char *name, int32_t loader)
{
	size_t i = 0;
	while (i < l->list.count &&
		(l->list.at[i].loader != loader || strcmp(l->list.at[i].name, name) != 0))
		i++;
	return i;
}

bool late_classes_have(const struct late_classes *l, const char *name, int32_t loader)
{
	return find(l, name, loader) < l->list.count;
}

bool late_classes_have_name(const struct late_classes *l, const char *name)
{
	for (size_t i = 0; i < l->list.count; i++)
		if (strcmp(l->list.at[i].name, name) == 0)
			return true;
	return false;
}

void late_classes_add(struct late_classes *l, const char *name, int32_t loader)
{
	if (late_classes_have(l, name, loader))
		return;
	struct late_class fresh = {mem_strndup(name, strlen(name)), loader};
	if (!fresh.name || vec_push(&l->list, fresh))
		mem_free(fresh.name);
}

void late_classes_remove(struct late_classes *l, const char *name, int32_t loader)
{
	size_t i = find(l, name, loader);
	if (i == l->list.count)
		return;
	mem_free(l->list.at[i].name);
	l->list.at[i] = l->list.at[--l->list.count];
	if (!l->list.count)
		l->wait_s = 0;
}

bool late_classes_due(const struct late_classes *l, struct ns now)
{
	return l->list.count && now.v >= l->next.v;
}

void late_classes_tried(struct late_classes *l, struct ns now)
{
	l->wait_s = l->wait_s * 2 < LATE_S_MOST ? l->wait_s * 2 : LATE_S_MOST;
	if (l->wait_s < LATE_S_LEAST)
		l->wait_s = LATE_S_LEAST;
	l->next.v = now.v + l->wait_s * UINT64_C(1000000000);
}
