#!/usr/bin/env python3
"""`hardpan shot`: what is asked of the browser, what is taken from it, and that nothing of it stays."""
import json
import os
import signal
import stat
import sys
from unittest import mock

from harness import BAD_INPUT, DONE, INTERRUPTED, IO, wait_for
from viewing import ViewTest, main

PNG = b"\x89PNG\r\n\x1a\n" + b"not a real one, but nobody looks further"

# Stands for Chromium: loads the page as it would, then does what BEHAVIOUR says.
BROWSER = """#!%s
import http.client, json, os, sys, time, urllib.parse
with open(os.environ["BROWSER_LOG"], "w") as log:
    json.dump({"argv": sys.argv[1:], "pid": os.getpid()}, log)
address = urllib.parse.urlsplit(sys.argv[-1])
server = http.client.HTTPConnection(address.netloc)
def ask(method, path, body=None, **headers):
    server.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    reply = server.getresponse()
    return reply, reply.read()
print("the browser was here", flush=True)
reply, _ = ask("GET", "/?" + address.query)
assert (reply.status, reply.headers["Location"]) == (303, "/?shot=1"), reply.status
cookie = reply.headers["Set-Cookie"].split(";")[0]
reply, _ = ask("GET", "/api/frame/0", Cookie=cookie)
assert reply.status == 200
PNG = %r
def post(body, kind, **headers):
    return ask("POST", "/api/picture", body, Cookie=cookie, Content_Type=kind, Origin="http://" + address.netloc, **headers)
%s
"""


