#include "base/nearest.h"

#include <string.h>

enum { WORD_MAX = 32 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Fills row i of the table from the two rows before it. */
static void step(const char *a, size_t i, const char *b, size_t lb, unsigned (*t)[WORD_MAX + 1])
{
	t[i][0] = (unsigned)i;
	for (size_t j = 1; j <= lb; j++) {
		unsigned cost = a[i - 1] != b[j - 1];
		t[i][j] = least(least(t[i - 1][j] + 1, t[i][j - 1] + 1), t[i - 1][j - 1] + cost);
		if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
			t[i][j] = least(t[i][j], t[i - 2][j - 2] + 1);
	}
}

unsigned nearest_distance(const char *a, const char *b)
{
	unsigned t[WORD_MAX + 1][WORD_MAX + 1];
	size_t la = strnlen(a, WORD_MAX), lb = strnlen(b, WORD_MAX);
	for (size_t j = 0; j <= lb; j++)
		t[0][j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++)
		step(a, i, b, lb, t);
	return t[la][lb];
}

static unsigned allowed(size_t la, size_t lb)
{
	size_t longer = la > lb ? la : lb;
	return longer < 6 ? 1 : (unsigned)(longer / 3);
}

const char *nearest_find(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	unsigned fewest = WORD_MAX + 1;
	size_t len = strlen(word);
	for (size_t i = 0; i < count; i++) {
		if (!names[i])
			continue;
		unsigned far = nearest_distance(word, names[i]);
		if (len > 1 && strncmp(word, names[i], len) == 0)
			far = least(far, 1);
		if (far <= allowed(len, strlen(names[i])) && far < fewest) {
			fewest = far;
			best = names[i];
		}
	}
	return best;
}
