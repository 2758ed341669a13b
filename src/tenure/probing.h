/*
 * When the levers are to be without effect for a round, to see again how old objects get: after 16
 * rounds of holding, then 32, … 256, and when the program does something else. Sampling may be low
 * then, and takes a while to go up: a probe that sees little would say that nothing pays.
 */
#ifndef TENURE_PROBING_H
#define TENURE_PROBING_H

#include <stdbool.h>
#include <stdint.h>

struct probing {
	uint32_t first, after, in; /* rounds */
	uint64_t samples;          /* in a round, in full, when it was decided */
	uint32_t late;             /* rounds for which too few were seen */
	bool early;                /* the next one is before its turn, after a start */
	bool wanted, asked;        /* there was a change; the next one is because of it */
	uint32_t deaf, deafness;   /* rounds in which changes don't count, and how many it were */
};

enum probing_step {
	PROBING_NOT_YET,
	PROBING_SAMPLE, /* in full from now on */
	PROBING_NOW
};

void probing_init(struct probing *p, uint32_t first);
/* The next one comes after 4 rounds at the latest: nothing is known of what was without. */
void probing_soon(struct probing *p);
/* The same: it was decided by a start. The one behind it comes after as many rounds as the first
 * does else. */
void probing_early(struct probing *p);
/* In an earlier run it was to come after so many rounds: so it does here, at most after 256. */
void probing_trust(struct probing *p, uint32_t rounds);
/* It was decided on so many samples of a round, in full. */
void probing_decided(struct probing *p, uint64_t samples);
/*
 * The program does something else: the next probe comes at once. Where such a probe found nothing
 * new, others wait for 8 rounds, then 16, … 64: the program sways. Whether it comes at once.
 */
bool probing_ask(struct probing *p);
/* A round of holding is over, with so many samples; low: by little sampling. */
enum probing_step probing_round(struct probing *p, uint64_t samples, bool low);
/* What was seen: nothing new, or something else is in force now. */
void probing_kept(struct probing *p);
void probing_changed(struct probing *p);

#endif
