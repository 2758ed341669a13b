#include "agent/handover.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/rewrites.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

static char path[64];

static void begin(void)
{
	snprintf(path, sizeof(path), "/tmp/mayfly-handover-XXXXXX");
	int fd = mkstemp(path);
	EXPECT(fd >= 0);
	close(fd);
	unlink(path);
}

static struct controller *controller(void)
{
	struct controller *c = NULL;
	struct controller_rule rule = controller_rule_default();
	EXPECT_INT(0, controller_init(&c, &rule));
	return c;
}

/* What is in the file counts as soon as something of it is in force. */
static uint32_t trusted(struct controller *c)
{
	controller_load_threshold(c, 3);
	return controller_trusted(c);
}

static void add(struct decisions *d, enum decision_action action)
{
	struct decision *to = decisions_add(d);
	EXPECT_INT(0, decision_text(&to->at.class_name, "a.B"));
	EXPECT_INT(0, decision_text(&to->at.method, "run"));
	EXPECT_INT(0, decision_text(&to->at.descriptor, "()V"));
	EXPECT_INT(0, decision_text(&to->allocates, "a.C"));
	to->at.bci = (int32_t)d->list.count;
	to->action = action;
	to->hash = 7;
	to->has_hash = true;
}

/* So many places that jump, one that is kept out, and what they are trusted for. */
static void write_file(struct handover *h, size_t jumps, uint32_t trust)
{
	struct diag d;
	struct decisions all = {.trusted = trust, .threshold = 3, .has_threshold = true};
	for (size_t i = 0; i < jumps; i++)
		add(&all, DECISION_JUMP);
	add(&all, DECISION_KEEP_OUT);
	snprintf(h->path, sizeof(h->path), "%s", path);
	EXPECT_INT(0, handover_write(h, &all, "17.0.1", "G1", &d));
	decisions_release(&all);
}

TEST(without_a_file_there_is_nothing_to_take_over)
{
	struct handover h;
	begin();
	for (int i = 0; i < 2; i++) {
		handover_read(&h, i ? path : "");
		EXPECT(!h.decisions.list.count && !h.unread.text[0]);
		handover_release(&h);
	}
}

TEST(what_is_written_is_taken_over_and_trusted)
{
	struct handover h;
	begin();
	write_file(&h, 8, 64);
	handover_read(&h, path);
	EXPECT_INT(9, h.decisions.list.count);
	EXPECT_STR("17.0.1", h.decisions.jdk);
	EXPECT_STR("G1", h.decisions.gc);
	EXPECT(h.bounds && h.bound == 3);
	struct controller *c = controller();
	handover_trust(&h, c, "17.0.1", "G1");
	EXPECT_INT(8, h.loaded);
	EXPECT_INT(64, trusted(c));
	controller_free(c);
	c = controller();
	handover_trust(&h, c, "17.0.1", "Serial"); /* it was learnt with another collector */
	EXPECT_INT(0, trusted(c));
	controller_free(c);
	handover_release(&h);
	EXPECT(!h.decisions.list.count);
	EXPECT(h.bounds && h.bound == 3); /* for a VM that can't move it */
	unlink(path);
}

/* A folder that the program goes to is not where its file is. */
TEST(a_name_without_a_folder)
{
	struct diag d;
	struct decisions all = {.trusted = 1};
	struct handover h;
	begin();
	EXPECT_INT(0, chdir("/tmp"));
	handover_read(&h, strrchr(path, '/') + 1);
	EXPECT_INT(0, chdir("/"));
	EXPECT_STR(path, h.path);
	add(&all, DECISION_JUMP);
	EXPECT_INT(0, handover_write(&h, &all, "17.0.1", "G1", &d));
	decisions_release(&all);
	handover_release(&h);
	handover_read(&h, path);
	EXPECT_INT(1, h.decisions.list.count);
	handover_release(&h);
	EXPECT_INT(0, unlink(path));
}

