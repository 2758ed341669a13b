#include "agent/late_classes.h"

#include "base/mem.h"
#include "support/tap.h"

static struct ns at(uint32_t s)
{
	return (struct ns){s * UINT64_C(1000000000)};
}

TEST(each_once_by_name_and_loader)
{
	struct late_classes l = {.wait_s = 0};
	late_classes_add(&l, "a/A", 1);
	late_classes_add(&l, "a/A", 2);
	late_classes_add(&l, "a/A", 1);
	EXPECT_INT(2, l.list.count);
	EXPECT(late_classes_have(&l, "a/A", 1) && late_classes_have(&l, "a/A", 2));
	EXPECT(!late_classes_have(&l, "a/A", 3) && !late_classes_have(&l, "a/B", 1));
	EXPECT(late_classes_have_name(&l, "a/A") && !late_classes_have_name(&l, "a/B"));
	late_classes_remove(&l, "a/A", 1);
	late_classes_remove(&l, "a/A", 1);
	EXPECT(!late_classes_have(&l, "a/A", 1) && late_classes_have(&l, "a/A", 2));
	late_classes_release(&l);
	EXPECT(!late_classes_have_name(&l, "a/A"));
}

TEST(they_are_tried_ever_later)
{
	struct late_classes l = {.wait_s = 0};
	static const uint32_t waits[] = {2, 4, 8, 16, 32, 64, 64};
	uint32_t now = 100;
	EXPECT(!late_classes_due(&l, at(now)));
	late_classes_add(&l, "a/A", 1);
	EXPECT(late_classes_due(&l, at(now)));
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		late_classes_tried(&l, at(now));
		EXPECT(!late_classes_due(&l, at(now + waits[i] - 1)));
		now += waits[i];
		EXPECT(late_classes_due(&l, at(now)));
	}
	late_classes_remove(&l, "a/A", 1);
	EXPECT(!late_classes_due(&l, at(now)));
	late_classes_add(&l, "a/B", 1);
	late_classes_tried(&l, at(now));
	EXPECT(late_classes_due(&l, at(now + LATE_S_LEAST)));
	late_classes_release(&l);
}

TEST(without_memory_nobody_knows)
{
	struct late_classes l = {.wait_s = 0};
	for (uint64_t fail = 1; fail <= 2; fail++) {
		mem_fail_at(fail);
		late_classes_add(&l, "a/A", 1);
		mem_fail_at(0);
		EXPECT(!late_classes_have(&l, "a/A", 1));
	}
	late_classes_release(&l);
}
