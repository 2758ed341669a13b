#include "agent/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/zstd_load.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/full_path.h"
#include "trace/rewritable.h"
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
	struct sink sink = sink_fd(&o->file.fd);
	buf_clear(&o->sealed);
	file_header_put(&o->sealed, clock_wall());
	if (o->sealed.failed)
		return diag_set(d, ERR_NOMEM, "out of memory while starting the trace");
	if (sink.write(sink.arg, o->sealed.at, o->sealed.len))
		return io_error(o, "write", d);
	atomic_store(&o->written, o->sealed.len);
	return ERR_NONE;
}

static int open_stretch(struct output *o, const struct options *options, struct diag *d)
{
	int err = stretch_init(&o->stretch, o->file.fd, &options->cyclic, o->sealed.len, d);
	if (!err && stretch_cyclic(&o->stretch) && block_init(&o->primed, BLOCK_RECORDS))
		err = diag_set(d, ERR_NOMEM, "out of memory while starting the trace");
	return err;
}

/* A pipe that nobody reads is an error: the program must not wait for a reader. */
static int open_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
	int flags = fd >= 0 ? fcntl(fd, F_GETFL) : -1;
	if (flags >= 0)
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK); /* the writer may wait */
	return fd;
}

static bool is_locked(int fd, struct flock *whose)
{
	*whose = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
	if (!fcntl(fd, F_SETLK, whose) || (errno != EACCES && errno != EAGAIN))
		return false; /* also where its file system has no locks */
	return !fcntl(fd, F_GETLK, whose) && whose->l_type != F_UNLCK;
}

/* A sandbox may let files be made and not cut. */
static bool is_empty(int fd)
{
	struct stat st;
	return !fstat(fd, &st) && !st.st_size;
}

/*
 * Takes what is in a file from an earlier run away, but not from a recording that writes there: of
 * two in one file neither could be read. The lock goes with the process, and is no child's.
 */
static int empty(const struct output *o, struct diag *d)
{
	struct flock whose;
	if (!S_ISREG(o->file.id.type))
		return ERR_NONE;
	if (is_locked(o->file.fd, &whose))
		return diag_set(d, ERR_IO,
			"process %ld is writing to %s: give each recording a file of its own (%%p "
			"in the name is the process's number)",
			(long)whose.l_pid, o->path);
	return is_empty(o->file.fd) || !ftruncate(o->file.fd, 0) ? ERR_NONE
								 : io_error(o, "empty", d);
}

static int begin_file(struct output *o, const struct options *options, struct diag *d)
{
	int err = write_header(o, d);
	if (!err)
		err = open_stretch(o, options, d);
	if (err)
		output_discard(o);
	return err;
}

int output_open(struct output *o, const struct options *options, struct diag *d)
{
	char name[OPTION_PATH];
	memset(o, 0, sizeof(*o));
	int err = options_expand_file(options->file, (long)getpid(),
		(int64_t)(clock_wall().v / 1000000000u), name, sizeof(name), d);
	if (err)
		return err;
	(void)full_path(name, o->path, sizeof(o->path)); /* as it is, where it must be */
	if (!rewritable(o->path))
		return diag_set(d, ERR_DENIED,
			"%s is there and is no trace: it is not written over", o->path);
	o->file = own_fd_take(open_file(o->path));
	if (!own_fd_has(&o->file))
		return io_error(o, "create", d);
	o->compress = options->compress && zstd_load(&o->codec) == ERR_NONE;
	err = empty(o, d);
	if (!err)
		err = begin_file(o, options, d);
	if (err)
		output_close(o);
	return err;
}

/* What a link leads to, and a device, were there before. */
void output_discard(const struct output *o)
{
	if (!o->sequence && own_fd_get(&o->file) >= 0 && S_ISREG(o->file.id.type) &&
		file_id_same(o->file.id, file_id_at(o->path)))
		unlink(o->path);
}

/* Leaves only whole blocks behind. */
static void cut_back(struct output *o)
{
	int fd = own_fd_get(&o->file);
	if (fd < 0 || ftruncate(fd, (off_t)atomic_load(&o->written)))
		return; /* the reader finds the last whole block by itself */
}

static struct ns now_of(const struct recorder *r)
{
	return clock_since(r->start);
}

static int make_room(struct output *o, struct recorder *r, struct diag *d)
{
	if (!stretch_cyclic(&o->stretch))
		return ERR_NONE;
	int err = stretch_make_room(&o->stretch, o->sealed.len, now_of(r));
	if (err == ERR_FULL)
		return diag_set(d, err,
			"the names of the program's sites and threads alone take more of %s than "
			"cyclic= leaves: give it more",
			o->path);
	return err ? io_error(o, "give back space of", d) : ERR_NONE;
}

/* Whether it is still its own. */
static int look(const struct output *o, struct diag *d)
{
	if (own_fd_get(&o->file) >= 0)
		return ERR_NONE;
	return diag_set(d, ERR_IO,
		"can't write the trace %s: the program closed the agent's descriptor of it",
		o->path);
}