class Shot(ViewTest):
    def shoot(self, code, behaviour, *arguments):
        self.write("browser", BROWSER % (sys.executable, PNG, behaviour))
        os.chmod(self.path("browser"), stat.S_IRWXU)
        self.write("tmp/x", "")
        os.remove(self.path("tmp", "x"))
        variables = {"HARDPAN_BROWSER": self.path("browser"), "BROWSER_LOG": self.path("log.json"), "TMPDIR": self.path("tmp")}
        with mock.patch.dict(os.environ, variables):
            outcome = self.expect(code, "shot", "run", "--out", "x.png", *arguments)
        self.assertEqual(os.listdir(self.path("tmp")), [], "nothing is left behind")
        self.called = json.loads(self.read("log.json"))
        self.assertFalse(os.path.exists("/proc/%d" % self.called["pid"]), "the browser is gone")
        return outcome

    def test_picture(self):
        outcome = self.shoot(DONE, "assert post(PNG, 'image/png')[0].status == 200; time.sleep(60)")
        self.assertEqual((outcome.out, outcome.err), ("wrote x.png\n", ""))
        self.assertEqual(self.read("x.png"), PNG)
        self.assertIn("--headless", self.called["argv"])
        self.assertIn("--window-size=1280,720", self.called["argv"])
        address = self.called["argv"][-1]
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}&shot=1#size=1280x720&t=0\.2&camera=iso$")
        self.assertEqual("--no-sandbox" in self.called["argv"], os.geteuid() == 0)

    def test_options(self):
        self.shoot(DONE, "post(PNG, 'image/png')", "--time", "0.1", "--camera", "1,-2,3e0,0,0,0.5", "--size", "64x32",
                   "--field", "bodies/velocity & more")
        self.assertTrue(self.called["argv"][-1].endswith(
            "#size=64x32&t=0.1&camera=1%2C-2%2C3e0%2C0%2C0%2C0.5&field=bodies%2Fvelocity%20%26%20more"), self.called)
        self.assertIn("--window-size=64,32", self.called["argv"])

    def test_no_picture(self):
        outcome = self.shoot(IO, "post('no field is named velocty', 'text/plain'); time.sleep(60)")
        self.assertIn("no field is named velocty", outcome.err)
        outcome = self.shoot(IO, "")
        self.assertIn("the browser ended without a picture", outcome.err)
        self.assertIn("the browser was here", outcome.err)
        outcome = self.shoot(IO, "time.sleep(60)", "--timeout", "2")
        self.assertIn("no picture came within 2 s", outcome.err)
        outcome = self.shoot(IO, "post(b'GIF89a', 'image/png')")
        self.assertIn("no PNG", outcome.err)
        self.assertFalse(os.path.exists(self.path("x.png")))

    def test_what_is_not_overwritten(self):
        self.write("work.yaml", "mine")
        self.write("work.png", "mine")
        self.write("folder.png/x", "mine")
        with mock.patch.dict(os.environ, {"HARDPAN_BROWSER": "/nonexistent"}):  # told before one is looked for
            for name in ("work.yaml", "x", "x.png.jpg", ".png"):
                self.assertIn("does not end in .png", self.expect(BAD_INPUT, "shot", "run", "--out", name).err)
            for name in ("work.png", "folder.png"):
                self.assertIn("is no PNG", self.expect(BAD_INPUT, "shot", "run", "--out", name).err)
        self.assertEqual((self.read("work.yaml"), self.read("work.png")), (b"mine", b"mine"))
        self.write("x.png", PNG + b"an older one")
        self.shoot(DONE, "post(PNG, 'image/png')")
        self.assertEqual(self.read("x.png"), PNG)

    def test_what_is_not_taken(self):
        self.shoot(DONE, "\n".join([
            "assert post(PNG, 'image/gif')[0].status == 415",
            "server.close(); assert post(None, 'image/png', Content_Length=str(65 << 20))[0].status == 413",
            "server.close(); assert post(None, 'text/plain', Content_Length=str(1 << 20))[0].status == 413",
            "server.close(); assert post(None, 'image/png', Transfer_Encoding='chunked')[0].status == 411",
            "server.close(); assert ask('POST', '/api/picture', PNG, Content_Type='image/png')[0].status == 403",
            "server.close(); assert ask('POST', '/api/picture', PNG, Content_Type='image/png', Cookie=cookie, "
            "Origin='http://evil.example')[0].status == 403",
            "server.close(); assert ask('GET', '/api/picture', Cookie=cookie)[0].status == 405",
            "server.close(); post(PNG, 'image/png')"]))
        self.assertEqual(self.read("x.png"), PNG)

    def test_children_of_the_browser_end_too(self):
        self.shoot(DONE, "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\n"
                         "open(%r, 'w').write(str(child.pid))\npost(PNG, 'image/png'); time.sleep(60)" % self.path("child"))
        child = int(self.read("child"))
        self.assertTrue(wait_for(lambda: not is_running(child), 10))

    def test_interrupted(self):
        self.write("browser", BROWSER % (sys.executable, PNG, "time.sleep(60)"))
        os.chmod(self.path("browser"), stat.S_IRWXU)
        with mock.patch.dict(os.environ, {"HARDPAN_BROWSER": self.path("browser"), "BROWSER_LOG": self.path("log.json")}):
            process = self.start("shot", "run", "--out", "x.png")
        self.assertTrue(wait_for(lambda: os.path.exists(self.path("log.json"))))
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, INTERRUPTED)

    def test_no_browser(self):
        with mock.patch.dict(os.environ, {"HARDPAN_BROWSER": "/nonexistent"}):
            self.assertIn("HARDPAN_BROWSER", self.expect(BAD_INPUT, "shot", "run", "--out", "x.png").err)
        with mock.patch.dict(os.environ, {"PATH": self.folder}):
            os.environ.pop("HARDPAN_BROWSER", None)
            self.assertIn("install", self.expect(BAD_INPUT, "shot", "run", "--out", "x.png").err)

    def test_bad_usage(self):
        self.expect(BAD_INPUT, "shot", "run")
        for arguments in (["--size", "10x10"], ["--size", "9000x100"], ["--size", "100"], ["--size", "100x"],
                          ["--size", "100x100x"], ["--camera", "below"], ["--camera", "1,2,3"], ["--camera", "1,2,3,4,5,nan"],
                          ["--camera", "1,2,3,1,2,3"], ["--time", "nan"], ["--time", "99"], ["--time", "-1"],
                          ["--time", "x"], ["--timeout", "0"], ["--range", "0,1"], ["--range", "3,2", "--field", "a"],
                          ["--range", "0,nan", "--field", "a"]):
            outcome = self.expect(BAD_INPUT, "shot", "run", "--out", "x.png", *arguments)
            self.assertIn(arguments[0], outcome.err)
            self.assertEqual(outcome.err.count("\n"), 1, outcome.err)
        self.assertIn("not the folder of a run", self.expect(IO, "shot", "nothing", "--out", "x.png").err)
        header = self.read("run", "index.jsonl").splitlines(keepends=True)[0]
        self.write("run/index.jsonl", header)
        self.assertIn("no frames", self.expect(BAD_INPUT, "shot", "run", "--out", "x.png").err)


def is_running(process):
    """Neither gone nor a zombie."""
    try:
        with open("/proc/%d/stat" % process) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    main()
