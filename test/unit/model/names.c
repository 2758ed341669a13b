#include "model/names.h"

#include "base/jdk_name.h"

#include "base/compiler.h"
#include "support/tap.h"

static bool is(const char *want, struct slice got)
{
	return slice_equal(slice_str(want), got);
}

TEST(parts_of_names)
{
	static const struct {
		const char *name, *package, *simple;
	} rows[] = {{"java.util.Map$Entry[]", "java.util", "Map$Entry[]"},
		{"byte[][]", "", "byte[][]"}, {"Main", "", "Main"},
		{"a.b.Foo$$Lambda/0x7f.12", "a.b", "Foo$$Lambda/0x7f.12"}, {"", "", ""},
		{"a.B$c.d", "a", "B$c.d"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT(is(rows[i].package, name_package(slice_str(rows[i].name))));
		EXPECT(is(rows[i].simple, name_simple(slice_str(rows[i].name))));
	}
}

TEST(whose_code_it_is)
{
	EXPECT(name_is_jdk(slice_str("java.util.List")));
	EXPECT(name_is_jdk(slice_str("com.sun.proxy.$Proxy")));
	EXPECT(name_is_jdk(slice_str("jdk.internal.misc.Unsafe")));
	EXPECT(!name_is_jdk(slice_str("javafx.scene.Node")));
	EXPECT(!name_is_jdk(slice_str("com.sunny.Day")));
	EXPECT(!name_is_jdk(slice_str("")));
}
