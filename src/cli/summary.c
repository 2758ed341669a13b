#include "cli/summary.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/quoting.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/control.h"
#include "cli/load.h"
#include "cli/place.h"
#include "report/story_view.h"
#include "report/text.h"
#include "trace/format.h"

static const struct ns status_time = {2000000000ull};

int ending_set_output(void *arg, const char *value, struct diag *d)
{
	return recording_set(&((struct ending *)arg)->recording, "file", value, d);
}

int ending_set_report(void *arg, const char *value, struct diag *d)
{
	(void)value, (void)d;
	((struct ending *)arg)->show = SHOW_REPORT;
	return ERR_NONE;
}

int ending_set_no_report(void *arg, const char *value, struct diag *d)
{
	(void)value, (void)d;
	((struct ending *)arg)->show = SHOW_LINE;
	return ERR_NONE;
}

/* A path below the current folder is shown as seen from there. */
static const char *from_here(const char *path)
{
	char cwd[PATH_MAX];
	size_t len = getcwd(cwd, sizeof(cwd)) ? strlen(cwd) : 0;
	bool below = len > 1 && strncmp(path, cwd, len) == 0 && path[len] == '/' &&
		     path[len + 1] != '-'; /* which would be an option */
	return below ? path + len + 1 : path;
}

/* Whether an agent still writes this trace: a daemon outlives the command that started it. */
static bool still_records(const char *path, const struct outcome *o)
{
	struct control_reply reply;
	struct diag d;
	char socket[CONTROL_PATH_MAX], file[PATH_MAX];
	if (!o->pid)
		return false;
	control_path(o->pid, o->pid, "", socket, sizeof(socket));
	return control_ask(socket, "status", status_time, &reply, &d) == ERR_NONE &&
	       control_value(&reply, "file", file, sizeof(file)) && strcmp(file, path) == 0;
}

static int tell_incomplete(const char *path, const struct outcome *o)
{
	char whole[UNITS_MAX];
	units_time((double)o->ns, whole);
	if (still_records(path, o)) {
		cli_note("process %ld runs on, and so does its recording: `mayfly attach %ld "
			 "--stop` ends that",
			(long)o->pid, (long)o->pid);
		return EXIT_OK;
	}
	if (o->runs)
		return cli_fail("the program runs on, but its trace could not be written any more "
				"(its stderr says why): it has no end, and is whole up to %s",
			whole);
	cli_note("the trace has no end, and is whole up to %s: the program was killed, or the "
		 "trace could not be written any more (then the agent says so above)",
		whole);
	return o->ended && !place_locked(path) ? EXIT_FAILED : EXIT_OK;
}

/* A note that the story of tenure says too. */
static bool is_story(const char *view, const char *note)
{
	static const char off[] = "tenure is off: ";
	return view && strncmp(note, off, sizeof(off) - 1) == 0;
}

/* The agent made its file, and nothing came into it: the VM did not start, since its heap can't be
 * had, say, or there was no room for a first block.
 */
static bool is_bare(const char *path, const struct outcome *o)
{
	return o->ended && !o->complete && o->bytes <= FILE_HEADER && !place_locked(path);
}

int summary_line(const char *path, const struct outcome *o, const char *view)
{
	if (is_bare(path, o))
		return cli_fail(
			"nothing was recorded: the JVM ended before it had started, or the "
			"trace could not be written (what is said about that stands above), or the "
			"program was killed early; %s holds nothing",
			from_here(path));
	char text[200];
	struct buf word = {0}, shown = {0};
	quoting_put(&word, from_here(path));
	text_clean(&shown, slice_str(from_here(path)));
	outcome_text(o, text, sizeof(text));
	fflush(stdout);
	fprintf(stderr, "mayfly: wrote %s (%s); read it with: mayfly report %s%s%s\n",
		buf_text(&shown), text, view ? view : "", view ? " " : "", buf_text(&word));
	int status = o->complete ? EXIT_OK : tell_incomplete(path, o);
	if (o->lost)
		cli_note("%" PRIu64 " samples were lost; mayfly check %s has the reasons", o->lost,
			buf_text(&word));
	buf_release(&word);
	buf_release(&shown);
	if (o->note[0] && !is_story(view, o->note))
		cli_note("%s", o->note);
	if (o->complete && o->reason == END_TROUBLE)
		return cli_fail("the agent switched itself off before the end, so the recording is "
				"not whole");
	return status;
}

/* What tenure came to, in a line; nothing where the trace can't be read. */
static void tell_story(const char *path)
{
	static const struct look look = {.utf8 = false};
	struct load load;
	struct story story;
	struct buf line = {0};
	struct diag d;
	if (load_open(&load, path, &d))
		return;
	if (!load_replay(&load, NULL, &d) && !story_find(&story, &load.model)) {
		story_put_summary(&line, &look, &story);
		story_release(&story);
	}
	if (line.len)
		cli_note("%s", buf_text(&line));
	buf_release(&line);
	load_close(&load);
}

static void report(const char *path, const char *view)
{
	char name[] = "report", file[PATH_MAX], option[16] = "";
	snprintf(file, sizeof(file), "%s", from_here(path));
	snprintf(option, sizeof(option), "%s", view ? view : "");
	if (view)
		cmd_report(3, (char *[]){name, option, file, NULL});
	else
		cmd_report(2, (char *[]){name, file, NULL});
}

int summary_show(const char *path, const struct outcome *o, const struct ending *e, enum show show)
{
	int status = summary_line(path, o, e->view);
	bool wanted = show == SHOW_REPORT || (show == SHOW_AUTO && isatty(STDOUT_FILENO));
	/* Without samples there are no rows, but a story all the same: why there is none. */
	if (wanted && (o->samples || e->view))
		report(path, e->view);
	else if (e->view && !is_bare(path, o))
		tell_story(path);
	return status;
}
