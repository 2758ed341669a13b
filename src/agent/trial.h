/*
 * The self-test of the age jump, while the program runs and without forcing a collection on it. A
 * few objects that jump are made, and companions that don't (MayflyAge has them):
 *
 *   made    → a young collection: the companions have an age → all ages are put to 0
 *   noted   → another one: what is young has an age again, what is old has not, and has not moved
 *   passed     what jumps was old by then, and its companions were young
 *   failed     something that jumps was young
 *
 * Anything else says nothing, and it begins anew: a full or mixed collection, survivor spaces that
 * overflow, so many collections between two looks that all are old. Then the next looks come sooner
 * one after the other. The caller asks the VM; nothing here calls it.
 *
 * The exact engine counts by the ages that would be put to 0. Beside it nothing is made: it sees
 * where each object that jumps lands (exact/census.h), and the first collections that show it
 * decide.
 */
#ifndef AGENT_TRIAL_H
#define AGENT_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/age_class.h"

enum trial_verdict { TRIAL_OPEN, TRIAL_PASSED, TRIAL_FAILED };

struct trial {
	enum age_step step; /* what is to be asked next; AGE_DROP: it is over */
	enum trial_verdict verdict;
	enum age_answer last; /* what it began anew for */
	uint32_t attempts;
	bool counted;         /* by where objects land, which others see */
	uint64_t young, full; /* GC clocks: before they were made, and then at the last answer */
	int64_t pace;         /* ns from one look to the next */
};

/* pace: ns, at most, between two looks. */
struct trial trial_begin(int64_t pace);
/* Over from the start: nothing jumps. */
struct trial trial_none(void);
/* Nothing is asked: trial_landed tells. */
struct trial trial_counted(void);
bool trial_over(const struct trial *t);
/* Whether t->step is to be asked now: nothing is made yet, or a young collection has come since the
 * last answer. The GC clocks are of before the question. */
bool trial_asks(struct trial *t, uint64_t young, uint64_t full);
/* What was answered to t->step; the GC clocks after that. Once it is over AGE_DROP is to be asked.
 */
void trial_told(struct trial *t, enum age_answer answer, uint64_t young, uint64_t full);
/* Of trial_counted: collections so far in which what jumps was promoted for its age, and in which
 * some of it stayed young. */
void trial_landed(struct trial *t, uint64_t promoted, uint64_t young);
/* "passed", "failed", "open". */
const char *trial_word(const struct trial *t);
/* Why it is not passed: a sentence without a full stop; "" where it is. */
const char *trial_why(const struct trial *t);

#endif
