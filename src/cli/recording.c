#include "cli/recording.h"

#include <regex.h>
#include <string.h>

#include "base/error.h"

void recording_init(struct recording *r)
{
	options_init(&r->options);
	r->text[0] = '\0';
}

/* The agent would find the same fault, but only in the running program. */
static int check_pattern(const char *pattern, struct diag *d)
{
	regex_t compiled;
	char why[128];
	int bad = regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB);
	if (!bad) {
		regfree(&compiled);
		return ERR_NONE;
	}
	regerror(bad, &compiled, why, sizeof(why));
	return diag_set(d, ERR_FORMAT, "thread=%.80s: %s", pattern, why);
}

static int check_file(const char *pattern, struct diag *d)
{
	char path[2 * OPTION_PATH];
	if (!*pattern)
		return diag_set(d, ERR_FORMAT, "the file's name is empty");
	return options_expand_file(pattern, 1, 0, path, sizeof(path), d);
}

int recording_set(struct recording *r, const char *name, const char *value, struct diag *d)
{
	int err = options_set(&r->options, name, value, d);
	if (!err && strcmp(name, "thread") == 0)
		err = check_pattern(value, d);
	if (!err && strcmp(name, "file") == 0)
		err = check_file(value, d);
	if (err || strcmp(name, "file") == 0)
		return err;
	if (options_append(r->text, sizeof(r->text), name, value))
		return diag_set(
			d, ERR_LIMIT, "the options are longer than %d bytes", OPTION_STRING_MAX);
	return ERR_NONE;
}

int recording_string(
	const struct recording *r, const char *file, char *out, size_t room, struct diag *d)
{
	size_t len = strlen(r->text);
	if (len + 1 > room)
		return diag_set(
			d, ERR_LIMIT, "the options are longer than %d bytes", OPTION_STRING_MAX);
	memcpy(out, r->text, len + 1);
	if (options_append(out, room, "file", file))
		return diag_set(
			d, ERR_LIMIT, "the options are longer than %d bytes", OPTION_STRING_MAX);
	return ERR_NONE;
}
