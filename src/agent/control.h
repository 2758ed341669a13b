/*
 * The control socket (doc/control.md): one request a connection, answered by the writer thread.
 * Bounded in time: a client that does not finish its line in a second is dropped.
 */
#ifndef AGENT_CONTROL_H
#define AGENT_CONTROL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/own_fd.h"
#include "base/types.h"
#include "options/options.h"

enum request {
	REQUEST_NONE,
	REQUEST_STATUS,
	REQUEST_START,
	REQUEST_STOP,
	REQUEST_FLUSH,
	REQUEST_HEAP,
	REQUEST_HEAP_GC
};

struct control {
	struct own_fd listener;
	struct own_fd client; /* of the request being answered */
	struct ns rests;      /* until then: whoever knocks can't be let in */
	char path[PATH_MAX];  /* of the socket, from the root on, */
	struct file_id file;  /* which is this one */
};

/* Listens at the path ("": the usual one for this process; "none": nowhere). A file that is left
 * over is replaced only if it is our own socket and nobody answers. 0, ERR_IO, ERR_BUSY, ERR_LIMIT.
 */
int control_open(struct control *c, const char *path, struct diag *d);
/* Closes and removes the socket. */
void control_close(struct control *c);
/* Whether the program has closed it, and this is the first time to say so; its file is gone then.
 */
bool control_lost(struct control *c);

/* What is to be polled for reading; -1: nothing. Where the program has no descriptor left the
 * listener would be ready again at once, and so for as long as that lasts. */
int control_awaits(const struct control *c, struct ns now);
/* After the listener became readable: accepts, checks the peer, reads the line. What is unknown is
 * answered here and gives REQUEST_NONE. */
enum request control_accept(struct control *c);
/* Answers and closes the connection: "ok\n" and the lines of `body` (may be NULL), or the error. */
void control_answer(struct control *c, int err, const char *sentence, struct buf *body);

#endif
