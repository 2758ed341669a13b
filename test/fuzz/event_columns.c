/*
 * Two bytes, a length, and columns of events behind them; then the same bytes as a chunk. What can
 * be joined is split again, or refused, and comes back byte for byte.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "trace/event_columns.h"

enum { RAW_MAX = UINT16_MAX };

static void split(struct event_columns *c, struct slice raw)
{
	uint8_t *columns = malloc(raw.len + 1), *back = malloc(raw.len + 1);
	FUZZ_CHECK(columns && back);
	size_t len = event_columns_split(c, columns, raw);
	FUZZ_CHECK(len <= raw.len);
	if (len) {
		FUZZ_CHECK(event_columns_join(c, back, raw.len, slice(columns, len)));
		FUZZ_CHECK(memcmp(back, raw.at, raw.len) == 0);
	}
	free(columns);
	free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || size > RAW_MAX)
		return 0;
	struct event_columns *c = event_columns_new();
	size_t len = (size_t)data[0] | (size_t)data[1] << 8;
	uint8_t *raw = malloc(len + 1);
	FUZZ_CHECK(c && raw);
	if (event_columns_join(c, raw, len, slice(data + 2, size - 2)))
		split(c, slice(raw, len));
	split(c, slice(data + 2, size - 2));
	free(raw);
	event_columns_free(c);
	return 0;
}
