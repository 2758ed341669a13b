#include "hotspot/trap.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#include "base/compiler.h"
#include "base/error.h"

enum { PUSH_RBP = 0x55, BREAKPOINT = 0xcc };

/*
 * Slots are taken and never given back to another address, so that a thread that has hit the trap
 * just before it was cleared is still served. `at` is written last and read first.
 */
static struct slot {
	_Atomic(uint8_t *) at; /* NULL: free */
	void (*callback)(void *arg);
	void *arg;
} slots[TRAPS_MAX];
static struct sigaction before; /* written once, before the first trap is set */
static bool handles;            /* the callers of trap_set, one at a time */

static struct slot *slot_of(const uint8_t *at)
{
	for (size_t i = 0; i < ARRAY_SIZE(slots); i++)
		if (atomic_load_explicit(&slots[i].at, memory_order_acquire) == at)
			return &slots[i];
	return NULL;
}

/* What was to be done with the signal before we came. */
static void chain(int signal_number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(signal_number, info, context);
	} else if (before.sa_handler == SIG_DFL) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	} else if (before.sa_handler != SIG_IGN) {
		before.sa_handler(signal_number);
	}
}

/* The address of the trap's byte. */
static const uint8_t *trapped(const ucontext_t *c)
{
#ifdef __x86_64__
	return (const uint8_t *)(uintptr_t)c->uc_mcontext.gregs[REG_RIP] - 1;
#else
	(void)c;
	return NULL;
#endif
}

static void push_rbp(ucontext_t *c)
{
#ifdef __x86_64__
	greg_t *registers = c->uc_mcontext.gregs;
	registers[REG_RSP] -= (greg_t)sizeof(uint64_t);
	memcpy((void *)(uintptr_t)registers[REG_RSP], &registers[REG_RBP], sizeof(uint64_t));
#else
	(void)c;
#endif
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	const uint8_t *at = trapped(c);
	struct slot *s = at ? slot_of(at) : NULL;
	if (!s) {
		chain(signal_number, info, context);
		return;
	}
	int kept = errno;
	s->callback(s->arg);
	push_rbp(c);
	errno = kept;
}

static int take_signal(struct diag *d)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
	if (handles)
		return ERR_NONE;
	ours.sa_sigaction = handle;
	sigemptyset(&ours.sa_mask);
	if (sigaction(SIGTRAP, NULL, &before) != 0 || sigaction(SIGTRAP, &ours, NULL) != 0)
		return diag_set(d, ERR_DENIED, "SIGTRAP can't be handled");
	handles = true;
	return ERR_NONE;
}

static uint8_t *entry_of(void *function)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint8_t *at = function;
	at += memcmp(at, endbr64, sizeof(endbr64)) == 0 ? sizeof(endbr64) : 0;
	return *at == PUSH_RBP ? at : NULL;
}

int trap_set(struct trap *t, void *function, void (*callback)(void *arg), void *arg, struct diag *d)
{
	static const uint8_t breakpoint = BREAKPOINT;
	*t = (struct trap){.slot = -1};
	uint8_t *at = entry_of(function);
	if (!at)
		return diag_set(d, ERR_UNSUPPORTED, "the function does not begin with push %%rbp");
	struct slot *s = slot_of(at);
	s = s ? s : slot_of(NULL);
	if (!s)
		return diag_set(d, ERR_FULL, "there are %d traps already", TRAPS_MAX);
	int err = take_signal(d);
	if (err)
		return err;
	s->callback = callback;
	s->arg = arg;
	atomic_store_explicit(&s->at, at, memory_order_release);
	err = code_patch_bytes(&t->patch, at, &breakpoint, 1, d);
	t->slot = err ? -1 : (int)(s - slots);
	return err;
}

int trap_clear(struct trap *t, struct diag *d)
{
	if (t->slot < 0)
		return ERR_NONE;
	int err = code_patch_undo(&t->patch, d);
	t->slot = err ? t->slot : -1;
	return err;
}
