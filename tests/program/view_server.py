#!/usr/bin/env python3
"""`hardpan view`: what the server answers, and above all what it refuses."""
import contextlib
import glob
import gzip
import http.client
import json
import os
import shutil
import signal
import socket
import time

from harness import BAD_INPUT, DIVERGED, DONE, INTERRUPTED, IO, chain_scenario, read_index, wait_for
from viewing import FRAMES, SMALL, ViewTest, bundle, main, talk

ENDLESS = chain_scenario(links=10, steps=10**7, frames=10, checkpoint=500)
NESTED = '{"status": "done", "reason": ' + 200000 * "[" + 200000 * "]" + "}"


class Answers(ViewTest):
    def test_pages(self):
        viewer = self.view()
        for path, kind in (("/", "text/html; charset=utf-8"), ("/page.js", "text/javascript"), ("/page.css", "text/css")):
            zipped = viewer.ask(path, headers={"Accept-Encoding": "deflate, gzip, br"})
            plain = viewer.ask(path)
            for reply in (zipped, plain):
                self.assertEqual((reply.status, reply.headers["content-type"]), (200, kind))
                self.assertEqual(reply.headers["cache-control"], "no-cache")
                self.guarded(reply)
            self.assertEqual(zipped.headers["content-encoding"], "gzip")
            self.assertNotIn("content-encoding", plain.headers)
            self.assertEqual(gzip.decompress(zipped.body), plain.body)
        self.assertIn(b"<!doctype html>", viewer.ask("/").body.lower())
        self.assertEqual(viewer.ask("/?shot=1").status, 200)

    def test_run(self):
        run = self.view().json("/api/run")
        self.assertEqual((run["name"], run["title"], run["status"], run["reason"], run["problem"]),
                         ("run", "Chain", "done", None, None))
        self.assertEqual(run["frames"], FRAMES)
        self.assertEqual(run["series_bytes"], os.path.getsize(self.path("run", "series.csv")))
        listed = [line for line in read_index(self.path("run")) if line["kind"] == "frames"]
        self.assertGreater(len(listed), 1)
        self.assertEqual([s["frames"] for s in run["segments"]], [line["frames"] for line in listed])
        self.assertEqual([s["last_time"] for s in run["segments"]], [line["last_time"] for line in listed])
        self.assertEqual([s["first"] for s in run["segments"]],
                         [sum(line["frames"] for line in listed[:i]) for i in range(len(listed))])

    def test_scene(self):
        viewer = self.view()
        self.assertEqual([body["name"] for body in viewer.json("/api/scene")["bodies"]], ["link0", "link1", "link2"])
        self.write("run/scene.json", "{\"format\": 1, \"bodies\": 7}")
        reply = viewer.ask("/api/scene")
        self.refused(reply, 500)
        self.assertIn("scene.json", reply.json()["error"])
        os.remove(self.path("run", "scene.json"))
        bodies = viewer.json("/api/scene")["bodies"]
        self.assertEqual([(body["name"], body["shape"]) for body in bodies], 3 * [("", None)])
        run = viewer.json("/api/run")
        self.assertEqual((run["status"], run["problem"]), ("done", "scene.json is missing: bodies are shown as points"))

    def test_frames(self):
        viewer = self.view()
        for number in (0, FRAMES - 1, 3, 15, 4):
            reply = viewer.ask("/api/frame/%d" % number)
            self.assertEqual(reply.status, 200, str(reply))
            self.guarded(reply)
            head, arrays = bundle(reply.body)
            self.assertEqual(head["stack"]["steps"], [10 * number])
            self.assertAlmostEqual(head["stack"]["times"][0], 0.01 * number)
            position = next(f for f in head["stack"]["fields"] if f["name"] == "bodies/position")
            self.assertEqual((position["unit"], position["shape"]), ("m", [3, 3]))
            self.assertEqual(len(arrays[position["array"]]), 9)

    def test_series(self):
        viewer = self.view()
        head, arrays = bundle(viewer.ask("/api/series").body)
        panel = head["panels"][0]
        self.assertEqual((panel["title"], panel["x_label"]), ("link2.position", "time [s]"))
        self.assertEqual([curve["label"] for curve in panel["curves"]], ["x", "y", "z"])
        curve = panel["curves"][0]
        self.assertEqual(len(arrays[curve["x"]]), 201)
        self.assertAlmostEqual(arrays[curve["y"]][0], 0.25, places=6)
        head, arrays = bundle(viewer.ask("/api/series?from=0.05&to=1e-1").body)
        times = arrays[head["panels"][0]["curves"][0]["x"]]
        self.assertAlmostEqual(times[0], 0.049)
        self.assertAlmostEqual(times[-1], 0.101)
        head, arrays = bundle(viewer.ask("/api/series?points=1").body)  # at least 100
        self.assertTrue(30 <= len(arrays[head["panels"][0]["curves"][0]["x"]]) < 150)
        for bad in ("points=many", "from=nan", "from=1&to=0", "to=inf", "from=", "from=1e+1"):
            self.refused(viewer.ask("/api/series?" + bad), 400)

    def test_series_that_grows(self):
        viewer = self.view()
        whole = self.read("run", "series.csv")
        lines = whole.splitlines(keepends=True)
        sizes = []
        for text in (b"", lines[0], lines[0] + lines[1] + lines[2][:5], b"".join(lines[:50]), whole, b"".join(lines[:9])):
            self.write("run/series.csv", text)
            head, arrays = bundle(viewer.ask("/api/series").body)
            curves = head["panels"][0]["curves"] if head["panels"] else []
            sizes.append([len(arrays[curve[axis]]) for curve in curves[:1] for axis in "xy"])
        self.assertEqual(sizes, [[], [0, 0], [1, 1], [49, 49], [201, 201], [8, 8]])
        self.write("run/series.csv", whole + b"0.3,oops\n")
        reply = viewer.ask("/api/series")
        self.refused(reply, 500)
        self.assertIn("series.csv", reply.json()["error"])

    def test_connections_are_kept(self):
        viewer = self.view()
        connection = http.client.HTTPConnection(*viewer.address, timeout=20)
        for path in ("/api/run", "/api/frame/1", "/"):
            connection.request("GET", path)
            used = connection.sock
            reply = connection.getresponse()
            reply.read()
            self.assertEqual(reply.status, 200)
            self.assertIs(connection.sock, used)
            self.assertIsNotNone(used)
        connection.close()


