/*
 * How many bytes an object of a class has, in a form that the hot path computes with: HotSpot's
 * layout helper (klass.hpp: positive = bytes of an instance, negative = header, log2 of the
 * element's size in an array), packed into the bits of a word above a site's number. Between them
 * the word has what is to be in a new object's mark beside the site: turned right by SITE_BITS, the
 * number comes to the mark's top, and those bits to where the age is.
 *
 * |31    |30                   |25 to 29    |24            |22 and 23       |0 to 21|
 * |array |4 more in the header |SHAPE_JUMPS |8 more, again |log2 of element |site   |
 *
 * An array's header has 12 bytes (compact ones), 16, 20 or 24 (classes that are not compressed).
 */
#ifndef EXACT_SHAPE_H
#define EXACT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#define SHAPE_ARRAY (1u << 31)
enum {
	SHAPE_LOG_SHIFT = 22,     /* 2 bits: log2 of an element */
	SHAPE_WIDE = 1 << 24,     /* the header has 8 bytes more: all of a VM's have, or none */
	SHAPE_JUMPS = 0x1f << 25, /* objects jump: BIRTH_JUMPED (birth_mark.h) */
	SHAPE_HEADER_SHIFT = 30,  /* 1 bit: the header has 4 bytes more */
	SHAPE_HEADER_LEAST = 12,
};

/* Of an array's layout helper; 0 where it is none, or not one that the bits can say. */
static inline uint32_t shape_of_array(int32_t layout)
{
	uint32_t bits = (uint32_t)layout, header = bits >> 16 & 0xff, log = bits & 0xff;
	uint32_t more = (header - SHAPE_HEADER_LEAST) / 4, wide = more & 2 ? SHAPE_WIDE : 0u;
	if (layout >= 0 || log > 3 || more > 3 || header % 4)
		return 0;
	return SHAPE_ARRAY | log << SHAPE_LOG_SHIFT | wide | (more & 1) << SHAPE_HEADER_SHIFT;
}

/* Bytes before an array's elements. */
static inline uint64_t shape_header(uint32_t shape)
{
	return SHAPE_HEADER_LEAST + (shape & SHAPE_WIDE ? 8u : 0u) +
	       (shape >> SHAPE_HEADER_SHIFT & 1) * 4;
}

/* Bytes of an array of that many elements, where objects begin at multiples of `align` bytes, a
 * power of two. */
static inline uint64_t shape_bytes(uint32_t shape, uint32_t length, uint64_t align)
{
	uint64_t bytes = shape_header(shape) + ((uint64_t)length << (shape >> SHAPE_LOG_SHIFT & 3));
	return (bytes + align - 1) & ~(align - 1);
}

/* Bytes of an instance by its layout helper; 0: it is none. */
static inline uint32_t shape_instance(int32_t layout)
{
	return layout > 0 ? (uint32_t)layout & ~7u : 0;
}

#endif
