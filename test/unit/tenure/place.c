#include "tenure/place.h"

#include "support/tap.h"

static struct place_context example(void)
{
	return (struct place_context){.place = {.vm_method = 1, .bci = 2, .class_id = 3},
		.depth = 2,
		.caller = {{4, 5}, {6, 7}}};
}

TEST(each_part_tells_places_apart)
{
	struct place_context a = example(), b[6];
	for (int i = 0; i < 6; i++)
		b[i] = example();
	b[0].place.vm_method++;
	b[1].place.bci++;
	b[2].place.class_id++;
	b[3].depth--;
	b[4].caller[1].vm_method++;
	b[5].caller[1].bci = -1;
	EXPECT(place_context_same(&a, &a));
	for (int i = 0; i < 6; i++) {
		EXPECT(!place_context_same(&a, &b[i]));
		EXPECT(place_context_hash(&a) != place_context_hash(&b[i]));
	}
}

TEST(callers_beyond_the_depth_do_not_count)
{
	struct place_context a = example(), b = example();
	b.caller[2].vm_method = 9;
	EXPECT(place_context_same(&a, &b));
	EXPECT(place_context_hash(&a) == place_context_hash(&b));
	struct place_context cut = place_context_cut(&a, 1);
	EXPECT_INT(1, cut.depth);
	EXPECT_INT(0, cut.caller[1].vm_method);
	cut = place_context_cut(&a, 4);
	EXPECT(place_context_same(&a, &cut));
}
