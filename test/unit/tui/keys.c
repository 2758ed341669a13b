#include "tui/keys.h"

#include "support/tap.h"

TEST(keys_act)
{
	EXPECT_INT(ACTION_QUIT, keys_action('q'));
	EXPECT_INT(ACTION_UP, keys_action('k'));
	EXPECT_INT(ACTION_UP, keys_action(KEYS_UP));
	EXPECT_INT(ACTION_BACK, keys_action(0x1b));
	EXPECT_INT(ACTION_OPEN, keys_action('\r'));
	EXPECT_INT(ACTION_NONE, keys_action('z'));
	EXPECT_INT(ACTION_NONE, keys_action(KEYS_NONE));
	EXPECT_INT(ACTION_NONE, keys_action(KEYS_LOST));
	EXPECT_INT(ACTION_NONE, keys_action(0x6587));
}

static const uint32_t codes[] = {
#define KEY(action, names, word, help, ...) __VA_ARGS__,
#include "tui/keys.def"
#undef KEY
};

TEST(no_key_does_two_things)
{
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		for (size_t k = 0; k < i; k++)
			EXPECT(codes[i] != codes[k]);
}

TEST(all_that_can_be_done_is_in_the_help)
{
	for (int a = ACTION_NONE + 1; a < ACTIONS; a++) {
		EXPECT(keys_names((enum action)a) && *keys_names((enum action)a));
		EXPECT(keys_help((enum action)a) && *keys_help((enum action)a));
	}
	EXPECT_STR("sort", keys_word(ACTION_SORT));
	EXPECT(keys_word(ACTION_REDRAW) == NULL);
}
