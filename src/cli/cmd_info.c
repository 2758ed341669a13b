#include "base/error.h"
#include "base/mem.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/info_vm.h"
#include "cli/show.h"
#include "report/info.h"

struct info {
	struct showing showing; /* first: the setters of show.h take its address */
	const char *vm;         /* in place of a trace; NULL: a trace */
};

static int set_vm(void *arg, const char *value, struct diag *d)
{
	(void)d;
	((struct info *)arg)->vm = value;
	return ERR_NONE;
}

static const struct args_row rows[] = {
	{"json", 0, NULL, "as JSON", show_set_json},
	{"vm", 0, "WHAT",
		"what the exact engine can do in a VM: a JAVA_HOME, process, or libjvm.so", set_vm},
	{"width", 0, "COLUMNS", "of the screen; 0 for no bound", show_set_width},
};

static int run_vm(const struct info *i)
{
	struct diag d = {""};
	struct buf out = {0};
	int err = info_vm_put(&out, i->vm, &i->showing.look, i->showing.json, &d);
	err = show_out(&out, err);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

static int run(struct info *i)
{
	struct showing *s = &i->showing;
	struct diag d = {""};
	struct buf out = {0};
	int err = load_open(&s->load, s->path, &d);
	if (err)
		return cli_fail_err(err, &d);
	err = load_replay(&s->load, NULL, &d);
	if (!err)
		err = notes_find(&s->notes, &s->load.model);
	struct view v = showing_view(s, NULL);
	if (!err)
		err = i->showing.json ? info_json(&out, &v) : info_put(&out, &v);
	err = show_out(&out, err);
	showing_release(s);
	return err ? cli_fail_err(err, &d) : EXIT_OK;
}

int cmd_info(int argc, char **argv)
{
	struct info *i = mem_zalloc(1, sizeof(*i));
	int first;
	if (!i)
		return cli_fail_err(ERR_NOMEM, NULL);
	showing_init(&i->showing);
	const struct args args = {.command = "info",
		.usage = "FILE | --vm WHAT [options]",
		.about = "Shows what is in a trace: where it comes from, how it was sampled, what "
			 "it counts.\n",
		.rows = rows,
		.count = ARRAY_SIZE(rows),
		.arg = i};
	int status = args_parse(&args, argc, argv, &first);
	if (status == ARGS_RUN && i->vm) {
		status = first == argc ? run_vm(i) : cli_usage("info", "a trace or a VM, not both");
	} else if (status == ARGS_RUN) {
		i->showing.path = argv[first];
		status = show_one_trace("info", argc - first);
		status = status == ARGS_RUN ? run(i) : status;
	}
	mem_free(i);
	return status;
}
