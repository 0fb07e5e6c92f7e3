"""Servers, proxies and addresses that hurt whoever asks them.

Each case has a server of its own on this machine, which says the bytes of one attack; knead is told to give up after
KNEAD_PATIENCE seconds without progress, so that a server that is silent costs no more than that.
"""

import hashlib
import itertools
import os
import socket
import struct
import threading
import time

from case import Case

USAGE = frozenset({2, 3})
TABLE = b"x,y\n" + b"".join(b"%d,%d\n" % (i, i % 2) for i in range(64))
SHA256 = hashlib.sha256(TABLE).hexdigest()
PATIENCE = {"KNEAD_PATIENCE": "3", "KNEAD_HOME": "cache"}
ESCAPE = b"\x1b]0;title\x07\x1b[2J\x1b[31m"

MODEL = """import torch.nn as nn

class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(1, 2)

    def forward(self, x):
        return self.line(x[:, None])
"""


def recipe(url, sha256=SHA256, more=""):
    return (f"version: 1\nname: a\nmodel: {{source: line.py, class: Line}}\n"
            f"data:\n  train: {{type: csv, url: \"{url}\", sha256: {sha256}, fields: {{x: {{columns: x}}, y: {{columns: y, dtype: int64}}}}}}\n"
            f"loss: {{type: cross_entropy, target: y}}\noptimizer: {{type: sgd, lr: 0.1}}\nbatch: 8\ntrain: 2 steps\n{more}")


class Server:
    """Accepts connections and lets `talk(connection, number)` say what it likes in a thread each."""

    def __init__(self, talk, backlog=64):
        self.talk, self.open, self.count = talk, True, 0
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while self.open:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.count += 1
            threading.Thread(target=self.serve, args=(connection, self.count), daemon=True).start()

    def serve(self, connection, number):
        with connection:
            try:
                connection.settimeout(20)
                self.talk(self, connection, number)
            except OSError:
                pass

    def close(self):
        self.open = False
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


def request(connection):
    """Reads the head of a request."""
    read = b""
    while b"\r\n\r\n" not in read:
        more = connection.recv(65536)
        if not more:
            raise OSError("gone")
        read += more
    return read


def wait(server, seconds=15.0):
    """Does nothing until the case is over."""
    end = time.monotonic() + seconds
    while server.open and time.monotonic() < end:
        time.sleep(0.02)


def says(answer, then=None):
    """A server that answers each request with bytes, and then closes the connection, or `then`."""
    def talk(server, connection, number):
        request(connection)
        connection.sendall(answer)
        if then:
            then(server, connection)
    return talk


def forever(first, block, pause=0.0):
    """A server that says `first` and then a block again and again."""
    def talk(server, connection, number):
        request(connection)
        connection.sendall(first)
        while server.open:
            connection.sendall(block)
            if pause:
                time.sleep(pause)
    return talk


def silent(server, connection):
    wait(server)


OK = b"HTTP/1.1 200 OK\r\n"


def whole(body=TABLE, more=b""):
    return OK + more + b"Content-Length: %d\r\n\r\n" % len(body) + body


