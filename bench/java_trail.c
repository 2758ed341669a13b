/*
 * What one allocation's call path takes where the walk before it is known (hotspot/java_trail.h):
 * the words of the old frames are compared, the young ones are walked and kept.
 *
 *	bench_java_trail [ROUNDS]
 *
 * The stack is made up: frames of compiled code, which go by one word each, and one in eight of the
 * interpreter, which go by four. Prints ns of CPU time for a walk, the least of the rounds, for
 * stacks of so many frames of which so many are other ones than the last time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/compiler.h"
#include "hotspot/java_trail.h"

enum { WORDS = 12, FRAMES = 400, WALKS = 20000, ROUNDS = 21, TOLD = 64 };

static const struct method_key no_key;
static struct java_trail trail;
static uint64_t all; /* hashes, that they are wanted */
static uintptr_t stack[(FRAMES + 1) * WORDS];

static uintptr_t base(void)
{
	return (uintptr_t)(stack + sizeof(stack) / sizeof(*stack));
}

static uintptr_t sp_of(unsigned frame)
{
	return base() - WORDS * sizeof(*stack) * (frame + 1);
}

static uintptr_t *return_address(unsigned frame)
{
	return (uintptr_t *)(sp_of(frame) + (WORDS - 1) * sizeof(*stack));
}

static void step(unsigned frame)
{
	struct trail_frame *f = java_trail_step(&trail, frame, sp_of(frame), 0);
	f->tells = true;
	f->part = java_trail_mix(frame, 1);
	for (unsigned i = 0; i < (frame % 8 ? 1 : 4); i++) {
		uintptr_t at = (uintptr_t)(return_address(frame) - i);
		java_trail_note(&trail, at, *(const uintptr_t *)at);
	}
}

static uint64_t walk(unsigned depth)
{
	unsigned frame = depth;
	bool met = false;
	java_trail_begin(&trail, &no_key, base(), sp_of(depth - 1), TOLD);
	while (frame && !(met = java_trail_meet(&trail, frame - 1, sp_of(frame - 1), 0)))
		step(--frame);
	java_trail_end(&trail, met);
	uint64_t hash = java_trail_hash(&trail);
	java_trail_keep(&trail, 0);
	return hash;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The oldest of the frames that change has returned to another place. */
static double measure(unsigned depth, unsigned others)
{
	double begin = now();
	for (unsigned i = 0; i < WALKS; i++) {
		++*return_address(depth - others);
		all += walk(depth);
	}
	return (now() - begin) / WALKS;
}

int main(int argc, char **argv)
{
	static const unsigned depths[] = {20, 60, 150, FRAMES}, others[] = {1, 3, 10};
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
	printf("%-8s%10s%10s%10s\n", "frames", "1 other", "3 others", "10 others");
	for (size_t d = 0; d < ARRAY_SIZE(depths); d++) {
		printf("%-8u", depths[d]);
		for (size_t k = 0; k < ARRAY_SIZE(others); k++) {
			double least = measure(depths[d], others[k]);
			for (int r = 1; r < rounds; r++) {
				double ns = measure(depths[d], others[k]);
				least = ns < least ? ns : least;
			}
			printf("%10.0f", least);
		}
		printf("\n");
	}
	return all ? 0 : 1;
}
