#include "classfile/type_notes.h"

#include "base/error.h"
#include "support/tap.h"

static const uint8_t notes[] = {0, 4,                                  /* */
	0x40, 0, 2, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 0, 9, 0, 0, /* two ranges of a local */
	0x42, 0, 1, 1, 0, 0, 0, 9, 0, 1, 0, 8, 'e', 0, 1, 0, 2,        /* a handler; an enum */
	0x44, 0, 33, 0, 0, 9, 0, 1, 0, 8, '[', 0, 2, '@', 0, 9, 0, 0, 'I', 0, 1, /* a new */
	0x47, 0, 44, 1, 0, 0, 9, 0, 0};                                          /* a cast */

struct seen {
	size_t at[8];
	bool range[8];
	size_t count;
};

static int see(void *arg, size_t at, bool range)
{
	struct seen *s = arg;
	s->at[s->count] = at;
	s->range[s->count++] = range;
	return 0;
}

TEST(places_of_each_kind)
{
	struct seen s = {.count = 0};
	struct place_eye eye = {see, &s};
	EXPECT_INT(0, type_notes_walk(slice(notes, sizeof(notes)), &eye));
	EXPECT_INT(4, s.count);
	EXPECT(s.range[0] && s.range[1] && !s.range[2] && !s.range[3]);
	EXPECT_INT(1, notes[s.at[0] + 1]);
	EXPECT_INT(4, notes[s.at[1] + 1]);
	EXPECT_INT(33, notes[s.at[2] + 1]);
	EXPECT_INT(44, notes[s.at[3] + 1]);
}

TEST(cut_or_of_no_form)
{
	static const uint8_t field[] = {0, 1, 0x13, 0, 0, 9, 0, 0},
			     tag[] = {0, 1, 0x43, 0, 1, 0, 0, 9, 0, 1, 0, 1, 'x', 0, 0};
	struct seen s = {.count = 0};
	struct place_eye eye = {see, &s};
	for (size_t len = 0; len < sizeof(notes); len++, s.count = 0)
		EXPECT_INT(ERR_TRUNCATED, type_notes_walk(slice(notes, len), &eye));
	EXPECT_INT(ERR_FORMAT, type_notes_walk(slice(field, sizeof(field)), &eye));
	EXPECT_INT(ERR_FORMAT, type_notes_walk(slice(tag, sizeof(tag)), &eye));
}

/* An array in an array, again and again. */
TEST(depth_has_an_end)
{
	uint8_t deep[1024] = {0, 1, 0x43, 0, 1, 0, 0, 9, 0, 1, 0, 1};
	struct seen s = {.count = 0};
	struct place_eye eye = {see, &s};
	for (size_t i = 12; i + 3 <= sizeof(deep); i += 3)
		deep[i] = '[', deep[i + 2] = 1;
	EXPECT_INT(ERR_LIMIT, type_notes_walk(slice(deep, sizeof(deep)), &eye));
}
