/*
 * Talks to an agent over its control socket (doc/control.md). What comes back is another
 * process's text: it is bounded, and unprintable bytes are taken out before it is shown.
 */
#ifndef CLI_CONTROL_H
#define CLI_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/types.h"

enum { CONTROL_REPLY_MAX = 16384, CONTROL_PATH_MAX = 256 };

struct control_reply {
	char text[CONTROL_REPLY_MAX]; /* the `name value` lines behind the first */
};

/*
 * Where the agent of a process listens, as seen from here: in the /tmp that the process sees,
 * named by the id that it sees, or at `named` (its `control` option) where that is not empty.
 */
void control_path(pid_t pid, pid_t own_pid, const char *named, char *out, size_t room);

/* Whether a socket can have that path, as seen from here: 0 or ERR_LIMIT, with a sentence. */
int control_check(const char *path, struct diag *d);

/*
 * Sends one request and reads the whole reply within the time. 0 where the agent said ok. Its
 * `error NUMBER SENTENCE` comes back as that error with that sentence. ERR_GONE: nothing listens
 * there, or it hung up (it is just ending); ERR_DENIED, ERR_TIMEOUT, ERR_FORMAT (not an agent's
 * answer), ERR_LIMIT, ERR_IO.
 */
int control_ask(const char *path, const char *request, struct ns timeout,
	struct control_reply *reply, struct diag *d);

/* Reads a whole reply as control_ask does. For it, and for tests. */
int control_parse(char *text, size_t len, struct control_reply *reply, struct diag *d);

/* The value of a name in the reply, copied to out. Whether it is there. */
bool control_value(const struct control_reply *reply, const char *name, char *out, size_t room);
/* The same as a number; 0 where it is not there or is none. */
uint64_t control_number(const struct control_reply *reply, const char *name);

#endif
