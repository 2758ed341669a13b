#include "trace/columns.h"

#include <string.h>

enum { WORD = 4, ROW = COLUMNS * WORD };

void columns_split(uint8_t *out, const uint8_t *in, size_t len, size_t before)
{
	size_t rows = (len - before) / ROW;
	*out++ = (uint8_t)before;
	memcpy(out, in, before);
	out += before;
	in += before;
	for (size_t i = 0; i < rows; i++)
		for (size_t c = 0; c < COLUMNS; c++)
			memcpy(out + (c * rows + i) * WORD, in + i * ROW + c * WORD, WORD);
	memcpy(out + rows * ROW, in + rows * ROW, len - before - rows * ROW);
}

bool columns_join(uint8_t *out, const uint8_t *in, size_t len)
{
	size_t before = *in++;
	if (before > len)
		return false;
	size_t rows = (len - before) / ROW;
	memcpy(out, in, before);
	out += before;
	in += before;
	for (size_t i = 0; i < rows; i++)
		for (size_t c = 0; c < COLUMNS; c++)
			memcpy(out + i * ROW + c * WORD, in + (c * rows + i) * WORD, WORD);
	memcpy(out + rows * ROW, in + rows * ROW, len - before - rows * ROW);
	return true;
}
