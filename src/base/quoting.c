#include "base/quoting.h"

#include <stdbool.h>
#include <string.h>

/* What means nothing to a shell, wherever in a word. Letters beyond ASCII mean nothing either. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "_./+,:@%^-";

static bool is_word(const char *text)
{
	const char *c = text;
	while (*c && ((unsigned char)*c >= 0x80 || strchr(plain, *c)))
		c++;
	return c > text && !*c;
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

/* What a terminal would act on, when the command is shown. $(…) takes away newlines at its end. */
static bool steers(const char *text)
{
	const char *c = text;
	while (*c && !is_control(*c))
		c++;
	return *c && text[strlen(text) - 1] != '\n';
}

static void put_printed(struct buf *b, const char *text)
{
	buf_put_str(b, "\"$(printf '");
	for (; *text; text++)
		if (is_control(*text) || *text == '-') /* at the start an option of printf */
			buf_printf(b, "\\%03o", (unsigned)*text);
		else if (*text == '\'')
			buf_put_str(b, "'\\''");
		else if (*text == '%' || *text == '\\')
			buf_printf(b, "%c%c", *text, *text);
		else
			buf_put_u8(b, (uint8_t)*text);
	buf_put_str(b, "')\"");
}

void quoting_put(struct buf *b, const char *text)
{
	if (is_word(text)) {
		buf_put_str(b, text);
		return;
	}
	if (steers(text)) {
		put_printed(b, text);
		return;
	}
	buf_put_u8(b, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_put_str(b, "'\\''");
		else
			buf_put_u8(b, (uint8_t)*text);
	buf_put_u8(b, '\'');
}
