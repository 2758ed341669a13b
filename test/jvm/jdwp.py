"""A debugger, as far as the tests need one: the Java Debug Wire Protocol to a program that listens (`-agentlib:jdwp=transport=dt_socket,
server=y,suspend=n,address=127.0.0.1:0`). One thread of it is stopped at a time, the others go on."""
import collections
import socket
import struct

STEP, BREAKPOINT, ALONE = 1, 2, 1  # kinds of events; only the thread that had it is stopped
SMALLEST, INTO, OUT = 0, 0, 2
WAIT = 60  # seconds, for each answer

Stop = collections.namedtuple("Stop", "kinds thread")


class Refused(RuntimeError):
    """The VM's answer is an error; its number."""


class Debugger:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
        self.socket.sendall(b"JDWP-Handshake")
        self.number, self.stops = 0, collections.deque()
        if self.exactly(14) != b"JDWP-Handshake":
            raise RuntimeError("no handshake")
        sizes = struct.unpack(">5I", self.ask(1, 7))
        if set(sizes) != {8}:
            raise RuntimeError(f"ids are of {sizes} bytes")

    def exactly(self, size):
        got = b""
        while len(got) < size:
            part = self.socket.recv(size - len(got))
            if not part:
                raise RuntimeError("the program is gone")
            got += part
        return got

    def packet(self):
        """Number, whether it is an answer, error, data. Events are put away."""
        size, number, flags, code = struct.unpack(">IIBH", self.exactly(11))
        data = self.exactly(size - 11)
        if flags & 0x80:
            return number, code, data
        if code == 64 << 8 | 100:
            self.event(data)
        return None, 0, b""

    def event(self, data):
        count, at, kinds, thread = struct.unpack_from(">I", data, 1)[0], 5, [], None
        for _ in range(count):
            kind = data[at]
            if kind not in (STEP, BREAKPOINT):
                return  # its start and its end
            kinds.append(kind)
            thread = struct.unpack_from(">Q", data, at + 5)[0]
            at += 5 + 8 + 25  # kind, request; thread; place
        self.stops.append(Stop(kinds, thread))

    def ask(self, group, command, data=b""):
        self.number += 1
        self.socket.sendall(struct.pack(">IIBBB", 11 + len(data), self.number, 0, group, command) + data)
        while True:
            number, error, answer = self.packet()
            if number == self.number:
                if error:
                    raise Refused(error)
                return answer

    def stop(self):
        """The next thread that stops."""
        while not self.stops:
            self.packet()
        return self.stops.popleft()

    def class_of(self, signature):
        name = signature.encode()
        count, _, id_ = struct.unpack_from(">IBQ", self.ask(1, 2, struct.pack(">I", len(name)) + name))
        return id_ if count == 1 else None

    def method_of(self, class_, name):
        data = self.ask(2, 5, struct.pack(">Q", class_))
        count, at = struct.unpack_from(">I", data)[0], 4
        for _ in range(count):
            id_, size = struct.unpack_from(">QI", data, at)
            here = data[at + 12:at + 12 + size].decode()
            at += 12 + size
            at += 4 + struct.unpack_from(">I", data, at)[0] + 4
            if here == name:
                return id_
        return None

    def request(self, kind, modifier):
        return struct.unpack(">I", self.ask(15, 1, struct.pack(">BBI", kind, ALONE, 1) + modifier))[0]

    def break_at(self, class_, method):
        """Where the method begins."""
        return self.request(BREAKPOINT, struct.pack(">BBQQQ", 7, 1, class_, method, 0))

    def step(self, thread, depth):
        return self.request(STEP, struct.pack(">BQII", 10, thread, SMALLEST, depth))

    def clear(self, kind, request):
        self.ask(15, 2, struct.pack(">BI", kind, request))

    def resume(self, thread):
        self.ask(11, 3, struct.pack(">Q", thread))

    def frames(self, thread, count):
        data = self.ask(11, 6, struct.pack(">Qii", thread, 0, count))
        return [struct.unpack_from(">Q", data, 4 + i * 33)[0] for i in range(struct.unpack_from(">I", data)[0])]

    def pop(self, thread, frame):
        """Leaves the frame and all that it called: its caller is about to call it again."""
        self.ask(16, 4, struct.pack(">QQ", thread, frame))

    def redefine(self, class_, code):
        self.ask(1, 18, struct.pack(">IQI", 1, class_, len(code)) + code)

    def leave(self):
        """The program goes on without it. No request that stops a thread may be left: one that is on its way to a stop meanwhile is
        stopped after all others have been let go, and stays so (doc/jvm.md)."""
        self.ask(1, 6)
        self.socket.close()
