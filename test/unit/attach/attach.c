#include "attach/attach.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/fake_process.h"
#include "support/tap.h"

static const struct ns minute = {60000000000};

TEST(loads_an_agent)
{
	struct fake_process vm;
	struct attach a;
	fake_process_start(&vm, FAKE_ON_QUIT, "0\nreturn code: 5\n", 17);
	EXPECT_INT(0, attach_open(&a, vm.proc, vm.pid, minute, NULL));
	int result = -1;
	EXPECT_INT(0, attach_load(&a, "/opt/x.so", "a=b", &result, NULL));
	EXPECT_INT(5, result);
	char request[128];
	static const char want[] = "1\0load\0/opt/x.so\0true\0a=b";
	EXPECT_INT(sizeof(want), fake_process_request(&vm, request, sizeof(request)));
	EXPECT(memcmp(request, want, sizeof(want)) == 0);
	EXPECT_INT(0, attach_load(&a, "/opt/x.so", NULL, &result, NULL)); /* a connection each */
	static const char bare[] = "1\0load\0/opt/x.so\0true\0";
	EXPECT_INT(sizeof(bare), fake_process_request(&vm, request, sizeof(request)));
	attach_release(&a);
	attach_release(&a);
	EXPECT_INT(0, fake_process_stop(&vm));
}

TEST(any_command)
{
	struct fake_process vm;
	struct attach a;
	fake_process_start(&vm, FAKE_LISTENING, "-1\nno\n", 6);
	EXPECT_INT(0, attach_open(&a, vm.proc, vm.pid, minute, NULL));
	struct buf reply = {0};
	int status = 0;
	const char *args[] = {"VM.version"};
	EXPECT_INT(0, attach_command(&a, "jcmd", args, 1, &status, &reply, NULL));
	EXPECT_INT(-1, status);
	EXPECT_STR("no\n", buf_text(&reply));
	char request[128];
	EXPECT_INT(20, fake_process_request(&vm, request, sizeof(request)));
	EXPECT(memcmp(request, "1\0jcmd\0VM.version\0\0\0", 20) == 0);
	buf_release(&reply);
	attach_release(&a);
	fake_process_stop(&vm);
}

TEST(what_the_vm_would_cut)
{
	struct fake_process vm;
	struct attach a;
	fake_process_start(&vm, FAKE_LISTENING, "0\n", 2);
	EXPECT_INT(0, attach_open(&a, vm.proc, vm.pid, minute, NULL));
	char options[ATTACH_ARG_MAX + 2];
	memset(options, 'x', sizeof(options));
	options[ATTACH_ARG_MAX + 1] = '\0';
	int result;
	struct diag d = {0};
	EXPECT_INT(ERR_USAGE, attach_load(&a, "/x.so", options, &result, &d));
	EXPECT(strstr(d.text, "1024") != NULL);
	EXPECT_INT(ERR_USAGE, attach_load(&a, "x.so", NULL, &result, &d));
	struct buf reply = {0};
	const char *four[] = {"", "", "", ""};
	EXPECT_INT(ERR_USAGE, attach_command(&a, "jcmd", four, 4, &result, &reply, &d));
	EXPECT_INT(
		ERR_USAGE, attach_command(&a, "a_command_too_long", four, 0, &result, &reply, &d));
	EXPECT_INT(0, fake_process_request(&vm, options, sizeof(options))); /* nothing was sent */
	attach_release(&a);
	fake_process_stop(&vm);
}

TEST(refused_before_any_signal)
{
	struct fake_process vm;
	struct attach a;
	struct diag d = {0};
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	fake_process_file(&vm, "maps", "0-1 r-xp 0 08:01 42    /usr/bin/sleep\n");
	EXPECT_INT(ERR_NOT_JVM, attach_open(&a, vm.proc, vm.pid, minute, &d));
	EXPECT_INT(-1, a.tmp);
	EXPECT_INT(ERR_NO_PROCESS, attach_open(&a, vm.proc, 0, minute, &d));
	EXPECT_INT(ERR_NO_PROCESS, attach_open(&a, vm.proc, -1, minute, &d));
	EXPECT_INT(0, fake_process_stop(&vm));
}

/* Its numbers are of another PID namespace: the signal would reach somebody else. */
TEST(another_namespaces_proc)
{
	struct fake_process vm;
	struct attach a;
	struct diag d = {0};
	char self[80], number[16];
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	snprintf(self, sizeof(self), "%s/self", vm.proc);
	snprintf(number, sizeof(number), "%d", (int)getpid() + 1);
	EXPECT_INT(0, symlink(number, self));
	EXPECT_INT(ERR_DENIED, attach_open(&a, vm.proc, vm.pid, (struct ns){30000000}, &d));
	EXPECT(strstr(d.text, "another PID namespace") != NULL);
	EXPECT_INT(-1, a.tmp);
	unlink(self);
	EXPECT_INT(0, fake_process_stop(&vm)); /* it got no signal */
	fake_process_start(&vm, FAKE_ON_QUIT, "", 0);
	snprintf(self, sizeof(self), "%s/self", vm.proc);
	snprintf(number, sizeof(number), "%d", (int)getpid());
	EXPECT_INT(0, symlink(number, self));
	EXPECT_INT(0, attach_open(&a, vm.proc, vm.pid, minute, NULL));
	attach_release(&a);
	EXPECT_INT(0, fake_process_stop(&vm));
}

TEST(memory_runs_out)
{
	struct fake_process vm;
	struct attach a;
	fake_process_start(&vm, FAKE_LISTENING, "0\nreturn code: 0\n", 17);
	EXPECT_INT(0, attach_open(&a, vm.proc, vm.pid, minute, NULL));
	int err = ERR_NOMEM, result;
	uint64_t n, held = mem_held();
	for (n = 1; err == ERR_NOMEM && n < 100; n++) {
		mem_fail_at(n);
		err = attach_load(&a, "/x.so", NULL, &result, NULL);
		mem_fail_at(0);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(0, err);
	EXPECT(n > 2);
	attach_release(&a);
	fake_process_stop(&vm);
}
