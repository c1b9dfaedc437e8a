"""A server that answers wrongly on purpose: one case a host name, each with what must come of it.

A case is a function that gets the open connection and the request's head; it is chosen by the first label of
the Host header ("gzip-bomb.hostile.example"). EXPECTED says what the transport must report: the outcome, the
status, a part of the reason, and the number of requests of the last hop."""
import functools
import gzip
import shutil
import socket
import struct
import subprocess
import threading
import time
import zlib

CASES, EXPECTED = {}, {}
TEXT = b"".join(b"Line %d of a plain text.\n" % n for n in range(200))
MEGABYTE = bytes(1 << 20)


def case(outcome, status=0, reason="", tries=None):
    def add(function):
        name = function.__name__.replace("_", "-")
        CASES[name], EXPECTED[name] = function, (outcome, status, reason, tries)
        return function
    return add


def answer(connection, body=b"", status="200 OK", length=None, headers=()):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers]
    connection.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)


def redirect(connection, location, status="302 Found"):
    answer(connection, b"", status, headers=[f"Location: {location}"])


def reset(connection):
    """Closes with RST instead of FIN."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def hold(connection, seconds=20):
    """Says nothing more until the other side gives up."""
    connection.settimeout(seconds)
    try:
        while connection.recv(4096):
            pass
    except OSError:
        pass


@functools.lru_cache(None)
def bomb(window_bits, megabytes=128):
    """Zeros, compressed: zlib's format (15) or gzip's (31)."""
    squeeze = zlib.compressobj(1, zlib.DEFLATED, window_bits)
    return b"".join(squeeze.compress(MEGABYTE) for _ in range(megabytes)) + squeeze.flush()


@functools.lru_cache(None)
def brotli(data):
    return subprocess.run(["brotli", "-c", "-q", "1"], input=data, stdout=subprocess.PIPE, check=True).stdout


class Server:
    """Listens on loopback; server.seen[case] counts requests; close() ends it."""

    def __init__(self):
        # Squeezed before anybody waits for them: a busy machine needs seconds for it.
        bomb(15), bomb(31)
        if shutil.which("brotli"):
            brotli(MEGABYTE * 64)
        self.seen, self.heads, self.lock = {}, {}, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with connection:
                connection.settimeout(20)
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    head += piece
                self.dispatch(connection, head.decode("latin-1"))
        except OSError:
            pass  # the client had enough, which is what many cases are for

    def dispatch(self, connection, head):
        host = next((l[5:].strip() for l in head.split("\r\n") if l.lower().startswith("host:")), "")
        name = host.split(".")[0].lower()
        with self.lock:
            number = self.seen[name] = self.seen.get(name, 0) + 1
            self.heads.setdefault(name, []).append(head)
        CASES[name](connection, Request(self, name, number, head))

    def close(self):
        self.listener.close()


class Request:
    def __init__(self, server, name, number, head):
        self.server, self.name, self.number, self.head = server, name, number, head
        self.path = head.split(" ", 2)[1]


# --- the connection breaks, in every phase --------------------------------------------------------

@case("cut", reason="without an answer")
def closed_at_once(connection, request):
    pass


@case("cut")
def reset_at_once(connection, request):
    reset(connection)


@case("cut")
def reset_in_status_line(connection, request):
    connection.sendall(b"HTTP/1.1 20")
    time.sleep(0.05)
    reset(connection)


@case("cut")
def closed_in_headers(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/pl")


@case("cut")
def reset_in_headers(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
    time.sleep(0.05)
    reset(connection)


@case("cut", reason="shorter than its announced length")
def closed_in_body(connection, request):
    answer(connection, TEXT, length=len(TEXT) + 1)


@case("cut")
def reset_in_body(connection, request):
    answer(connection, TEXT, length=1 << 20)
    time.sleep(0.05)
    reset(connection)


@case("cut")
def closed_in_chunk(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nshort")


@case("cut")
def no_last_chunk(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n")


@case("cut")
def closed_in_interim_answer(connection, request):
    connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")


# --- slow ---------------------------------------------------------------------------------------------

@case("timed out")
def silent(connection, request):
    hold(connection)


@case("timed out")
def slow_loris_headers(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in range(200):
        connection.sendall(b"X: %d\r\n" % number)
        time.sleep(0.3)


@case("timed out")
def slow_loris_body(connection, request):
    answer(connection, b"", length=100000)
    for _ in range(200):
        connection.sendall(b"a")
        time.sleep(0.3)


@case("timed out")
def stops_in_body(connection, request):
    answer(connection, TEXT, length=1 << 20)
    hold(connection)


@case("timed out")
def slow_status_line(connection, request):
    for byte in b"HTTP/1.1 200 OK and a very long reason that goes on and on":
        connection.sendall(bytes([byte]))
        time.sleep(0.3)


# --- too much -----------------------------------------------------------------------------------------

@case("too large", reason="headers")
def endless_headers(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-More: %s\r\n" % (b"a" * 200))


@case("too large")
def endless_header_line(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while True:
        connection.sendall(b"a" * 65536)


@case("too large")
def endless_status_line(connection, request):
    connection.sendall(b"HTTP/1.1 200 ")
    while True:
        connection.sendall(b"a" * 65536)


@case("too large", reason="headers")
def endless_interim_answers(connection, request):
    while True:
        connection.sendall(b"HTTP/1.1 102 Processing\r\nX-Still: here\r\n\r\n" * 50)


@case("too large", reason="headers")
def endless_trailers(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n")
    while True:
        connection.sendall(b"X-Trailer: %s\r\n" % (b"a" * 200))


@case("too large", reason="body")
def body_of_200_megabytes(connection, request):
    answer(connection, b"", length=200 << 20, headers=["Content-Type: text/plain"])
    for _ in range(200):
        connection.sendall(MEGABYTE)


@case("too large", reason="body")
def endless_body(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    while True:
        connection.sendall(MEGABYTE)


@case("too large", reason="body")
def endless_chunks(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"100\r\n" + b"a" * 256 + b"\r\n")


@case("too large", reason="decompressed")
def gzip_bomb(connection, request):
    answer(connection, bomb(31), headers=["Content-Encoding: gzip"])


@case("too large", reason="decompressed")
def deflate_bomb(connection, request):
    answer(connection, bomb(15), headers=["Content-Encoding: deflate"])


@case("too large", reason="decompressed")
def gzip_in_gzip_bomb(connection, request):
    answer(connection, gzip.compress(bomb(31)), headers=["Content-Encoding: gzip, gzip"])


@case("too large", reason="decompressed")
def gzip_members_bomb(connection, request):
    member = gzip.compress(MEGABYTE, 1)
    answer(connection, member * 64, headers=["Content-Encoding: gzip"])


if shutil.which("brotli"):
    @case("too large", reason="decompressed")
    def brotli_bomb(connection, request):
        answer(connection, brotli(MEGABYTE * 64), headers=["Content-Encoding: br"])
