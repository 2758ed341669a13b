/* The levers of a VM that is a table of flags. */
#include "agent/vm_levers.h"

#include "support/tap.h"
#include "support/vm_flag_table.h"

static struct {
	uint32_t bound;
	bool biased, shares;
} vm;
static struct vm_flag_row rows[] = {{&vm.bound, "MaxTenuringThreshold", FLAG_UINT, 0},
	{&vm.biased, "UseBiasedLocking", FLAG_BOOL, 0},
	{&vm.shares, "UseStringDeduplication", FLAG_BOOL, 0}};

static struct vm_flags flags(uint64_t count)
{
	return vm_flag_table(rows, count);
}

static struct vm_levers found(const char *collector, uint32_t bound)
{
	struct vm_flags f = flags(3);
	vm.bound = bound;
	return vm_levers_of(&f, collector, NULL);
}

TEST(some_collectors_heed_the_bound_some_have_ages_and_some_have_none)
{
	static const struct {
		const char *name;
		bool copies, heeds;
	} cases[] = {{"G1", true, true}, {"Serial", true, true}, {"Parallel", true, false},
		{"ZGC", false, false}, {"Shenandoah", false, false}, {"", false, false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vm_levers l = found(cases[i].name, 15);
		EXPECT(l.copies == cases[i].copies);
		EXPECT(vm_levers_can_bound(&l) == cases[i].heeds);
		EXPECT_INT(15, vm_levers_threshold(&l));
	}
}

TEST(whether_strings_share_their_texts)
{
	EXPECT(!found("G1", 15).shares);
	vm.shares = true;
	EXPECT(found("G1", 15).shares);
	vm.shares = false;
}

TEST(the_bound_is_moved_and_restored)
{
	struct vm_levers l = found("G1", 6);
	EXPECT_INT(6, vm_levers_threshold(&l));
	vm_levers_bound(&l, 1);
	EXPECT_INT(1, vm.bound);
	vm_levers_bound(&l, 0);
	EXPECT_INT(0, vm.bound);
	vm_levers_restore(&l);
	EXPECT_INT(6, vm.bound);
}

/* -XX:MaxTenuringThreshold=16 is "never": more than ages go. */
TEST(a_bound_beyond_all_ages_counts_as_the_oldest)
{
	struct vm_levers l = found("Serial", 16);
	EXPECT_INT(THRESHOLD_MOST, vm_levers_threshold(&l));
}

TEST(a_vm_that_shows_no_flags_has_no_bound)
{
	struct vm_flags none = {.rows = NULL};
	struct vm_levers l = vm_levers_of(&none, "G1", NULL);
	EXPECT(l.copies && !l.biased && !vm_levers_can_bound(&l));
	EXPECT_INT(THRESHOLD_MOST, vm_levers_threshold(&l));
	vm_levers_bound(&l, 1);
	vm_levers_restore(&l);
	vm_levers_unbias(&none);
}

TEST(biased_locking_is_told_and_turned_off)
{
	struct vm_flags f = flags(2), without = flags(1);
	vm.biased = true;
	EXPECT(vm_levers_of(&f, "G1", NULL).biased);
	EXPECT(!vm_levers_of(&without, "G1", NULL).biased);
	vm_levers_unbias(&without);
	EXPECT(vm.biased);
	vm_levers_unbias(&f);
	EXPECT(!vm.biased);
	EXPECT(!vm_levers_of(&f, "G1", NULL).biased);
}

/* Parallel's own threshold goes with the bound, and what the VM writes over it goes again. */
TEST(a_threshold_beside_the_bound)
{
	uint32_t own = 7;
	struct vm_levers l = found("Parallel", 15);
	l.own.at = &own;
	vm_levers_bound(&l, 2);
	EXPECT_INT(2, vm.bound);
	EXPECT_INT(2, own);
	own = 7;
	vm_levers_keep(&l);
	EXPECT_INT(2, own);
	vm_levers_bound(&l, 99);
	EXPECT_INT(15, vm.bound);
	EXPECT_INT(7, own);
	vm_levers_restore(&l);
	EXPECT_INT(7, own);
	own = 9;
	vm_levers_keep(&l);
	EXPECT_INT(9, own);
}
