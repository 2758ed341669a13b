#include "agent/site_code.h"

#include "base/error.h"

uintptr_t site_code_home(const struct site_code *c, uintptr_t method)
{
	struct vm_method m;
	return method && vm_method_read(c->methods, method, &m) == ERR_NONE
		       ? loaders_of(c->loaders, m.klass)
		       : 0;
}

static void note_compiled(const struct site_code *c, struct exact_site *s, uint64_t pc)
{
	struct code_blob blob;
	if (!pc || code_blob_find(c->blobs, (uintptr_t)pc, &blob) || !blob.compilation)
		return;
	s->piece = code_watch_add(
		c->watch, &(struct code_piece){.code = blob.begin, .version = blob.compilation});
}

static void note_bytecode(
	const struct site_code *c, struct exact_site *s, uintptr_t method, uintptr_t bcp)
{
	int bci = vm_method_bci(c->methods, method, bcp);
	uintptr_t home = bci < 0 ? 0 : site_code_home(c, method), code = bcp - (uintptr_t)bci;
	if (!home) /* then nobody can tell whether it is there */
		return;
	s->piece = code_watch_add(c->watch, &(struct code_piece){.code = code,
						    .home = home,
						    .version = vm_method_version(c->methods, code),
						    .is_method = true});
}

/* Whether the loader was there, or has found room. */
static bool add_home(struct site_homes *h, uintptr_t home)
{
	if (!home || home == h->home)
		return true;
	if (!h->home) {
		h->home = home;
		return true;
	}
	for (int i = 0; i < SITE_HOMES; i++) {
		if (h->callers[i] == home || !h->callers[i]) {
			h->callers[i] = home;
			return true;
		}
	}
	return false;
}

/* What is compiled in a path makes it another when it goes (java_stack.h). */
static void note_path(const struct site_code *c, struct exact_site *s, struct site_homes *homes,
	const struct java_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (stack->frames[i].method &&
			!add_home(homes, site_code_home(c, stack->frames[i].method)))
			homes->many = true;
	if (stack->count && stack->frames[0].method)
		note_bytecode(c, s, stack->frames[0].method, stack->frames[0].at);
}

void site_code_note(const struct site_code *c, struct exact_site *s, struct site_homes *homes,
	const struct birth_place *place)
{
	if (place->stack)
		note_path(c, s, homes, place->stack);
	else if (place->method)
		note_bytecode(c, s, place->method, place->bcp);
	else
		note_compiled(c, s, place->key);
}

bool site_code_replaced(const struct site_code *c, const struct exact_site *s)
{
	return s->piece && code_watch_gone(c->watch, s->piece);
}
