/*
 * What a birth of a hot place takes in the probe, by a door and without one, by turns in one run:
 * the same pieces of code, called in the same order, of which all lead either to their doors or to
 * the ordinary entry.
 *
 *	bench_birth_doors [PLACES [ROUNDS [HOT]]]
 *
 * HOT: so many of the places make nine of ten births; else all are alike.
 * Prints ns of CPU time for a birth, the median of the rounds, and with nothing at all behind the
 * call (a `ret`), which is the bench's own part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "exact/births.h"
#include "hotspot/probe_call.h"

enum { PIECE = 48, PLACES = 4096, CALLS = 1 << 20, ROUNDS = 41, OBJECTS = 1 << 12 };
enum { BY_NOTHING, BY_ENTRY, BY_DOOR, WAYS };
static const char *const names[WAYS] = {"nothing", "entry", "door"};

struct object {
	_Alignas(32) uint64_t mark;
	uint32_t klass, length;
};

static uint8_t *code;
static unsigned places = 256, hot;
static uintptr_t targets[WAYS][PLACES];
static struct object objects[OBJECTS];
static uint16_t order[CALLS];
/* What a program has in the caches beside the probe's own: gone through after every BETWEEN births.
 */
enum { BETWEEN = 64, LINES = 1024 };
static uint8_t others[LINES][64];

static enum caller caller(void *arg, uintptr_t pc)
{
	(void)arg, (void)pc;
	return CALLER_COMPILED;
}

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	(void)arg, (void)b, (void)p;
	s->bytes1 = 32;
}

static uintptr_t code_at(void *arg, uintptr_t pc)
{
	(void)arg, (void)pc;
	return (uintptr_t)code;
}

static const uint8_t piece[] = {0x48, 0x83, 0xec, 0x08, 0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0, 0x41,
	0xff, 0xd2, 0x48, 0x83, 0xc4, 0x08, 0xc3};

static uintptr_t behind(unsigned i)
{
	return (uintptr_t)code + (uintptr_t)i * PIECE + 4 + PROBE_CALL_BYTES;
}

static void lead(int way)
{
	for (unsigned i = 0; i < places; i++)
		memcpy((void *)(behind(i) - PROBE_CALL_BYTES + 2), &targets[way][i], 8);
}

static void prepare(void)
{
	for (int i = 0; i < OBJECTS; i++) {
		objects[i].mark = 1;
		objects[i].klass = 8;
	}
}

static void run(unsigned calls)
{
	for (unsigned i = 0; i < calls; i++) {
		struct object *o = &objects[i % OBJECTS];
		uintptr_t at = (uintptr_t)code + (uintptr_t)order[i % CALLS] * PIECE;
		o->mark = 1; /* it is a new one */
		((void (*)(uintptr_t, uintptr_t))at)(0, (uintptr_t)o);
		for (unsigned k = 0; i % BETWEEN == 0 && k < LINES; k++)
			others[k][0]++;
	}
}

static void nobody(void *arg, const struct birth_sum *s)
{
	(void)arg, (void)s;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* All in turn; or every tenth birth of one of the others in turn. */
static void put_order(void)
{
	for (unsigned i = 0; i < CALLS; i++) {
		unsigned other = hot ? hot + i / 10 % (places - hot) : 0;
		order[i] = (uint16_t)(!hot ? i % places : i % 10 ? i % hot : other);
	}
}

static void open_all(struct births *b)
{
	static const uint8_t ret = 0xc3;
	const struct birth_oracle oracle = {.caller = caller, .define = define};
	const struct birth_door_oracle doors = {
		.code = code_at, .probes = {(uintptr_t)births_entry_rsi}};
	code = mmap(NULL, PLACES * PIECE + 64, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED || births_open(b, &oracle, NULL) || !code_fence_open())
		exit(1);
	births_doors_open(b, &doors);
	births_set(b, BIRTHS_COUNTED);
	memcpy(code + PLACES * PIECE, &ret, 1);
	for (unsigned i = 0; i < places; i++) {
		memcpy(code + (size_t)i * PIECE, piece, sizeof(piece));
		targets[BY_NOTHING][i] = (uintptr_t)code + PLACES * PIECE;
		targets[BY_ENTRY][i] = (uintptr_t)births_entry_rsi;
	}
	put_order();
	lead(BY_ENTRY);
	prepare();
	for (unsigned i = 0; i * BIRTH_DOORS_AT_ONCE < places; i++) {
		run(places * DOOR_WISH_LEAST * 2);
		births_take(b, nobody, NULL);
		births_doors_give(b);
	}
	for (unsigned i = 0; i < places; i++)
		targets[BY_DOOR][i] = probe_call_target(behind(i));
	printf("%u places, %u doors\n", places, b->doors.open);
}

int main(int argc, char **argv)
{
	static double times[WAYS][1024];
	unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : ROUNDS;
	places = argc > 1 ? (unsigned)atoi(argv[1]) : places;
	hot = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	if (!places || places > PLACES || !rounds || rounds > 1024 || hot >= places)
		return 2;
	open_all(births_get());
	for (unsigned r = 0; r < rounds; r++)
		for (int way = 0; way < WAYS; way++) {
			lead(way);
			run(CALLS / 8);
			double begin = now();
			run(CALLS);
			times[way][r] = (now() - begin) / CALLS;
		}
	for (int way = 0; way < WAYS; way++) {
		qsort(times[way], rounds, sizeof(double), by_number);
		printf("%-8s %6.2f ns\n", names[way], times[way][rounds / 2]);
	}
	return 0;
}
