#include "base/proc_status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/error.h"

enum { LINE_MAX_LEN = 256 };

static unsigned long long field(const char *text, int index, int base, int *found)
{
	char *end = NULL;
	unsigned long long v = 0;
	for (int i = 0; i <= index; i++) {
		v = strtoull(text, &end, base);
		if (end == text) {
			*found = 0;
			return 0;
		}
		text = end;
	}
	*found = 1;
	return v;
}

static void set_state(struct proc_status *s, const char *text)
{
	text += strspn(text, " \t");
	s->state = *text;
}

static void set_tgid(struct proc_status *s, const char *text)
{
	int found;
	s->tgid = (pid_t)field(text, 0, 10, &found);
}

static void set_pid(struct proc_status *s, const char *text)
{
	int found;
	s->pid = (pid_t)field(text, 0, 10, &found);
}

/* The last of the list is the innermost namespace. */
static void set_nspid(struct proc_status *s, const char *text)
{
	int found = 1;
	for (int i = 0; found; i++) {
		pid_t pid = (pid_t)field(text, i, 10, &found);
		if (found)
			s->nspid = pid;
	}
}

static void set_euid(struct proc_status *s, const char *text)
{
	int found;
	uid_t uid = (uid_t)field(text, 1, 10, &found);
	s->euid = found ? uid : (uid_t)-1;
}

static void set_egid(struct proc_status *s, const char *text)
{
	int found;
	gid_t gid = (gid_t)field(text, 1, 10, &found);
	s->egid = found ? gid : (gid_t)-1;
}

static void set_caught(struct proc_status *s, const char *text)
{
	int found;
	s->caught = field(text, 0, 16, &found);
}

static const struct {
	const char *name;
	void (*set)(struct proc_status *, const char *);
} lines[] = {
	{"State:", set_state},
	{"Tgid:", set_tgid},
	{"Pid:", set_pid},
	{"NSpid:", set_nspid},
	{"Uid:", set_euid},
	{"Gid:", set_egid},
	{"SigCgt:", set_caught},
};

static void parse_line(struct proc_status *s, const char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		size_t len = strlen(lines[i].name);
		if (strncmp(line, lines[i].name, len) == 0)
			lines[i].set(s, line + len);
	}
}

static void begin(struct proc_status *s)
{
	*s = (struct proc_status){.euid = (uid_t)-1, .egid = (gid_t)-1};
}

/* Once all lines are there. */
static int settle(struct proc_status *s)
{
	if (s->pid <= 0)
		return ERR_FORMAT;
	if (s->nspid <= 0)
		s->nspid = s->pid;
	if (s->tgid <= 0)
		s->tgid = s->pid;
	return 0;
}

int proc_status_parse(struct proc_status *s, struct slice text)
{
	begin(s);
	const uint8_t *at = text.at, *end = text.at + text.len;
	while (at < end) {
		const uint8_t *stop = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((stop ? stop : end) - at);
		char line[LINE_MAX_LEN];
		size_t kept = len < sizeof(line) - 1 ? len : sizeof(line) - 1;
		memcpy(line, at, kept);
		line[kept] = '\0';
		parse_line(s, line);
		at = stop ? stop + 1 : end;
	}
	return settle(s);
}

/* Line by line, for there is no end to the groups that a user may be in: 720 kB of them. */
static int read_lines(struct proc_status *s, FILE *f)
{
	char line[LINE_MAX_LEN];
	bool begins = true;
	while (fgets(line, sizeof(line), f)) {
		if (begins)
			parse_line(s, line);
		begins = strchr(line, '\n') != NULL;
	}
	if (ferror(f))
		return errno == ESRCH ? ERR_NO_PROCESS : ERR_IO;
	return settle(s);
}

int proc_status_read(struct proc_status *s, const char *proc, pid_t pid)
{
	char path[512];
	if (snprintf(path, sizeof(path), "%s/%d/status", proc, (int)pid) >= (int)sizeof(path))
		return ERR_LIMIT;
	FILE *f = fopen(path, "re");
	if (!f)
		return errno == ENOENT || errno == ESRCH ? ERR_NO_PROCESS : ERR_IO;
	begin(s);
	int err = read_lines(s, f);
	fclose(f);
	return err;
}
