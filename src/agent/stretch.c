#include "agent/stretch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "trace/block.h"
#include "trace/format.h"

static uint64_t page_down(uint64_t offset)
{
	return offset / STRETCH_PAGE * STRETCH_PAGE;
}

static uint64_t page_up(uint64_t offset)
{
	return page_down(offset + STRETCH_PAGE - 1);
}

/* 0 or ERR_IO. */
static int punch(int fd, uint64_t from, uint64_t to)
{
	int got;
	do
		got = fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
			(off_t)(to - from));
	while (got && errno == EINTR);
	return got ? ERR_IO : ERR_NONE;
}

int stretch_init(
	struct stretch *s, int fd, const struct option_stretch *o, uint64_t begin, struct diag *d)
{
	*s = (struct stretch){.fd = fd,
		.bytes = o->bytes,
		.ns = o->ns,
		.begin = begin,
		.at = {{.offset = begin}},
		.count = 1,
		.end = begin,
		.fixed = begin};
	/* Behind the end of the file, where nothing can be harmed. */
	if (!stretch_cyclic(s) || !punch(fd, begin + STRETCH_PAGE, begin + 2ul * STRETCH_PAGE))
		return ERR_NONE;
	return diag_set(d, ERR_UNSUPPORTED,
		"cyclic=%s needs a file system that takes back a part of a file, and the trace's "
		"does not (%s): put it elsewhere",
		o->text, strerror(errno));
}

static const struct segment *last(const struct stretch *s)
{
	return &s->at[s->count - 1];
}

static bool older(uint64_t time, uint64_t by, struct ns now)
{
	return now.v > time && now.v - time >= by;
}

/* What segments begin with shall not be more than half of the file. */
bool stretch_wants(const struct stretch *s, struct ns now)
{
	uint64_t told = s->end - s->fixed - s->checkpoints;
	bool enough = told >= s->fixed - last(s)->offset + s->checkpoints;
	if (s->bytes)
		return told >= s->bytes / STRETCH_PARTS && enough;
	return s->ns && older(last(s)->time, s->ns / STRETCH_PARTS, now) &&
	       (enough || older(last(s)->time, s->ns / STRETCH_HALF, now));
}

bool stretch_must(const struct stretch *s, struct ns now)
{
	if (s->bytes)
		return s->end - s->fixed >= s->bytes / STRETCH_HALF;
	return s->ns && older(last(s)->time, s->ns * STRETCH_WAIT, now);
}

bool stretch_begin(struct stretch *s, struct ns now)
{
	if (s->count == STRETCH_SEGMENTS || s->end == last(s)->offset)
		return false;
	s->at[s->count++] = (struct segment){s->end, now.v, s->last_time, s->blocks};
	s->fixed = s->end;
	s->checkpoints = 0;
	return true;
}

void stretch_begun(struct stretch *s)
{
	s->fixed = s->end;
}

void stretch_wrote(struct stretch *s, uint64_t bytes, uint64_t last_time, bool checkpoint)
{
	s->end += bytes;
	s->checkpoints += checkpoint ? bytes : 0;
	s->last_time = last_time > s->last_time ? last_time : s->last_time;
	s->blocks++;
}

uint64_t stretch_held(const struct stretch *s)
{
	uint64_t front = page_down(s->at[0].offset);
	return page_up(s->end) - (front > STRETCH_PAGE ? front - STRETCH_PAGE : 0);
}

/*
 * The gap's header stands in one page, so that it is written all at once or not at all, whenever
 * the process is killed: 48 bytes behind the file's header, which has 32.
 */
static int put_gap(const struct stretch *s, const struct segment *to)
{
	uint8_t bytes[BLOCK_HEADER];
	struct buf out = {.at = bytes, .room = sizeof(bytes)};
	gap_put(&out, &(const struct gap){.bytes = to->offset - s->begin - BLOCK_HEADER,
			      .last_time = to->last_time,
			      .blocks = to->blocks});
	ssize_t n;
	do
		n = pwrite(s->fd, bytes, sizeof(bytes), (off_t)s->begin);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(bytes) ? ERR_NONE : ERR_IO;
}

int stretch_forget(struct stretch *s)
{
	uint64_t behind = s->begin + BLOCK_HEADER, from = page_down(s->at[0].offset);
	if (s->count < 2)
		return ERR_FULL;
	int err = put_gap(s, &s->at[1]);
	if (err)
		return err;
	memmove(s->at, s->at + 1, --s->count * sizeof(*s->at));
	return punch(s->fd, from > behind ? from : behind, s->at[0].offset);
}

static bool too_old(const struct stretch *s, struct ns now)
{
	return s->ns && s->count > 1 && older(s->at[1].time, s->ns, now);
}

static bool too_large(const struct stretch *s, uint64_t more)
{
	return s->bytes && stretch_held(s) + page_up(more) > s->bytes;
}

int stretch_make_room(struct stretch *s, uint64_t more, struct ns now)
{
	int err = ERR_NONE;
	while (!err && (too_old(s, now) || too_large(s, more)))
		err = stretch_forget(s);
	return err;
}
