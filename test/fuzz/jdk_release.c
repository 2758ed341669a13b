/* Any bytes as a JDK's release file: what comes out ends, and can be judged. */
#include <string.h>

#include "cli/jdk.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct jdk j;
	struct diag d = {""};
	jdk_parse(&j, slice(bytes, len));
	FUZZ_CHECK(strnlen(j.version, sizeof(j.version)) < sizeof(j.version));
	int err = jdk_refusal(&j, &d);
	FUZZ_CHECK(!err == !d.text[0]);
	/* What is too old is refused, and is no modern version with a fault either way. */
	FUZZ_CHECK(!(j.number[0] >= 22 && jdk_method_ids_unsafe(&j)));
	return 0;
}
