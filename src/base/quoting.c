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

void quoting_put(struct buf *b, const char *text)
{
	if (is_word(text)) {
		buf_put_str(b, text);
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
