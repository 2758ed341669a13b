#include "attach/attach_reply.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

static const struct {
	const char *reply;
	int err, status;
	const char *text;
} replies[] = {
	{"0\nhello\n", 0, 0, "hello\n"},
	{"-1\nOperation frobnicate not recognized!", 0, -1, "Operation frobnicate not recognized!"},
	{"0\n", 0, 0, ""},
	{"101 \nx", 0, 101, "x"},
	{"0", ERR_FORMAT, 0, ""},
	{"\nx", ERR_FORMAT, 0, ""},
	{"-\nx", ERR_FORMAT, 0, ""},
	{"1x\n", ERR_FORMAT, 0, ""},
	{"99999999999999999999\n", ERR_FORMAT, 0, ""},
	{"", ERR_TRUNCATED, 0, ""},
};

TEST(status_and_text)
{
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		int status = 0;
		struct slice text = {0};
		struct diag d = {0};
		EXPECT_INT(replies[i].err,
			attach_reply_parse(slice_str(replies[i].reply), &status, &text, &d));
		EXPECT_INT(replies[i].status, status);
		EXPECT(slice_equal(text, slice_str(replies[i].text)));
		EXPECT((d.text[0] != '\0') == (replies[i].err != 0));
	}
}

/* The answers as 11, 17, 21 and 25 gave them. */
static const struct {
	const char *reply;
	int err, result;
	const char *says;
} loads[] = {
	{"0\nreturn code: 0\n", 0, 0, ""},
	{"0\nreturn code: 7\n", 0, 7, ""},
	{"0\nreturn code: -3\n", 0, -3, ""},
	{"-1\n/x.so was not loaded.\n/x.so: cannot open shared object file\n", ERR_LIBRARY, 0,
		"/x.so was not loaded.; /x.so: cannot open shared object file"},
	{"0\n/x.so was not loaded.\n/x.so: cannot open shared object file\n", ERR_LIBRARY, 0,
		"/x.so: cannot open shared object file"},
	{"0\nAgent_OnAttach is not available in /x.so\n", ERR_LIBRARY, 0, "Agent_OnAttach"},
	{"0\nDynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch "
	 "target VM.\n",
		ERR_LIBRARY, 0, "EnableDynamicAgentLoading"},
	{"-1\n", ERR_JVM, 0, "status -1"},
	{"0\nreturn code: \n", ERR_LIBRARY, 0, "return code"},
	{"0\nreturn code: 1x\n", ERR_LIBRARY, 0, "return code"},
	{"-1\nreturn code: 0\n", ERR_LIBRARY, 0, "return code"},
	{"0\nwarning of a later VM\nreturn code: 2", 0, 2, ""},
	{"", ERR_TRUNCATED, 0, "hung up"},
};

TEST(what_a_load_came_to)
{
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		int result = 0;
		struct diag d = {0};
		EXPECT_INT(loads[i].err, attach_reply_load(slice_str(loads[i].reply), &result, &d));
		EXPECT_INT(loads[i].result, result);
		tap_check(strstr(d.text, loads[i].says) != NULL, __FILE__, __LINE__, "%s", d.text);
	}
}

TEST(any_bytes)
{
	struct rng r = rng_init(tap_seed());
	static const char alphabet[] = "0123456789-\n return code:\xff\x1b";
	for (int round = 0; round < 20000; round++) {
		size_t len = (size_t)rng_below(&r, 40);
		char *bytes = malloc(len ? len : 1);
		for (size_t i = 0; i < len; i++)
			bytes[i] = alphabet[rng_below(&r, sizeof(alphabet) - 1)];
		int result;
		struct diag d = {0};
		attach_reply_load(slice(bytes, len), &result, &d);
		for (const char *c = d.text; *c; c++)
			EXPECT(*c >= 0x20 && *c < 0x7f);
		free(bytes);
	}
}

TEST(a_long_answer_is_cut)
{
	size_t len = 100000;
	char *bytes = malloc(len);
	memset(bytes, 'x', len);
	memcpy(bytes, "0\n", 2);
	int result;
	struct diag d = {0};
	EXPECT_INT(ERR_LIBRARY, attach_reply_load(slice(bytes, len), &result, &d));
	EXPECT(strlen(d.text) < DIAG_MAX);
	free(bytes);
}
