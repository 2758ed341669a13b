#include "cli/control.h"

#include <poll.h>

#include "base/error.h"
#include "base/rng.h"
#include "unit/cli/fake_agent.h"

static const struct ns plenty = {20000000000ull}, none = {1};

struct crowd {
	int listener, waiting;
	int client[16];
};

static int a_client(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	close(fd);
	return -1;
}

static void *serve_all(void *arg)
{
	struct crowd *c = arg;
	char line[16];
	poll(NULL, 0, 50); /* so long that the question has come, and found no room */
	for (int i = 0; i < c->waiting; i++)
		close(accept(c->listener, NULL, NULL));
	int fd = accept(c->listener, NULL, NULL);
	EXPECT_INT(5, recv(fd, line, sizeof(line), 0));
	EXPECT_INT(3, send(fd, "ok\n", 3, MSG_NOSIGNAL));
	close(fd);
	return NULL;
}

/* The questions that a stopped program has not answered fill its queue: to end the recording must
 * wait with them, not be given up at once. */
TEST(a_full_queue)
{
	struct fake_agent f;
	struct crowd c = {0};
	struct control_reply reply;
	struct diag d = {""};
	pthread_t server;
	fake_agent_listen(&f, 0);
	while (c.waiting < 16 && (c.client[c.waiting] = a_client(f.path)) >= 0)
		c.waiting++;
	EXPECT(c.waiting > 0 && c.waiting < 16);
	EXPECT_INT(ERR_TIMEOUT, control_ask(f.path, "stop", none, &reply, &d));
	c.listener = f.listener;
	EXPECT_INT(0, pthread_create(&server, NULL, serve_all, &c));
	EXPECT_INT(0, control_ask(f.path, "stop", plenty, &reply, &d));
	shutdown(c.listener, SHUT_RDWR); /* lets it go where nothing was asked */
	pthread_join(server, NULL);
	while (c.waiting)
		close(c.client[--c.waiting]);
	fake_agent_remove(&f);
}

TEST(a_conversation)
{
	struct fake_agent f = {
		.replies = {"ok\nstate recording\nfile /tmp/a b.mfly\nsamples 1234\n"}};
	struct control_reply reply;
	struct diag d = {""};
	char value[64];
	fake_agent_start(&f);
	EXPECT_INT(0, control_ask(f.path, "status", plenty, &reply, &d));
	fake_agent_stop(&f);
	EXPECT_STR("status\n", f.requests);
	EXPECT(control_value(&reply, "file", value, sizeof(value)));
	EXPECT_STR("/tmp/a b.mfly", value);
	EXPECT(control_value(&reply, "state", value, 4));
	EXPECT_STR("rec", value);
	EXPECT_INT(1234, control_number(&reply, "samples"));
	EXPECT_INT(0, control_number(&reply, "state"));
	EXPECT_INT(0, control_number(&reply, "sample"));
	EXPECT(!control_value(&reply, "nothing", value, sizeof(value)));
	EXPECT_STR("", value);
}

