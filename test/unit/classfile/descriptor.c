#include "classfile/descriptor.h"

#include "support/tap.h"

static void takes(const char *text, const char *first)
{
	struct slice rest = slice_str(text);
	EXPECT(slice_equal(slice_str(first), descriptor_take(&rest)));
	EXPECT_INT(strlen(text) - strlen(first), rest.len);
}

TEST(one_type_at_a_time)
{
	takes("IJ", "I");
	takes("[[Ljava/lang/Object;I", "[[Ljava/lang/Object;");
	takes("V", "V");
	takes("[V", "");
	takes("L;", "");
	takes("Lnever", "");
	takes("[", "");
	takes("", "");
	takes("X", "");
}

TEST(methods_are_split)
{
	struct slice arguments, result;
	EXPECT(descriptor_split(slice_str("(I[JLx;)Ly;"), &arguments, &result));
	EXPECT(slice_equal(slice_str("I[JLx;"), arguments));
	EXPECT(slice_equal(slice_str("Ly;"), result));
	static const char *const bad[] = {"", "()", "(I", "I)V", "(V)V", "()VV", "(I;)V", "()X"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		EXPECT(!descriptor_split(slice_str(bad[i]), &arguments, &result));
}

TEST(slots_and_classes)
{
	EXPECT_INT(2, descriptor_slots(slice_str("J")));
	EXPECT_INT(2, descriptor_slots(slice_str("D")));
	EXPECT_INT(1, descriptor_slots(slice_str("[D")));
	EXPECT_INT(0, descriptor_slots(slice_str("V")));
	EXPECT(slice_equal(slice_str("a/B"), descriptor_class(slice_str("La/B;"))));
	EXPECT(slice_equal(slice_str("[La/B;"), descriptor_class(slice_str("[La/B;"))));
}
