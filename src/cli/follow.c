#include "cli/follow.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "model/fan.h"

void reading_free(struct reading *r)
{
	if (!r)
		return;
	if (r->opened)
		load_close(&r->load);
	advising_release(&r->advising);
	notes_release(&r->notes);
	mem_free(r);
}

/* -- In the thread -- */

static int stop_if_cancelled(void *arg, const struct model *m, const struct sample *s)
{
	struct follow *f = arg;
	(void)m, (void)s;
	return atomic_load_explicit(&f->cancelled, memory_order_relaxed) ? ERR_GONE : ERR_NONE;
}

static int replay(struct follow *f, struct reading *r)
{
	struct fan fan = {
		.to = {{.arg = f, .on_sample = stop_if_cancelled}, advising_listener(&r->advising)},
		.count = 2};
	struct listener listener = fan_listener(&fan);
	r->load.progress.out = NULL; /* the screen is not its own */
	int err = load_replay(&r->load, &listener, &f->made.diag);
	err = err ? err : advising_find(&r->advising, &r->load.model);
	err = err ? err : notes_find(&r->notes, &r->load.model);
	return err ? err : leaves_notes(&r->notes, &r->advising.log.ledger);
}

static int read_all(struct follow *f, struct reading *r)
{
	struct advise_query q = advising_query();
	int err = load_open(&r->load, f->path, &f->made.diag);
	r->opened = err == ERR_NONE;
	if (err)
		return err;
	advising_init(&r->advising, &q, f->by_thread);
	r->advising.log.ledger.clocks = CLOCKS_ALL;
	r->by_thread = f->by_thread;
	return replay(f, r);
}

static void *run(void *arg)
{
	struct follow *f = arg;
	uint64_t before = clock_cpu().v, one = 1;
	struct reading *r = mem_zalloc(1, sizeof(*r));
	f->made.diag.text[0] = '\0';
	f->made.err = r ? read_all(f, r) : ERR_NOMEM;
	f->made.cost = clock_cpu().v - before;
	if (f->made.err) {
		reading_free(r);
		r = NULL;
	}
	f->made.reading = r;
	if (write(f->done, &one, sizeof(one)) != sizeof(one))
		f->made.cost = 0; /* it can't fail: the counter is far from full */
	return NULL;
}

/* -- Outside -- */

int follow_init(struct follow *f, const char *path, struct diag *d)
{
	*f = (struct follow){.path = path};
	atomic_init(&f->cancelled, false);
	f->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return f->done < 0 ? diag_set(d, ERR_IO, "no descriptor to be had: %s", strerror(errno))
			   : ERR_NONE;
}

void follow_release(struct follow *f)
{
	struct reading *r = NULL;
	atomic_store(&f->cancelled, true);
	follow_take(f, &r, NULL);
	reading_free(r);
	if (f->done >= 0)
		close(f->done);
	f->done = -1;
}

static void look(const struct follow *f, uint64_t *size, uint64_t *changed)
{
	struct stat st;
	*size = *changed = 0;
	if (stat(f->path, &st))
		return;
	*size = (uint64_t)st.st_size;
	*changed = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
}

bool follow_grown(const struct follow *f)
{
	uint64_t size, changed;
	look(f, &size, &changed);
	return size != f->size || changed != f->changed;
}

uint64_t follow_silence(const struct follow *f)
{
	uint64_t size, changed, now = clock_wall().v;
	look(f, &size, &changed);
	return changed && now > changed ? now - changed : 0;
}

/* The thread takes none of the signals. */
int follow_begin(struct follow *f, bool by_thread, struct diag *d)
{
	sigset_t all, before;
	if (f->running)
		return ERR_NONE;
	look(f, &f->size, &f->changed);
	f->by_thread = by_thread;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int why = pthread_create(&f->thread, NULL, run, f);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	f->running = why == 0;
	return why ? diag_set(d, ERR_IO, "no thread to be had: %s", strerror(why)) : ERR_NONE;
}

int follow_take(struct follow *f, struct reading **out, struct diag *d)
{
	uint64_t count;
	*out = NULL;
	if (!f->running)
		return ERR_NONE;
	pthread_join(f->thread, NULL);
	f->running = false;
	if (read(f->done, &count, sizeof(count)) != sizeof(count))
		return diag_set(d, ERR_INTERNAL, "%s", err_text(ERR_INTERNAL));
	*out = f->made.reading;
	f->made.reading = NULL;
	f->cost = f->made.cost;
	if (f->made.err)
		return diag_set(d, f->made.err, "%s",
			f->made.diag.text[0] ? f->made.diag.text : err_text(f->made.err));
	return ERR_NONE;
}
