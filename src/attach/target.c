#include "attach/target.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task_name.h"
#include "jvmstat/perffile.h"

#define START_NS 10000000000ull

enum { LINE_ROOM = 4096 + 128, HOME_DEPTH = 5, WARNS_FROM_JDK = 21 };

static bool fits(int written, size_t size)
{
	return written >= 0 && (size_t)written < size;
}

/* The file name in a line of maps, without the mark of a file that has been replaced. */
static char *mapped_path(char *line, bool *replaced)
{
	char *path = strchr(line, '/');
	if (!path)
		return NULL;
	path[strcspn(path, "\n")] = '\0';
	char *gone = strstr(path, " (deleted)");
	*replaced = gone != NULL;
	if (gone)
		*gone = '\0';
	return path;
}

/* Alpine's has the loader's name; Debian's is libc.so in a folder of its own. */
static bool is_musl(const char *path, const char *name)
{
	return strncmp(name, "ld-musl-", strlen("ld-musl-")) == 0 ||
	       (strcmp(name, "libc.so") == 0 && strstr(path, "-linux-musl/"));
}

static void see_mapping(void *arg, char *line)
{
	struct target *t = arg;
	bool replaced;
	const char *path = mapped_path(line, &replaced);
	const char *name = path ? strrchr(path, '/') + 1 : NULL;
	if (!name)
		return;
	t->musl |= is_musl(path, name);
	/* OpenJ9 has a libjvm.so too, which passes calls on. */
	if (strncmp(name, "libj9vm", 7) == 0)
		t->vm = TARGET_OPENJ9;
	if (strcmp(name, "libjvm.so") != 0)
		return;
	snprintf(t->libjvm, sizeof(t->libjvm), "%s", path);
	t->replaced |= replaced;
	if (t->vm == TARGET_NO_VM)
		t->vm = TARGET_HOTSPOT;
}

