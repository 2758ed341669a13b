#include "cli/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"
#include "tenure/decisions.h"

TEST(gathers_what_was_set)
{
	struct recording r;
	struct options o;
	struct diag d = {""};
	char text[256];
	recording_init(&r);
	EXPECT_INT(0, recording_set(&r, "interval", "64k", &d));
	EXPECT_INT(0, recording_set(&r, "include", "a.*", &d));
	EXPECT_INT(0, recording_set(&r, "include", "b,c", &d));
	EXPECT_INT(0, recording_set(&r, "file", "elsewhere.mfly", &d));
	EXPECT_INT(65536, r.options.interval);
	EXPECT_STR("elsewhere.mfly", r.options.file);
	EXPECT_INT(0, recording_string(&r, "/tmp/x,y.mfly", text, sizeof(text), &d));
	EXPECT_STR("interval=64k,include=a.*,include=b\\,c,file=/tmp/x\\,y.mfly", text);
	options_init(&o);
	EXPECT_INT(0, options_parse(&o, text, &d));
	EXPECT_STR("/tmp/x,y.mfly", o.file);
	EXPECT_STR("a.*:b,c", o.include);
}

TEST(mistakes)
{
	struct recording r;
	struct diag d = {""};
	recording_init(&r);
	EXPECT_INT(ERR_FORMAT, recording_set(&r, "interval", "512x", &d));
	EXPECT(strstr(d.text, "512x") != NULL);
	EXPECT_INT(ERR_FORMAT, recording_set(&r, "thread", "worker-(", &d));
	EXPECT(strstr(d.text, "worker-(") != NULL);
	EXPECT_INT(ERR_FORMAT, recording_set(&r, "file", "a-%q.mfly", &d));
	EXPECT_STR("a-%q.mfly: only %p, %t and %% can stand in a file name", d.text);
	EXPECT_INT(ERR_FORMAT, recording_set(&r, "file", "", &d));
	EXPECT_INT(0, recording_set(&r, "thread", "worker-[0-9]+", &d));
	EXPECT_STR("thread=worker-[0-9]+", r.text);
}

