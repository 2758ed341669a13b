#include "page/base64.h"

#include "base/error.h"

enum { CHUNK = 4096 }; /* characters handed on at once; a multiple of 4 */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Four characters for three bytes. */
static void group(const uint8_t *in, char *out)
{
	uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
	for (int i = 0; i < 4; i++)
		out[i] = alphabet[bits >> (18 - 6 * i) & 63];
}

static int put(void *arg, const void *bytes, size_t len)
{
	struct base64 *b = arg;
	const uint8_t *at = bytes;
	char chunk[CHUNK];
	size_t used = 0;
	int err = ERR_NONE;
	for (size_t i = 0; i < len && !err; i++) {
		b->held[b->holds++] = at[i];
		if (b->holds < sizeof(b->held))
			continue;
		b->holds = 0;
		group(b->held, chunk + used);
		used += 4;
		if (used == CHUNK) {
			err = b->out->write(b->out->arg, chunk, used);
			used = 0;
		}
	}
	return err || !used ? err : b->out->write(b->out->arg, chunk, used);
}

struct sink base64_sink(struct base64 *b)
{
	return (struct sink){.write = put, .arg = b};
}

int base64_end(struct base64 *b)
{
	char last[4];
	if (!b->holds)
		return ERR_NONE;
	for (size_t i = b->holds; i < sizeof(b->held); i++)
		b->held[i] = 0;
	group(b->held, last);
	for (size_t i = b->holds + 1; i < sizeof(last); i++)
		last[i] = '=';
	b->holds = 0;
	return b->out->write(b->out->arg, last, sizeof(last));
}
