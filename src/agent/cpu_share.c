#include "agent/cpu_share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { WINDOW_NS = 1000000000, TEXT = 96 };

void cpu_share_init(struct cpu_share *s)
{
	*s = (struct cpu_share){.share = 1};
}

bool cpu_share_parse(const char *text, struct ns *ran, struct ns *waited)
{
	char *end, *last;
	ran->v = strtoull(text, &end, 10);
	waited->v = strtoull(end, &last, 10);
	return end > text && last > end;
}

static uint64_t since(struct ns now, struct ns then)
{
	return now.v > then.v ? now.v - then.v : 0;
}

static void add(_Atomic uint64_t *sum, double ns)
{
	atomic_fetch_add_explicit(sum, (uint64_t)ns, memory_order_relaxed);
}

void cpu_share_add(struct cpu_share *s, struct thread_cpu *own, struct ns ran, struct ns waited)
{
	double run = (double)since(ran, own->ran), wait = (double)since(waited, own->waited);
	double all = run + wait, part = all > WINDOW_NS ? WINDOW_NS / all : 1;
	add(&s->ran, part * run);
	add(&s->waited, part * wait);
	own->ran = ran;
	own->waited = waited;
}

/* False: the system does not tell, or not here. */
static bool read_text(char *text)
{
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t len = read(fd, text, TEXT - 1);
	close(fd);
	text[len > 0 ? len : 0] = 0;
	return len > 0;
}

void cpu_share_ask(struct cpu_share *s, struct thread_cpu *own, struct ns now)
{
	char text[TEXT];
	struct ns ran, waited;
	if (own->asked.v && since(now, own->asked) < WINDOW_NS)
		return;
	int kept = errno; /* the program's, amid an allocation of its own */
	own->asked = now;
	if (read_text(text) && cpu_share_parse(text, &ran, &waited))
		cpu_share_add(s, own, ran, waited);
	errno = kept;
}

static double taken(_Atomic uint64_t *sum)
{
	return (double)atomic_exchange_explicit(sum, 0, memory_order_relaxed);
}

double cpu_share_update(struct cpu_share *s)
{
	double ran = taken(&s->ran), waited = taken(&s->waited);
	if (ran + waited > 0)
		s->share = ran / (ran + waited);
	return s->share;
}