TEST(refusals)
{
	static const struct {
		const char *reply;
		int err;
		const char *sentence;
	} cases[] = {
		{"error 8 nothing waits to be started\n", ERR_USAGE, "nothing waits to be started"},
		{"error 10\n", ERR_DENIED, "not permitted"},
		{"error\n", ERR_FORMAT, "the agent's answer makes no sense"},
		{"error -3 x\n", ERR_FORMAT, "the agent's answer makes no sense"},
		{"error 999999999999999999999 x\n", ERR_FORMAT,
			"the agent's answer makes no sense"},
		{"HTTP/1.1 400 Bad Request\n", ERR_FORMAT, "the agent's answer makes no sense"},
		{"ok", ERR_FORMAT, "the agent's answer makes no sense"},
		{NULL, ERR_GONE, "the agent hung up without an answer"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fake_agent f = {.replies = {cases[i].reply}};
		struct control_reply reply;
		struct diag d = {""};
		fake_agent_start(&f);
		EXPECT_INT(cases[i].err, control_ask(f.path, "stop", plenty, &reply, &d));
		EXPECT_STR(cases[i].sentence, d.text);
		EXPECT_STR("", reply.text);
		fake_agent_stop(&f);
	}
}

TEST(too_long_an_answer)
{
	static char flood[CONTROL_REPLY_MAX + 100];
	memset(flood, 'x', sizeof(flood) - 1);
	memcpy(flood, "ok\n", 3);
	struct fake_agent f = {.replies = {flood}};
	struct control_reply reply;
	struct diag d = {""};
	fake_agent_start(&f);
	EXPECT_INT(ERR_LIMIT, control_ask(f.path, "status", plenty, &reply, &d));
	fake_agent_stop(&f);
}

/* The time is over before anything can come. */
TEST(no_answer_in_time)
{
	struct fake_agent f = {.replies = {""}, .silent = true};
	struct control_reply reply;
	struct diag d = {""};
	fake_agent_start(&f);
	EXPECT_INT(ERR_TIMEOUT, control_ask(f.path, "status", none, &reply, &d));
	fake_agent_stop(&f);
}

TEST(nobody_there)
{
	struct control_reply reply;
	struct diag d = {""};
	char path[200];
	EXPECT_INT(ERR_GONE, control_ask("/tmp/mayfly-nobody.sock", "status", plenty, &reply, &d));
	EXPECT_STR("no agent is recording there", d.text);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	EXPECT_INT(ERR_LIMIT, control_ask(path, "status", plenty, &reply, &d));
	/* A socket that a killed program left behind. */
	struct fake_agent f = {.replies = {"ok\n"}};
	fake_agent_start(&f);
	shutdown(f.listener, SHUT_RDWR);
	close(f.listener);
	EXPECT_INT(ERR_GONE, control_ask(f.path, "status", plenty, &reply, &d));
	EXPECT(strstr(d.text, f.path) != NULL);
	EXPECT(strstr(d.text, "is left over from a program that was killed") != NULL);
	pthread_join(f.thread, NULL);
	unlink(f.path);
	rmdir(f.folder);
}

TEST(paths)
{
	char path[CONTROL_PATH_MAX];
	control_path(4711, 7, "", path, sizeof(path));
	EXPECT_STR("/proc/4711/root/tmp/.mayfly-7.sock", path);
	control_path(4711, 7, "/run/m.sock", path, sizeof(path));
	EXPECT_STR("/proc/4711/root/run/m.sock", path);
	control_path(4711, 7, NULL, path, sizeof(path));
	EXPECT_STR("/proc/4711/root/tmp/.mayfly-7.sock", path);
	struct diag d = {""};
	EXPECT_INT(0, control_check(path, &d));
	memset(path, 'x', sizeof(path));
	path[107] = '\0'; /* sun_path has 108 bytes */
	EXPECT_INT(0, control_check(path, &d));
	path[107] = 'x';
	path[108] = '\0';
	EXPECT_INT(ERR_LIMIT, control_check(path, &d));
	EXPECT(strstr(d.text, "too long") != NULL);
}

TEST(any_bytes)
{
	struct rng r = rng_init(tap_seed());
	static const char alphabet[] = "ok\nerror 12\x1b\x7f\0 state";
	for (int i = 0; i < 3000; i++) {
		char text[48], value[8];
		struct control_reply reply;
		size_t len = rng_below(&r, sizeof(text) - 1);
		for (size_t k = 0; k < len; k++)
			text[k] = alphabet[rng_below(&r, sizeof(alphabet) - 1)];
		if (rng_below(&r, 2) && len > 3)
			memcpy(text, "ok\n", 3);
		struct diag d = {""};
		int err = control_parse(text, len, &reply, &d);
		EXPECT(err == 0 || d.text[0]);
		const char *shown = err ? d.text : reply.text;
		for (; *shown; shown++)
			EXPECT(*shown == '\n' || ((unsigned char)*shown >= 0x20 && *shown != 0x7f));
		control_value(&reply, "ok", value, sizeof(value));
		EXPECT(strlen(value) < sizeof(value));
	}
}
