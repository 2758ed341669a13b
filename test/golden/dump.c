#include <inttypes.h>

#include "base/error.h"
#include "golden/cases.h"
#include "support/trace_gen.h"
#include "trace/check.h"
#include "trace/reader.h"

static void dump_records(struct buf *text, struct reader *r, struct diag *d)
{
	static struct record record;
	uint64_t block = UINT64_MAX;
	int got;
	buf_printf(text, "version %u.%u wall %" PRIu64 "\n", r->major, r->minor, r->wall.v);
	while ((got = reader_next(r, &record, d)) > 0) {
		if (r->block.offset != block)
			buf_printf(text, "block %" PRIu32 " %s times %" PRIu64 " to %" PRIu64 "\n",
				r->block.sequence, r->block.codec == CODEC_ZSTD ? "zstd" : "stored",
				r->block.first_time, r->block.last_time);
		block = r->block.offset;
		record_dump(text, &record);
	}
	if (got < 0)
		buf_printf(text, "reader: %s\n", d->text);
	buf_printf(text,
		"%s%s: %" PRIu64 " blocks, %" PRIu64 " of other kinds, %" PRIu64
		" missing; %" PRIu64 " records, %" PRIu64 " of unknown kinds\n",
		r->ended ? "complete" : "incomplete", r->cut ? ", cut" : "", r->blocks,
		r->skipped_blocks, r->missing_blocks, r->records_read, r->unknown_records);
}

static void tell(void *arg, uint64_t offset, const char *what)
{
	buf_printf(arg, "problem in the block at %" PRIu64 ": %s\n", offset, what);
}

static void dump_check(struct buf *text, struct source *source, const struct codec *codec)
{
	struct check_listener listener = {tell, text};
	struct check_result result;
	struct diag d = {""};
	int err = check_run(source, codec, &listener, &result, &d);
	buf_printf(text, "check: %s\n", err ? d.text : "good");
}

void golden_dump(struct buf *text, struct slice bytes)
{
	struct source source;
	struct codec codec;
	struct reader r;
	struct diag d = {""};
	if (source_open_memory(&source, bytes) || codec_zstd_init(&codec, 1))
		return;
	if (reader_init(&r, &source, &codec, &d) == 0)
		dump_records(text, &r, &d);
	else
		buf_printf(text, "reader: %s\n", d.text);
	reader_release(&r);
	dump_check(text, &source, &codec);
	codec_zstd_release(&codec);
	source_close(&source);
}
