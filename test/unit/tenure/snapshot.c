#include "tenure/snapshot.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

TEST(rows_are_found_by_their_place)
{
	struct snapshot s;
	EXPECT_INT(0, snapshot_init(&s, 3));
	for (uint32_t i = 0; i < 3; i++)
		s.rows[s.count++].at.place.vm_method = 10 + i;
	struct place_context at = {.place.vm_method = 12};
	EXPECT(snapshot_find(&s, &at) == &s.rows[2]);
	at.depth = 1;
	EXPECT(!snapshot_find(&s, &at));
	snapshot_release(&s);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, snapshot_init(&s, 3));
	mem_fail_at(0);
}

TEST(the_mean_threshold)
{
	struct held h = {.share = {[2] = 0.5, [6] = 0.5}}, none = {.share = {0}};
	EXPECT_NEAR(4, held_mean(&h), 1e-12);
	EXPECT_NEAR(15, held_mean(&none), 0);
}
