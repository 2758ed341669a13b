/* Any bytes as an agent's answer: what comes out is bounded, ends, and is fit for a terminal. */
#include <string.h>

#include "cli/control.h"
#include "fuzz/fuzz.h"

static void check_shown(const char *text, size_t room)
{
	size_t len = strnlen(text, room);
	FUZZ_CHECK(len < room);
	for (size_t i = 0; i < len; i++)
		FUZZ_CHECK(text[i] == '\n' || ((unsigned char)text[i] >= 0x20 && text[i] != 0x7f));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static char text[CONTROL_REPLY_MAX + 1];
	static struct control_reply reply;
	struct diag d = {""};
	char value[16];
	if (len > CONTROL_REPLY_MAX)
		len = CONTROL_REPLY_MAX;
	memcpy(text, bytes, len);
	int err = control_parse(text, len, &reply, &d);
	FUZZ_CHECK(err <= 0 && !err == !d.text[0]);
	check_shown(d.text, sizeof(d.text));
	check_shown(reply.text, sizeof(reply.text));
	control_value(&reply, "file", value, sizeof(value));
	check_shown(value, sizeof(value));
	control_number(&reply, "samples");
	return 0;
}
