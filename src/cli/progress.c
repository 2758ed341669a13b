#include "cli/progress.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "cli/cli.h"

void progress_text(uint64_t done, uint64_t size, char out[PROGRESS_TEXT])
{
	double share = done < size ? (double)done / (double)size : 1;
	snprintf(out, PROGRESS_TEXT, "reading %3d %%", (int)(share * 100));
}

void progress_at(struct progress *p, struct ns now, uint64_t done)
{
	char text[PROGRESS_TEXT];
	if (!p->out || now.v - p->begin.v < PROGRESS_AFTER || now.v - p->drawn.v < PROGRESS_EVERY)
		return;
	progress_text(done, p->size, text);
	fprintf(p->out, "\r%s\033[K", text);
	fflush(p->out);
	p->drawn = now;
	p->shown = true;
}

void progress_clear(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", p->out);
	fflush(p->out);
	p->shown = false;
}

static int read_and_tell(void *arg, uint64_t offset, void *out, size_t len, size_t *got)
{
	struct progress *p = arg;
	int err = p->inner.read(p->inner.arg, offset, out, len, got);
	if (p->out)
		progress_at(p, clock_now(), offset + *got);
	return err;
}

static void close_inner(void *arg)
{
	struct progress *p = arg;
	progress_clear(p);
	source_close(&p->inner);
}

void progress_watch(struct progress *p, struct source *s, uint64_t size, FILE *out)
{
	struct ns now = clock_now();
	*p = (struct progress){.inner = *s, .out = out, .size = size, .begin = now, .drawn = now};
	*s = (struct source){.read = read_and_tell, .close = close_inner, .arg = p};
}

void progress_watch_file(struct progress *p, struct source *s, const char *path)
{
	struct stat st;
	bool sized = stat(path, &st) == 0 && st.st_size > 0;
	progress_watch(
		p, s, sized ? (uint64_t)st.st_size : 0, sized && cli_fancy(stderr) ? stderr : NULL);
}
