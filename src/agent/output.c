#include "agent/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "agent/zstd_load.h"
#include "base/clock.h"
#include "base/error.h"
#include "trace/sink.h"

static int io_error(const struct output *o, const char *what, struct diag *d)
{
	int code = errno == EACCES || errno == EPERM || errno == EROFS ? ERR_DENIED
		   : errno == ENOENT                                   ? ERR_NOT_FOUND
								       : ERR_IO;
	return diag_set(d, code, "can't %s the trace %s: %s", what, o->path, strerror(errno));
}

static int write_header(struct output *o, struct diag *d)
{
	struct sink sink = sink_fd(&o->fd);
	buf_clear(&o->sealed);
	file_header_put(&o->sealed, clock_wall());
	if (o->sealed.failed)
		return diag_set(d, ERR_NOMEM, "out of memory while starting the trace");
	if (sink.write(sink.arg, o->sealed.at, o->sealed.len))
		return io_error(o, "write", d);
	atomic_store(&o->written, o->sealed.len);
	return ERR_NONE;
}

int output_open(struct output *o, const struct options *options, struct diag *d)
{
	memset(o, 0, sizeof(*o));
	o->fd = -1;
	int err = options_expand_file(options->file, (long)getpid(),
		(int64_t)(clock_wall().v / 1000000000u), o->path, sizeof(o->path), d);
	if (err)
		return err;
	o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (o->fd < 0)
		return io_error(o, "create", d);
	o->compress = options->compress && zstd_load(&o->codec) == ERR_NONE;
	err = write_header(o, d);
	if (err)
		output_close(o);
	return err;
}

/* Leaves only whole blocks behind. */
static void cut_back(struct output *o)
{
	if (ftruncate(o->fd, (off_t)atomic_load(&o->written)))
		return; /* the reader finds the last whole block by itself */
}

static int write_block(struct output *o, const struct block *b, struct diag *d)
{
	struct sink sink = sink_fd(&o->fd);
	int err = block_seal(b, o->sequence, o->compress ? &o->codec : NULL, &o->sealed);
	if (err)
		return diag_set(d, err, "out of memory while writing the trace %s", o->path);
	if (sink.write(sink.arg, o->sealed.at, o->sealed.len)) {
		err = io_error(o, "write", d);
		cut_back(o);
		return err;
	}
	o->sequence++;
	atomic_fetch_add(&o->written, o->sealed.len);
	return ERR_NONE;
}

void output_block(struct output *o, const struct block *b)
{
	if (!o->err)
		o->err = write_block(o, b, &o->trouble);
}

int output_drain(struct output *o, struct recorder *r, bool push, struct diag *d)
{
	for (struct block *b = recorder_take(r, push); b; b = recorder_take(r, false)) {
		output_block(o, b);
		recorder_give_back(r, b);
	}
	return o->err ? diag_set(d, o->err, "%s", o->trouble.text) : ERR_NONE;
}

void output_close(struct output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
	zstd_unload(&o->codec);
	buf_release(&o->sealed);
}
