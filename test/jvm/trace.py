"""Reads traces by the tables of doc/trace-format.md: a second reader, for what no report shows. Blocks must be stored (compress=no)."""
import bisect
import gc
import itertools
import os
import re
import struct

gc.disable()  # rows are no cycles, and there are millions

DOC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../doc/trace-format.md")


def tables():
    """Record kinds and their fields [(type, name)], from the document."""
    kinds = {}
    with open(DOC, encoding="utf-8") as f:
        for line in f:
            row = re.match(r"\| 0x([0-9a-f]{2}) \| (\w+) \| (.*) \|$", line.strip())
            if row:
                kinds[int(row[1], 16)] = (row[2], re.findall(r"`([utzaosl])` (\w+)", row[3]))
    return kinds


KINDS = tables()
CLOCKS = "tao"  # told as differences: of these every record is needed


def readers(wanted):
    """KINDS without the fields that nobody needs: of kinds that are not wanted there are millions. They have no name then."""
    def needed(fields):
        return fields[:max((i + 1 for i, (type_, _) in enumerate(fields) if type_ in CLOCKS), default=0)]
    kinds = {kind: (name, fields) for kind, (name, fields) in KINDS.items() if wanted is None or name in wanted}
    clocks = any(needed(fields) for _, fields in kinds.values())
    return {**{kind: (None, needed(fields) if clocks else ()) for kind, (_, fields) in KINDS.items()}, **kinds}


class Payload:
    def __init__(self, data, time, kinds=KINDS):
        self.data, self.at, self.kinds = data, 0, kinds
        self.last = {"t": time, "a": 0, "o": 0}

    def u(self):
        value = self.data[self.at]
        self.at += 1
        if value < 0x80:
            return value
        value, shift = value & 0x7F, 7
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def s(self):
        length = self.u()
        self.at += length
        return self.data[self.at - length:self.at].decode(errors="replace")

    def l(self):
        return [self.u() for _ in range(self.u())]

    def record(self):
        kind, length = self.u(), self.u()
        end = self.at + length
        name, fields = self.kinds.get(kind, ("unknown", ()))
        values = self.values(fields, end) if fields else {}
        self.at = end
        return name, values

    def values(self, fields, end):
        """Numbers are read here and not by u(), since there are tens of millions."""
        data, at, last, values = self.data, self.at, self.last, {}
        for type_, field in fields:
            if at >= end:
                break
            if type_ in "ls":
                self.at = at
                values[field] = getattr(self, type_)()
                at = self.at
                continue
            value = data[at]
            at += 1
            if value >= 0x80:
                value, shift = value & 0x7F, 7
                while data[at] >= 0x80:
                    value |= (data[at] & 0x7F) << shift
                    at, shift = at + 1, shift + 7
                value |= data[at] << shift
                at += 1
            if type_ != "u":
                value = value >> 1 ^ -(value & 1)
            if type_ in last:
                last[type_] = value = last[type_] + value & 2**64 - 1
            values[field] = value
        return values


def blocks(path):
    """(kind, first time, records, payload) of each whole block."""
    with open(path, "rb") as f:
        data = f.read()
    at = struct.unpack_from("<I", data, 24)[0]
    if at + 48 <= len(data) and struct.unpack_from("<4sH", data, at) == (b"MFB1", 5):  # the begin is forgotten
        at += 48 + struct.unpack_from("<Q", data, at + 8)[0]
    while at + 48 <= len(data):
        magic, kind, codec, _, stored, _, count, _, time, _ = struct.unpack_from("<4sHBBIIIIQQ", data, at)
        assert magic == b"MFB1" and codec == 0, f"no stored block at {at}"
        if at + 48 + stored > len(data):
            return
        yield kind, time, count, data[at + 48:at + 48 + stored]
        at += 48 + stored


def items(path, wanted=None):
    """("chunk", Chunk) of each block of events, ("stands", Chunk) of checkpoints, and (name, {field: value}) of each record of the wanted
    kinds (None: of all), in the file's order."""
    kinds = readers(wanted)
    for kind, time, count, payload in blocks(path):
        if kind == 2:
            yield "chunk", Chunk(payload)
        if kind == 4:
            yield "stands", Chunk(payload)
        if kind == 1:
            yield from wanted_of(Payload(payload, time, kinds), count)


def wanted_of(rows, count):
    for _ in range(count):
        name, values = rows.record()
        if name:
            yield name, values


DEFINITIONS = ("string", "class", "method", "frame", "site", "site_place")


def definitions(path):
    """Those records that name sites."""
    return records(path, DEFINITIONS)


def records(path, wanted=None):
    """(name, {field: value}) of each record of the wanted kinds (None: of all) up to the last whole block."""
    kinds = readers(wanted)
    for kind, time, count, payload in blocks(path):
        if kind == 1:
            yield from wanted_of(Payload(payload, time, kinds), count)


BIRTHS, SWEPT, MOVES, STAYS, FORGOTTEN, STANDS, SIZES, SIZED, MET, MET_SIZED, PASSED = range(11)


