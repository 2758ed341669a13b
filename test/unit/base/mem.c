#include "base/mem.h"

#include "support/tap.h"

TEST(counts_what_is_held)
{
	uint64_t before = mem_held();
	void *a = mem_alloc(1000);
	EXPECT(mem_held() >= before + 1000);
	void *bigger = mem_realloc(a, 5000);
	EXPECT(mem_held() >= before + 5000);
	EXPECT(mem_peak() >= mem_held());
	mem_free(bigger);
	EXPECT_INT(before, mem_held());
	mem_free(NULL);
}

TEST(fails_on_demand)
{
	mem_fail_at(2);
	void *a = mem_alloc(1);
	EXPECT(a != NULL);
	EXPECT(mem_alloc(1) == NULL);
	EXPECT(mem_zalloc(1, 1) == NULL);
	EXPECT(mem_realloc(a, 2) == NULL);
	mem_fail_at(0);
	mem_free(a);
}

TEST(overflow_is_no_memory)
{
	volatile size_t huge = SIZE_MAX / 2;
	EXPECT(mem_zalloc(huge, 4) == NULL);
}
