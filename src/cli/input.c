#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "trace/sink.h"

bool input_is_standard(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* From then on it is standard input itself that can be read at an offset, and again. */
static int keep(struct diag *d)
{
	FILE *kept = tmpfile();
	if (!kept)
		return diag_set(d, ERR_IO, "standard input can't be kept: %s", strerror(errno));
	int fd = fileno(kept), err = sink_copy(sink_fd(&fd), STDIN_FILENO);
	if (!err && dup2(fd, STDIN_FILENO) < 0)
		err = ERR_IO;
	if (err)
		diag_set(d, err, "standard input can't be kept: %s", strerror(errno));
	fclose(kept);
	return err;
}

static int settle(struct diag *d)
{
	struct stat st;
	if (isatty(STDIN_FILENO))
		return diag_set(d, ERR_UNSUPPORTED,
			"standard input is a terminal, and no trace comes from there");
	if (fstat(STDIN_FILENO, &st) || read(STDIN_FILENO, &st, 0) < 0)
		return diag_set(d, ERR_IO, "standard input: %s", strerror(errno));
	return S_ISREG(st.st_mode) ? ERR_NONE : keep(d);
}

int input_open(struct source *s, const char *path, struct diag *d)
{
	*s = (struct source){0};
	if (!input_is_standard(path))
		return source_open_file(s, path, d);
	int err = settle(d);
	if (err)
		return err;
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd < 0)
		return diag_set(d, ERR_IO, "standard input: %s", strerror(errno));
	err = source_open_fd(s, fd);
	if (!err)
		return ERR_NONE;
	close(fd);
	return diag_set(d, err, "standard input: %s", err_text(err));
}
