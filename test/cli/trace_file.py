"""Writes small traces from doc/trace-format.md alone, for tests of what is said about them."""
import struct


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def text(value):
    return varint(len(value.encode())) + value.encode()


def record(kind, fields):
    return bytes([kind]) + varint(len(fields)) + fields


def alloc(time=0, size=24, config=1):
    """Difference fields (time, clock) are 0 or small, so their order does not matter."""
    return record(0x20, zigzag(time) + zigzag(0) + varint(0) + varint(0) + varint(size) + varint(config))


def config():
    return record(0x12, varint(1) + zigzag(0) + varint(524288) + varint(1) + varint(1) + varint(16384))


def note(severity, sentence):
    return record(0x11, zigzag(0) + varint(severity) + text(sentence))


def fact(key, value):
    return record(0x10, text(key) + text(value))


def tenure_round(number, copied, jumps):
    """A second with 16 collections of 10 ms, and a GB allocated."""
    numbers = [number, 16 * number, 100, copied, copied // 4, 160_000_000, 16, 1_000_000_000, 0, 12_000_000, 2 if jumps else 0, 15, jumps]
    return record(0x60, zigzag(1_000_000_000) + b"".join(varint(n) for n in numbers))


def tenure_jump(after, gain):
    return record(0x61, zigzag(0) + b"".join(varint(n) for n in [after, 0, 0, 0, 1, gain, 0, 0]))


def tenure_threshold(after, action, bound, reason=""):
    """Its records. action: 0: it is taken; 5: it would do as well."""
    said = [record(0x01, varint(900) + text(reason))] if reason else []
    return said + [record(0x61, zigzag(0) + b"".join(varint(n) for n in [after, 0, 1, action, bound, 0, 0, 900 if reason else 0]))]


def tenure_nowhere(after):
    """A place of the decisions file that the program does not have."""
    return record(0x61, zigzag(0) + b"".join(varint(n) for n in [after, 0, 0, 2, 0, 0, 0, 0]))


def lost(count):
    return record(0x29, zigzag(0) + varint(0) + varint(count) + varint(0) + varint(0))


def end(reason, samples):
    """All samples walked, none followed."""
    numbers = [reason, samples, samples, 0, 0, 0, 0, 0, 0]
    return record(0x2F, zigzag(0) + zigzag(0) + b"".join(varint(n) for n in numbers))


def trace(records, last_time=1_500_000_000):
    payload = b"".join(records)
    head = b"\x89MFLY\r\n\x1a" + struct.pack("<HHIQI", 1, 0, 0, 0, 32)
    head += struct.pack("<I", crc32c(head))
    block = b"MFB1" + struct.pack("<HBBIIIIQQI", 1, 0, 0, len(payload), len(payload), len(records), 0, 0,
                                  last_time, crc32c(payload))
    block += struct.pack("<I", crc32c(block))
    return head + block + payload
