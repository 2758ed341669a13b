/* A zlib stream (RFC 1950), written as bytes come. */
#ifndef PAGE_SQUEEZE_H
#define PAGE_SQUEEZE_H

#include <stdint.h>
#include <zlib.h>

#include "trace/sink.h"

struct squeeze {
	z_stream stream;
	const struct sink *out; /* borrowed */
	uint8_t room[16384];
};

/* level: 1 fast … 9 small. 0 or ERR_NOMEM (then nothing is held). */
int squeeze_init(struct squeeze *q, const struct sink *out, int level);
/* Where the bytes go. */
struct sink squeeze_sink(struct squeeze *q);
/* Ends the stream. 0 or the sink's error. */
int squeeze_end(struct squeeze *q);
/* Frees what it holds, ended or not. */
void squeeze_release(struct squeeze *q);

#endif