/* Writes what is sealed. Where the disk is full a cyclic trace gives of its own. */
static int append(struct output *o, struct diag *d)
{
	struct sink sink = sink_fd(&o->file.fd);
	while (sink.write(sink.arg, o->sealed.at, o->sealed.len)) {
		bool full = errno == ENOSPC || errno == EDQUOT;
		int err = io_error(o, "write", d);
		cut_back(o);
		if (!full || !stretch_cyclic(&o->stretch) || look(o, NULL) ||
			stretch_forget(&o->stretch) ||
			lseek(o->file.fd, (off_t)atomic_load(&o->written), SEEK_SET) < 0)
			return err;
	}
	return ERR_NONE;
}

static int write_block(struct output *o, struct recorder *r, const struct block *b, struct diag *d)
{
	zstd_hurry(&o->codec, b->kind != BLOCK_RECORDS);
	int err = block_seal(b, o->sequence, o->compress ? &o->codec : NULL, &o->sealed);
	if (err)
		return diag_set(d, err, "out of memory while writing the trace %s", o->path);
	err = look(o, d);
	err = err ? err : make_room(o, r, d);
	err = err ? err : append(o, d);
	if (err)
		return err;
	o->sequence++;
	atomic_fetch_add(&o->written, o->sealed.len);
	stretch_wrote(&o->stretch, o->sealed.len, b->last_time, b->kind == BLOCK_CHECKPOINT);
	atomic_store(&o->held, stretch_held(&o->stretch));
	return ERR_NONE;
}

static void put_block(struct output *o, struct recorder *r, const struct block *b)
{
	if (!o->err)
		o->err = write_block(o, r, b, &o->trouble);
}

/* -- Segments -- */

static void put_primer(struct output *o, struct recorder *r, const struct record_segment *s)
{
	const struct record first = {.kind = RECORD_segment, .segment = *s};
	struct block *b = &o->primed;
	size_t site = 0;
	block_reset(b, (struct ns){s->time});
	if (block_append(b, &first))
		return;
	put_block(o, r, b);
	for (size_t i = 0; recorder_primer(r, i, b); i++)
		put_block(o, r, b);
	for (;;) {
		block_reset(b, (struct ns){s->time});
		if (!primer_sums(&r->primer, &site, b))
			return;
		put_block(o, r, b);
	}
}

/* Where it can't begin now it is tried again. */
static void begin_segment(struct output *o, struct recorder *r, uint64_t flags)
{
	struct record_segment s;
	uint32_t blocks;
	bool can = recorder_cut(r, &s, &blocks);
	s.flags = flags;
	o->turning = true;
	for (uint32_t i = 0; i < blocks; i++) {
		struct block *b = recorder_take(r, false);
		put_block(o, r, b);
		recorder_give_back(r, b);
	}
	if (can && !o->err && stretch_begin(&o->stretch, (struct ns){s.time})) {
		put_primer(o, r, &s);
		stretch_begun(&o->stretch);
	}
	o->turning = false;
}

bool output_wants_segment(const struct output *o, const struct recorder *r)
{
	return !o->err && stretch_wants(&o->stretch, now_of(r));
}

void output_segment(struct output *o, struct recorder *r)
{
	if (output_wants_segment(o, r))
		begin_segment(o, r, 0);
}

void output_turn(struct output *o, struct recorder *r, bool waits)
{
	if (!stretch_cyclic(&o->stretch) || o->err)
		return;
	if (stretch_must(&o->stretch, now_of(r)) || (!waits && output_wants_segment(o, r)))
		begin_segment(o, r, 0);
	o->err = o->err ? o->err : look(o, &o->trouble);
	if (!o->err && stretch_make_room(&o->stretch, 0, now_of(r)) == ERR_IO)
		o->err = io_error(o, "give back space of", &o->trouble);
	atomic_store(&o->held, stretch_held(&o->stretch));
}

/* The stretch has but one segment, and that is too large: it can't wait. */
static void begin_if_must(struct output *o, struct recorder *r)
{
	if (!o->turning && !o->err && o->stretch.bytes && stretch_must(&o->stretch, now_of(r)))
		begin_segment(o, r, SEGMENT_AMID);
}

void output_block(struct output *o, struct recorder *r, const struct block *b)
{
	begin_if_must(o, r);
	put_block(o, r, b);
}

int output_drain(struct output *o, struct recorder *r, bool push, struct diag *d)
{
	begin_if_must(o, r);
	for (struct block *b = recorder_take(r, push); b; b = recorder_take(r, false)) {
		put_block(o, r, b);
		recorder_give_back(r, b);
		begin_if_must(o, r);
	}
	return o->err ? diag_set(d, o->err, "%s", o->trouble.text) : ERR_NONE;
}

void output_close(struct output *o)
{
	own_fd_close(&o->file);
	zstd_unload(&o->codec);
	buf_release(&o->sealed);
	block_release(&o->primed);
}
