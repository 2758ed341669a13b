/* Bytes as a VM's answer to an attach command. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_reply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int result;
	struct diag d = {0};
	if (attach_reply_load(slice(data, size), &result, &d) != 0 && d.text[0] == '\0')
		abort();
	return 0;
}
