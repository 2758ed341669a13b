#include "agent/vm_levers.h"

#include <string.h>

#include "base/compiler.h"

/* Collectors that copy objects through ages; some heed MaxTenuringThreshold while they run, one has
 * a threshold of its own beside it. */
static const struct {
	const char *name;
	bool heeds;
} collectors[] = {{"G1", true}, {"Serial", true}, {"Parallel", false}};

static struct parallel_threshold find_own(const void *code)
{
	struct parallel_threshold p = {.at = NULL};
	struct vm_library l;
	if (!code || vm_library_open(&l, code, NULL))
		return p;
	parallel_threshold_find(&p, &l);
	vm_library_release(&l);
	return p;
}

struct vm_flags vm_levers_flags(const struct vm *vm)
{
	struct vm_structs structs = vm_structs_of(vm_code(vm));
	struct vm_constants constants = vm_constants_of(vm_code(vm));
	return vm_flags_of(&structs, &constants);
}

void vm_levers_unbias(const struct vm_flags *f)
{
	bool *biased = vm_flags_find(f, "UseBiasedLocking");
	if (biased)
		*biased = false;
}

struct vm_levers vm_levers_of(const struct vm_flags *f, const char *collector, const void *code)
{
	struct vm_levers l = {.biased = vm_flags_bool(f, "UseBiasedLocking", false),
		.shares = vm_flags_bool(f, "UseStringDeduplication", false)};
	for (size_t i = 0; i < ARRAY_SIZE(collectors); i++) {
		if (strcmp(collector, collectors[i].name) != 0)
			continue;
		l.copies = true;
		l.bound = tenuring_bound_find(f);
		if (!collectors[i].heeds)
			l.own = find_own(code);
		l.heeds = collectors[i].heeds || l.own.at;
	}
	return l;
}

bool vm_levers_can_bound(const struct vm_levers *l)
{
	return l->heeds && l->bound.at;
}

uint32_t vm_levers_threshold(const struct vm_levers *l)
{
	bool known = l->bound.at && l->bound.own <= THRESHOLD_MOST;
	return known ? (uint32_t)l->bound.own : THRESHOLD_MOST;
}

void vm_levers_bound(struct vm_levers *l, uint64_t most)
{
	if (!l->bound.at)
		return;
	tenuring_bound_set(&l->bound, most);
	parallel_threshold_hold(&l->own, (uint32_t)tenuring_bound_get(&l->bound));
}

void vm_levers_keep(const struct vm_levers *l)
{
	parallel_threshold_keep(&l->own);
}

void vm_levers_restore(struct vm_levers *l)
{
	if (!l->bound.at)
		return;
	tenuring_bound_restore(&l->bound);
	parallel_threshold_release(&l->own);
}
