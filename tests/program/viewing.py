"""Shared by the tests of `hardpan view` and `hardpan shot`: a small run, a viewer of it, requests as raw bytes."""
import contextlib
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import PROGRAM, ProgramTest, chain_scenario

SKIPPED = 77
FRAMES = 21
SMALL = chain_scenario(links=3, steps=200, frames=10, checkpoint=100)

SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
                               "img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; "
                               "base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer"}


class Reply:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if data else None  # None: closed without a word
        self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}

    def json(self):
        return json.loads(self.body)

    def __str__(self):
        return "%s %s %s" % (self.status, self.headers, self.body[:300])


def talk(address, request, half_close=False):
    """Sends bytes and returns the first answer; a connection that is reset counts as closed."""
    data = b""
    with contextlib.suppress(ConnectionError), socket.create_connection(address, timeout=20) as stream:
        with contextlib.suppress(ConnectionError):  # an answer may come before everything is sent
            stream.sendall(request)
        if half_close:
            stream.shutdown(socket.SHUT_WR)
        while True:
            part = stream.recv(65536)
            if not part:
                break
            data += part
            head, end, body = data.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            if end and length and len(body) >= int(length[1]):
                break
    return Reply(data)


def bundle(data):
    """Head and arrays of record/bundle.h, f64, f32 and i32 alone."""
    magic, length = struct.unpack_from("<4sI", data)
    assert magic == b"HPB1" and (8 + length) % 8 == 0, data[:40]
    head = json.loads(data[8:8 + length])
    arrays = []
    for array in head.pop("arrays"):
        kind = {"f64": "d", "f32": "f", "i32": "i"}[array["type"]]
        values = struct.unpack_from("<%d%s" % (array["count"], kind), data, 8 + length + array["offset"])
        arrays.append([value + array.get("base", 0) for value in values])
    return head, arrays


class Viewer:
    """A running `hardpan view`."""

    def __init__(self, process):
        self.process = process
        self.line = process.stdout.readline().decode()
        found = re.search(r"viewing (\S+) at http://([^:/]+):(\d+)/(?:\?token=(\w+))? \(Ctrl-C ends\)\n$", self.line)
        if not found:
            raise RuntimeError("hardpan view printed %r\n%s" % (self.line, process.stderr.read().decode()))
        self.folder, self.host, self.token = found[1], found[2], found[4]
        self.port = int(found[3])
        self.address = ("127.0.0.1", self.port)

    def ask(self, path, method="GET", headers=None, body=b"", host=None):
        fields = {"Host": host or "127.0.0.1:%d" % self.port, **(headers or {})}
        lines = ["%s %s HTTP/1.1" % (method, path)] + ["%s: %s" % (k, v) for k, v in fields.items() if v is not None]
        return talk(self.address, "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def json(self, path):
        reply = self.ask(path)
        if reply.status != 200:
            raise AssertionError("%s: %s" % (path, reply))
        return reply.json()


class ViewTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = tempfile.mkdtemp(prefix="hardpan-view-")
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        with open(os.path.join(cls.shared, "small.yaml"), "w") as file:
            file.write(SMALL)
        subprocess.run([PROGRAM, "run", "small.yaml", "--out", "run", "-q"], cwd=cls.shared, env=harness.environment(cls.shared),
                       check=True, timeout=harness.TIMEOUT)

    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(self.shared, "run"), self.path("run"))

    def view(self, folder="run", *arguments):
        return Viewer(self.start("view", folder, "--no-open", *arguments))

    def refused(self, reply, *statuses):
        self.assertIn(reply.status, statuses, str(reply))
        self.assertEqual(list(reply.json()), ["error"], str(reply))
        self.assertTrue(reply.json()["error"])
        self.guarded(reply)

    def guarded(self, reply):
        for name, value in SECURITY_HEADERS.items():
            self.assertEqual(reply.headers.get(name), value, str(reply))
        self.assertNotIn("server", reply.headers)
        self.assertFalse([name for name in reply.headers if name.startswith("access-control-")], str(reply))


def is_built_without_pages():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "index.jsonl"), "w") as file:
            file.write('{"format":1,"kind":"run","scenario_hash":"","version":"","instruction_set":""}\n')
        outcome = subprocess.run([PROGRAM, "view", folder, "--host", "/"], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, timeout=harness.TIMEOUT)
    return b"built without its pages" in outcome.stderr


def main():
    if is_built_without_pages():
        print("SKIPPED: the program was built without its pages for browsers")
        sys.exit(SKIPPED)
    unittest.main()
