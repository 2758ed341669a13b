/*
 * attach_probe PID MILLISECONDS load LIBRARY [OPTIONS] | jcmd COMMAND: one line about what came of
 * it. "ok RESULT" for load, "ok TEXT" for jcmd, else "error NUMBER SENTENCE".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach.h"
#include "base/error.h"

static int load(struct attach *a, char **args, struct diag *d)
{
	int result = 0;
	int err = attach_load(a, args[0], args[0] ? args[1] : NULL, &result, d);
	if (!err)
		printf("ok %d\n", result);
	return err;
}

static int jcmd(struct attach *a, char **args, struct diag *d)
{
	struct buf reply = {0};
	int status = 0;
	const char *command[] = {args[0]};
	int err = attach_command(a, "jcmd", command, 1, &status, &reply, d);
	if (!err)
		printf("ok %d %.60s\n", status, buf_text(&reply));
	buf_release(&reply);
	return err;
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	struct attach a;
	struct diag d = {0};
	struct ns timeout = {strtoull(argv[2], NULL, 10) * 1000000};
	int err = attach_open(&a, "/proc", (pid_t)atol(argv[1]), timeout, &d);
	if (!err) {
		err = strcmp(argv[3], "jcmd") == 0 ? jcmd(&a, argv + 4, &d)
						   : load(&a, argv + 4, &d);
		attach_release(&a);
	}
	if (err)
		printf("error %d %s\n", err, d.text);
	return err != 0;
}
