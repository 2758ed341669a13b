/*
 * A descriptor that is kept for long in a process whose program may close what is not its own: as a
 * daemon all from 3 on, or one number twice. Its number may be a file's or a socket's of the
 * program's then, so what was opened is remembered, and looked at before each use. Between the look
 * and the use a moment is left, in which nothing can be done about it.
 *
 * Of no use for eventfds, timers and their like: they all are one inode.
 */
#ifndef BASE_OWN_FD_H
#define BASE_OWN_FD_H

#include <stdbool.h>
#include <sys/types.h>

/* What a file is, however it is called or reached. */
struct file_id {
	dev_t device;
	ino_t inode;
	mode_t type; /* S_IFMT of its mode; 0: there is none */
};

struct own_fd {
	int fd;
	struct file_id id;
}; /* all zeros: none */

/* Of the path itself, not of what a link there leads to. */
struct file_id file_id_at(const char *path);
bool file_id_same(struct file_id a, struct file_id b);

/* Takes over what was just opened; of a negative number: none. */
struct own_fd own_fd_take(int fd);
/* Whether there is one, be it closed by others meanwhile. */
static inline bool own_fd_has(const struct own_fd *o)
{
	return o->id.type != 0;
}
/* Its number, for what is done with it at once; -1, and errno EBADF: there is none, or it was
 * closed by others. Safe in a signal's handler. */
int own_fd_get(const struct own_fd *o);
/* Closes it, where it is what it was. There is none then. */
void own_fd_close(struct own_fd *o);

#endif
