#include "attach/target.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/fake_process.h"
#include "support/tap.h"

static struct target read_it(const struct fake_process *vm)
{
	struct target t;
	EXPECT_INT(0, target_read(&t, vm->proc, vm->pid, NULL));
	return t;
}

TEST(a_vm_in_a_container)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct target t = read_it(&vm);
	EXPECT_INT(TARGET_HOTSPOT, t.vm);
	EXPECT_INT(FAKE_NSPID, t.status.nspid);
	EXPECT_STR(vm.tmp, t.tmp);
	EXPECT_STR("/opt/jdk/lib/server/libjvm.so", t.libjvm);
	EXPECT_INT(0, t.jdk);
	EXPECT_INT(0, target_check(&t, geteuid(), NULL));
	EXPECT_INT(0, target_check(&t, 0, NULL));
	fake_process_stop(&vm);
}

static const struct {
	const char *release;
	int jdk;
	const char *version;
} releases[] = {
	{"IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.9\"\n", 17, "17.0.9"},
	{"JAVA_VERSION=\"1.8.0_392\"\n", 8, "1.8.0_392"},
	{"JAVA_VERSION=\"25\"\n", 25, "25"},
	{"JAVA_VERSION=\"\x1b[31m\"\n", 0, "?[31m"},
	{"nothing\n", 0, ""},
};

TEST(version_from_the_release_file)
{
	for (size_t i = 0; i < ARRAY_SIZE(releases); i++) {
		struct fake_process vm;
		fake_process_start(&vm, FAKE_IDLE, "", 0);
		char path[160];
		snprintf(path, sizeof(path), "%s/%d/root/opt", vm.proc, (int)vm.pid);
		mkdir(path, 0700);
		snprintf(path, sizeof(path), "%s/%d/root/opt/jdk", vm.proc, (int)vm.pid);
		mkdir(path, 0700);
		fake_process_file(&vm, "root/opt/jdk/release", "%s", releases[i].release);
		struct target t = read_it(&vm);
		EXPECT_INT(releases[i].jdk, t.jdk);
		EXPECT_STR(releases[i].version, t.version);
		fake_process_stop(&vm);
	}
}

TEST(replaced_on_disk)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	fake_process_file(
		&vm, "maps", "0-1 r-xp 0 08:01 42    /opt/jdk/lib/server/libjvm.so (deleted)\n");
	struct target t = read_it(&vm);
	EXPECT_INT(TARGET_HOTSPOT, t.vm);
	EXPECT_STR("/opt/jdk/lib/server/libjvm.so", t.libjvm);
	EXPECT(t.replaced);
	fake_process_file(&vm, "maps",
		"0-1 r-xp 0 08:01 42    /opt/jdk/lib/server/libjvm.so\n"
		"1-2 r-xp 0 08:01 43    /opt/jdk/lib/libjava.so (deleted)\n");
	EXPECT(!read_it(&vm).replaced);
	fake_process_stop(&vm);
}

/* The launcher before it has mapped its VM; other programs have none. */
TEST(a_launcher_is_starting)
{
	struct fake_process vm;
	char exe[160];
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	snprintf(exe, sizeof(exe), "%s/%d/exe", vm.proc, (int)vm.pid);
	EXPECT_INT(0, symlink("/opt/jdk/bin/java", exe));
	EXPECT(!read_it(&vm).starting);
	fake_process_file(&vm, "maps", "0-1 r-xp 0 08:01 42    /opt/jdk/bin/java\n");
	EXPECT(read_it(&vm).starting);
	EXPECT_INT(0, unlink(exe));
	EXPECT_INT(0, symlink("/opt/jdk/bin/javac", exe));
	EXPECT(!read_it(&vm).starting);
	EXPECT_INT(0, unlink(exe));
	fake_process_stop(&vm);
}

TEST(what_is_loaded_late_is_warned_of_once)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct target t = read_it(&vm);
	const char *agent = "/opt/mayfly/libmayfly.so";
	t.jdk = 20;
	EXPECT(!target_warns(&t, agent));
	t.jdk = 21;
	EXPECT(target_warns(&t, agent));
	t.expects = true;
	EXPECT(!target_warns(&t, agent));
	t.expects = false;
	fake_process_file(&vm, "maps", "7f00-7f01 r-xp 0 08:01 5 /opt/mayfly/libmayfly.so\n");
	EXPECT(!target_warns(&t, agent));
	EXPECT(target_warns(&t, "/opt/newer/libmayfly.so"));
	fake_process_file(&vm, "maps", "7f00-7f01 r-xp 0 08:01 5 %s (deleted)\n", agent);
	EXPECT(target_warns(&t, agent));
	fake_process_stop(&vm);
}

TEST(one_that_has_started_serves)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct target t = read_it(&vm);
	EXPECT(target_serves(&t));
	fake_process_file(&vm, FAKE_THREAD, "Service Thread of its own\n");
	EXPECT(!target_serves(&t));
	fake_process_file(&vm, FAKE_THREAD, "%s", "");
	EXPECT(!target_serves(&t));
	t.counted = true;
	EXPECT(target_serves(&t));
	fake_process_stop(&vm);
}

