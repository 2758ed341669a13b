#include "agent/tiers.h"

#include <stdint.h>

#include "agent/own_thread.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"

enum { NEVER = INT32_MAX, ALWAYS = -1, FLAGS = 5 };

/* Tier3DelayOn: of so many methods for each of C2's threads in its queue on, C1's code has no
 * profiles. */
static const struct {
	const char *name;
	int64_t meanwhile;
} rows[FLAGS] = {{"Tier4InvocationThreshold", NEVER}, {"Tier4MinInvocationThreshold", NEVER},
	{"Tier4CompileThreshold", NEVER}, {"Tier4BackEdgeThreshold", NEVER},
	{"Tier3DelayOn", ALWAYS}};

/* Who compiles. Not each release has all of them. */
static const char *const choices[] = {"TieredCompilation", "TieredStopAtLevel", "CompilationMode"};

/* The process's one. */
static struct {
	pthread_mutex_t lock; /* protects the rest */
	bool low;
	volatile int64_t *at[FLAGS];
	int64_t was[FLAGS];
	struct ns until;
	bool opened;
	struct own_thread thread;
} tiers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool has_chosen(const struct vm_flags *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
		if (vm_flags_find(f, choices[i]) && !vm_flags_is_free(f, choices[i]))
			return true;
	return false;
}

static bool find(const struct vm_flags *f)
{
	for (size_t i = 0; i < FLAGS; i++) {
		tiers.at[i] = vm_flags_signed(f, rows[i].name);
		if (!tiers.at[i] || !vm_flags_is_free(f, rows[i].name))
			return false;
	}
	return !has_chosen(f);
}

static void lower(void)
{
	for (size_t i = 0; i < FLAGS; i++) {
		tiers.was[i] = *tiers.at[i];
		*tiers.at[i] = rows[i].meanwhile;
	}
	tiers.low = true;
}

static void put_back(void)
{
	for (size_t i = 0; i < FLAGS && tiers.low; i++)
		*tiers.at[i] = tiers.was[i];
	tiers.low = false;
}

/* How long there is still to wait, under the lock; puts back where that is over. */
static bool is_over(struct ns *until)
{
	pthread_mutex_lock(&tiers.lock);
	*until = tiers.until;
	bool over = !tiers.low || clock_now().v >= until->v;
	if (over)
		put_back();
	pthread_mutex_unlock(&tiers.lock);
	return over;
}

static void *wait_for_it(void *arg)
{
	struct ns until;
	(void)arg;
	while (!is_over(&until) && own_thread_sleep(&tiers.thread, until))
		continue;
	return NULL;
}

static void stop(void)
{
	if (!tiers.opened)
		return;
	own_thread_stop(&tiers.thread, UINT64_MAX);
	own_thread_close(&tiers.thread);
	tiers.opened = false;
}

/* The one before is over, or about to be. */
static bool start(void)
{
	stop();
	own_thread_open(&tiers.thread);
	tiers.opened = true;
	return own_thread_start(&tiers.thread, "mayfly-tiers", wait_for_it, NULL) == ERR_NONE;
}

bool tiers_low(const struct vm_flags *f)
{
	pthread_mutex_lock(&tiers.lock);
	bool goes_on = tiers.low, low = goes_on || find(f);
	tiers.until.v = clock_now().v + TIERS_SECONDS * 1000000000ull;
	if (low && !goes_on)
		lower();
	pthread_mutex_unlock(&tiers.lock);
	if (!low || goes_on || start())
		return low;
	tiers_back();
	return false;
}

void tiers_back(void)
{
	pthread_mutex_lock(&tiers.lock);
	put_back();
	pthread_mutex_unlock(&tiers.lock);
	stop();
}
