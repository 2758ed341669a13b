#include "page/strip.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"

enum { CHUNK = 8192 }; /* bytes handed on at once; a multiple of all widths */

static const struct {
	const char *word;
	size_t bytes;
	double largest;
} types[STRIP_TYPES] = {
#define STRIP_TYPE(name, bytes, largest) [STRIP_##name] = {#name, bytes, largest},
#include "page/strip_type.def"
#undef STRIP_TYPE
};

const char *strip_type_word(enum strip_type type)
{
	return types[type].word;
}

size_t strip_type_bytes(enum strip_type type)
{
	return types[type].bytes;
}

/* What is stored for row i; `last` is the sum of what was stored before. */
static double stored(const struct strip *s, const void *of, size_t i, double *last)
{
	double value = s->at(of, i);
	if (s->form != STRIP_RISING)
		return value;
	double step = value > *last ? value - *last : 0;
	*last += step;
	return step;
}

enum strip_type strip_type_for(const struct strip *s, const void *of, size_t count)
{
	double last = 0, largest = 0;
	int type = STRIP_u8;
	if (s->form == STRIP_REAL)
		return STRIP_f32;
	for (size_t i = 0; i < count; i++) {
		double value = stored(s, of, i, &last);
		largest = value > largest ? value : largest;
	}
	while (type < STRIP_f64 && types[type].largest < largest)
		type++;
	return (enum strip_type)type;
}

static uint64_t bits_of(double value, enum strip_type type)
{
	float narrow = (float)value;
	uint32_t bits32;
	uint64_t bits64;
	switch (type) {
	case STRIP_f32:
		memcpy(&bits32, &narrow, sizeof(bits32));
		return bits32;
	case STRIP_f64:
		memcpy(&bits64, &value, sizeof(bits64));
		return bits64;
	case STRIP_u8:
	case STRIP_u16:
	case STRIP_u32:
	case STRIP_TYPES:
	default:
		return (uint64_t)value;
	}
}

int strip_put(const struct strip *s, const void *of, size_t count, enum strip_type type,
	const struct sink *out)
{
	uint8_t chunk[CHUNK];
	size_t used = 0, bytes = types[type].bytes;
	double last = 0;
	int err = ERR_NONE;
	for (size_t i = 0; i < count && !err; i++) {
		uint64_t bits = bits_of(stored(s, of, i, &last), type);
		for (size_t b = 0; b < bytes; b++)
			chunk[used++] = (uint8_t)(bits >> (8 * b));
		if (used == CHUNK || i + 1 == count) {
			err = out->write(out->arg, chunk, used);
			used = 0;
		}
	}
	return err;
}
