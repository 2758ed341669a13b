#include "base/jdk_name.h"

#include "base/compiler.h"

bool name_is_jdk(struct slice class_name)
{
	static const char *const roots[] = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
	for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
		size_t len = strlen(roots[i]);
		if (class_name.len >= len && memcmp(class_name.at, roots[i], len) == 0)
			return true;
	}
	return false;
}
