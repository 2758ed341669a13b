#include "hotspot/perf_memory.h"

#include "support/tap.h"
#include "support/vm_entries.h"

static char memory[64];
static char *const start = memory, *const nowhere = NULL;
static const size_t capacity = sizeof(memory);
static const int yes = 1, no = 0;

static struct perf_memory find(const int *initialized, char *const *at, const size_t *size)
{
	const struct vm_entry entries[] = {VM_STATIC("PerfMemory", "_start", at),
		VM_STATIC("PerfMemory", "_capacity", size),
		VM_STATIC("PerfMemory", "_initialized", initialized), VM_END};
	struct vm_structs s = vm_entries(entries);
	return perf_memory_find(&s);
}

TEST(where_the_vm_says)
{
	struct perf_memory m = find(&yes, &start, &capacity);
	EXPECT(m.at == memory);
	EXPECT_INT(sizeof(memory), m.size);
}

TEST(none_or_not_told)
{
	EXPECT(find(&no, &start, &capacity).at == NULL);
	EXPECT(find(&yes, &nowhere, &capacity).at == NULL);
	EXPECT(find(NULL, &start, &capacity).at == NULL);
	EXPECT(find(&yes, NULL, &capacity).at == NULL);
	EXPECT(find(&yes, &start, NULL).at == NULL);
	struct vm_structs none = {0};
	EXPECT(perf_memory_find(&none).at == NULL);
}
