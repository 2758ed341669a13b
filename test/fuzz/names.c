/* Any bytes as a class signature, and as a list of globs: names end, fit, and say what was done to
 * them. */
#include <string.h>

#include "agent/names.h"
#include "base/jdk_name.h"
#include "fuzz/fuzz.h"

static void check(const char *signature, const struct name *n)
{
	size_t len = strnlen(n->text, sizeof(n->text));
	FUZZ_CHECK(len < sizeof(n->text));
	FUZZ_CHECK(len <= 2 * strlen(signature) + 16);
	FUZZ_CHECK(n->array == (signature[0] == '['));
	FUZZ_CHECK(n->hidden == n->normalised);
	if (n->array && len < sizeof(n->text) - 2)
		FUZZ_CHECK(len >= 2 && strcmp(n->text + len - 2, "[]") == 0);
	/* The made-up part is gone: taking it out again finds nothing, but where cutting brought
	   another to the end. Without arrays the name is shorter then. */
	struct name again;
	char external[NAME_MAX_LEN + 3];
	if (n->array || len + 3 > sizeof(external))
		return;
	external[0] = 'L';
	memcpy(external + 1, n->text, len);
	memcpy(external + 1 + len, ";", 2);
	name_of_signature(&again, external);
	FUZZ_CHECK(strlen(again.text) <= len || len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static char text[4 * NAME_MAX_LEN];
	struct name n;
	if (len >= sizeof(text))
		return 0;
	memcpy(text, bytes, len);
	text[len] = '\0';
	name_of_signature(&n, text);
	check(text, &n);
	name_is_jdk(slice_str(text));
	/* A glob list is short and the user's own; fnmatch is slow on many stars. */
	if (len < 64)
		name_in_globs(text, n.text);
	FUZZ_CHECK(!name_in_globs("", text));
	return 0;
}