TEST(too_much)
{
	struct recording r;
	struct diag d = {""};
	char value[200], small[32];
	memset(value, ',', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	recording_init(&r);
	int err = 0;
	for (int i = 0; i < 100 && !err; i++)
		err = recording_set(&r, "thread", value, &d);
	EXPECT_INT(ERR_LIMIT, err);
	EXPECT_INT(ERR_LIMIT, recording_string(&r, "f", small, sizeof(small), &d));
	recording_init(&r);
	EXPECT_INT(ERR_LIMIT, recording_string(&r, "a-name-that-does-not-fit-in-there", small,
				      sizeof(small), &d));
}

static int together(
	const char *name, const char *value, const char *other, const char *its, struct diag *d)
{
	struct recording r;
	recording_init(&r);
	EXPECT_INT(0, recording_set(&r, name, value, d));
	if (other)
		EXPECT_INT(0, recording_set(&r, other, its, d));
	return recording_check(&r, d);
}

TEST(what_can_be_asked_for_together)
{
	struct diag d = {""};
	EXPECT_INT(ERR_USAGE, together("every", "4", NULL, NULL, &d));
	EXPECT_STR("--every needs --exact: call paths are walked where allocations are counted",
		d.text);
	EXPECT_INT(0, together("every", "4", "exact", "trace", &d));
	EXPECT_INT(ERR_USAGE, together("every", "4", "exact", "no", &d));
	EXPECT_INT(ERR_USAGE, together("audit", "yes", NULL, NULL, &d));
	EXPECT_INT(0, together("audit", "yes", "exact", "yes", &d));
	EXPECT_INT(ERR_USAGE, together("decisions", "a.json", NULL, NULL, &d));
	EXPECT_INT(0, together("decisions", "a.json", "tenure", "apply", &d));
	EXPECT_INT(ERR_USAGE, together("decisions", "", "tenure", "yes", &d));
	EXPECT_INT(ERR_USAGE, together("tenure-round", "8", "exact", "yes", &d));
	EXPECT_INT(0, together("tenure-round", "8", "tenure", "learn", &d));
	EXPECT_INT(ERR_USAGE, together("thread", "main", "exact", "yes", &d));
	EXPECT_INT(ERR_USAGE, together("include", "a.*", "exact", "require", &d));
	EXPECT_INT(ERR_USAGE, together("exclude", "a.*", "exact", "trace", &d));
	EXPECT_INT(0, together("exclude", "a.*", "tenure", "yes", &d));
	EXPECT_INT(ERR_USAGE, together("engine", "nop", "exact", "yes", &d));
	EXPECT_INT(ERR_USAGE, together("engine", "nop", "tenure", "yes", &d));
	EXPECT_INT(0, together("engine", "nop", "interval", "64k", &d));
}

TEST(a_word_that_was_meant_as_a_value)
{
	struct recording r;
	struct diag d = {""};
	recording_init(&r);
	EXPECT(recording_meant(&r, "trace") == NULL);
	EXPECT_INT(0, recording_set(&r, "exact", "yes", &d));
	EXPECT_STR("exact", recording_meant(&r, "trace"));
	EXPECT(recording_meant(&r, "learn") == NULL && recording_meant(&r, "java") == NULL);
	EXPECT_INT(0, recording_set(&r, "tenure", "yes", &d));
	EXPECT_STR("tenure", recording_meant(&r, "learn"));
}

static int settle(const char *decisions, const char *tenure, struct recording *r, struct diag *d)
{
	recording_init(r);
	d->text[0] = '\0';
	EXPECT_INT(0, recording_set(r, "tenure", tenure, d));
	EXPECT_INT(0, recording_set(r, "decisions", decisions, d));
	return recording_settle(r, d);
}

TEST(decisions_get_an_absolute_path)
{
	struct recording r;
	struct diag d = {""};
	char folder[] = "/tmp/mayfly-recording-XXXXXX", want[300];
	EXPECT(mkdtemp(folder) && chdir(folder) == 0);
	recording_init(&r);
	EXPECT_INT(0, recording_settle(&r, &d));
	EXPECT_STR("", r.text);
	EXPECT_INT(0, settle("a,b.json", "yes", &r, &d));
	snprintf(want, sizeof(want), "%s/a,b.json", folder);
	EXPECT_STR(want, r.options.decisions);
	snprintf(want, sizeof(want), "tenure=yes,decisions=a\\,b.json,decisions=%s/a\\,b.json",
		folder);
	EXPECT_STR(want, r.text);
	EXPECT_INT(0, settle("/tmp/c.json", "learn", &r, &d));
	EXPECT_STR("tenure=learn,decisions=/tmp/c.json", r.text);
	EXPECT_INT(ERR_NOT_FOUND, settle("c.json", "apply", &r, &d));
	EXPECT_INT(ERR_NOT_FOUND, settle("nowhere/c.json", "yes", &r, &d));
	EXPECT_INT(ERR_FORMAT, settle(folder, "yes", &r, &d));
	/* It is written where a link leads, be it there yet or not. */
	EXPECT(symlink("/nowhere/c.json", "link.json") == 0);
	EXPECT_INT(ERR_NOT_FOUND, settle("link.json", "yes", &r, &d));
	EXPECT(unlink("link.json") == 0 && symlink("../c.json", "link.json") == 0);
	EXPECT_INT(0, settle("link.json", "yes", &r, &d));
	EXPECT(unlink("link.json") == 0);
	EXPECT(chdir("/") == 0 && rmdir(folder) == 0);
}

/* How a file of decisions with this text is taken; room: blanks behind it, up to so many bytes. */
static int settle_text(const char *text, size_t room, struct diag *d)
{
	struct recording r;
	char path[] = "/tmp/mayfly-decisions-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	for (size_t i = (size_t)fprintf(f, "%s", text); i < room; i++)
		fputc(' ', f);
	fclose(f);
	int err = settle(path, "apply", &r, d);
	unlink(path);
	return err;
}

TEST(a_decisions_file_that_says_nothing_is_refused)
{
	struct diag d = {""};
	const char *good = "{\"mayfly\": 1, \"threshold\": 2, \"decisions\": []}";
	EXPECT_INT(0, settle_text(good, 0, &d));
	EXPECT_INT(0, settle_text(good, DECISIONS_BYTES, &d));
	EXPECT_INT(ERR_LIMIT, settle_text(good, DECISIONS_BYTES + 1, &d));
	EXPECT_INT(ERR_FORMAT, settle_text("", 0, &d));
	EXPECT_INT(ERR_FORMAT, settle_text("{\"mayfly\": 1,\n \"decisions\": [}", 0, &d));
	EXPECT(strstr(d.text, "line 2") != NULL);
	EXPECT_INT(ERR_FORMAT, settle_text("{\"mayfly\": 1, \"threshold\": 99}", 0, &d));
	EXPECT(strstr(d.text, "0 to 15") != NULL);
	EXPECT_INT(ERR_VERSION, settle_text("{\"mayfly\": 2, \"decisions\": []}", 0, &d));
}
