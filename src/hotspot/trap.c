#include "hotspot/trap.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/endbr64.h"

enum { PUSH_RBP = 0x55, BREAKPOINT = 0xcc, OTHERS = 8 };

/*
 * Slots are taken and never given back to another address, so that a thread that has hit the trap
 * just before it was cleared is still served. `at` is written last and read first.
 */
static struct slot {
	_Atomic(uint8_t *) at; /* NULL: free */
	void (*callback)(void *arg);
	void *arg;
} slots[TRAPS_MAX];
/*
 * Whose handlers stood where ours does now, the first first: never changed once they are counted.
 * The last is who gets the traps of others; where that one hands them on to us, the first does.
 */
static struct sigaction others[OTHERS];
static _Atomic int other_count;
static atomic_flag taking = ATOMIC_FLAG_INIT;
/* The trap that this thread is handing on to another's handler. */
static _Thread_local const void *handing;

static struct slot *slot_of(const uint8_t *at)
{
	for (size_t i = 0; i < ARRAY_SIZE(slots); i++)
		if (atomic_load_explicit(&slots[i].at, memory_order_acquire) == at)
			return &slots[i];
	return NULL;
}

static void hand_to(
	const struct sigaction *other, int signal_number, siginfo_t *info, void *context)
{
	if (other->sa_flags & SA_SIGINFO) {
		other->sa_sigaction(signal_number, info, context);
	} else if (other->sa_handler == SIG_DFL) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	} else if (other->sa_handler != SIG_IGN) {
		other->sa_handler(signal_number);
	}
}

/* What would be done with the signal without us. */
static void chain(int signal_number, siginfo_t *info, void *context)
{
	if (handing == context) { /* it is nobody's, and came back to us */
		hand_to(&others[0], signal_number, info, context);
		return;
	}
	handing = context;
	hand_to(&others[atomic_load(&other_count) - 1], signal_number, info, context);
	handing = NULL;
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

static bool is_ours(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) && a->sa_sigaction == handle;
}

static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_flags == b->sa_flags && a->sa_handler == b->sa_handler;
}

/* It is known by now; where there is no room the last one is who is asked. */
static void keep_other(const struct sigaction *a)
{
	int count = atomic_load(&other_count);
	if (count == OTHERS || (count && is_same(a, &others[count - 1])))
		return;
	others[count] = *a;
	atomic_store(&other_count, count + 1);
}

static int take_signal(void)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK}, there;
	ours.sa_sigaction = handle;
	sigemptyset(&ours.sa_mask);
	if (sigaction(SIGTRAP, NULL, &there) != 0)
		return ERR_DENIED;
	if (is_ours(&there))
		return ERR_NONE;
	keep_other(&there);
	return sigaction(SIGTRAP, &ours, NULL) == 0 ? ERR_NONE : ERR_DENIED;
}

int trap_guard(void)
{
	if (atomic_flag_test_and_set(&taking))
		return ERR_NONE; /* another thread is at it */
	int err = take_signal();
	atomic_flag_clear(&taking);
	return err;
}

static uint8_t *entry_of(void *function)
{
	uint8_t *at = function;
	at += endbr64_len(slice(at, ENDBR64_LEN));
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
	int err = trap_guard();
	if (err)
		return diag_set(d, err, "SIGTRAP can't be handled");
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
