#include "exact/birth_callers.h"

enum { CALLERS = 16 };

/* Grows only, by the births' lock; addresses are read without. */
static struct {
	_Atomic uintptr_t pc;
	enum caller caller;
} callers[CALLERS];

__attribute__((visibility("hidden"))) _Atomic uintptr_t births_stub, births_templates[2];

enum caller birth_caller_known(uintptr_t pc, bool *known)
{
	for (int i = 0; i < CALLERS; i++) {
		uintptr_t at = atomic_load_explicit(&callers[i].pc, memory_order_acquire);
		*known = at == pc;
		if (*known)
			return callers[i].caller;
		if (!at)
			break;
	}
	return CALLER_COMPILED;
}

/* For the fast path, which knows a few of them. */
static void show(uintptr_t pc, enum caller caller)
{
	if (caller == CALLER_STUB && !births_stub)
		births_stub = pc;
	if (caller == CALLER_INTERPRETER && births_templates[0] != pc)
		births_templates[births_templates[0] != 0] = pc;
}

void birth_caller_keep(uintptr_t pc, enum caller caller)
{
	bool known;
	show(pc, caller);
	birth_caller_known(pc, &known);
	for (int i = 0; i < CALLERS && !known; i++)
		if (!atomic_load_explicit(&callers[i].pc, memory_order_relaxed)) {
			callers[i].caller = caller;
			atomic_store_explicit(&callers[i].pc, pc, memory_order_release);
			return;
		}
}

void birth_callers_forget(void)
{
	for (int i = 0; i < CALLERS; i++)
		atomic_store(&callers[i].pc, 0);
	births_stub = births_templates[0] = births_templates[1] = 0;
}
