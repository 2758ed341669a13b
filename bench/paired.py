"""Statistics of paired measurements: what a variant costs beside its base, without assuming a distribution."""
import math
import random


def order(sides, number, seed):
    """In which order round number runs its sides: drawn in even rounds, and backwards in the next, so that in two
    rounds each is once before and once after each other."""
    drawn = list(sides)
    random.Random(f"{seed} {number // 2}").shuffle(drawn)
    return drawn[::-1] if number % 2 else drawn


def median(values):
    s = sorted(values)
    middle = len(s) // 2
    return s[middle] if len(s) % 2 else (s[middle - 1] + s[middle]) / 2


def coverage(n, rank):
    """The probability that the median lies between the rank-th smallest and the rank-th largest of n draws:
    that of at least rank draws on either side of it (sign test)."""
    return 1 - 2 * sum(math.comb(n, i) for i in range(rank)) / 2 ** n


def interval(values, level=0.95):
    """The narrowest pair of order statistics that covers the median at that level; None with under six values,
    which can't."""
    s = sorted(values)
    fits = [k for k in range(1, len(s) // 2 + 1) if coverage(len(s), k) >= level]
    return (s[fits[-1] - 1], s[-fits[-1]]) if fits else None


def cost(base, variant):
    """The median of the paired ratios and its interval, less one: 0.01 is one per cent slower. None without
    pairs; a side that is not known (None, -1) leaves its pair out."""
    ratios = [v / b - 1 for b, v in zip(base, variant) if b and b > 0 and v and v > 0]
    if not ratios:
        return None
    return {"median": median(ratios), "ci95": interval(ratios), "pairs": len(ratios)}


_Z95 = 1.959964


def proportion(hits, n):
    """The 95 % interval of a share of which hits among n draws are seen (Wilson 1927): it keeps its level where the
    share is small, and is not empty where there are no hits."""
    share, z2 = hits / n, _Z95 * _Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(hits_base, n_base, hits, n):
    """How much larger a share is than the base's, and the 95 % interval of that, from those of both (Newcombe 1998,
    method 10)."""
    share_base, share = hits_base / n_base, hits / n
    low_base, high_base = proportion(hits_base, n_base)
    low, high = proportion(hits, n)
    d = share - share_base
    return d, d - math.hypot(share - low, high_base - share_base), d + math.hypot(high - share, share_base - low_base)
