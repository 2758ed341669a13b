#include "trace/writer.h"

#include "base/error.h"

static int fail(struct writer *w, int err)
{
	if (!w->err)
		w->err = err;
	return w->err;
}

static int put_file_header(struct writer *w, struct ns wall)
{
	file_header_put(&w->sealed, wall);
	if (w->sealed.failed)
		return w->sealed.failed;
	return w->sink.write(w->sink.arg, w->sealed.at, w->sealed.len);
}

int writer_init(struct writer *w, struct sink sink, const struct codec *codec, struct ns wall)
{
	*w = (struct writer){.sink = sink, .codec = codec};
	int err = block_init(&w->block, BLOCK_RECORDS);
	if (!err)
		err = put_file_header(w, wall);
	block_reset(&w->block, (struct ns){0});
	return fail(w, err);
}

int writer_flush(struct writer *w)
{
	if (w->err || w->block.records == 0)
		return w->err;
	int err = block_seal(&w->block, w->sequence, w->codec, &w->sealed);
	if (!err)
		err = w->sink.write(w->sink.arg, w->sealed.at, w->sealed.len);
	if (err)
		return fail(w, err);
	w->sequence++;
	/* The next record's time is most likely near the last one's. */
	block_reset(&w->block, (struct ns){w->block.deltas.t});
	return ERR_NONE;
}

int writer_put_block(struct writer *w, enum block_kind kind, struct slice payload, uint32_t records)
{
	struct block b = {.kind = (uint16_t)kind, .records = records};
	if (payload.len > BLOCK_RAW_MAX)
		return fail(w, ERR_LIMIT);
	if (writer_flush(w))
		return w->err;
	b.first_time = b.last_time = w->block.first_time;
	buf_put(&b.raw, payload.at, payload.len);
	int err = b.raw.failed ? b.raw.failed : block_seal(&b, w->sequence, w->codec, &w->sealed);
	buf_release(&b.raw);
	if (!err)
		err = w->sink.write(w->sink.arg, w->sealed.at, w->sealed.len);
	if (err)
		return fail(w, err);
	w->sequence++;
	return ERR_NONE;
}

int writer_put(struct writer *w, const struct record *r)
{
	if (w->err)
		return w->err;
	int err = block_append(&w->block, r);
	if (err == ERR_FULL) {
		err = writer_flush(w);
		if (!err)
			err = block_append(&w->block, r);
	}
	return fail(w, err);
}

int writer_release(struct writer *w)
{
	int err = writer_flush(w);
	block_release(&w->block);
	buf_release(&w->sealed);
	return err;
}