TEST(no_process)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct target t;
	struct diag d = {0};
	EXPECT_INT(ERR_NO_PROCESS, target_read(&t, vm.proc, vm.pid + 1, &d));
	EXPECT(d.text[0] != '\0');
	fake_process_stop(&vm);
}

/* Its number is in /proc, and a signal sent to it would reach the process. */
TEST(a_thread_is_no_process)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	fake_process_file(&vm, "status", "State:\tS\nTgid:\t4711\nPid:\t%d\n", (int)vm.pid);
	struct target t;
	struct diag d = {0};
	EXPECT_INT(ERR_NO_PROCESS, target_read(&t, vm.proc, vm.pid, &d));
	EXPECT(strstr(d.text, "is a thread of process 4711") != NULL);
	fake_process_stop(&vm);
}

struct refusal {
	int err;
	const char *says;
	void (*arrange)(const struct fake_process *);
};

static void zombie(const struct fake_process *vm)
{
	fake_process_status(vm, 'Z', 0);
	fake_process_file(vm, "maps", "%s", "");
}

static void stopped(const struct fake_process *vm)
{
	fake_process_status(vm, 'T', 1 << (SIGQUIT - 1));
}

static void traced(const struct fake_process *vm)
{
	fake_process_status(vm, 't', 1 << (SIGQUIT - 1));
}

static void no_vm(const struct fake_process *vm)
{
	fake_process_file(
		vm, "maps", "0-1 r-xp 0 08:01 42    /usr/bin/sleep\n0-1 rw-p 0 0:0 0 [heap]\n");
}

static void openj9(const struct fake_process *vm)
{
	fake_process_file(vm, "maps",
		"0-1 r-xp 0 08:01 42    /opt/j9/lib/default/libj9vm29.so\n"
		"0-1 r-xp 0 08:01 42    /opt/j9/lib/server/libjvm.so\n");
}

static void alpine(const struct fake_process *vm)
{
	fake_process_file(vm, "maps",
		"0-1 r-xp 0 08:01 42    /opt/jdk/lib/server/libjvm.so\n"
		"0-1 r-xp 0 08:01 42    /lib/ld-musl-x86_64.so.1\n");
}

static void java_8(const struct fake_process *vm)
{
	fake_process_file(
		vm, "maps", "0-1 r-xp 0 08:01 42    /release8/jre/lib/amd64/server/libjvm.so\n");
	char path[160];
	snprintf(path, sizeof(path), "%s/%d/root/release8", vm->proc, (int)vm->pid);
	mkdir(path, 0700);
	fake_process_file(vm, "root/release8/release", "JAVA_VERSION=\"1.8.0_392\"\n");
}

static const struct refusal refusals[] = {
	{ERR_ZOMBIE, "has ended", zombie},
	{ERR_STOPPED, "kill -CONT", stopped},
	{ERR_STOPPED, "debugger", traced},
	{ERR_NOT_JVM, "not a Java VM", no_vm},
	{ERR_OTHER_VM, "OpenJ9", openj9},
	{ERR_OLD_VM, "1.8.0_392", java_8},
};

TEST(refusals)
{
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		struct fake_process vm;
		fake_process_start(&vm, FAKE_IDLE, "", 0);
		refusals[i].arrange(&vm);
		struct target t = read_it(&vm);
		struct diag d = {0};
		EXPECT_INT(refusals[i].err, target_check(&t, geteuid(), &d));
		char pid[16];
		snprintf(pid, sizeof(pid), "%d", (int)vm.pid);
		tap_check(strstr(d.text, refusals[i].says) && strstr(d.text, pid), __FILE__,
			__LINE__, "%s", d.text);
		fake_process_stop(&vm);
	}
}

static void debians_musl(const struct fake_process *vm)
{
	fake_process_file(vm, "maps",
		"0-1 r-xp 0 08:01 42    /usr/lib/x86_64-linux-musl/libc.so\n"
		"0-1 r-xp 0 08:01 42    /opt/jdk/lib/server/libjvm.so\n");
}

/* Whether its agent can be loaded there is a build's own. */
static void expect_musl(void (*arrange)(const struct fake_process *vm))
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	arrange(&vm);
	struct target t = read_it(&vm);
	struct diag d = {""};
	EXPECT(t.musl);
	EXPECT_INT(MAYFLY_MUSL ? 0 : ERR_UNSUPPORTED, target_check(&t, geteuid(), &d));
	EXPECT(MAYFLY_MUSL ? !d.text[0] : strstr(d.text, "runs on musl") != NULL);
	fake_process_stop(&vm);
}

TEST(musl)
{
	expect_musl(alpine);
	expect_musl(debians_musl);
}

TEST(another_users)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct target t = read_it(&vm);
	struct diag d = {0};
	EXPECT_INT(ERR_DENIED, target_check(&t, geteuid() + 1, &d));
	EXPECT(strstr(d.text, "root") != NULL);
	t.hidden = true;
	EXPECT_INT(ERR_DENIED, target_check(&t, geteuid(), &d));
	EXPECT((strstr(d.text, "even root") != NULL) == (geteuid() == 0));
	t = read_it(&vm);
	t.attach_off = true;
	EXPECT_INT(ERR_ATTACH_OFF, target_check(&t, geteuid(), &d));
	EXPECT(strstr(d.text, "DisableAttachMechanism") != NULL);
	fake_process_stop(&vm);
}