def answers():
    """Answers that break the form of HTTP/1.1."""
    for size in (1_000, 20_000, 200_000, 5_000_000):
        yield f"status-line-of-{size}", says(b"HTTP/1.1 200 " + b"a" * size + b"\r\nContent-Length: 0\r\n\r\n")
        yield f"version-of-{size}", says(b"H" * size + b"\r\n\r\n")
        yield f"header-of-{size}", says(OK + b"a: " + b"b" * size + b"\r\n\r\n")
        yield f"name-of-header-of-{size}", says(OK + b"n" * size + b": b\r\n\r\n")
    yield "status-line-without-end", forever(b"HTTP/1.1 200 ", b"a" * 65536)
    yield "status-line-without-end-slowly", forever(b"HTTP/1.1 200 ", b"a", 0.05)
    yield "header-without-end", forever(OK + b"a: ", b"b" * 65536)
    yield "headers-without-end", forever(OK, b"a: b\r\n" * 10_000)
    yield "headers-without-end-slowly", forever(OK, b"a: b\r\n", 0.05)
    yield "line-ends-without-end", forever(b"", b"\r\n" * 1000)
    yield "blanks-without-end", forever(b"", b" " * 65536)
    yield "interim-answers-without-end", forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100)
    yield "interim-answers-slowly", forever(b"", b"HTTP/1.1 102 Processing\r\n\r\n", 0.1)
    for name, text in {
        "nothing": b"", "one-letter": b"H", "half-of-status-line": b"HTTP/1.1 20", "no-end-of-head": OK + b"a: b\r\n",
        "http-0.9": TABLE, "http-2-preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "http-2-settings": b"\0\0\0\4\0\0\0\0\0",
        "http-3.7": b"HTTP/3.7 200 OK\r\n\r\n", "version-of-letters": b"HTTP/x.y 200 OK\r\n\r\n",
        "status-of-letters": b"HTTP/1.1 abc OK\r\n\r\n", "status-negative": b"HTTP/1.1 -200 OK\r\n\r\n",
        "status-of-10-digits": b"HTTP/1.1 2000000000 OK\r\n\r\n", "status-0": b"HTTP/1.1 000 no\r\n\r\n",
        "ssh": b"SSH-2.0-OpenSSH_9.2\r\n", "smtp": b"220 mail ESMTP\r\n", "ftp": b"220 (vsFTPd 3.0.3)\r\n",
        "tls-alert": b"\x15\x03\x03\x00\x02\x02\x28", "zeros": b"\0" * 100_000, "bytes": bytes(range(256)) * 400,
        "nul-in-status": b"HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n", "header-without-colon": OK + b"abc\r\n\r\n",
        "header-with-nul": OK + b"a\0b: c\r\n\r\n", "folded-header": OK + b"a: b\r\n c\r\n\r\n",
        "header-of-escapes": OK + b"a: " + ESCAPE + b"\r\n\r\n", "bare-line-feeds": b"HTTP/1.1 200 OK\nContent-Length: 0\n\n",
    }.items():
        yield f"answer-{name}", says(text)


