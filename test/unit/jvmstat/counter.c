#include "jvmstat/counter.h"

#include "support/tap.h"

TEST(absent_reads_as_nothing)
{
	char out[8] = "x";
	EXPECT(!counter_exists((struct counter){0}));
	EXPECT_INT(0, counter_read((struct counter){0}));
	EXPECT_INT(0, counter_text_read((struct counter_text){0}, out, sizeof(out)));
	EXPECT_STR("", out);
}

TEST(reads_what_is_there_now)
{
	int64_t v = 5;
	struct counter c = {&v};
	EXPECT(counter_exists(c));
	EXPECT_INT(5, counter_read(c));
	v = -3;
	EXPECT_INT(-3, counter_read(c));
	EXPECT_INT(0, counter_read_u64(c));
}

TEST(text_is_cut_and_cleaned)
{
	uint8_t bytes[6] = {'a', 0x1b, 'c', 0xff, 'e', 'f'};
	struct counter_text t = {bytes, sizeof(bytes)};
	char out[16];
	EXPECT_INT(6, counter_text_read(t, out, sizeof(out))); /* no NUL in its room */
	EXPECT_STR("a?c?ef", out);
	EXPECT_INT(3, counter_text_read(t, out, 4));
	EXPECT_STR("a?c", out);
	bytes[1] = 0;
	EXPECT_INT(1, counter_text_read(t, out, sizeof(out)));
	out[0] = 'z';
	EXPECT_INT(0, counter_text_read(t, out, 0));
	EXPECT_INT('z', out[0]);
}
