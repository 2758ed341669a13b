/* Base64 (RFC 4648, section 4) without line breaks, written as bytes come. */
#ifndef PAGE_BASE64_H
#define PAGE_BASE64_H

#include <stdint.h>

#include "trace/sink.h"

struct base64 {
	const struct sink *out; /* borrowed */
	uint8_t held[3];        /* bytes that wait for their group of three */
	size_t holds;
};

static inline struct base64 base64_init(const struct sink *out)
{
	return (struct base64){.out = out};
}
/* Where the bytes go. */
struct sink base64_sink(struct base64 *b);
/* Writes the last group, padded. 0 or the sink's error. */
int base64_end(struct base64 *b);

#endif
