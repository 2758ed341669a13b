#include "trace/codec.h"

#include <zstd.h>

#include "base/error.h"
#include "base/mem.h"
#include "trace/format.h"

struct zstd {
	ZSTD_CCtx *compress;
	ZSTD_DCtx *decompress;
};

static size_t compress(void *ctx, void *out, size_t room, const void *in, size_t len)
{
	struct zstd *z = ctx;
	size_t n = ZSTD_compress2(z->compress, out, room, in, len);
	return ZSTD_isError(n) ? 0 : n;
}

/* One frame and nothing else: the library itself would take several. */
static size_t decompress(void *ctx, void *out, size_t room, const void *in, size_t len)
{
	struct zstd *z = ctx;
	if (ZSTD_findFrameCompressedSize(in, len) != len)
		return 0;
	size_t n = ZSTD_decompressDCtx(z->decompress, out, room, in, len);
	return ZSTD_isError(n) ? 0 : n;
}

int codec_zstd_init(struct codec *c, int level)
{
	*c = (struct codec){0};
	struct zstd *z = mem_zalloc(1, sizeof(*z));
	if (!z)
		return ERR_NOMEM;
	*c = (struct codec){CODEC_ZSTD, compress, decompress, z};
	z->compress = ZSTD_createCCtx();
	z->decompress = ZSTD_createDCtx();
	if (z->compress && z->decompress &&
		!ZSTD_isError(ZSTD_CCtx_setParameter(z->compress, ZSTD_c_compressionLevel, level)))
		return ERR_NONE;
	codec_zstd_release(c);
	return ERR_NOMEM;
}

void codec_zstd_release(struct codec *c)
{
	struct zstd *z = c->ctx;
	if (z) {
		ZSTD_freeCCtx(z->compress);
		ZSTD_freeDCtx(z->decompress);
		mem_free(z);
	}
	*c = (struct codec){0};
}
