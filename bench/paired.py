"""Statistics of paired measurements: what a variant costs beside its base, without assuming a distribution."""
import math


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
