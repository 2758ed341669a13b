#include "cli/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"

static bool is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Tries the folders of $PATH one after the other; an empty one is the current folder. */
static int search(const char *command, char *out, size_t room)
{
	const char *path = getenv("PATH");
	if (!path || !*path)
		path = "/usr/local/bin:/usr/bin:/bin";
	bool seen = false;
	for (;;) {
		int len = (int)strcspn(path, ":");
		int n = snprintf(out, room, "%.*s%s%s", len, path, len ? "/" : "./", command);
		if (n > 0 && (size_t)n < room && is_program(out))
			return ERR_NONE;
		if (n > 0 && (size_t)n < room && access(out, F_OK) == 0)
			seen = true;
		if (!path[len])
			return seen ? ERR_DENIED : ERR_NOT_FOUND;
		path += len + 1;
	}
}

static int find(const char *command, char *out, size_t room)
{
	if (!*command) /* else each folder of the $PATH would be it */
		return ERR_NOT_FOUND;
	if (!strchr(command, '/'))
		return search(command, out, room);
	if (strlen(command) >= room)
		return ERR_LIMIT;
	snprintf(out, room, "%s", command);
	if (is_program(out))
		return ERR_NONE;
	return access(out, F_OK) == 0 ? ERR_DENIED : ERR_NOT_FOUND;
}

int launch_find(struct launch *l, const char *command, struct diag *d)
{
	memset(l, 0, sizeof(*l));
	switch (find(command, l->program, sizeof(l->program))) {
	case ERR_NONE:
		break;
	case ERR_DENIED:
		return diag_set(d, ERR_DENIED,
			"%s is there, but it is not a program that can be run", command);
	case ERR_LIMIT:
		return diag_set(d, ERR_LIMIT, "the name of the command is too long");
	default:
		return diag_set(d, ERR_NOT_FOUND, "there is no command '%s'%s", command,
			strchr(command, '/') ? "" : " on the PATH");
	}
	if (!realpath(l->program, l->real))
		snprintf(l->real, sizeof(l->real), "%s", l->program);
	const char *slash = strrchr(l->real, '/');
	const char *called = strrchr(l->program, '/');
	/* A version manager's `java` may be a script of that name, or a link to one of another
	 * name. */
	l->java = strcmp(slash ? slash + 1 : l->real, "java") == 0 ||
		  strcmp(called ? called + 1 : l->program, "java") == 0;
	return ERR_NONE;
}

void launch_quote(struct buf *out, const char *text)
{
	while (*text) {
		/* Blanks and double quotes stand between single ones, single ones between double
		 * ones. */
		size_t plain = strcspn(text, " \t\n\r\v\f'\"");
		buf_put(out, text, plain);
		text += plain;
		size_t run = strspn(text, " \t\n\r\v\f\"");
		if (run) {
			buf_printf(out, "'%.*s'", (int)run, text);
			text += run;
		}
		size_t single = strspn(text, "'");
		if (single) {
			buf_printf(out, "\"%.*s\"", (int)single, text);
			text += single;
		}
	}
}

static int push(struct launch *l, const char *text)
{
	char *copy = mem_strndup(text, strlen(text));
	if (copy && vec_push(&l->args, copy) == ERR_NONE)
		return ERR_NONE;
	mem_free(copy);
	return ERR_NOMEM;
}

static int arm_java(struct launch *l, char *const *argv, const char *option)
{
	int err = push(l, argv[0]);
	if (!err)
		err = push(l, option);
	for (size_t i = 1; !err && argv[i]; i++)
		err = push(l, argv[i]);
	return err;
}

static int arm_script(struct launch *l, char *const *argv, const char *option, const char *existing)
{
	struct buf text = {0};
	int err = ERR_NONE;
	if (existing && *existing)
		buf_printf(&text, "%s ", existing);
	launch_quote(&text, option);
	if (!text.failed)
		l->tool_options = mem_strndup(buf_text(&text), text.len);
	if (!l->tool_options)
		err = ERR_NOMEM;
	buf_release(&text);
	for (size_t i = 0; !err && argv[i]; i++)
		err = push(l, argv[i]);
	return err;
}

int launch_arm(struct launch *l, char *const *argv, const char *agent, const char *options,
	const char *existing, struct diag *d)
{
	struct buf option = {0};
	buf_printf(&option, "-agentpath:%s=%s", agent, options);
	const char *text = buf_text(&option);
	int err = option.failed ? option.failed
		  : l->java     ? arm_java(l, argv, text)
				: arm_script(l, argv, text, existing);
	if (!err)
		err = vec_push(&l->args, NULL);
	buf_release(&option);
	return err ? diag_set(d, err, "out of memory") : ERR_NONE;
}

void launch_release(struct launch *l)
{
	for (size_t i = 0; i < l->args.count; i++)
		mem_free(l->args.at[i]);
	vec_release(&l->args);
	mem_free(l->tool_options);
	l->tool_options = NULL;
}
