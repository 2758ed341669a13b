#include "agent/place_key.h"

#include "base/compiler.h"
#include "support/tap.h"

struct row {
	const char *class_name, *method, *descriptor;
	int32_t bci;
	const char *allocates;
};

static uint64_t key_of(const struct row *r)
{
	return place_key(slice_str(r->class_name), slice_str(r->method), slice_str(r->descriptor),
		r->bci, slice_str(r->allocates));
}

/* In whatever they differ; nor does text move from one part to the next. */
TEST(places_that_differ_have_other_keys)
{
	static const struct row rows[] = {
		{"a/A", "m", "()V", 3, "La/B;"},
		{"a/B", "m", "()V", 3, "La/B;"},
		{"a/A", "n", "()V", 3, "La/B;"},
		{"a/A", "m", "(I)V", 3, "La/B;"},
		{"a/A", "m", "()V", 4, "La/B;"},
		{"a/A", "m", "()V", -1, "La/B;"},
		{"a/A", "m", "()V", 3, "[La/B;"},
		{"a/Am", "", "()V", 3, "La/B;"},
		{"a/A", "", "m()V", 3, "La/B;"},
		{"", "", "", 0, ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT(key_of(&rows[i]) != 0);
		for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
			EXPECT_INT(i == k, key_of(&rows[i]) == key_of(&rows[k]));
	}
}

TEST(of_one_loader)
{
	EXPECT_INT(7, place_key_in(7, 0)); /* not told apart */
	EXPECT(place_key_in(7, 0x1000) != 7);
	EXPECT(place_key_in(7, 0x1000) != place_key_in(7, 0x1008));
	EXPECT(place_key_in(7, 0x1000) != place_key_in(8, 0x1000));
}

TEST(hidden_classes_have_two_names)
{
	static const struct row vm = {"a/L+0x12", "m", "()V", 3, "La/L+0x12;"},
				jvmti = {"a/L.0x12", "m", "()V", 3, "La/L.0x12;"};
	EXPECT(key_of(&vm) == key_of(&jvmti));
}
