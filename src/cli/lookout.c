#include "cli/lookout.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"
#include "cli/watch.h"
#include "trace/format.h"

#define SECOND  1000000000u
#define SILENT  (3ull * SECOND) /* an agent writes once a second */
#define MINUTES (600ull * SECOND)

/* -- Readings -- */

/* Rows by thread, or filtered by it, need a ledger that tells threads apart. */
static bool wants_threads(const struct lookout *l)
{
	struct query q = state_query(&l->state);
	return query_by_thread(&q);
}

static bool has_all(const struct lookout *l)
{
	return l->reading && (l->reading->by_thread || !wants_threads(l));
}

static uint64_t due(const struct lookout *l)
{
	uint64_t rest = FOLLOW_REST * l->follow.cost;
	return l->taken + (rest > l->state.every.v ? rest : l->state.every.v);
}

static bool wants_reading(const struct lookout *l)
{
	if (!has_all(l) && !l->trouble.text[0])
		return true;
	return !l->state.paused && clock_now().v >= due(l) && follow_grown(&l->follow);
}

/* A held view does not move, whatever was still being read. */
static bool may_take(const struct lookout *l)
{
	return l->follow.running && (!l->state.paused || !has_all(l));
}

static struct sight sight_of(const struct lookout *l)
{
	struct sight s = {.name = l->name,
		.status = l->status,
		.look = {.utf8 = l->utf8, .color = true}}; /* tones: the terminal decides */
	if (!l->reading)
		return s;
	s.model = &l->reading->load.model;
	s.ledger = &l->reading->advising.log.ledger;
	s.notes = &l->reading->notes;
	s.advise = &l->reading->advising.advise;
	s.advise_notes = &l->reading->advising.notes;
	return s;
}

static int refresh(struct lookout *l)
{
	struct sight s = sight_of(l);
	return scene_refresh(&l->scene, &s, &l->state);
}

/* The new reading takes the place of the old one, which stays where it failed. */
static int take(struct lookout *l)
{
	struct reading *r;
	l->trouble.text[0] = '\0';
	int err = follow_take(&l->follow, &r, &l->trouble);
	l->taken = clock_now().v;
	if (err)
		return l->reading ? ERR_NONE : err;
	if (!r->by_thread && wants_threads(l)) { /* that was asked for meanwhile */
		reading_free(r);
		return ERR_NONE;
	}
	struct reading *old = l->reading;
	l->reading = r;
	err = refresh(l);
	reading_free(old);
	return err;
}

/* -- What the first line says of it -- */

static const char *end_of(uint64_t reason)
{
	static const char *const words[] = {[END_VM] = "the program has ended",
		[END_STOPPED] = "the recording was stopped",
		[END_DURATION] = "the recording's time is over",
		[END_TROUBLE] = "the agent switched itself off"};
	return reason < ARRAY_SIZE(words) ? words[reason] : "the recording has ended";
}

static void find_status(struct lookout *l)
{
	char time[UNITS_MAX];
	uint64_t silence = follow_silence(&l->follow);
	const char *text = "";
	l->status[0] = '\0';
	if (l->trouble.text[0])
		text = l->trouble.text;
	else if (l->follow.running && !has_all(l))
		text = "reading";
	else if (l->reading && l->reading->load.model.complete)
		text = end_of(l->reading->load.model.end_reason);
	else if (l->pid && watch_gone(l->pidfd, l->pid))
		text = "the program has ended";
	else if (silence > SILENT && silence < MINUTES)
		snprintf(l->status, sizeof(l->status), "nothing new for %llu s",
			(unsigned long long)(silence / SECOND));
	else if (silence > SILENT)
		snprintf(l->status, sizeof(l->status), "nothing new for %s",
			units_time((double)silence, time));
	if (*text)
		snprintf(l->status, sizeof(l->status), "%s", text);
}

/* -- The screen -- */

static int fit_grid(struct lookout *l)
{
	int rows = 0, columns = 0;
	terminal_size(&rows, &columns);
	if (l->grid.rows == rows && l->grid.columns == columns)
		return ERR_NONE;
	grid_release(&l->grid);
	return grid_init(&l->grid, rows, columns);
}

static int draw(struct lookout *l)
{
	int err = fit_grid(l);
	if (err)
		return err;
	find_status(l);
	struct sight s = sight_of(l);
	err = scene_draw(&l->scene, &s, &l->state, &l->grid);
	err = err ? err : terminal_draw(&l->terminal, &l->grid, l->state.redraw);
	l->state.redraw = false;
	return err;
}

/* -- Waiting -- */

/* Until the next reading is due; a second at most, for the time in the first line. */
static struct timespec patience(const struct lookout *l)
{
	uint64_t now = clock_now().v, at = due(l);
	if (l->follow.running || l->state.paused || at <= now || at - now > SECOND)
		return (struct timespec){.tv_sec = 1};
	return (struct timespec){.tv_nsec = (long)((at - now) % SECOND)};
}

static void read_keys(struct lookout *l, short events)
{
	uint32_t key;
	while ((key = terminal_key()) != KEYS_NONE)
		state_key(&l->state, key);
	if (events & (POLLHUP | POLLERR | POLLNVAL))
		state_key(&l->state, KEYS_LOST);
}

/* `open`: the signals that are let through meanwhile. */
static int wait_and_act(struct lookout *l, const sigset_t *open)
{
	struct timespec timeout = patience(l);
	bool gone = l->pidfd >= 0 && watch_gone(l->pidfd, l->pid);
	struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
		{.fd = may_take(l) ? l->follow.done : -1, .events = POLLIN},
		{.fd = gone ? -1 : l->pidfd, .events = POLLIN}};
	int err = ERR_NONE;
	if (ppoll(fds, ARRAY_SIZE(fds), &timeout, open) < 0)
		fds[0].revents = fds[1].revents = 0; /* a signal */
	if (fds[1].revents & POLLIN)
		err = take(l);
	read_keys(l, fds[0].revents);
	if (!err && l->state.changed && has_all(l))
		err = refresh(l);
	return err;
}

static int work(struct lookout *l, const sigset_t *open, struct diag *d)
{
	int err = ERR_NONE;
	while (!err && !l->state.quit && !watch_interrupted()) {
		if (!l->follow.running && wants_reading(l))
			err = follow_begin(&l->follow, wants_threads(l), d);
		err = err ? err : draw(l);
		err = err ? err : wait_and_act(l, open);
	}
	if (err && !d->text[0])
		diag_set(d, err, "%s", l->trouble.text[0] ? l->trouble.text : err_text(err));
	return err;
}

static void release(struct lookout *l)
{
	terminal_close(&l->terminal);
	follow_release(&l->follow);
	scene_release(&l->scene);
	reading_free(l->reading);
	l->reading = NULL;
	grid_release(&l->grid);
	if (l->pidfd >= 0)
		close(l->pidfd);
}

static int begin(struct lookout *l, struct diag *d)
{
	int err = follow_init(&l->follow, l->path, d);
	if (err)
		return err;
	l->pidfd = l->pid ? watch_open(l->pid) : -1;
	err = terminal_open(&l->terminal, l->color, d);
	if (err)
		release(l);
	return err;
}

int lookout_run(struct lookout *l, struct diag *d)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGWINCH};
	sigset_t closed, open;
	watch_signals();
	sigemptyset(&closed);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&closed, signals[i]);
	sigprocmask(SIG_BLOCK, &closed, &open);
	int err = begin(l, d);
	if (!err) {
		err = work(l, &open, d);
		release(l);
	}
	sigprocmask(SIG_SETMASK, &open, NULL);
	return err;
}
