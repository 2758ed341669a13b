#include "base/jdk_name.h"

#include "support/tap.h"

TEST(whose_code_it_is)
{
	static const char *const jdk[] = {"sun.nio.ch.Net", "com.sun.proxy.$Proxy",
		"java.util.List", "java.lang.String", "javax.swing.JFrame",
		"jdk.internal.misc.Unsafe", "sun.misc.Unsafe", "com.sun.proxy.X"};
	static const char *const others[] = {"javassist.Loader", "sunshine.Main", "com.sunny.Main",
		"Main", "javafx.scene.Node", "", "java", "javassist.Class", "com.sunny.Day",
		"org.java.X", "Demo", "byte[]"};
	for (size_t i = 0; i < ARRAY_SIZE(jdk); i++)
		EXPECT(name_is_jdk(slice_str(jdk[i])));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		EXPECT(!name_is_jdk(slice_str(others[i])));
}
