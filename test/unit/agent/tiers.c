#include "agent/tiers.h"

#include <time.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "support/tap.h"
#include "support/vm_flag_table.h"

enum { FLAGS = 5, INVOCATIONS = 0, DELAY = 4 };
static const uint64_t SECOND = 1000000000;

static int64_t values[FLAGS];
static const int64_t usual[FLAGS] = {5000, 600, 15000, 40000, 5};
static int64_t last_level;
static bool tiered;

static struct vm_flag_row rows[] = {
	{&values[0], "Tier4InvocationThreshold", FLAG_INTX, FLAG_NOBODYS},
	{&values[1], "Tier4MinInvocationThreshold", FLAG_INTX, FLAG_NOBODYS},
	{&values[2], "Tier4CompileThreshold", FLAG_INTX, FLAG_NOBODYS},
	{&values[3], "Tier4BackEdgeThreshold", FLAG_INTX, FLAG_NOBODYS},
	{&values[DELAY], "Tier3DelayOn", FLAG_INTX, FLAG_NOBODYS},
	{&last_level, "TieredStopAtLevel", FLAG_INTX, FLAG_NOBODYS},
	{&tiered, "TieredCompilation", FLAG_BOOL, FLAG_NOBODYS}};

static struct vm_flags flags(void)
{
	for (size_t i = 0; i < FLAGS; i++)
		values[i] = usual[i];
	return vm_flag_table(rows, ARRAY_SIZE(rows));
}

static bool is_usual(void)
{
	bool is = true;
	for (size_t i = 0; i < FLAGS; i++)
		is &= values[i] == usual[i];
	return is;
}

TEST(low_and_back)
{
	struct vm_flags f = flags();
	for (int i = 0; i < 3; i++) {
		EXPECT(tiers_low(&f));
		EXPECT(tiers_low(&f)); /* what it was is not forgotten */
		EXPECT_INT(INT32_MAX, values[INVOCATIONS]);
		EXPECT_INT(-1, values[DELAY]);
		tiers_back();
		EXPECT(is_usual());
	}
	tiers_back();
	EXPECT(is_usual());
}

TEST(back_by_itself)
{
	struct vm_flags f = flags();
	struct timespec tenth = {.tv_nsec = 100000000};
	volatile int64_t *one = &values[INVOCATIONS];
	uint64_t from = clock_now().v; /* of naps there are fewer where each takes longer */
	EXPECT(tiers_low(&f));
	while (*one != usual[INVOCATIONS])
		nanosleep(&tenth, NULL);
	EXPECT(clock_now().v - from >= TIERS_SECONDS * SECOND);
	tiers_back();
	EXPECT(is_usual());
}

/* Whoever has chosen knows why. */
TEST(left_alone)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct vm_flags f = flags();
		rows[i].flags = i % 2 ? FLAG_USERS : FLAG_ERGONOMIC;
		EXPECT(!tiers_low(&f) && is_usual());
		rows[i].flags = FLAG_NOBODYS;
	}
	struct vm_flags f = flags();
	f.count = FLAGS - 1; /* a VM without the last of them */
	EXPECT(!tiers_low(&f) && is_usual());
	rows[DELAY].type = FLAG_UINTX;
	f = flags();
	EXPECT(!tiers_low(&f) && is_usual());
	rows[DELAY].type = FLAG_INTX;
}
