/*
 * Compression behind a vtable: the agent loads zstd at run time where it is there, the tools
 * link it, and a trace without it is stored.
 */
#ifndef TRACE_CODEC_H
#define TRACE_CODEC_H

#include <stddef.h>
#include <stdint.h>

struct codec {
	uint8_t id; /* enum block_codec */
	/* Both return the length written, or 0 where it does not fit or fails. Thread-safe for
	 * different ctx. */
	size_t (*compress)(void *ctx, void *out, size_t room, const void *in, size_t len);
	size_t (*decompress)(void *ctx, void *out, size_t room, const void *in, size_t len);
	void *ctx;
};

/* zstd as linked (room trace_zstd, never in the agent). level: zstd's, 1 … 19. Release frees ctx.
 */
int codec_zstd_init(struct codec *c, int level);
void codec_zstd_release(struct codec *c);

#endif
