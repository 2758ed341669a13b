#include "classfile/value.h"

#include "support/tap.h"

static struct value meet(struct value a, struct value b)
{
	struct value ab = value_meet(a, b);
	EXPECT(value_equal(ab, value_meet(b, a)));
	EXPECT(value_equal(ab, value_meet(ab, a)) && value_equal(ab, value_meet(ab, b)));
	return ab;
}

TEST(what_two_ways_have_in_common)
{
	struct value string = value(VALUE_OBJECT, 3), other = value(VALUE_OBJECT, 4),
		     fresh = value(VALUE_UNINIT, 9), number = value(VALUE_INT, 0);
	EXPECT(value_equal(string, meet(string, string)));
	EXPECT_INT(VALUE_REF, value_tag(meet(string, other)));
	EXPECT_INT(VALUE_REF, value_tag(meet(string, value(VALUE_NULL, 0))));
	EXPECT(value_equal(fresh, meet(fresh, fresh)));
	EXPECT_INT(VALUE_TOP, value_tag(meet(fresh, value(VALUE_UNINIT, 10))));
	EXPECT_INT(VALUE_TOP, value_tag(meet(fresh, string)));
	EXPECT_INT(VALUE_TOP, value_tag(meet(number, string)));
}

TEST(a_stain_of_either_stays)
{
	struct value clean = value(VALUE_OBJECT, 3), stained = value_stain(clean, true);
	EXPECT(value_stained(meet(clean, stained)));
	EXPECT_INT(3, value_payload(meet(clean, stained)));
	EXPECT(value_stained(meet(value(VALUE_INT, 0), stained)));
	EXPECT(!value_stained(meet(clean, clean)));
	EXPECT(value_equal(clean, value_stain(stained, false)));
}
