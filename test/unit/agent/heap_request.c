#include "agent/heap_request.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/tap.h"

struct client {
	int end;
	struct control control; /* the agent's end */
};

static struct client connect_one(void)
{
	struct client c = {.end = -1};
	int ends[2];
	EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	c.end = ends[0];
	c.control.client = own_fd_take(ends[1]);
	return c;
}

/* Without waiting: "" where there is none yet. */
static void expect_answer(struct client *c, const char *begin)
{
	char text[1024] = "";
	ssize_t n = recv(c->end, text, sizeof(text) - 1, MSG_DONTWAIT);
	text[n > 0 ? n : 0] = '\0';
	EXPECT(strncmp(begin, text, strlen(begin)) == 0 && (*begin || !*text));
}

/* A recording with single objects. */
static struct exact *make_exact(void)
{
	struct exact *e = calloc(1, sizeof(*e));
	e->opened = e->began = e->traces = e->pauses.objects.sites = true;
	atomic_store(&e->on, true);
	return e;
}

/* Where objects are followed since marks have no room, a full collection follows them as well. */
TEST(one_can_be_forced_where_nothing_is_stamped)
{
	struct exact *e = make_exact();
	struct heap_request q;
	struct client c = connect_one();
	e->pauses.objects.sites = false;
	e->pauses.g1_objects = NULL;
	e->pauses.layout.collector = HEAP_SERIAL;
	heap_request_init(&q);
	EXPECT(heap_request_begin(&q, e, &c.control, true));
	expect_answer(&c, "");
	heap_request_end(&q);
	expect_answer(&c, "error 13 the recording ended before");
	heap_count_release(&e->pauses.heap);
	close(c.end);
	free(e);
}

/* Nor does one disturb what is told no more. */
TEST(one_can_be_forced_where_single_objects_were_given_up)
{
	struct exact *e = make_exact();
	struct heap_request q;
	struct client early = connect_one(), late = connect_one();
	e->pauses.layout.collector = HEAP_SERIAL;
	heap_request_init(&q);
	EXPECT(!heap_request_begin(&q, e, &early.control, true));
	expect_answer(&early, "error 12 this recording tells of every object");
	e->abandoned = true;
	EXPECT(heap_request_begin(&q, e, &late.control, true));
	heap_request_end(&q);
	expect_answer(&late, "error 13 the recording ended before");
	heap_count_release(&e->pauses.heap);
	close(early.end), close(late.end);
	free(e);
}

TEST(another_one_meanwhile)
{
	struct exact *e = make_exact();
	struct heap_request q;
	struct client first = connect_one(), forced = connect_one(), third = connect_one();
	heap_request_init(&q);
	EXPECT(heap_request_begin(&q, e, &first.control, false));
	EXPECT(!heap_request_begin(&q, e, &forced.control, true));
	EXPECT(!heap_request_begin(&q, e, &third.control, false));
	expect_answer(&forced, "error 12 this recording tells of every object");
	expect_answer(&third, "error 11 the heap is being counted for someone else");
	expect_answer(&first, "");
	heap_request_end(&q);
	expect_answer(&first, "error 13 the recording ended before");
	heap_count_release(&e->pauses.heap);
	close(first.end), close(forced.end), close(third.end);
	free(e);
}

/* What is refused with --gc is not told to come with it. */
TEST(no_collection_in_time)
{
	struct exact *e = make_exact();
	struct heap_request q;
	struct client c = connect_one();
	heap_request_init(&q);
	EXPECT(heap_request_begin(&q, e, &c.control, false));
	heap_request_step(&q, e, NULL, NULL);
	expect_answer(&c, "");
	q.deadline = (struct ns){0};
	heap_request_step(&q, e, NULL, NULL);
	expect_answer(&c, "error 13 no collection came within 10 s, and none can be forced in this "
			  "recording");
	EXPECT(!q.busy);
	heap_request_end(&q);
	heap_count_release(&e->pauses.heap);
	close(c.end);
	free(e);
}

TEST(where_nothing_counts)
{
	struct exact *e = make_exact();
	struct heap_request q;
	struct client c = connect_one();
	heap_request_init(&q);
	atomic_store(&e->on, false);
	EXPECT(!heap_request_begin(&q, e, &c.control, false));
	EXPECT(!q.busy && heap_request_next(&q).v == UINT64_MAX);
	expect_answer(&c, "error 12 the exact engine does not count in this program");
	close(c.end);
	free(e);
}