/* The program starts all the same; why it begins without is kept, for the trace. */
TEST(what_cannot_be_read_is_said)
{
	struct handover h;
	begin();
	FILE *f = fopen(path, "w");
	fputs("{ \"mayfly\": 1, \"decisions\": [ 7 ] }", f);
	fclose(f);
	int err = dup(2), null = open("/dev/null", O_WRONLY);
	dup2(null, 2);
	handover_read(&h, path);
	dup2(err, 2);
	close(err);
	close(null);
	EXPECT(strstr(h.unread.text, path) && strstr(h.unread.text, "leaves it as it is"));
	EXPECT(!h.decisions.list.count && !h.decisions.has_threshold);
	handover_release(&h);
	unlink(path);
}

/* A quarter of it is done nowhere. */
TEST(a_file_of_another_program_is_not_trusted)
{
	struct handover h;
	struct jump strange = {.failed = "another instruction stands there"};
	begin();
	write_file(&h, 8, 64);
	handover_read(&h, path);
	struct controller *c = controller();
	handover_trust(&h, c, "17.0.1", "G1");
	EXPECT_INT(64, trusted(c));
	handover_miss(&h, c, &strange);
	EXPECT_INT(64, controller_trusted(c));
	handover_miss(&h, c, &strange);
	EXPECT_INT(0, controller_trusted(c));
	controller_free(c);
	handover_release(&h);
	unlink(path);
}

/* What only waits for its code is in the program, and what this run has learnt is not the file's.
 */
TEST(what_waits_is_not_strange)
{
	struct handover h;
	struct jump waits = {.failed = rewrites_running},
		    mine = {.failed = "x", .one_loader = true};
	begin();
	write_file(&h, 4, 64);
	handover_read(&h, path);
	struct controller *c = controller();
	handover_trust(&h, c, "17.0.1", "G1");
	EXPECT_INT(64, trusted(c));
	for (int i = 0; i < 10; i++) {
		handover_miss(&h, c, &waits);
		handover_miss(&h, c, &mine);
	}
	EXPECT_INT(64, controller_trusted(c));
	controller_free(c);
	handover_release(&h);
	unlink(path);
}

TEST(what_was_not_in_force_was_not_tested)
{
	struct decisions d = {.list = {0}};
	EXPECT(handover_tested(&d, 0));
	for (int i = 0; i < 8; i++)
		add(&d, DECISION_JUMP);
	add(&d, DECISION_KEEP_OUT);
	EXPECT(handover_tested(&d, 8) && handover_tested(&d, 9));
	EXPECT(handover_tested(&d, 7));
	EXPECT(!handover_tested(&d, 6));
	decisions_release(&d);
}

TEST(writing_needs_memory_and_a_folder)
{
	struct handover h = {.path = "/nowhere/at/all"};
	struct decisions d = {.list = {0}};
	struct diag why;
	EXPECT_INT(ERR_IO, handover_write(&h, &d, "17", "G1", &why));
	EXPECT(strstr(why.text, "/nowhere/at/all"));
	decisions_release(&d);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, handover_write(&h, &d, "17", "G1", &why));
	mem_fail_at(0);
	EXPECT(strstr(why.text, "out of memory"));
	decisions_release(&d);
}

static void write_text(const char *text)
{
	FILE *f = fopen(path, "w");
	EXPECT(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Two JVMs may have the same file, and people edit it while a server runs: nothing of theirs goes
 * without a word. */
TEST(who_else_has_written_the_file)
{
	struct handover h;
	struct decisions all = {.list = {0}};
	struct diag d;
	begin();
	handover_read(&h, path);
	EXPECT(!handover_overtaken(&h)); /* nothing there, still */
	write_text("{\"mayfly\": 1, \"threshold\": 3, \"decisions\": []}");
	EXPECT(handover_overtaken(&h));
	handover_release(&h);
	handover_read(&h, path);
	EXPECT(h.bounds && !handover_overtaken(&h));
	write_text("{\"mayfly\": 1, \"threshold\": 13, \"decisions\": []}");
	EXPECT(handover_overtaken(&h));
	EXPECT_INT(0, handover_write(&h, &all, "21", "G1", &d));
	EXPECT_INT(0, unlink(path));
	EXPECT(!handover_overtaken(&h)); /* there is nothing to replace */
	handover_release(&h);
	decisions_release(&all);
}
