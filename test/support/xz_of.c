#include "support/xz_of.h"

#include <lzma.h>
#include <stdlib.h>

void xz_of(struct buf *out, struct slice bytes)
{
	size_t room = lzma_stream_buffer_bound(bytes.len), len = 0;
	uint8_t *packed = malloc(room);
	if (!packed || lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, bytes.at, bytes.len,
			       packed, &len, room) != LZMA_OK)
		abort();
	buf_put(out, packed, len);
	free(packed);
}