class Refusals(ViewTest):
    PATHS = ("/", "/page.js", "/api/run", "/api/scene", "/api/series", "/api/frame/0")

    def setUp(self):
        super().setUp()
        self.viewer = self.view()

    def test_foreign_host(self):
        for host in ("evil.example", "evil.example:%d" % self.viewer.port, "127.0.0.1", "127.0.0.1:1", "localhost:80",
                     "127.0.0.1:%d.evil.example" % self.viewer.port, "[::1]:%d" % self.viewer.port, ""):
            for path in self.PATHS:
                self.refused(self.viewer.ask(path, headers={"Host": host}), 400, 403)
        self.refused(self.viewer.ask("/api/run", headers={"Host": None}), 400, 403)
        twice = "GET /api/run HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: evil.example\r\n\r\n" % self.viewer.port
        self.refused(talk(self.viewer.address, twice.encode()), 400, 403)
        self.assertEqual(self.viewer.ask("/", host="localhost:%d" % self.viewer.port).status, 200)

    def test_foreign_origin(self):
        own = "http://127.0.0.1:%d" % self.viewer.port
        for origin in ("null", "http://evil.example", "https" + own[4:], own + "0", own[:-1], own + ".evil.example",
                       "http://localhost:%d" % self.viewer.port, "http://127.0.0.1:1"):
            for path in self.PATHS:
                self.refused(self.viewer.ask(path, headers={"Origin": origin}), 403)
                self.refused(self.viewer.ask(path, "OPTIONS", {"Origin": origin, "Access-Control-Request-Method": "GET"}),
                             403)
        for path in self.PATHS:
            self.assertEqual(self.viewer.ask(path, headers={"Origin": own}).status, 200)

    def test_other_sites(self):
        for site in ("cross-site", "same-site"):
            for path in self.PATHS[1:]:
                self.refused(self.viewer.ask(path, headers={"Sec-Fetch-Site": site}), 403)
            self.assertEqual(self.viewer.ask("/", headers={"Sec-Fetch-Site": site}).status, 200, "a link leads here")
        for site in ("same-origin", "none"):
            self.assertEqual(self.viewer.ask("/api/run", headers={"Sec-Fetch-Site": site}).status, 200)

    def test_no_websocket(self):
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        own = "http://127.0.0.1:%d" % self.viewer.port
        for path in (*self.PATHS, "/ws", "/api/socket"):
            self.refused(self.viewer.ask(path, headers=upgrade), 400, 404)
            self.refused(self.viewer.ask(path, headers={**upgrade, "Upgrade": "WebSocket", "Origin": own}), 400, 404)
            self.refused(self.viewer.ask(path, headers={**upgrade, "Origin": "http://evil.example"}), 403)

    def test_paths(self):
        for path in ("/../../etc/passwd", "/..", "/../", "/%2e%2e/", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
                     "/....//etc/passwd", "/run/series.csv", "/series.csv", "/index.jsonl", "/page.js/../series.csv",
                     "//", "//page.js", "/page.js/", "/page.js%00", "/page%2ejs", "/PAGE.JS", "/api", "/api/", "/api/run/",
                     "/api//run", "/api/run/..", "/./api/run", "/api/picture", "/api/frame", "/api/frame/",
                     "/api/frame/../../x", "/api/frame/../run", "/api/frame/-1", "/api/frame/+1", "/api/frame/1.0",
                     "/api/frame/0x1", "/api/frame/%30", "/api/frame/ 1", "/api/frame/1/", "/api/frame/%d" % FRAMES,
                     "/api/frame/18446744073709551615", "/api/frame/18446744073709551616",
                     "/api/frame/99999999999999999999", "/\\..\\x", "/page.js;x", "/x.cgi", "/x.shtml", "/x.lua"):
            reply = self.viewer.ask(path)
            self.refused(reply, 400, 404, 505)
            self.assertNotIn(b"root:", reply.body)
        own = "127.0.0.1:%d" % self.viewer.port
        for target in ("http://%s/series.csv" % own, "http://evil.example/", "x", "*", "", "evil.example:80"):
            self.assertIn(self.viewer.ask(target).status, (400, 403, 404, None), target)

    def test_malformed_requests(self):
        host = b"Host: 127.0.0.1:%d\r\n" % self.viewer.port
        for request in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"nonsense\x01\x02\r\n\r\n", b"GET /\0 HTTP/1.1\r\n\r\n",
                        b"GET /api/run\0 HTTP/1.1\r\n" + host + b"\r\n", b"GET / HTTP/9.9\r\n" + host + b"\r\n",
                        b"GET /api/run HTTP/1.1\r\n" + host + b"Content-Length: x\r\n\r\n",
                        b"GET /api/run HTTP/1.1\r\n" + host + b"Content-Length: -5\r\n\r\n",
                        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + 64 * b"\0", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
            reply = talk(self.viewer.address, request, half_close=True)
            if reply.status is not None:
                self.refused(reply, 400, 403, 404, 405, 411, 505)
                self.assertEqual(reply.headers["connection"], "close")
                self.assertNotIn(b"ivet", reply.body)
        self.alive()

    def test_too_long(self):
        for request in (b"GET /" + 20000 * b"a" + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + 200000 * b"a" + b"\r\n\r\n",
                        b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: y\r\n" % i for i in range(3000)) + b"\r\n"):
            reply = talk(self.viewer.address, request)
            if reply.status is not None:
                self.refused(reply, 400, 403, 413, 414, 431)
        self.alive()

    def test_methods(self):
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "MKCOL"):
            for path in self.PATHS:
                reply = self.viewer.ask(path, method, {"Content-Length": "0"})
                self.assertIn(reply.status, (400, 405), "%s %s: %s" % (method, path, reply))
                self.guarded(reply)
        for path in self.PATHS:
            self.assertEqual(self.viewer.ask(path, "POST", {"Content-Length": "0"}).headers["allow"], "GET")
        for path in ("/new", "/series.csv", "/api/picture"):
            for method in ("PUT", "DELETE", "POST", "MKCOL"):
                self.assertIn(self.viewer.ask(path, method, {"Content-Length": "3"}, b"abc").status, (404, 405, None))
        self.assertFalse(os.path.exists(self.path("new")) or os.path.exists(self.path("run", "new")))

    def test_bodies(self):
        before = memory(self.viewer.process.pid)
        for path in self.PATHS:
            self.refused(self.viewer.ask(path, headers={"Content-Length": "5"}, body=b"hello"), 400, 413)
            self.refused(self.viewer.ask(path, headers={"Content-Length": str(10**12)}), 400, 413)
            self.refused(self.viewer.ask(path, headers={"Transfer-Encoding": "chunked"}), 400, 413)
            reply = self.viewer.ask(path, headers={"Content-Length": str(2**24)}, body=2**24 * b"x")
            self.assertIn(reply.status, (400, 413, None), str(reply))
        self.assertLess(memory(self.viewer.process.pid) - before, 8 << 20, "bodies are not read")
        twice = "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello" % self.viewer.port
        self.refused(talk(self.viewer.address, twice.encode()), 400, 413)
        # What follows a refused body is no request.
        hidden = b"GET /api/run HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % self.viewer.port
        first = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d\r\n\r\n" % (self.viewer.port, len(hidden))
        with socket.create_connection(self.viewer.address, timeout=20) as stream:
            stream.sendall(first + hidden)
            data = b""
            with contextlib.suppress(ConnectionError):
                while part := stream.recv(65536):
                    data += part
        self.assertEqual(data.count(b"HTTP/1.1"), 1, data)
        self.alive()

    def test_slow_and_silent_clients_do_not_block(self):
        with contextlib.ExitStack() as stack:
            for _ in range(20):
                stream = stack.enter_context(socket.create_connection(self.viewer.address, timeout=20))
                stream.sendall(b"GET / HTTP/1.1\r\nHo")
            started = time.monotonic()
            self.alive()
            self.assertLess(time.monotonic() - started, 3)

    def test_clients_that_do_not_read_are_given_up(self):
        own = b"Host: 127.0.0.1:%d\r\n\r\n" % self.viewer.port
        with contextlib.ExitStack() as stack:
            for _ in range(32):  # as many as there are threads
                stream = stack.enter_context(socket.socket())
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                stream.connect(self.viewer.address)
                stream.sendall((b"GET /page.js HTTP/1.1\r\n" + own) * 50)
            self.alive()
            started = time.monotonic()
            self.viewer.process.send_signal(signal.SIGINT)
            self.assertEqual(self.finish(self.viewer.process).code, DONE)
            self.assertLess(time.monotonic() - started, 10)

    def test_headers_that_civetweb_does_not_see(self):
        start = b"GET /api/run HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % self.viewer.port
        many = b"".join(b"X%d: y\r\n" % i for i in range(70))
        for rest in (many + b"Origin: http://evil.example\r\n", b"Origin:\r\n http://evil.example\r\n",
                     b"X: a\r\n b\r\nOrigin: http://evil.example\r\n", b"X:\r\n\ty\r\n", b"X: a\n b\n", b"no colon\r\n",
                     b" X: a\r\n", b"X: a\r\n\rOrigin: http://evil.example\r\n", b": a\r\nOrigin: http://evil.example\r\n", b"X: y\r\n" * 63):
            self.refused(talk(self.viewer.address, start + rest + b"\r\n"), 400)
        for rest in (b"", b"X: y\r\n" * 62, b"X:\r\n", b"X: y \r\n"):
            self.assertEqual(talk(self.viewer.address, start + rest + b"\r\n").status, 200, rest)
        self.refused(talk(self.viewer.address, start.replace(b"\r", b"") + b"\n"), 400)

    def alive(self):
        self.assertEqual(self.viewer.json("/api/run")["frames"], FRAMES)


