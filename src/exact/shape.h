/*
 * How many bytes an object of a class has, in a form that the hot path computes with: HotSpot's
 * layout helper (klass.hpp: positive = bytes of an instance, negative = header, log2 of the
 * element's size in an array), packed into the bits of a word above a site's number.
 */
#ifndef EXACT_SHAPE_H
#define EXACT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#define SHAPE_ARRAY (1u << 31)
enum {
	SHAPE_LOG_SHIFT = 22,    /* 2 bits: log2 of an element */
	SHAPE_HEADER_SHIFT = 24, /* 3 bits: header bytes / 4 */
};

/* Of an array's layout helper; 0 where it is none, or not one that the bits can say. */
static inline uint32_t shape_of_array(int32_t layout)
{
	uint32_t bits = (uint32_t)layout, header = bits >> 16 & 0xff, log = bits & 0xff;
	if (layout >= 0 || log > 3 || header > 28 || header % 4)
		return 0;
	return SHAPE_ARRAY | log << SHAPE_LOG_SHIFT | (header / 4) << SHAPE_HEADER_SHIFT;
}

/* Bytes of an array of that many elements; objects are aligned to 8. */
static inline uint64_t shape_bytes(uint32_t shape, uint32_t length)
{
	uint64_t header = (shape >> SHAPE_HEADER_SHIFT & 7) * 4;
	return (header + ((uint64_t)length << (shape >> SHAPE_LOG_SHIFT & 3)) + 7) & ~7ull;
}

/* Bytes of an instance by its layout helper; 0: it is none. */
static inline uint32_t shape_instance(int32_t layout)
{
	return layout > 0 ? (uint32_t)layout & ~7u : 0;
}

#endif
