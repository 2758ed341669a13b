#include "agent/trial.h"

enum { ATTEMPTS_MOST = 32, PACE_LEAST = 5000000 };

struct trial trial_begin(int64_t pace)
{
	return (struct trial){.step = AGE_MAKE, .last = AGE_ON, .pace = pace};
}

struct trial trial_none(void)
{
	return (struct trial){.step = AGE_DROP, .last = AGE_ON};
}

struct trial trial_counted(void)
{
	return (struct trial){.step = AGE_DROP, .last = AGE_ON, .counted = true};
}

bool trial_over(const struct trial *t)
{
	return t->step == AGE_DROP && !(t->counted && t->verdict == TRIAL_OPEN);
}

bool trial_asks(struct trial *t, uint64_t young, uint64_t full)
{
	if (t->step == AGE_MAKE) {
		t->young = young;
		t->full = full;
		return true;
	}
	return t->step != AGE_DROP && young > t->young;
}

static void finish(struct trial *t, enum trial_verdict verdict)
{
	t->verdict = verdict;
	t->step = AGE_DROP;
}

/* That all are promoted at once says more than that something came in between. */
static void begin_anew(struct trial *t, enum age_answer why)
{
	if (t->last != AGE_AT_ONCE)
		t->last = why;
	t->step = AGE_MAKE;
	if (++t->attempts == ATTEMPTS_MOST)
		finish(t, TRIAL_OPEN);
}

static void go_on(struct trial *t, enum age_answer answer)
{
	if (answer == AGE_STAYS_YOUNG)
		finish(t, TRIAL_FAILED);
	else if (answer != AGE_ON)
		begin_anew(t, answer);
	else if (t->step == AGE_JUDGE)
		finish(t, TRIAL_PASSED);
	else
		t->step = t->step == AGE_MAKE ? AGE_NOTE : AGE_JUDGE;
}

/* All may be old by the second of several collections. */
static void set_pace(struct trial *t, uint64_t young)
{
	if (t->step != AGE_MAKE && young > t->young + 1 && t->pace > PACE_LEAST)
		t->pace = t->pace / 2 > PACE_LEAST ? t->pace / 2 : PACE_LEAST;
}

/* A full one has ages of its own, and moves what is old; one that comes while they are made may
 * have some of them grow old before the others are there. */
static bool is_spoilt(const struct trial *t, uint64_t young, uint64_t full)
{
	return full != t->full || (t->step == AGE_MAKE && young != t->young);
}

void trial_told(struct trial *t, enum age_answer answer, uint64_t young, uint64_t full)
{
	set_pace(t, young);
	if (is_spoilt(t, young, full))
		begin_anew(t, AGE_ANEW);
	else
		go_on(t, answer);
	t->young = young;
	t->full = full;
}

void trial_landed(struct trial *t, uint64_t promoted, uint64_t young)
{
	if (young)
		finish(t, TRIAL_FAILED);
	else if (promoted)
		finish(t, TRIAL_PASSED);
}

const char *trial_word(const struct trial *t)
{
	static const char *const words[] = {
		[TRIAL_OPEN] = "open", [TRIAL_PASSED] = "passed", [TRIAL_FAILED] = "failed"};
	return words[t->verdict];
}

const char *trial_why(const struct trial *t)
{
	static const char *const open[] = {[AGE_ANEW] = "other collections came in between",
		[AGE_ON] = "there were too few young collections",
		[AGE_AT_ONCE] = "all are promoted at once: there is nothing to jump over",
		[AGE_STAYS_YOUNG] = ""};
	if (t->verdict == TRIAL_OPEN)
		return t->counted ? "no collection has shown where what jumps lands"
				  : open[t->last];
	return t->verdict == TRIAL_FAILED
		       ? "an object of the greatest age was not promoted by a young collection"
		       : "";
}
