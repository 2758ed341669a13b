#include "agent/thinning.h"

enum { SHIFT_MAX = 30, WINDOW_NS = 1000000000 };

#define SHARE_LEAST (1.0 / 8)

/* 0 is no bound, and no part of a bound is that. */
static void allow(struct thinning *t)
{
	uint64_t part = (uint64_t)((double)t->walks_per_second * t->share);
	t->walks_allowed = part ? part : t->walks_per_second > 0;
	t->walks = 0;
}

void thinning_init(
	struct thinning *t, uint64_t walks_per_second, uint64_t tracks_per_minute, struct ns now)
{
	*t = (struct thinning){
		.walks_per_second = walks_per_second,
		.tracks_per_minute = tracks_per_minute,
		.free_tracks = tracks_per_minute,
		.window_start = now,
		.share = 1,
	};
	allow(t);
}

/* The smallest shift that brings `rate` under `bound`. */
static uint32_t shift_for(double rate, double bound)
{
	uint32_t shift = 0;
	while (shift < SHIFT_MAX && rate > bound * (double)(1ull << shift))
		shift++;
	return shift;
}

/* A sieve opens only when there is room to spare, so that it does not flutter about its bound. */
static uint32_t settle(uint32_t now, double rate, double bound)
{
	uint32_t want = shift_for(rate, bound);
	if (want < now && shift_for(rate * 1.25, bound) >= now)
		return now;
	return want;
}

static uint32_t track_shift(struct thinning *t, double walked_rate, uint64_t walked)
{
	uint64_t taken = walked >> t->track_shift;
	if (t->free_tracks > taken) {
		t->free_tracks -= taken;
		/* What is left of the free start must last the coming second too. */
		if ((double)t->free_tracks > walked_rate)
			return 0;
	}
	t->free_tracks = 0;
	return settle(t->track_shift, walked_rate, (double)t->tracks_per_minute / 60);
}

bool thinning_update(struct thinning *t, struct ns now, uint64_t samples, uint64_t walked)
{
	uint64_t passed = now.v - t->window_start.v;
	if (passed < WINDOW_NS)
		return false;
	double seconds = (double)passed / 1e9;
	uint64_t new_walked = walked - t->walked_then;
	double rate = (double)(samples - t->samples_then) / seconds;
	allow(t);
	uint32_t walk =
		t->walks_allowed ? settle(t->walk_shift, rate, (double)t->walks_allowed) : 0;
	/* The walked rate to come: by the new shift, not by the window's own. */
	double walked_rate = rate / (double)(1ull << walk);
	uint32_t track = t->tracks_per_minute ? track_shift(t, walked_rate, new_walked) : 0;
	bool changed = walk != t->walk_shift || track != t->track_shift;
	t->walk_shift = walk;
	t->track_shift = track;
	t->window_start = now;
	t->samples_then = samples;
	t->walked_then = walked;
	return changed;
}

void thinning_bound(struct thinning *t, uint64_t walks_per_second)
{
	uint64_t allowed = t->walks_per_second;
	for (; t->walk_shift && allowed <= walks_per_second / 2; allowed *= 2)
		t->walk_shift--;
	if (!walks_per_second)
		t->walk_shift = 0;
	t->walks_per_second = walks_per_second;
	allow(t);
}

void thinning_share(struct thinning *t, double share)
{
	t->share = share > SHARE_LEAST ? share < 1 ? share : 1 : SHARE_LEAST;
}

bool thinning_close(struct thinning *t, struct ns now, uint64_t samples, uint64_t walked)
{
	if (now.v - t->window_start.v >= WINDOW_NS)
		return thinning_update(t, now, samples, walked);
	t->walks = 0;
	if (t->walk_shift >= SHIFT_MAX)
		return false;
	t->walk_shift++;
	return true;
}
