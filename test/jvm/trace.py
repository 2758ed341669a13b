"""Reads traces by the tables of doc/trace-format.md: a second reader, for what no report shows. Blocks must be stored (compress=no)."""
import os
import re
import struct

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


class Payload:
    def __init__(self, data, time):
        self.data, self.at = data, 0
        self.last = {"t": time, "a": 0, "o": 0}

    def u(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def z(self):
        value = self.u()
        return value >> 1 ^ -(value & 1)

    def s(self):
        length = self.u()
        self.at += length
        return self.data[self.at - length:self.at].decode(errors="replace")

    def field(self, kind):
        if kind in self.last:
            self.last[kind] = self.last[kind] + self.z() & 2**64 - 1
            return self.last[kind]
        if kind == "l":
            return [self.u() for _ in range(self.u())]
        return getattr(self, kind)()

    def record(self):
        kind, length = self.u(), self.u()
        end = self.at + length
        name, fields = KINDS.get(kind, ("unknown", []))
        values = {field: self.field(type_) for type_, field in fields if self.at < end}
        self.at = end
        return name, values


def records(path):
    """(name, {field: value}) of each record up to the last whole block."""
    with open(path, "rb") as f:
        data = f.read()
    at = struct.unpack_from("<I", data, 24)[0]
    while at + 48 <= len(data):
        magic, kind, codec, _, stored, _, count, _, time, _ = struct.unpack_from("<4sHBBIIIIQQ", data, at)
        assert magic == b"MFB1" and codec == 0, f"no stored block at {at}"
        if at + 48 + stored > len(data):
            return
        if kind == 1:
            payload = Payload(data[at + 48:at + 48 + stored], time)
            for _ in range(count):
                yield payload.record()
        at += 48 + stored
