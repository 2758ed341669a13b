#include "base/intern.h"

#include <stdio.h>

#include "support/tap.h"

TEST(same_string_same_number)
{
	struct intern t = {0};
	int added = 0;
	EXPECT_INT(0, intern_find(&t, slice_str("a")));
	EXPECT_INT(1, intern_add(&t, slice_str("a"), &added));
	EXPECT_INT(1, added);
	EXPECT_INT(2, intern_add(&t, slice_str(""), NULL));
	EXPECT_INT(1, intern_add(&t, slice_str("a"), &added));
	EXPECT_INT(0, added);
	EXPECT_INT(1, intern_get(&t, 1).len);
	EXPECT_INT(0, intern_get(&t, 99).len);
	intern_release(&t);
}

TEST(many_strings_stay_put)
{
	struct intern t = {0};
	char text[32];
	EXPECT_INT(1, intern_add(&t, slice_str("first"), NULL));
	const uint8_t *at = intern_get(&t, 1).at;
	for (int i = 0; i < 20000; i++) {
		int n = snprintf(text, sizeof(text), "string %d", i);
		EXPECT_INT(i + 2, intern_add(&t, slice(text, (size_t)n), NULL));
	}
	EXPECT(intern_get(&t, 1).at == at);
	EXPECT_INT(5002, intern_find(&t, slice_str("string 5000")));
	intern_release(&t);
}

TEST(no_two_tables_have_their_slots_alike)
{
	struct intern a = {0}, b = {0};
	int same = 0;
	for (int i = 0; i < 40; i++) {
		char text[16];
		int n = snprintf(text, sizeof(text), "string %d", i);
		EXPECT_INT(i + 1, intern_add(&a, slice(text, (size_t)n), NULL));
		EXPECT_INT(i + 1, intern_add(&b, slice(text, (size_t)n), NULL));
	}
	EXPECT_INT(a.slot_room, b.slot_room);
	for (size_t i = 0; i < a.slot_room; i++)
		same += a.slots[i] && a.slots[i] == b.slots[i];
	EXPECT(same < 20);
	intern_release(&a);
	intern_release(&b);
}

TEST(fails_cleanly_at_every_allocation)
{
	for (uint64_t n = 1; n < 100; n++) {
		struct intern t = {0};
		mem_fail_at(n);
		uint32_t number = 0;
		for (int i = 0; i < 200; i++) {
			char text[16];
			int len = snprintf(text, sizeof(text), "s%d", i);
			uint32_t got = intern_add(&t, slice(text, (size_t)len), NULL);
			EXPECT(got == 0 || got == number + 1);
			number = got ? got : number;
		}
		mem_fail_at(0);
		EXPECT_INT(number, t.strings.count);
		intern_release(&t);
	}
}
