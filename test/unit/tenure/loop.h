/* The whole loop: a simulated heap, a learner, and a controller whose actions are carried out. */
#ifndef TENURE_TEST_LOOP_H
#define TENURE_TEST_LOOP_H

#include "tenure/controller.h"
#include "young_heap.h"

enum { ROUND = 16 /* collections */ };

struct loop {
	struct young_heap heap;
	struct snapshot s;
	struct controller *c;
	struct controller_rule rule;
	/* What came of it. */
	uint32_t rounds, takes, takes_back, advices, young_advices, keeps, probes, asked;
	uint32_t first_take, last_take_back; /* rounds; 0: none */
	uint32_t low_at, full_at;
	bool any_zero;              /* a threshold of 0 was taken */
	double predicted, observed; /* of the first outcome; and what its round was told as */
	enum controller_state judged;
	bool patient;               /* no round ends before its time */
	uint32_t probed;            /* collections in probes */
	uint32_t spill;             /* the first of each, that tell no ages */
	uint32_t shortest, longest; /* probes; 0: none is over */
	uint32_t probing;           /* collections of the one that goes on */
	double copied;              /* in the last round, for each byte allocated */
	uint64_t process_cpu;       /* of a round, ns */
	uint32_t late;              /* collections until places jump that are to, or no more do */
	struct round begun;         /* those of the next round that have been */
	char kept[80];              /* why it was, last */
	double dear;                /* a promoted byte's cards, ns, while the threshold is moved */
};

void begin(struct loop *l, const struct heap_law *laws, uint32_t count);
void end(struct loop *l);
void one_round(struct loop *l);
void rounds(struct loop *l, uint32_t count);
void carry_out(struct loop *l, const struct action *a);

/* A third of what is allocated is kept for long. */
extern const struct heap_law a_third[3];
/* The same places: what was long-lived dies young. */
extern const struct heap_law other_phase[3];

#endif
