#include "exact/unloading.h"

#include <string.h>

#include "hotspot/java_stack.h"

int unloading_init(struct unloading *u, struct births *b, const void *inside)
{
	*u = (struct unloading){.births = b};
	struct vm_structs structs = vm_structs_of(inside);
	return loaders_open(&u->loaders, &structs);
}

void unloading_release(struct unloading *u)
{
	loaders_release(&u->loaders);
}

static bool is_unloaded(void *arg, const struct exact_site *s)
{
	const struct unloading *u = arg;
	const struct site_homes *h = site_homes_at(&u->births->sites.homes, s->homes);
	bool alive = loaders_alive(&u->loaders, h->loader) && loaders_alive(&u->loaders, h->home);
	for (int i = 0; i < SITE_HOMES && alive; i++)
		alive = loaders_alive(&u->loaders, h->callers[i]);
	return !alive || (h->many && u->loaders_sum != u->loaders.sum);
}

static void forget_code(struct unloading *u, bool unloaded)
{
	if (!u->code.look)
		return;
	u->code_changes = java_code_changes();
	unsigned went = u->code.look(u->code.arg, unloaded);
	if (went)
		births_forget(u->births, u->code.replaced, u->code.arg);
	if (went & CODE_REDEFINED)
		births_unload(u->births);
}

void unloading_look_code(struct unloading *u)
{
	if (u->code_changes != java_code_changes())
		forget_code(u, false);
}

static int64_t unloaded(const struct unloading *u)
{
	return u->unloaded ? *u->unloaded : 0;
}

static void look(struct unloading *u, bool read)
{
	if (read) {
		if (births_forget(u->births, is_unloaded, u))
			births_unload(u->births);
		u->loaders_sum = u->loaders.sum;
	}
	forget_code(u, read);
	u->unloaded_then = unloaded(u);
}

void unloading_look(struct unloading *u)
{
	look(u, loaders_read(&u->loaders));
}

void unloading_look_late(struct unloading *u)
{
	if (u->unloaded && unloaded(u) == u->unloaded_then)
		forget_code(u, false);
	else
		look(u, loaders_read_oldest(&u->loaders));
}

void unloading_count(struct unloading *u, const volatile int64_t *classes)
{
	u->unloaded = classes;
	u->unloaded_then = unloaded(u);
}
