#include "agent/class_cache.h"

#include <string.h>

/* Of a flag that is a text; "" where it is not set, or there is none. */
static const char *text_of(const struct vm_flags *f, const char *name)
{
	char *const *at = vm_flags_find(f, name);
	return at && *at ? *at : "";
}

bool class_cache_is_made(const struct vm_flags *f)
{
	return *text_of(f, "AOTCacheOutput") || strcmp(text_of(f, "AOTMode"), "record") == 0;
}
