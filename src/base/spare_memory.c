#include "base/spare_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"

enum { NAME = 512, LINE = 512 }; /* bytes; what is longer is not known */

/* A file of a group, or of the kernel. */
struct place {
	const char *root, *mount, *group, *file;
};

/* A kind of groups, where its files are and what they call things. */
struct hierarchy {
	const char *controller, *mount, *limit, *used, *inactive, *active, *mapped;
};

/* Lines of a file that is read bit by bit. */
struct lines {
	int fd;
	size_t at, got;
	char text[LINE];
};

static bool lines_open(struct lines *l, const struct place *p)
{
	char name[NAME];
	int n = snprintf(name, sizeof(name), "%s%s%s%s", p->root, p->mount, p->group, p->file);
	l->at = l->got = 0;
	l->fd = n > 0 && n < NAME ? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
	return l->fd >= 0;
}

static int next_char(struct lines *l)
{
	if (l->at == l->got) {
		ssize_t got = read(l->fd, l->text, sizeof(l->text));
		l->at = 0;
		l->got = got > 0 ? (size_t)got : 0;
	}
	return l->at < l->got ? (unsigned char)l->text[l->at++] : EOF;
}

/* Without its newline, and cut where it is too long. */
static bool lines_next(struct lines *l, char line[LINE])
{
	size_t n = 0;
	int c = next_char(l);
	if (c == EOF)
		return false;
	for (; c != EOF && c != '\n'; c = next_char(l))
		if (n < LINE - 1)
			line[n++] = (char)c;
	line[n] = '\0';
	return true;
}

/* The number behind `key` in a file; without a key, its first one. UINT64_MAX: there is none, as
 * in "max". */
static uint64_t read_number(const struct place *p, const char *key)
{
	struct lines l;
	char line[LINE];
	uint64_t found = UINT64_MAX;
	if (!lines_open(&l, p))
		return UINT64_MAX;
	while (found == UINT64_MAX && lines_next(&l, line)) {
		size_t skip = key ? strlen(key) : 0;
		char *end, *from = line + skip;
		if (key && strncmp(line, key, skip) != 0)
			continue;
		uint64_t value = strtoull(from, &end, 10);
		if (end != from)
			found = value;
	}
	close(l.fd);
	return found;
}

/* Of one group; `group` as its files' names begin. */
static uint64_t read_of(
	const struct hierarchy *h, const char *root, const char *group, const char *file)
{
	return read_number(&(struct place){root, h->mount, group, file}, NULL);
}

/* Whether a line of /proc/self/cgroup, "7:memory:/path", is of that controller ("" of the one
 * hierarchy for all); its path then, with a slash behind it. */
static bool parse_line(char *line, const char *controller, char *group, size_t room)
{
	char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
	if (!path || path[1] != '/')
		return false;
	*path++ = '\0';
	bool is = false;
	for (char *name = names + 1, *next; name && !is; name = next) {
		next = strchr(name, ',');
		if (next)
			*next++ = '\0';
		is = strcmp(name, controller) == 0;
	}
	int n = snprintf(group, room, "%s/", path[1] ? path : "");
	return is && n > 0 && (size_t)n < room;
}

/* The group that this process is in, "/" where that is not known. */
static void find_group(const char *root, const char *controller, char group[NAME])
{
	struct lines l;
	char line[LINE];
	bool found = false;
	if (lines_open(&l, &(struct place){root, "proc/self/cgroup", "", ""})) {
		while (!found && lines_next(&l, line))
			found = parse_line(line, controller, group, NAME);
		close(l.fd);
	}
	if (!found)
		snprintf(group, NAME, "/");
}

/* The kernel lets them go where the group needs the memory. */
static uint64_t files_of(const struct hierarchy *h, const char *root, const char *group)
{
	const struct place stat = {root, h->mount, group, "memory.stat"};
	uint64_t inactive = read_number(&stat, h->inactive), active = read_number(&stat, h->active),
		 mapped = read_number(&stat, h->mapped);
	if (inactive == UINT64_MAX || active == UINT64_MAX || mapped == UINT64_MAX)
		return 0;
	return inactive + active > mapped ? inactive + active - mapped : 0;
}

/* What a group has left; UINT64_MAX: it has no limit, or is not there. */
static uint64_t left_of(const struct hierarchy *h, const char *root, const char *group)
{
	uint64_t limit = read_of(h, root, group, h->limit), used = read_of(h, root, group, h->used);
	if (limit == UINT64_MAX || used == UINT64_MAX)
		return UINT64_MAX;
	uint64_t files = files_of(h, root, group), held = used > files ? used - files : 0;
	return held < limit ? limit - held : 0;
}

/* The least of the group's and of those that it is in. In a container what is mounted is its own
 * group, and may be called by a name that is not there. */
static uint64_t left_in(const struct hierarchy *h, const char *root)
{
	char group[NAME];
	find_group(root, h->controller, group);
	uint64_t least = UINT64_MAX;
	for (char *end = group + strlen(group) - 1;; end--) {
		if (*end != '/')
			continue;
		end[1] = '\0';
		uint64_t left = left_of(h, root, group);
		least = left < least ? left : least;
		if (end == group)
			return least;
	}
}

bool spare_memory(const char *root, uint64_t *bytes)
{
	static const struct hierarchy hierarchies[] = {
		{"", "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file ",
			"active_file ", "file_mapped "},
		{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
			"total_inactive_file ", "total_active_file ", "total_mapped_file "},
	};
	uint64_t kb = read_number(&(struct place){root, "proc/meminfo", "", ""}, "MemAvailable:");
	*bytes = kb > UINT64_MAX / 1024 ? UINT64_MAX : kb * 1024;
	for (size_t i = 0; i < ARRAY_SIZE(hierarchies); i++) {
		uint64_t left = left_in(&hierarchies[i], root);
		*bytes = left < *bytes ? left : *bytes;
	}
	return *bytes != UINT64_MAX;
}
