#!/usr/bin/env python3
"""`mayfly export --push` against a real Pyroscope: built from its Go module, started on loopback, asked what it has got.

    test/servers/pyroscope.py [MAYFLY]        (build/dev/bin/mayfly)

Needs Go, make_trace beside the build (test/make_trace), and some minutes the first time. What is built stays in
${XDG_CACHE_HOME:-~/.cache}/mayfly/servers.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VERSION = "v1.2.0"
# The sources name a folder that is not in the module, and a library that does not build with a Go of today.
API = "github.com/grafana/pyroscope/api=github.com/grafana/pyroscope/api@v0.3.0"
DELTA = "github.com/grafana/pyroscope-go/godeltaprof@v0.1.9"
PATIENCE = 120  # seconds

os.environ.update(GOWORK="off", GOTOOLCHAIN="local", GOFLAGS="-mod=mod", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")


def built():
    """The server's binary."""
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "mayfly", "servers")
    binary = os.path.join(cache, f"pyroscope-{VERSION}")
    if os.path.exists(binary):
        return binary
    os.makedirs(cache, exist_ok=True)
    told = subprocess.run(["go", "mod", "download", "-json", f"github.com/grafana/pyroscope@{VERSION}"], cwd=cache, check=True,
                          stdout=subprocess.PIPE).stdout
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "source")
        shutil.copytree(json.loads(told)["Dir"], source)
        subprocess.run(["chmod", "-R", "u+w", source], check=True)
        for change in (["-replace", API], ["-require", DELTA]):
            subprocess.run(["go", "mod", "edit", *change], cwd=source, check=True)
        subprocess.run(["go", "build", "-ldflags=-checklinkname=0", "-o", binary, "./cmd/pyroscope"], cwd=source, check=True)
    return binary


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


def ask(url, query=None):
    with urllib.request.urlopen(url + ("?" + urllib.parse.urlencode(query) if query else ""), timeout=10) as answer:
        return answer.read().decode()


class Server:
    def __init__(self, binary, work):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        own = ("-distributor.ring.instance-addr", "-ingester.lifecycler.addr", "-query-frontend.instance-addr",
               "-query-scheduler.ring.instance-addr", "-store-gateway.sharding-ring.instance-addr", "-compactor.ring.instance-addr",
               "-memberlist.bind-addr", "-memberlist.advertise-addr", "-server.http-listen-address", "-server.grpc-listen-address")
        with open(os.path.join(work, "log"), "wb") as log:
            self.process = subprocess.Popen(
                [binary, *(f"{flag}=127.0.0.1" for flag in own), f"-server.http-listen-port={port}",
                 f"-server.grpc-listen-port={free_port()}", f"-memberlist.bind-port={free_port()}",
                 f"-pyroscopedb.data-path={work}/data", "-storage.backend=filesystem", f"-storage.filesystem.dir={work}/shared",
                 "-self-profiling.disable-push=true", "-validation.reject-older-than=0",
                 "-querier.max-query-lookback=0", "-querier.query-store-after=99999h",  # the made-up trace is of a year ago
                 "-usage-stats.enabled=false"],
                cwd=work, stdout=log, stderr=log)
        self.log = os.path.join(work, "log")

    def wait(self):
        """Until it says that it is ready."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if ask(self.url + "/ready").strip() == "ready":
                    return
            except OSError:
                time.sleep(0.2)
        with open(self.log, encoding="utf-8", errors="replace") as f:
            sys.exit("the server does not get ready: " + f.read()[-2000:])

    def total(self, name, kind, label):
        query = {"query": f'memory:{kind}{{service_name="{name}",zone="{label}"}}', "from": "1763711000", "until": "1763713000"}
        return json.loads(ask(self.url + "/pyroscope/render", query))["flamebearer"]["numTicks"]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)


def main():
    mayfly = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/dev/bin/mayfly"))
    make_trace = os.path.join(os.path.dirname(os.path.dirname(mayfly)), "test/make_trace")
    binary, failed = built(), 0
    with tempfile.TemporaryDirectory() as work:
        trace = os.path.join(work, "orders.mfly")
        subprocess.run([make_trace, "orders", trace], check=True)
        rows = json.loads(subprocess.run([mayfly, "report", trace, "--json", "--min", "0"], check=True,
                                         stdout=subprocess.PIPE).stdout)["rows"]
        server = Server(binary, work)
        try:
            server.wait()
            subprocess.run([mayfly, "export", trace, "--to", "pprof", "--push", server.url, "--label", "zone=eu west"], check=True)
            for kind, part in (("alloc_space:bytes:space:bytes", "alloc"), ("inuse_space:bytes:space:bytes", "alive")):
                want = sum(row[part]["bytes"] for row in rows)
                got = server.total("orders", kind, "eu west")
                good = abs(want - got) <= 2 * len(rows)  # each row of the report is rounded
                failed += not good
                print(f"{'ok' if good else 'not ok'} - {kind}: the report {want}, Pyroscope {VERSION} {got}")
            got = server.total("orders", "alloc_space:bytes:space:bytes", "elsewhere")
            failed += got != 0
            print(f"{'ok' if not got else 'not ok'} - another label: {got}")
        finally:
            server.stop()
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
