#include "cli/jdk.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/error.h"

/* A release file is a few folders above bin/java, and a few more above lib/server/libjvm.so of
 * JDK 8. */
enum { FOLDERS_UP = 6, OLDEST = 11 };

/* The value of NAME="value" at the start of a line, without quotes; empty where there is none. */
static void value_of(struct slice text, const char *name, char *out, size_t room)
{
	size_t len = strlen(name);
	const char *at = (const char *)text.at, *end = at + text.len;
	out[0] = '\0';
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;
		if ((size_t)(stop - at) > len && memcmp(at, name, len) == 0 && at[len] == '=') {
			at += len + 1;
			size_t n = 0;
			for (; at < stop && n + 1 < room; at++)
				if (*at != '"' && isprint((unsigned char)*at))
					out[n++] = *at;
			out[n] = '\0';
			return;
		}
		at = stop + 1;
	}
}

/* At most three numbers, separated by anything: "21", "17.0.15", "1.8.0_402", "26-ea". */
static void parse_numbers(const char *version, unsigned *number)
{
	for (size_t i = 0; i < 3 && isdigit((unsigned char)*version); i++) {
		unsigned v = 0;
		for (; isdigit((unsigned char)*version); version++)
			v = v < 100000 ? v * 10 + (unsigned)(*version - '0') : v;
		number[i] = v;
		if (*version == '.' || *version == '_')
			version++;
	}
}

static void parse_version(struct jdk *j)
{
	const char *version = j->version;
	memset(j->number, 0, sizeof(j->number));
	if (strncmp(version, "1.", 2) == 0) /* 1.8 is 8 */
		version += 2;
	parse_numbers(version, j->number);
}

void jdk_parse(struct jdk *j, struct slice text)
{
	char variant[32], implementor[64];
	memset(j, 0, sizeof(*j));
	value_of(text, "JAVA_VERSION", j->version, sizeof(j->version));
	value_of(text, "JVM_VARIANT", variant, sizeof(variant));
	value_of(text, "IMPLEMENTOR", implementor, sizeof(implementor));
	parse_version(j);
	j->openj9 = strcasecmp(variant, "openj9") == 0 || strcasestr(implementor, "openj9") != NULL;
}

static int read_release(struct jdk *j, const char *path)
{
	char text[JDK_RELEASE_MAX];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return ERR_NOT_FOUND;
	ssize_t len = read(fd, text, sizeof(text));
	close(fd);
	if (len <= 0)
		return ERR_NOT_FOUND;
	jdk_parse(j, slice(text, (size_t)len));
	return j->version[0] ? ERR_NONE : ERR_NOT_FOUND;
}

static bool has_rt_jar(const char *file, size_t len)
{
	char path[PATH_MAX];
	if (len + sizeof("lib/rt.jar") > sizeof(path))
		return false;
	snprintf(path, sizeof(path), "%.*slib/rt.jar", (int)len, file);
	return access(path, F_OK) == 0;
}

int jdk_find(struct jdk *j, const char *file)
{
	char path[PATH_MAX];
	bool old = false;
	memset(j, 0, sizeof(*j));
	size_t len = strlen(file);
	for (int up = 0; up < FOLDERS_UP && len; up++) {
		while (len && file[len - 1] != '/')
			len--;
		if (len + sizeof("release") > sizeof(path))
			return ERR_NOT_FOUND;
		snprintf(path, sizeof(path), "%.*srelease", (int)len, file);
		if (read_release(j, path) == ERR_NONE)
			return ERR_NONE;
		old = old || has_rt_jar(file, len);
		while (len && file[len - 1] == '/')
			len--;
	}
	if (!old)
		return ERR_NOT_FOUND;
	*j = (struct jdk){.version = "1.8 or older", .number = {8}};
	return ERR_NONE;
}

int jdk_refusal(const struct jdk *j, struct diag *d)
{
	if (j->openj9)
		return diag_set(d, ERR_UNSUPPORTED,
			"this is an OpenJ9 VM, and mayfly works on HotSpot only; run the program "
			"with an OpenJDK build that has HotSpot (Temurin, Debian's, Oracle's)");
	if (j->number[0] && j->number[0] < OLDEST)
		return diag_set(d, ERR_UNSUPPORTED,
			"this is JDK %u (%s), which can't sample allocations; run the program with "
			"JDK %d or later",
			j->number[0], j->version, OLDEST);
	return ERR_NONE;
}

bool jdk_method_ids_unsafe(const struct jdk *j)
{
	static const struct {
		unsigned major, update;
	} mended[] = {{11, 23}, {17, 11}, {21, 3}};
	if (!j->number[0] || j->number[0] >= 22)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(mended); i++)
		if (j->number[0] == mended[i].major)
			return j->number[1] == 0 && j->number[2] < mended[i].update;
	return true;
}
