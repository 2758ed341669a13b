#include "hotspot/heap.h"

#include "base/error.h"
#include "support/tap.h"

TEST(a_library_that_tells_nothing)
{
	struct heap_layout h;
	struct diag d = {0};
	EXPECT_INT(ERR_UNSUPPORTED, heap_layout_open(&h, &entry_a_library_that_tells_nothing, &d));
	EXPECT_STR("the heap can be read with Serial, Parallel and G1 only, and none of them is on",
		d.text);
	EXPECT_INT(ERR_UNSUPPORTED, heap_layout_open(&h, NULL, NULL));
}