def lengths():
    """Answers whose length is not what is said, or not possible."""
    for length in ("-1", "abc", "1e3", "0x10", "18446744073709551615", "18446744073709551616", "9" * 100, "1000000000000000000",
                   "200000000000000", " ", "+5", "5,5"):
        yield f"length-{length[:24].replace(' ', 'blank')}", says(OK + f"Content-Length: {length}\r\n\r\n".encode() + TABLE)
    yield "two-lengths", says(OK + b"Content-Length: 5\r\nContent-Length: 300\r\n\r\n" + TABLE)
    yield "length-and-chunks", says(OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
    for given in (0, 1, 10, len(TABLE) - 1):
        yield f"{given}-bytes-of-those-said", says(whole()[:len(whole()) - len(TABLE) + given])
    yield "more-bytes-than-said", says(OK + b"Content-Length: 5\r\n\r\n" + TABLE)

    def one_more_each_time(server, connection, number):
        asked = request(connection)
        begin = int(asked.split(b"bytes=")[1].split(b"-")[0]) if b"bytes=" in asked else 0
        connection.sendall(b"HTTP/1.1 206 Partial\r\nContent-Range: bytes %d-999999/1000000\r\nContent-Length: %d\r\n\r\nx"
                           % (begin, 1_000_000 - begin))
    yield "one-byte-more-each-time", one_more_each_time

    def another_length_each_time(server, connection, number):
        request(connection)
        connection.sendall(OK + b"Content-Length: %d\r\n\r\n" % (10 ** (number % 9) * 10) + b"x" * number)
    yield "another-length-each-time", another_length_each_time
    yield "body-without-end", forever(OK + b"\r\n", b"x" * (1 << 20))
    yield "chunks-without-end", forever(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n")
    yield "chunks-of-a-byte-without-end", forever(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", 0.02)
    chunked = OK + b"Transfer-Encoding: chunked\r\n\r\n"
    yield "extension-of-a-chunk-without-end", forever(chunked + b"5;", b"a" * 65536)
    yield "size-of-a-chunk-without-end", forever(chunked, b"0" * 65536)
    yield "trailers-without-end", forever(chunked + b"0\r\n", b"a: b\r\n" * 10_000)
    yield "trailer-without-end", forever(chunked + b"0\r\na: ", b"b" * 65536)
    for size in ("ffffffffffffffff", "10000000000000000", "-5", "xyz", "", "7fffffffffffffff"):
        yield f"chunk-of-{size or 'nothing'}", says(chunked + size.encode() + b"\r\nabcde\r\n0\r\n\r\n")
    yield "chunks-without-the-last", says(chunked + b"5\r\nabcde\r\n")
    yield "packed-answer", says(OK + b"Content-Encoding: gzip\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
    yield "unknown-transfer", says(OK + b"Transfer-Encoding: none\r\n\r\n" + TABLE)


def patience():
    """Servers that let one wait."""
    yield "silence", lambda server, connection, number: wait(server)
    yield "silence-after-request", says(b"", silent)
    yield "silence-in-status-line", says(b"HTTP/1.1 200", silent)
    yield "silence-in-headers", says(OK + b"Content-Length: 5\r\n", silent)
    yield "silence-after-head", says(OK + b"Content-Length: 500\r\n\r\n", silent)
    yield "silence-in-body", says(OK + b"Content-Length: 500\r\n\r\n" + b"x" * 100, silent)
    yield "silence-in-chunk", says(OK + b"Transfer-Encoding: chunked\r\n\r\nff\r\nx", silent)
    for pause in (0.02, 0.1, 0.5):
        yield f"a-byte-each-{pause}-s", forever(OK + b"Content-Length: 1000000\r\n\r\n", b"x", pause)
        yield f"a-byte-of-head-each-{pause}-s", forever(b"", b"H", pause)

    def closes(server, connection, number):
        return
    yield "closes-at-once", closes

    def resets(server, connection, number):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    yield "resets-at-once", resets

    def resets_in_body(server, connection, number):
        request(connection)
        connection.sendall(OK + b"Content-Length: 500\r\n\r\n" + b"x" * 100)
        time.sleep(0.05)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    yield "resets-in-body", resets_in_body


def contents():
    """Answers whose form is right."""
    yield "another-file", says(whole(b"x,y\n1,1\n"))
    yield "empty-file", says(whole(b""))
    yield "page-of-a-portal", says(whole(b"<html>please log in</html>", b"Content-Type: text/html\r\n"))
    part = b"HTTP/1.1 206 Partial\r\nContent-Range: bytes %s\r\nContent-Length: 5\r\n\r\nabcde"
    for name, given in {"not-asked-for": b"0-4/5", "elsewhere": b"100-104/200", "negative": b"-5-0/5", "of-letters": b"a-b/c",
                        "beyond-64-bits": b"99999999999999999999-5/5", "without-end": b"0-/*"}.items():
        yield f"part-{name}", says(part % given)
    yield "no-such-range-each-time", says(b"HTTP/1.1 416 no\r\nContent-Length: 0\r\n\r\n")
    for status in (101, 201, 204, 205, 300, 304, 305, 400, 401, 403, 404, 407, 408, 418, 429, 451, 500, 502, 503, 504, 599, 600, 999):
        yield f"status-{status}", says(b"HTTP/1.1 %d reason\r\nContent-Length: 0\r\n\r\n" % status)
    yield "reason-of-escapes", says(b"HTTP/1.1 404 " + ESCAPE + b"\r\nContent-Length: 0\r\n\r\n")
    yield "reason-of-c1-controls", says("HTTP/1.1 404 \x9b2J\x85\x90\r\nContent-Length: 0\r\n\r\n".encode())
    yield "reason-that-turns-text", says("HTTP/1.1 404 \u202egnp.exe\r\nContent-Length: 0\r\n\r\n".encode())
    yield "reason-of-12000", says(b"HTTP/1.1 404 " + b"r" * 12_000 + b"\r\nContent-Length: 0\r\n\r\n")
    yield "error-page-without-end", forever(b"HTTP/1.1 404 no\r\n\r\n", b"x" * 65536)


def redirects():
    """Redirects that lead to nothing good."""
    for name, place in {
        "port-99999": "http://127.0.0.1:99999/a", "port-0": "http://127.0.0.1:0/a", "port-negative": "http://127.0.0.1:-1/a",
        "port-of-letters": "http://127.0.0.1:http/a", "port-of-40-digits": "http://127.0.0.1:" + "9" * 40 + "/a",
        "file": "file:///etc/passwd", "ftp": "ftp://127.0.0.1/a", "javascript": "javascript:alert(1)", "data": "data:text/plain,a",
        "unix": "http+unix://%2Frun%2Fa/", "no-host": "http://", "no-host-2": "http:///a", "slashes": "//", "closed-port": "http://127.0.0.1:1/a",
        "user": "http://user:word@127.0.0.1:1/a", "brackets": "http://[::1/a", "no-ipv6": "http://[zz]:80/", "blank": "http://a b/", "percent": "http://%00/",
        "long-host": "http://" + "h" * 5000 + "/", "long-path": "/" + "p" * 15_000, "escape": "http://127.0.0.1:1/\x1b[2J", "dots": "../../../../a", "query": "?again=1",
        "itself": "", "letters": "http://ä.invalid/", "tab": "http://127.0.0.1\t:1/",
    }.items():
        yield f"redirect-{name}", says(b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % place.encode())

    def to_itself(server, connection, number):
        asked = request(connection).split(b" ")[1]
        connection.sendall(b"HTTP/1.1 301 Moved\r\nLocation: %s%d\r\nContent-Length: 0\r\n\r\n" % (asked[:50], number))
    yield "redirect-for-ever", to_itself

    def to_tls(server, connection, number):
        request(connection)
        connection.sendall(b"HTTP/1.1 301 Moved\r\nLocation: https://127.0.0.1:%d/a\r\nContent-Length: 0\r\n\r\n" % server.port)
    yield "redirect-to-tls-that-is-none", to_tls


def fetching(name, talk, scheme="http", exits=USAGE):
    """A case that fetches its data from a server."""
    def before(folder):
        server = Server(talk)
        (folder / "recipe.yaml").write_text(recipe(f"{scheme}://127.0.0.1:{server.port}/a.csv"))
        return server.close
    return Case(f"address/{name}", {"line.py": MODEL}, ["plan", "recipe.yaml"], exits, PATIENCE, before)


def urls():
    """Addresses that a recipe names; no server is asked."""
    for number, url in enumerate((
            "http://", "http:///a", "http://:80/", "http://@/", "http://user@127.0.0.1:1/", "http://user:secret@127.0.0.1:1/a", "http://127.0.0.1:99999/",
            "http://127.0.0.1:0/", "http://127.0.0.1:-5/", "http://127.0.0.1:a/", "http://127.0.0.1:/", "http://[::1", "http://]/", "http://a b/",
            "http://127.0.0.1:1/a\\nb", "http://127.0.0.1:1/a\\r\\nHost: b", "http://127.0.0.1\\r\\n:1/", "http://127.0.0.1:1/\\e[2J", "http://\\e[2J/", "http://127.0.0.1:1/\\u202egnp",
            "ftp://127.0.0.1/", "file:///etc/passwd", "//127.0.0.1/", "127.0.0.1", "http:127.0.0.1", "HTTP://127.0.0.1:1/", "javascript:alert(1)",
            "http://" + "h" * 300 + "/", "http://" + "h" * 100_000 + "/", "http://127.0.0.1:1/" + "p" * 4_000, "http://127.0.0.1:1/" + "p" * 100_000,
            "http://127.0.0.1:1/?" + "q" * 20_000, "http://127.0.0.1:1/..", "http://127.0.0.1:1/" + "%00" * 1000, "http://127.0.0.1:1/\\0", "http://256.256.256.256:1/", "http://0x7f.1:1/")):
        yield Case(f"address/url-{number}-{''.join(c for c in url[:24] if c.isalnum())}", {"line.py": MODEL, "recipe.yaml": recipe(url)},
                   ["plan", "recipe.yaml"], USAGE, PATIENCE)


def proxies():
    """Proxies in the environment."""
    for number, proxy in enumerate(("http://127.0.0.1:99999", "http://127.0.0.1:0", "http://127.0.0.1:a", "127.0.0.1:1", "http://", ":", "http://user:secret@127.0.0.1:1",
                                    "socks5://127.0.0.1:1", "\x1b[2J", "a" * 10_000, "http://[::1]:1", "http://[::1")):
        for scheme in ("http", "https"):
            yield Case(f"address/proxy-{scheme}-{number}", {"line.py": MODEL, "recipe.yaml": recipe(f"{scheme}://host.invalid/a.csv")},
                       ["plan", "recipe.yaml"], USAGE, {**PATIENCE, f"{scheme}_proxy": proxy})

    # The port of a proxy is not known before it listens, so these cases take turns with a few fixed ports.
    port = itertools.count(47310)
    for name, answer, then in (("refuses", b"HTTP/1.1 403 " + ESCAPE + b"\r\n\r\n", None), ("silent", b"", silent), ("garbage", bytes(range(256)), None),
                               ("long-status", b"HTTP/1.1 200 " + b"a" * 200_000 + b"\r\n\r\n", None), ("no-tls", b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1000, None),
                               ("silent-tls", b"HTTP/1.1 200 OK\r\n\r\n", silent), ("length", b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", silent)):
        def before(folder, answer=answer, then=then, number=None):
            (folder / "recipe.yaml").write_text(recipe("https://host.invalid/a.csv"))
            server = Server.__new__(Server)
            server.talk, server.open, server.count = says(answer, then), True, 0
            server.socket, server.port = socket.create_server(("127.0.0.1", number), backlog=8), number
            threading.Thread(target=server.accept, daemon=True).start()
            return server.close
        number = next(port)
        yield Case(f"address/tunnel-{name}", {"line.py": MODEL}, ["plan", "recipe.yaml"], USAGE,
                   {**PATIENCE, "https_proxy": f"http://127.0.0.1:{number}"}, lambda folder, run=before, number=number: run(folder, number=number))


def secure():
    """Servers that are asked for TLS."""
    for name, talk in {"silence": lambda server, connection, number: wait(server), "garbage": lambda server, connection, number: connection.sendall(bytes(range(256)) * 100),
                       "plain": says(whole()), "alert": lambda server, connection, number: connection.sendall(b"\x15\x03\x03\x00\x02\x02\x28"),
                       "records-without-end": lambda server, connection, number: [connection.sendall(b"\x16\x03\x03\x40\x00" + b"x" * 16384) for _ in range(100_000)],
                       "half-a-hello": lambda server, connection, number: (connection.sendall(b"\x16\x03\x03\x00\x7a\x02"), wait(server)), "closes": lambda server, connection, number: None}.items():
        yield fetching(f"tls-{name}", talk, scheme="https")


def cached():
    """What a stranger has prepared in the cache."""
    place = f"cache/web/{SHA256}"
    good = says(whole())

    def prepared(name, files, exits=frozenset({0, 2, 3}), talk=good):
        def before(folder):
            server = Server(talk)
            (folder / "recipe.yaml").write_text(recipe(f"http://127.0.0.1:{server.port}/a.csv"))
            return server.close
        return Case(f"address/cache-{name}", {"line.py": MODEL, **files}, ["plan", "recipe.yaml"], exits, PATIENCE, before)

    outside = "../../../../outside/victim"
    yield prepared("partial-link-outside", {f"{place}/a.csv.partial": lambda path: os.symlink(outside, path)}, USAGE)
    yield prepared("partial-fifo", {f"{place}/a.csv.partial": lambda path: os.mkfifo(path)}, USAGE)
    yield prepared("partial-folder", {f"{place}/a.csv.partial/x": b""}, USAGE)
    yield prepared("partial-dev-full", {f"{place}/a.csv.partial": lambda path: os.symlink("/dev/full", path)}, USAGE)
    yield prepared("partial-of-another-file", {f"{place}/a.csv.partial": b"?" * 1000})
    yield prepared("partial-larger", {f"{place}/a.csv.partial": TABLE + b"more"})
    yield prepared("partial-huge-hole", {f"{place}/a.csv.partial": lambda path: (path.touch(), os.truncate(path, 1 << 40))})
    yield prepared("place-is-a-file", {place: b""}, USAGE)
    yield prepared("place-is-a-loop", {place: lambda path: os.symlink(path.name, path)}, USAGE)
    yield prepared("cache-is-a-file", {"cache": b""}, USAGE)
    yield prepared("file-is-a-folder", {f"{place}/a.csv/x": b""}, USAGE)
    yield prepared("file-is-a-fifo", {f"{place}/a.csv": lambda path: os.mkfifo(path)}, USAGE)
    yield prepared("file-is-empty", {f"{place}/a.csv": b""}, USAGE)
    yield prepared("lock-is-a-link", {f"{place}/lock": lambda path: os.symlink(outside, path)})
    yield prepared("lock-is-a-fifo", {f"{place}/lock": lambda path: os.mkfifo(path)})


def cases():
    for group in (answers, lengths, patience, contents, redirects):
        for name, talk in group():
            # A file that comes whole in an odd way is the right one.
            yield fetching(name, talk, exits=USAGE | {0} if name == "unknown-transfer" else USAGE)
    for group in (urls, proxies, secure, cached):
        yield from group()
