#include "attach/attach_socket.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "attach/attach_reply.h"
#include "base/clock.h"
#include "base/error.h"
#include "support/fake_process.h"
#include "support/tap.h"

static struct ns in_seconds(uint64_t s)
{
	return (struct ns){clock_now().v + s * 1000000000};
}

static struct attach_socket open_socket(const struct fake_process *vm)
{
	return (struct attach_socket){
		.dir = open(vm->tmp, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.nspid = FAKE_NSPID,
		.uid = geteuid(),
		.gid = getegid(),
	};
}

TEST(asks_and_gets_an_answer)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_LISTENING, "0\nfine\n", 7);
	struct attach_socket s = open_socket(&vm);
	EXPECT_INT(0, attach_socket_probe(&s, in_seconds(60), NULL));
	struct buf reply = {0};
	EXPECT_INT(0, attach_socket_exchange(
			      &s, slice("1\0a\0b\0c\0d", 10), in_seconds(60), &reply, NULL));
	EXPECT(slice_equal(buf_slice(&reply), slice_str("0\nfine\n")));
	char request[64];
	EXPECT_INT(10, fake_process_request(&vm, request, sizeof(request)));
	EXPECT(memcmp(request, "1\0a\0b\0c\0d", 10) == 0);
	buf_release(&reply);
	close(s.dir);
	fake_process_stop(&vm);
}

TEST(an_answer_without_end)
{
	size_t len = ATTACH_REPLY_MAX + 1;
	char *much = calloc(1, len);
	struct fake_process vm;
	fake_process_start(&vm, FAKE_LISTENING, much, len);
	struct attach_socket s = open_socket(&vm);
	struct buf reply = {0};
	struct diag d = {0};
	EXPECT_INT(ERR_LIMIT,
		attach_socket_exchange(&s, slice("1\0a\0b\0c\0d", 10), in_seconds(60), &reply, &d));
	EXPECT(strstr(d.text, "MiB") != NULL);
	buf_release(&reply);
	close(s.dir);
	fake_process_stop(&vm);
	free(much);
}

TEST(no_answer_at_all)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_SILENT, "", 0);
	struct attach_socket s = open_socket(&vm);
	struct buf reply = {0};
	struct ns soon = {clock_now().v + 20000000};
	EXPECT_INT(ERR_TIMEOUT,
		attach_socket_exchange(&s, slice("1\0a\0b\0c\0d", 10), soon, &reply, NULL));
	buf_release(&reply);
	close(s.dir);
	fake_process_stop(&vm);
}

TEST(nobody_there)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct attach_socket s = open_socket(&vm);
	EXPECT_INT(ERR_NOT_FOUND, attach_socket_probe(&s, in_seconds(60), NULL));
	struct buf reply = {0};
	EXPECT_INT(
		ERR_GONE, attach_socket_exchange(&s, slice("1", 2), in_seconds(60), &reply, NULL));
	close(s.dir);
	EXPECT_INT(0, fake_process_stop(&vm));
}

TEST(something_else_of_that_name)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_IDLE, "", 0);
	struct attach_socket s = open_socket(&vm);
	fake_process_file(&vm, "root/tmp/.java_pid7", "not a socket");
	struct diag d = {0};
	EXPECT_INT(ERR_DENIED, attach_socket_probe(&s, in_seconds(60), &d));
	EXPECT(strstr(d.text, ".java_pid7") != NULL);
	close(s.dir);
	fake_process_stop(&vm);
}

TEST(another_users_socket)
{
	struct fake_process vm;
	fake_process_start(&vm, FAKE_LISTENING, "", 0);
	struct attach_socket s = open_socket(&vm);
	s.uid++;
	EXPECT_INT(ERR_DENIED, attach_socket_probe(&s, in_seconds(60), NULL));
	close(s.dir);
	fake_process_stop(&vm);
}
