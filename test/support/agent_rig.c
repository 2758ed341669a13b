#include "support/agent_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/tap.h"

void rig_begin(struct rig *r, int major)
{
	*r = (struct rig){.session = session_get(), .held = mem_held()};
	snprintf(r->folder, sizeof(r->folder), "/tmp/mayfly-test-XXXXXX");
	EXPECT(mkdtemp(r->folder) != NULL);
	r->session->vm = (struct vm){0}; /* the last one's VM is gone */
	snprintf(r->file, sizeof(r->file), "%s/t.mfly", r->folder);
	snprintf(r->socket, sizeof(r->socket), "%s/s", r->folder);
	fake_vm_init(major);
}

int rig_open(struct rig *r, const char *options, bool live)
{
	char text[1024];
	snprintf(text, sizeof(text), "file=%s,control=%s,%s", r->file, r->socket, options);
	fake_vm_set_phase(live ? JVMTI_PHASE_LIVE : JVMTI_PHASE_ONLOAD);
	r->diag.text[0] = '\0';
	return session_open(r->session, fake_vm_java(), text, live, &r->diag);
}

void rig_request(const struct rig *r, const char *request, char *reply, size_t room)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	size_t len = 0;
	snprintf(a.sun_path, sizeof(a.sun_path), "%.100s", r->socket);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect(fd, (const struct sockaddr *)&a, sizeof(a)) == 0 &&
		send(fd, request, strlen(request), MSG_NOSIGNAL) > 0 &&
		send(fd, "\n", 1, MSG_NOSIGNAL) > 0)
		for (ssize_t n; len + 1 < room && (n = read(fd, reply + len, room - 1 - len)) > 0;)
			len += (size_t)n;
	reply[len] = '\0';
	close(fd);
}

void rig_expect(const struct rig *r, const char *request, const char *first_line)
{
	char reply[4096];
	rig_request(r, request, reply, sizeof(reply));
	reply[strcspn(reply, "\n")] = '\0';
	EXPECT_STR(first_line, reply);
}

long rig_status(const struct rig *r, const char *name)
{
	char reply[4096], line[64];
	rig_request(r, "status", reply, sizeof(reply));
	snprintf(line, sizeof(line), "\n%s ", name);
	const char *at = strstr(reply, line);
	return at ? atol(at + strlen(line)) : -1;
}

void rig_await(struct rig *r, enum state state)
{
	struct session *s = r->session;
	pthread_mutex_lock(&s->lock);
	while (atomic_load(&s->state) != (int)state || (state == STATE_OFF && s->writer_runs))
		pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

void rig_stop(struct rig *r)
{
	rig_expect(r, "stop", "ok");
	rig_await(r, STATE_OFF);
}

void rig_bury(struct rig *r)
{
	EXPECT(!r->session->writer_runs);
	r->session->vm.jvmti = NULL;
	session_close(r->session, NULL);
	atomic_store(&r->session->vm_dies, false);
}

struct agent_totals rig_end(struct rig *r, bool complete)
{
	struct agent_trace t = {0};
	struct agent_totals n = {0};
	struct stat st;
	EXPECT_INT(STATE_OFF, atomic_load(&r->session->state));
	EXPECT_INT(0, atomic_load(&r->session->inside));
	EXPECT_INT(r->held, mem_held());
	EXPECT(lstat(r->socket, &st) != 0);
	EXPECT(!fake_vm_holds_sampler());
	EXPECT_INT(0, fake_vm_breaches());
	EXPECT_INT(0, fake_vm_memory_out());
	EXPECT_INT(0, fake_vm_references_out());
	EXPECT_INT(0, fake_vm_events_left());
	fake_vm_tell_deaths(); /* that the VM still held, to nobody */
	EXPECT(fake_vm_kept_tags() || fake_vm_tagged() == 0);
	EXPECT(fake_vm_kept_tags() || fake_vm_tagged_classes() == 0);
	bool there = agent_trace_load(&t, r->file);
	if (there && t.bytes.len)
		n = agent_trace_verify(&t, complete);
	EXPECT(there || !complete);
	agent_trace_release(&t);
	unlink(r->file);
	EXPECT_INT(0, rmdir(r->folder));
	fake_vm_release();
	return n;
}

void rig_run(int objects)
{
	static const int stack[] = {3, 2, 1, 0};
	for (int i = 0; i < objects; i++) {
		size_t object = fake_vm_allocate(i % FAKE_CLASSES, 100, stack, ARRAY_SIZE(stack));
		if (i % 3)
			fake_vm_drop(object);
		if (i % 20 == 19) {
			fake_vm_collect(false);
			fake_vm_tell_deaths();
		}
	}
}