def memory(process):
    """Bytes in use."""
    with open("/proc/%d/statm" % process) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def outside_address():
    """An address of this machine that others could use; the loopback when there is none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing
        return probe.getsockname()[0]
    return "127.0.0.1"


class Token(ViewTest):
    def setUp(self):
        super().setUp()
        self.viewer = self.view("run", "--host", "0.0.0.0")
        self.viewer.address = (outside_address(), self.viewer.port)
        self.host = "%s:%d" % self.viewer.address

    def ask(self, path, **headers):
        return self.viewer.ask(path, headers={name.replace("_", "-"): value for name, value in headers.items()},
                               host=self.host)

    def test_address(self):
        self.assertRegex(self.viewer.token, r"^[0-9a-f]{32}$")
        other = self.view("run", "--host", "0.0.0.0")
        self.assertNotEqual(other.token, self.viewer.token)
        self.assertIsNone(self.view("run", "--host", "localhost").token)
        self.assertIsNone(self.view("run", "--host", "127.0.0.1").token)

    def test_nothing_without_it(self):
        token = self.viewer.token
        wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
        cookie = "hardpan_%d=" % self.viewer.port
        for path in Refusals.PATHS:
            for headers in ({}, {"Cookie": cookie + wrong}, {"Cookie": cookie}, {"Cookie": "hardpan_1=" + token},
                            {"Cookie": "x" + cookie + token}, {"Cookie": cookie + token + "0"}, {"Cookie": ";;;" + cookie},
                            {"Authorization": "Bearer " + wrong}, {"Authorization": "Bearer "},
                            {"Authorization": "Basic " + token}, {"Authorization": token}):
                reply = self.ask(path, **headers)
                self.refused(reply, 403)
                self.assertIn("hardpan view", reply.json()["error"])
        for query in ("", "?token=", "?token=" + wrong, "?token=" + token[:8], "?token", "?nekot=" + token):
            self.refused(self.ask("/" + query), 403)
        self.refused(self.ask("/api/run?token=" + token), 403)

    def test_the_way_in(self):
        reply = self.ask("/?token=" + self.viewer.token)
        self.assertEqual((reply.status, reply.headers["location"]), (303, "/"))
        self.guarded(reply)
        cookie = "hardpan_%d=%s" % (self.viewer.port, self.viewer.token)
        self.assertEqual(reply.headers["set-cookie"], cookie + "; HttpOnly; SameSite=Lax; Path=/")
        for path in Refusals.PATHS:
            self.assertEqual(self.ask(path, Cookie=cookie).status, 200)
            self.assertEqual(self.ask(path, Cookie="a=b; %s; c=d" % cookie).status, 200)
            self.assertEqual(self.ask(path, Authorization="Bearer " + self.viewer.token).status, 200)
        self.assertEqual(self.ask("/?token=" + self.viewer.token, Cookie=cookie).status, 303, "it leaves the address always")
        reply = self.ask("/?token=%s&shot=1" % self.viewer.token)
        self.assertEqual((reply.status, reply.headers["location"]), (303, "/?shot=1"))
        reply = self.ask("/?token=%s&shot=//evil.example" % self.viewer.token)
        self.assertEqual((reply.status, reply.headers["location"]), (303, "/"))

    def test_other_refusals_hold(self):
        bearer = "Bearer " + self.viewer.token
        self.assertEqual(self.ask("/api/run", Authorization=bearer, Origin="http://" + self.host).status, 200)
        self.refused(self.ask("/api/run", Authorization=bearer, Origin="http://evil.example"), 403)
        self.refused(self.ask("/api/run", Authorization=bearer, Sec_Fetch_Site="cross-site"), 403)
        self.refused(self.ask("/api/run", Authorization=bearer, Upgrade="websocket", Connection="Upgrade"), 400)
        self.refused(self.ask("/api/picture", Authorization=bearer), 404)


class Growing(ViewTest):
    def status(self, viewer):
        return viewer.json("/api/run")["status"]

    def test_running_killed_resumed_interrupted(self):
        self.write("endless.yaml", ENDLESS)
        run = self.start("run", "endless.yaml", "--out", "long", "-q")
        self.assertTrue(wait_for(lambda: any(line["kind"] == "frames" for line in read_index(self.path("long")))))
        viewer = self.view("long")
        first = viewer.json("/api/run")
        self.assertEqual((first["status"], first["title"]), ("running", "Chain"))
        self.assertTrue(wait_for(lambda: viewer.json("/api/run")["frames"] > first["frames"]), "frames appear")
        self.assertTrue(wait_for(lambda: viewer.json("/api/run")["series_bytes"] > first["series_bytes"]))
        now = viewer.json("/api/run")
        self.assertEqual(now["generation"], first["generation"])
        self.assertEqual(bundle(viewer.ask("/api/frame/%d" % (now["frames"] - 1)).body)[0]["stack"]["steps"],
                         [10 * (now["frames"] - 1)])
        run.kill()
        run.wait()
        self.assertEqual(self.status(viewer), "stopped")
        run = self.start("run", "endless.yaml", "--out", "long", "--resume", "-q")
        self.assertTrue(wait_for(lambda: self.status(viewer) == "running"))
        self.assertTrue(wait_for(lambda: viewer.json("/api/run")["generation"] != first["generation"]))
        time.sleep(0.3)  # let it get past its start
        run.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(run).code, INTERRUPTED)
        self.assertEqual(self.status(viewer), "interrupted")

    def test_overwritten(self):
        viewer = self.view()
        before = viewer.json("/api/run")
        self.assertEqual(viewer.json("/api/run")["generation"], before["generation"])
        old = bundle(viewer.ask("/api/frame/20").body)
        self.write("other.yaml", chain_scenario(links=4, steps=200, frames=10))
        self.expect(DONE, "run", "other.yaml", "--out", "run", "--force", "-q")
        after = viewer.json("/api/run")
        self.assertNotEqual(after["generation"], before["generation"])
        self.assertEqual((after["status"], after["frames"], len(after["segments"])), ("done", FRAMES, 1))
        self.assertNotEqual(bundle(viewer.ask("/api/frame/20").body)[0], old[0])
        self.assertEqual(bundle(viewer.ask("/api/series").body)[0]["panels"][0]["title"], "link3.position")
        self.expect(DONE, "run", "other.yaml", "--out", "run", "--force", "-q")
        self.assertNotEqual(viewer.json("/api/run")["generation"], after["generation"], "by the same scenario, too")

    def test_viewing_does_not_disturb_the_writer(self):
        viewer = self.view()
        self.write("small.yaml", SMALL)
        run = self.start("run", "small.yaml", "--out", "run", "--force", "-q")
        while run.poll() is None:
            self.assertIsNone(viewer.json("/api/run")["problem"])
        self.assertEqual(self.finish(run).code, DONE)

    def test_diverged(self):
        self.write("wild.yaml", "hardpan: 1\ntitle: Wild\ntime: {end: 0.1, step: 0.01}\nbodies:\n  point: {mass: 1, "
                   "inertia: [1, 2, 3]}\nloads:\n  push: {kind: torque, body: point, torque: [1.0e6, 1.0e6, 0]}\n")
        self.expect(DIVERGED, "run", "wild.yaml", "--out", "wild", "-q")
        run = self.view("wild").json("/api/run")
        self.assertEqual((run["status"], run["title"]), ("diverged", "Wild"))
        self.assertTrue(run["reason"])


class Damage(ViewTest):
    def test_truncated_segment(self):
        viewer = self.view()
        name = sorted(glob.glob(self.path("run", "frames-*.h5")))[-1]
        os.truncate(name, os.path.getsize(name) // 2)
        reply = viewer.ask("/api/frame/20")
        self.refused(reply, 500)
        self.assertIn(os.path.basename(name), reply.json()["error"])
        self.assertEqual(viewer.ask("/api/frame/0").status, 200)
        os.remove(name)
        self.refused(viewer.ask("/api/frame/20"), 500)
        self.assertEqual(viewer.ask("/api/frame/3").status, 200)
        self.assertIsNone(viewer.json("/api/run")["problem"])

    def test_damaged_index_and_summary(self):
        viewer = self.view()
        before = viewer.json("/api/run")
        index = self.read("run", "index.jsonl")
        self.write("run/index.jsonl", b"{}\n" + index)
        now = viewer.json("/api/run")
        self.assertIn("index.jsonl", now["problem"])
        self.assertEqual((now["frames"], now["title"]), (before["frames"], "Chain"))
        self.refused(viewer.ask("/api/frame/0"), 500)
        self.write("run/index.jsonl", index)
        self.assertIsNone(viewer.json("/api/run")["problem"])
        for bad in ("[]", "{\"status\": 7}", "{\"status\": \"done\"", NESTED):
            self.write("run/summary.json", bad)
            now = viewer.json("/api/run")
            self.assertIn("summary.json", now["problem"])
            self.assertEqual(now["status"], "done", "as last seen")
        self.assertIn("levels deep", self.expect(IO, "report", "run").err)

    def test_nested_scene(self):
        viewer = self.view()
        self.write("run/scene.json", NESTED)
        reply = viewer.ask("/api/scene")
        self.refused(reply, 500)
        self.assertIn("levels deep", reply.json()["error"])
        self.assertIn("scene.json", self.expect(IO, "report", "run").err)

    def test_vanished_folder(self):
        viewer = self.view()
        shutil.rmtree(self.path("run"))
        now = viewer.json("/api/run")
        self.assertIn("not the folder of a run", now["problem"])
        self.assertEqual((now["frames"], now["status"]), (FRAMES, "done"), "as last seen")
        self.refused(viewer.ask("/api/frame/0"), 500)


class Command(ViewTest):
    def test_ends_by_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            viewer = self.view()
            self.assertEqual(viewer.folder, "run")
            self.assertEqual(viewer.ask("/").status, 200)
            started = time.monotonic()
            viewer.process.send_signal(number)
            self.assertEqual(self.finish(viewer.process).code, DONE)
            self.assertLess(time.monotonic() - started, 10)

    def test_bad_usage(self):
        self.write("empty/x.txt", "")
        for folder in ("nothing", "empty", "run/series.csv"):
            self.assertIn("is not the folder of a run", self.expect(IO, "view", folder).err)
        self.assertIn("--prot", self.expect(BAD_INPUT, "view", "run", "--prot", "1").err)
        for arguments in (["--port", "0"], ["--port", "65536"], ["--port", "x"], ["--host", ""], ["--host", "::1"],
                          ["--host", "127.0.0.1,0.0.0.0:99"], ["--host", "a/b"]):
            self.expect(BAD_INPUT, "view", "run", *arguments)
        self.assertIn("no such address", self.expect(IO, "view", "run", "--host", "192.0.2.77").err)

    def test_port(self):
        viewer = self.view()
        outcome = self.expect(IO, "view", "run", "--port", str(viewer.port))
        self.assertEqual(outcome.err.count("\n"), 1)
        self.assertIn("127.0.0.1:%d: the port is in use" % viewer.port, outcome.err)

    def test_two_viewers_of_one_run(self):
        first, second = self.view(), self.view()
        self.assertEqual(first.json("/api/run"), second.json("/api/run"))


if __name__ == "__main__":
    main()
