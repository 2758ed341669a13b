#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "report/text.h"

/* One write, so that the sentence stays whole beside what the program prints. What it names may be
 * hostile: a file of another user's process, say. */
MF_PRINTF(2, 0) static void say(const char *command, const char *format, va_list args)
{
	char text[2048];
	vsnprintf(text, sizeof(text), format, args);
	size_t len = strlen(text);
	const char *stop = len && strchr(".?!:", text[len - 1]) ? "" : ".";
	struct buf clean = {0};
	text_clean(&clean, slice_str(text));
	fflush(stdout);
	fprintf(stderr, "mayfly%s%s: %s%s\n", command ? " " : "", command ? command : "",
		buf_text(&clean), stop);
	buf_release(&clean);
}

int cli_fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(NULL, format, args);
	va_end(args);
	return EXIT_FAILED;
}

int cli_fail_err(int err, const struct diag *d)
{
	return cli_fail("%s", d && d->text[0] ? d->text : err_text(err));
}

int cli_usage(const char *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(command, format, args);
	va_end(args);
	fprintf(stderr, "Try 'mayfly %s --help'.\n", command);
	return EXIT_USAGE;
}

void cli_note(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(NULL, format, args);
	va_end(args);
}

bool cli_fancy(FILE *stream)
{
	const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
	return isatty(fileno(stream)) && !(plain && *plain) && !(term && strcmp(term, "dumb") == 0);
}
