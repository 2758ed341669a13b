#include "report/bars.h"

#include <math.h>

#define SEEN 0.01 /* a share below this is blank */

void bars_shares(const struct curve *c, double shares[BARS])
{
	for (uint64_t age = 0; age < BARS - 1; age++)
		shares[age] = curve_at(c, age).p - curve_at(c, age + 1).p;
	shares[BARS - 1] = curve_at(c, BARS - 1).p;
}

void bars_put_shares(struct buf *out, const double shares[BARS], const struct look *look)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {".", ".", ":", ":", "+", "+", "#", "#"};
	for (int i = 0; i < BARS; i++) {
		if (isnan(shares[i])) {
			buf_put_str(out, text_mark(look, "·", "?"));
		} else if (shares[i] < SEEN) {
			buf_put_u8(out, ' ');
		} else {
			int eighth = (int)ceil(shares[i] * 8 - 1e-9);
			eighth = eighth > 8 ? 8 : eighth;
			buf_put_str(out, text_mark(look, blocks[eighth - 1], ascii[eighth - 1]));
		}
	}
}

void bars_put(struct buf *out, const struct curve *c, const struct look *look)
{
	double shares[BARS];
	bars_shares(c, shares);
	bars_put_shares(out, shares, look);
}

const char *bars_head(const struct look *look)
{
	return text_mark(look, "0………………………………15+", "0............15+");
}
