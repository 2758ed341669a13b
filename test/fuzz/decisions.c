/*
 * Any bytes as a file of decisions: reading ends, either with a sentence or with decisions that
 * come back the same from what is written of them.
 */
#include <string.h>

#include "base/error.h"
#include "base/json_reader.h"
#include "fuzz/fuzz.h"
#include "tenure/decisions.h"

static void check_tokens(const uint8_t *bytes, size_t len)
{
	struct json_reader r = json_reader_init(slice(bytes, len));
	char text[64];
	enum json_token t;
	size_t tokens = 0;
	while ((t = json_reader_next(&r)) != JSON_END && t != JSON_ERROR) {
		FUZZ_CHECK(r.at <= len && r.depth <= JSON_DEPTH && tokens++ <= len);
		if (t == JSON_KEY || t == JSON_STRING)
			FUZZ_CHECK(
				json_reader_text(&r, text, sizeof(text)) < (ptrdiff_t)sizeof(text));
	}
	FUZZ_CHECK((t == JSON_ERROR) == (r.error != NULL));
}

static void check_written(const struct decisions *d)
{
	struct buf once = {0}, again = {0};
	struct decisions back;
	struct diag diag = {""};
	decisions_write(d, &once);
	FUZZ_CHECK(!decisions_read(&back, buf_slice(&once), "f", &diag));
	FUZZ_CHECK(back.list.count == d->list.count && back.has_threshold == d->has_threshold);
	decisions_write(&back, &again);
	FUZZ_CHECK(slice_equal(buf_slice(&once), buf_slice(&again)));
	decisions_release(&back);
	buf_release(&once);
	buf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct decisions d;
	struct diag diag = {""};
	check_tokens(bytes, len);
	int err = decisions_read(&d, slice(bytes, len), "f", &diag);
	FUZZ_CHECK(!err == !diag.text[0]);
	FUZZ_CHECK(!err || err == ERR_FORMAT || err == ERR_LIMIT || err == ERR_VERSION);
	if (!err)
		check_written(&d);
	decisions_release(&d);
	return 0;
}
