#include "jvmstat/counter.h"

size_t counter_text_read(struct counter_text t, char *out, size_t size)
{
	size_t len = 0;
	if (size == 0)
		return 0;
	while (t.at && len < t.room && len < size - 1) {
		uint8_t byte = t.at[len];
		if (byte == 0)
			break;
		out[len++] = (char)(byte >= 0x20 && byte < 0x7f ? byte : '?');
	}
	out[len] = '\0';
	return len;
}
