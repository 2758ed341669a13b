#include "attach/attach_listen.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "support/fake_process.h"
#include "support/tap.h"

static int listen_to(const struct fake_process *vm, uint64_t ms, struct diag *d)
{
	struct target t;
	EXPECT_INT(0, target_read(&t, vm->proc, vm->pid, NULL));
	struct attach_socket s = {
		.dir = open(vm->tmp, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.nspid = FAKE_NSPID,
		.uid = geteuid(),
		.gid = getegid(),
	};
	int err = attach_listen(&t, &s, -1, (struct ns){clock_now().v + ms * 1000000}, d);
	close(s.dir);
	return err;
}

static bool there(const struct fake_process *vm, const char *name)
{
	char path[160];
	struct stat st;
	snprintf(path, sizeof(path), "%s/%s", vm->tmp, name);
	return lstat(path, &st) == 0;
}

TEST(by_file_and_signal)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_ON_QUIT, "0\n", 2);
	EXPECT_INT(0, listen_to(&vm, 60000, NULL));
	EXPECT(there(&vm, ".java_pid7"));
	EXPECT(!there(&vm, ".attach_pid7"));
	EXPECT_INT(0, fake_process_stop(&vm));
}

TEST(a_file_left_over)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_ON_QUIT, "0\n", 2);
	fake_process_file(&vm, "root/tmp/.attach_pid7", "%s", "");
	EXPECT_INT(0, listen_to(&vm, 60000, NULL));
	EXPECT(!there(&vm, ".attach_pid7"));
	EXPECT_INT(0, fake_process_stop(&vm));
}

/* The process would die of it. */
TEST(no_signal_to_whom_it_would_kill)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	fake_process_status(&vm, 'S', 0);
	struct diag d = {0};
	EXPECT_INT(ERR_BUSY, listen_to(&vm, 30, &d));
	EXPECT(strstr(d.text, "SIGQUIT") != NULL);
	EXPECT(!there(&vm, ".attach_pid7"));
	EXPECT_INT(0, fake_process_stop(&vm)); /* 1 had it got one */
}

struct starter {
	struct fake_process vm;
	bool asked; /* before it had started */
};

static void *start_slowly(void *arg)
{
	struct starter *s = arg;
	poll(NULL, 0, 50);
	fake_process_status(&s->vm, 'S', 1 << (SIGQUIT - 1));
	poll(NULL, 0, 50);
	s->asked = there(&s->vm, ".attach_pid7") || there(&s->vm, ".java_pid7");
	fake_process_file(&s->vm, FAKE_THREAD, "Service Thread\n");
	return NULL;
}

/* Its handler is there before it may be used. */
TEST(one_that_starts_is_waited_for)
{
	struct starter s = {0};
	pthread_t starter;
	fake_process_start(&s.vm, FAKE_ON_QUIT, "0\n", 2);
	fake_process_file(&s.vm, FAKE_THREAD, "java\n");
	fake_process_status(&s.vm, 'S', 0);
	EXPECT_INT(0, pthread_create(&starter, NULL, start_slowly, &s));
	EXPECT_INT(0, listen_to(&s.vm, 60000, NULL));
	pthread_join(starter, NULL);
	EXPECT(!s.asked);
	EXPECT_INT(0, fake_process_stop(&s.vm));
}

/* A handler alone is none, however long it has been there. */
TEST(a_handler_that_may_be_new_is_not_used)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	fake_process_file(&vm, FAKE_THREAD, "java\n");
	EXPECT_INT(ERR_BUSY, listen_to(&vm, 30, NULL));
	EXPECT(!there(&vm, ".attach_pid7"));
	EXPECT_INT(0, fake_process_stop(&vm));
}

/* Its handler does nothing with it so far. The file stays: a VM that is held up looks for it when
 * it comes to the signal, and would print a thread dump without. */
TEST(never_listens)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct diag d = {0};
	EXPECT_INT(ERR_TIMEOUT, listen_to(&vm, 30, &d));
	EXPECT(there(&vm, ".attach_pid7"));
	EXPECT_INT(1, fake_process_stop(&vm)); /* it did get the signal */
}

TEST(stopped_while_we_wait)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	fake_process_status(&vm, 'T', 1 << (SIGQUIT - 1));
	EXPECT_INT(ERR_STOPPED, listen_to(&vm, 60000, NULL));
	fake_process_stop(&vm);
}

/* A container's process of the same number before this one: nobody is behind the socket any more.
 */
TEST(a_socket_left_over)
{
	struct fake_process old, vm;
	fake_process_start(&old, FAKE_LISTENING, "", 0);
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	char from[160], to[160];
	snprintf(from, sizeof(from), "%s/.java_pid7", old.tmp);
	snprintf(to, sizeof(to), "%s/.java_pid7", vm.tmp);
	EXPECT_INT(0, rename(from, to));
	fake_process_stop(&old);
	EXPECT_INT(ERR_TIMEOUT, listen_to(&vm, 30, NULL));
	EXPECT_INT(1, fake_process_stop(&vm));
}

TEST(ended_while_we_wait)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	fake_process_status(&vm, 'Z', 1 << (SIGQUIT - 1));
	EXPECT_INT(ERR_GONE, listen_to(&vm, 60000, NULL));
	fake_process_stop(&vm);
}
