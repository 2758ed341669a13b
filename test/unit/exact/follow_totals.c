#include "exact/follow_totals.h"

#include <string.h>

#include "support/tap.h"

enum { FIELDS = sizeof(struct follow_totals) / sizeof(uint64_t) };

/* What a step's workers count is added; lost births and intervals are the steps' own. */
TEST(all_that_workers_count_is_added)
{
	struct follow_totals to, more;
	uint64_t a[FIELDS], b[FIELDS], sums[FIELDS];
	for (uint64_t i = 0; i < FIELDS; i++) {
		a[i] = 1000 + i;
		b[i] = 1 + i * i;
	}
	memcpy(&to, a, sizeof(to));
	memcpy(&more, b, sizeof(more));
	struct follow_totals was = to;
	follow_totals_add(&to, &more);
	EXPECT_INT(was.lost, to.lost);
	EXPECT_INT(was.lost_intervals, to.lost_intervals);
	EXPECT_INT(was.doubtful + more.doubtful, to.doubtful);
	memcpy(sums, &to, sizeof(to));
	size_t kept = 0;
	for (size_t i = 0; i < FIELDS; i++) {
		kept += sums[i] == a[i];
		EXPECT(sums[i] == a[i] || sums[i] == a[i] + b[i]);
	}
	EXPECT_INT(2, kept);
}
