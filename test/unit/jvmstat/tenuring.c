#include "jvmstat/tenuring.h"

#include <stdio.h>

#include "support/perfimage.h"
#include "support/tap.h"

static struct tenuring_counters find(const struct perfimage *i)
{
	struct perfdata p;
	struct tenuring_counters t;
	EXPECT_INT(0, perfdata_borrow(&p, i->bytes.at, i->bytes.len, NULL));
	tenuring_find(&t, &p);
	return t;
}

TEST(bytes_by_age)
{
	struct perfimage i;
	perfimage_init(&i);
	perfimage_long(&i, "sun.gc.policy.tenuringThreshold", 6);
	perfimage_long(&i, "sun.gc.policy.maxTenuringThreshold", 15);
	for (unsigned a = 0; a < TENURING_AGES; a++) {
		char name[64];
		snprintf(name, sizeof(name), "sun.gc.generation.0.agetable.bytes.%02u", a);
		perfimage_long(&i, name, a * 100);
	}
	struct tenuring_counters t = find(&i);
	struct tenuring now;
	tenuring_read(&t, &now);
	EXPECT_INT(16, t.ages);
	EXPECT_INT(15, counter_read(t.threshold_max));
	EXPECT_INT(6, now.threshold);
	EXPECT_INT(1500, now.age[15].v);
	EXPECT_INT(100 * 120, now.total.v);
	perfimage_release(&i);
}

TEST(parallel_has_a_threshold_but_no_table)
{
	struct perfimage i;
	perfimage_init(&i);
	perfimage_long(&i, "sun.gc.policy.tenuringThreshold", 7);
	struct tenuring_counters t = find(&i);
	struct tenuring now;
	tenuring_read(&t, &now);
	EXPECT_INT(0, t.ages);
	EXPECT_INT(7, now.threshold);
	EXPECT_INT(0, now.total.v);
	perfimage_release(&i);
}