/* 0, or what errno says. */
static int each_mapping(const struct target *t, void (*see)(void *arg, char *line), void *arg)
{
	char path[TARGET_PATH_MAX + 32], line[LINE_ROOM];
	snprintf(path, sizeof(path), "%s/%d/maps", t->proc, (int)t->pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return errno;
	/* The kernel's check of who may look comes with the first read. */
	while (fgets(line, sizeof(line), f))
		see(arg, line);
	int failed = ferror(f) ? EACCES : 0;
	fclose(f);
	return failed;
}

static int read_maps(struct target *t)
{
	int failed = each_mapping(t, see_mapping, t);
	t->hidden = failed == EACCES || failed == EPERM;
	return !failed || t->hidden || failed == ENOENT || failed == ESRCH ? 0 : ERR_IO;
}

struct sought {
	const char *library;
	bool mapped;
};

static void seek_mapping(void *arg, char *line)
{
	struct sought *s = arg;
	bool replaced;
	const char *path = mapped_path(line, &replaced);
	s->mapped |= path && !replaced && strcmp(path, s->library) == 0;
}

bool target_warns(const struct target *t, const char *library)
{
	struct sought s = {.library = library};
	if (t->jdk < WARNS_FROM_JDK || t->expects)
		return false;
	(void)each_mapping(t, seek_mapping, &s);
	return !s.mapped;
}

/* "1.8.0_392" is 8, "17.0.9" is 17. */
static int major_of(const char *version)
{
	char *end;
	long v = strtol(version, &end, 10);
	if (v == 1 && *end == '.')
		v = strtol(end + 1, NULL, 10);
	return v > 0 && v < 1000 ? (int)v : 0;
}

static void set_version(struct target *t, const char *version, size_t len)
{
	snprintf(t->version, sizeof(t->version), "%.*s", (int)len, version);
	for (char *c = t->version; *c; c++)
		if (*c < 0x20 || *c > 0x7e)
			*c = '?';
	t->jdk = major_of(t->version);
}

/* Where it is switched off again nothing can be loaded at all. */
static bool expects_agents(const struct perfdata *p)
{
	static const char flag[] = "-XX:+EnableDynamicAgentLoading";
	char *args = mem_alloc(PERFDATA_TEXT_MAX + 1);
	bool found = args && counter_text_read(perfdata_text(p, "java.rt.vmArgs"), args,
				     PERFDATA_TEXT_MAX + 1) > 0;
	found = found && strstr(args, flag);
	mem_free(args);
	return found;
}

static void read_counters(struct target *t)
{
	struct perfdata p;
	int err = perffile_open_pid(&p, t->proc, t->pid, NULL);
	t->starting = err == ERR_BUSY;
	t->counted = !err;
	if (err)
		return;
	char text[TARGET_VERSION_MAX];
	size_t len = counter_text_read(
		perfdata_text(&p, "java.property.java.version"), text, sizeof(text));
	if (len == 0)
		len = counter_text_read(
			perfdata_text(&p, "java.property.java.vm.specification.version"), text,
			sizeof(text));
	if (len > 0)
		set_version(t, text, len);
	/* The first of the capabilities is attaching. */
	len = counter_text_read(perfdata_text(&p, "sun.rt.jvmCapabilities"), text, sizeof(text));
	t->attach_off = len > 0 && text[0] == '0';
	t->expects = expects_agents(&p);
	perfdata_release(&p);
}

static bool read_release(struct target *t, const char *home)
{
	char path[3 * TARGET_PATH_MAX], line[512];
	if (!fits(snprintf(path, sizeof(path), "%s/%d/root%s/release", t->proc, (int)t->pid, home),
		    sizeof(path)))
		return false;
	FILE *f = fopen(path, "re");
	if (!f)
		return false;
	static const char key[] = "JAVA_VERSION=\"";
	while (t->jdk == 0 && fgets(line, sizeof(line), f))
		if (strncmp(line, key, sizeof(key) - 1) == 0)
			set_version(
				t, line + sizeof(key) - 1, strcspn(line + sizeof(key) - 1, "\"\n"));
	fclose(f);
	return t->jdk != 0;
}

/* The JDK's own file `release` is some directories above libjvm.so: two since 9, three or four
 * before. */
static void read_home(struct target *t)
{
	char home[TARGET_PATH_MAX];
	snprintf(home, sizeof(home), "%s", t->libjvm);
	for (int up = 0; up < HOME_DEPTH; up++) {
		char *slash = strrchr(home, '/');
		if (!slash || slash == home)
			return;
		*slash = '\0';
		if (read_release(t, home))
			return;
	}
}

/* The JDK's launcher, which maps the VM a moment later. */
static bool is_launcher(const struct target *t)
{
	char path[TARGET_PATH_MAX + 32], exe[TARGET_PATH_MAX];
	snprintf(path, sizeof(path), "%s/%d/exe", t->proc, (int)t->pid);
	ssize_t len = readlink(path, exe, sizeof(exe) - 1);
	if (len <= 0)
		return false;
	exe[len] = '\0';
	const char *name = strrchr(exe, '/');
	return name && strcmp(name, "/java") == 0;
}

int target_status(struct proc_status *s, const char *proc, pid_t pid, struct diag *d)
{
	int err = proc_status_read(s, proc, pid);
	if (err == ERR_NO_PROCESS)
		return diag_set(d, err, "there is no process %d", (int)pid);
	if (err)
		return diag_set(d, err, "can't read about process %d in %s: %s", (int)pid, proc,
			err_text(err));
	if (s->tgid == s->pid)
		return 0;
	return diag_set(d, ERR_NO_PROCESS, "%d is a thread of process %d: name that", (int)pid,
		(int)s->tgid);
}

int target_read(struct target *t, const char *proc, pid_t pid, struct diag *d)
{
	*t = (struct target){.pid = pid};
	if (!fits(snprintf(t->proc, sizeof(t->proc), "%s", proc), sizeof(t->proc)) ||
		!fits(snprintf(t->tmp, sizeof(t->tmp), "%s/%d/root/tmp", proc, (int)pid),
			sizeof(t->tmp)))
		return diag_set(d, ERR_LIMIT, "%.100s…: path too long", proc);
	int err = target_status(&t->status, proc, pid, d);
	if (err)
		return err;
	err = read_maps(t);
	if (err)
		return diag_set(d, err, "can't read about process %d in %s: %s", (int)pid, proc,
			err_text(err));
	if (t->vm == TARGET_NO_VM) {
		t->starting = is_launcher(t);
		return 0;
	}
	read_counters(t);
	if (t->jdk == 0)
		read_home(t);
	return 0;
}

static int check_owner(const struct target *t, uid_t self, struct diag *d)
{
	if (self != 0 && t->status.euid != self)
		return diag_set(d, ERR_DENIED,
			"process %d belongs to user %u: attach as that user or as root",
			(int)t->pid, (unsigned)t->status.euid);
	if (t->hidden && self == 0)
		return diag_set(d, ERR_DENIED,
			"the system does not let even root look into process %d (root of a "
			"container, perhaps): attach from where it was started",
			(int)t->pid);
	if (t->hidden)
		return diag_set(d, ERR_DENIED,
			"the system does not let user %u look into process %d: attach as root",
			(unsigned)self, (int)t->pid);
	return 0;
}

static int check_vm(const struct target *t, struct diag *d)
{
	if (t->vm == TARGET_NO_VM)
		return diag_set(d, ERR_NOT_JVM, "process %d is not a Java VM: it has no libjvm.so",
			(int)t->pid);
	if (t->vm == TARGET_OPENJ9)
		return diag_set(d, ERR_OTHER_VM,
			"process %d runs OpenJ9: only the HotSpot VM (OpenJDK) is supported",
			(int)t->pid);
	if (t->musl && !MAYFLY_MUSL)
		return diag_set(d, ERR_UNSUPPORTED,
			"process %d runs on musl, Alpine's C library, where the agent of this "
			"build can't be loaded: that takes one for x86-64, built with glibc 2.34 "
			"or later and without sanitizers",
			(int)t->pid);
	if (t->jdk != 0 && t->jdk < TARGET_OLDEST_JDK)
		return diag_set(d, ERR_OLD_VM, "process %d runs Java %s: %d or later is needed",
			(int)t->pid, t->version, TARGET_OLDEST_JDK);
	return 0;
}

static int check_ready(const struct target *t, struct diag *d)
{
	if (t->status.state == 'T')
		return diag_set(d, ERR_STOPPED,
			"process %d is stopped and can't answer: let it go on first (kill -CONT "
			"%d)",
			(int)t->pid, (int)t->pid);
	if (t->status.state == 't')
		return diag_set(d, ERR_STOPPED,
			"process %d is held by a debugger and can't answer: let it go on first",
			(int)t->pid);
	if (t->attach_off)
		return diag_set(d, ERR_ATTACH_OFF,
			"process %d runs with -XX:+DisableAttachMechanism: start it without that, "
			"or "
			"with the agent on its command line",
			(int)t->pid);
	return 0;
}

int target_check(const struct target *t, uid_t self, struct diag *d)
{
	if (t->status.state == 'Z' || t->status.state == 'X')
		return diag_set(d, ERR_ZOMBIE,
			"process %d has ended already; only its parent has not noticed yet",
			(int)t->pid);
	int err = check_owner(t, self, d);
	if (!err)
		err = check_vm(t, d);
	if (!err)
		err = check_ready(t, d);
	return err;
}

bool target_starts(const struct target *t)
{
	return t->starting && !strchr("TtXZ", t->status.state);
}

static bool has_thread(const struct target *t, const char *name)
{
	char path[TARGET_PATH_MAX + 32];
	snprintf(path, sizeof(path), "%s/%d/task", t->proc, (int)t->pid);
	DIR *tasks = opendir(path);
	if (!tasks)
		return false;
	bool found = false;
	for (struct dirent *e; !found && (e = readdir(tasks));) {
		char its[TASK_NAME_MAX];
		task_name_read(dirfd(tasks), e->d_name, its);
		found = strcmp(its, name) == 0;
	}
	closedir(tasks);
	return found;
}

bool target_serves(const struct target *t)
{
	return t->counted || has_thread(t, "Service Thread");
}

struct ns target_start_deadline(struct ns deadline)
{
	uint64_t until = clock_now().v + START_NS;
	return until < deadline.v ? (struct ns){until} : deadline;
}