class Chunk:
    """Events of 8.2: rows of (site, address, to)."""

    def __init__(self, data):
        head = Payload(data, 0)
        self.thread, self.interval, self.young, self.flags = (head.u() for _ in range(4))
        last, = struct.unpack_from("<Q", data, head.at)
        head.at += 8
        self.kind = head.u() if self.flags & 2 else BIRTHS
        self.rows = []
        self.read(data, head.at, self.kind not in (BIRTHS, STAYS, MET, PASSED), last)

    def read(self, data, at, ranged, last):
        words, i = memoryview(data)[at:].cast("I"), 0
        size = 0xff if self.kind == SIZED else -1  # its size is above
        plain = [] if ranged else [n for n, word in enumerate(words) if not word & 0xfff or word >> 12 == 0xfffff] + [len(words)]
        while i < len(words):
            if plain:  # many at once: there are millions
                end = plain[bisect.bisect_left(plain, i)]
                at_words = list(itertools.accumulate((word & 0xfff for word in words[i:end]), initial=last))
                self.rows += ((word >> 12, address << 3, 0) for word, address in zip(words[i:end], at_words[1:]))
                last, i = at_words[-1], end
                if i == len(words):
                    break
            distance, site = words[i] & 0xfff, words[i] >> 12
            i += 1
            if distance:
                last += distance
            else:
                last = words[i] | words[i + 1] << 32
                i += 2
            if site == 0xfffff:
                long = Payload(data, 0)
                long.at = begin = at + i * 4
                site = long.u()
                i += (long.at - begin + 3) // 4
            to = 0
            if ranged:
                to = (words[i] | words[i + 1] << 32) & size
                i += 2
            self.rows.append((site, last << 3, to << 3))


class Heap:
    """Every object that is followed, by its address: the rules of 8.2, plainly."""

    def __init__(self):
        self.here, self.interval, self.chunks = {}, 0, []
        self.born = self.died = self.forgotten = 0
        self.stood = {}  # after the last step that collected something
        self.odd = []

    def chunk(self, c):
        if c.interval < self.interval:
            self.odd.append(f"a chunk of interval {c.interval} in {self.interval}")
        if c.interval != self.interval:
            self.close()
            self.interval = c.interval
        self.chunks.append(c)

    def close(self):
        """The interval is over. What was done: {"born", "moved", "died", "forgotten": [(site, the young clock at birth)]}."""
        done = {"born": [], "moved": [], "died": [], "forgotten": []}
        for c in self.chunks:
            if c.kind == BIRTHS:
                self.bear(done, c)
        told = self.told()
        after = self.here.copy()
        moved = [(to, after.pop(address)) for address, to in told.items() if address in self.here]
        done["moved"] += (row for _, row in moved)
        self.end(done, after)
        before = len(after)
        after.update(moved)
        if len(after) != before + len(moved):
            self.odd.append(f"{before + len(moved) - len(after)} objects come to where another is")
        self.meet(done, after)
        if any(c.kind != BIRTHS for c in self.chunks):
            self.stood = after
        self.here, self.chunks = after, []
        self.born += len(done["born"])
        self.died += len(done["died"])
        self.forgotten += len(done["forgotten"])
        return done

    def bear(self, done, c):
        rows = {address: (site, c.young) for site, address, _ in c.rows}
        if len(rows) != len(c.rows) or rows.keys() & self.here.keys():
            self.odd.append(f"two objects at {[hex(a) for a in rows.keys() & self.here.keys()][:5] or 'one place of a chunk'}")
        self.here.update(rows)
        done["born"] += rows.values()

    def told(self):
        """Where those are that moved, or are said to have stayed."""
        told = {}
        for c in self.chunks:
            if c.kind in (MOVES, STAYS):
                for site, address, to in c.rows:
                    if address in told or self.here.get(address, (None,))[0] != site:
                        self.odd.append(f"no object of site {site} at {address:#x}: {self.here.get(address)}, told {told.get(address)}")
                    told[address] = to if c.kind == MOVES else address
        return told

    def end(self, done, after):
        """Takes those away that are dead or forgotten: all the others that stand in a range."""
        at = sorted(after)
        for what, kind in (("forgotten", FORGOTTEN), ("died", SWEPT)):
            for _, low, high in (row for c in self.chunks if c.kind == kind for row in c.rows):
                gone = at[bisect.bisect_left(at, low):bisect.bisect_left(at, high)]
                done[what] += [after.pop(address) for address in gone if address in after]

    def meet(self, done, after):
        """Born in the interval, and told of only where it outlived it."""
        for c in self.chunks:
            for site, address, _ in c.rows if c.kind in (MET, MET_SIZED, PASSED) else ():
                row = (site, c.young)
                done["born"].append(row)
                if c.kind == PASSED:
                    done["forgotten"].append(row)
                    continue
                if address in after:
                    self.odd.append(f"one was met where another is, at {address:#x}")
                done["moved"].append(row)
                after[address] = row
