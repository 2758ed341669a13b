#include "base/hist.h"

uint32_t hist_bin(uint64_t value)
{
	if (value < (1u << HIST_BITS))
		return (uint32_t)value;
	uint32_t octave = 63u - (uint32_t)__builtin_clzll(value);
	uint32_t shift = octave - HIST_BITS;
	uint32_t within = (uint32_t)(value >> shift) & ((1u << HIST_BITS) - 1);
	return ((shift + 1) << HIST_BITS) + within;
}

uint64_t hist_low(uint32_t bin)
{
	if (bin >= HIST_BINS)
		return UINT64_MAX;
	if (bin < (1u << HIST_BITS))
		return bin;
	uint32_t shift = (bin >> HIST_BITS) - 1;
	uint64_t within = (bin & ((1u << HIST_BITS) - 1)) | (1u << HIST_BITS);
	return within << shift;
}
