#include "attach/attach_reply.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static bool digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

/* A decimal number up to the end of text, blanks after it allowed. */
static bool decimal(struct slice text, int *out)
{
	size_t at = text.len > 0 && text.at[0] == '-';
	long v = 0;
	size_t first = at;
	for (; at < text.len && digit(text.at[at]) && v <= INT_MAX; at++)
		v = v * 10 + (text.at[at] - '0');
	if (at == first || v > INT_MAX)
		return false;
	while (at < text.len && (text.at[at] == ' ' || text.at[at] == '\r'))
		at++;
	if (at < text.len)
		return false;
	*out = (int)(first ? -v : v);
	return true;
}

/* Cuts the first line off text. */
static struct slice next_line(struct slice *text)
{
	const uint8_t *stop = text->len ? memchr(text->at, '\n', text->len) : NULL;
	size_t len = stop ? (size_t)(stop - text->at) : text->len;
	struct slice line = slice(text->at, len);
	*text = stop ? slice(stop + 1, text->len - len - 1) : slice(text->at, 0);
	return line;
}

int attach_reply_parse(struct slice reply, int *status, struct slice *text, struct diag *d)
{
	if (reply.len == 0)
		return diag_set(d, ERR_TRUNCATED, "the Java VM hung up without an answer");
	struct slice rest = reply;
	struct slice line = next_line(&rest);
	if (line.len == reply.len || !decimal(line, status))
		return diag_set(d, ERR_FORMAT, "the Java VM's answer does not begin with a status");
	*text = rest;
	return 0;
}

/* The VM's words on one line, for a sentence. */
static void flatten(struct slice text, char *out, size_t size)
{
	size_t len = 0;
	for (size_t i = 0; i < text.len && len < size - 1; i++) {
		uint8_t byte = text.at[i];
		if (byte == '\n' && i + 1 == text.len)
			break;
		if (byte == '\n' && len < size - 2)
			out[len++] = ';';
		out[len++] = (char)(byte == '\n' ? ' ' : byte >= 0x20 && byte < 0x7f ? byte : '?');
	}
	out[len] = '\0';
}

static bool return_code(struct slice text, int *agent_result)
{
	static const char label[] = "return code: ";
	const size_t len = sizeof(label) - 1;
	while (text.len > 0) {
		struct slice line = next_line(&text);
		if (line.len > len && memcmp(line.at, label, len) == 0 &&
			decimal(slice(line.at + len, line.len - len), agent_result))
			return true;
	}
	return false;
}

int attach_reply_load(struct slice reply, int *agent_result, struct diag *d)
{
	int status;
	struct slice text;
	int err = attach_reply_parse(reply, &status, &text, d);
	if (err)
		return err;
	/* 21 and 25 answer with status 0 even when there was nothing to load. */
	if (status == 0 && return_code(text, agent_result))
		return 0;
	char words[DIAG_MAX / 2];
	flatten(text, words, sizeof(words));
	if (words[0] == '\0')
		return diag_set(
			d, ERR_JVM, "the Java VM refused to load the library (status %d)", status);
	return diag_set(d, ERR_LIBRARY, "the Java VM did not load the library: %s", words);
}
