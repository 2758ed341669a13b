#include "support/fake_process.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/tap.h"

enum { QUIT_CAUGHT = 1 << (SIGQUIT - 1) };

/* Who reads it meanwhile sees all of the one before, or of this one. */
static void write_path(const char *path, const char *text, size_t len)
{
	char new[192];
	snprintf(new, sizeof(new), "%s.new", path);
	int fd = open(new, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
	EXPECT_INT((ssize_t)len, write(fd, text, len));
	close(fd);
	EXPECT_INT(0, rename(new, path));
}

void fake_process_file(const struct fake_process *vm, const char *name, const char *format, ...)
{
	char path[160], text[1024];
	va_list args;
	va_start(args, format);
	int len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "%s/%d/%s", vm->proc, (int)vm->pid, name);
	write_path(path, text, (size_t)len);
}

void fake_process_status(const struct fake_process *vm, char state, unsigned long long caught)
{
	fake_process_file(vm, "status",
		"Name:\tjava\nState:\t%c (made up)\nPid:\t%d\nUid:\t%u\t%u\t%u\t%u\n"
		"Gid:\t%u\t%u\t%u\t%u\nNSpid:\t%d\t%d\nSigCgt:\t%016llx\n",
		state, (int)vm->pid, geteuid(), geteuid(), geteuid(), geteuid(), getegid(),
		getegid(), getegid(), getegid(), (int)vm->pid, FAKE_NSPID, caught);
}

static void make_tree(struct fake_process *vm)
{
	char path[160];
	snprintf(path, sizeof(path), "%s/%d", vm->proc, (int)vm->pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%d/root", vm->proc, (int)vm->pid);
	mkdir(path, 0700);
	snprintf(vm->tmp, sizeof(vm->tmp), "%s/%d/root/tmp", vm->proc, (int)vm->pid);
	mkdir(vm->tmp, 0700);
	snprintf(path, sizeof(path), "%s/%d/task", vm->proc, (int)vm->pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%d/task/8", vm->proc, (int)vm->pid);
	mkdir(path, 0700);
	fake_process_file(vm, FAKE_THREAD, "Service Thread\n");
	fake_process_status(vm, 'S', QUIT_CAUGHT);
	fake_process_file(vm, "maps", "0-1 r-xp 0 08:01 42    /opt/jdk/lib/server/libjvm.so\n");
}

static int listen_at(const char *tmp)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	snprintf(at.sun_path, sizeof(at.sun_path), "%.90s/.java_pid%d", tmp, FAKE_NSPID);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(fd, (const struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 5) != 0)
		_exit(3);
	return fd;
}

/* Reads up to the fifth NUL, as the VM does. */
static size_t read_request(int fd, char *out, size_t size)
{
	size_t len = 0;
	for (int nuls = 0; nuls < 5 && len < size && read(fd, out + len, 1) == 1; len++)
		nuls += out[len] == '\0';
	return len;
}

static void serve(const struct fake_process *vm, int fd, bool answer, const char *reply, size_t len)
{
	char request[8192], path[160];
	size_t got = read_request(fd, request, sizeof(request));
	if (got == 0)
		return; /* a probe */
	snprintf(path, sizeof(path), "%s/request", vm->proc);
	write_path(path, request, got);
	if (!answer)
		pause();
	while (len > 0) {
		ssize_t n = send(fd, reply, len, MSG_NOSIGNAL);
		if (n <= 0)
			return;
		reply += n;
		len -= (size_t)n;
	}
}

static void serve_for_ever(
	const struct fake_process *vm, int listener, bool answer, const char *reply, size_t len)
{
	for (;;) {
		int fd = accept(listener, NULL, NULL);
		if (fd < 0)
			_exit(4);
		serve(vm, fd, answer, reply, len);
		close(fd);
	}
}

static void wait_for_quit(const struct fake_process *vm, enum fake_mode mode)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTERM);
	/* Of two that are pending the lower comes first: SIGQUIT. */
	int signal = sigwaitinfo(&set, NULL);
	if (mode == FAKE_IDLE)
		_exit(signal == SIGQUIT);
	char path[160];
	struct stat st;
	snprintf(path, sizeof(path), "%s/.attach_pid%d", vm->tmp, FAKE_NSPID);
	if (signal != SIGQUIT || stat(path, &st) != 0)
		_exit(5);
}

static void finish(int signal)
{
	(void)signal;
	_exit(0);
}

static void child(
	struct fake_process *vm, enum fake_mode mode, int ready, const char *reply, size_t len)
{
	vm->pid = getpid();
	make_tree(vm);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGQUIT);
	if (mode == FAKE_IDLE)
		sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGTERM, finish);
	int listener = mode == FAKE_LISTENING || mode == FAKE_SILENT ? listen_at(vm->tmp) : -1;
	if (write(ready, "r", 1) != 1)
		_exit(2);
	close(ready);
	if (listener < 0) {
		wait_for_quit(vm, mode);
		listener = listen_at(vm->tmp);
	}
	serve_for_ever(vm, listener, mode != FAKE_SILENT, reply, len);
}

void fake_process_start(struct fake_process *vm, enum fake_mode mode, const char *reply, size_t len)
{
	snprintf(vm->proc, sizeof(vm->proc), "/tmp/fake_process.XXXXXX");
	EXPECT(mkdtemp(vm->proc) != NULL);
	int ready[2];
	char byte;
	EXPECT_INT(0, pipe2(ready, O_CLOEXEC));
	fflush(stdout);
	vm->pid = fork();
	if (vm->pid == 0)
		child(vm, mode, ready[1], reply, len);
	close(ready[1]);
	EXPECT_INT(1, read(ready[0], &byte, 1));
	close(ready[0]);
	snprintf(vm->tmp, sizeof(vm->tmp), "%s/%d/root/tmp", vm->proc, (int)vm->pid);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st, (void)type, (void)where;
	return remove(path);
}

int fake_process_stop(struct fake_process *vm)
{
	int status = -1;
	kill(vm->pid, SIGTERM);
	EXPECT_INT(vm->pid, waitpid(vm->pid, &status, 0));
	nftw(vm->proc, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

size_t fake_process_request(const struct fake_process *vm, char *out, size_t size)
{
	char path[160];
	snprintf(path, sizeof(path), "%s/request", vm->proc);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? 0 : read(fd, out, size);
	if (fd >= 0)
		close(fd);
	return len > 0 ? (size_t)len : 0;
}
