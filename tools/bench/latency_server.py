"""A web server that answers every request after a fixed time, for measuring what fetches from it.

Any host name and path is answered: 20 KB of text that depends on both, with an ETag; a request that gives the
ETag back gets a 304. /index.html is the page given at the start."""
import asyncio
import hashlib
import multiprocessing
import socket

LINE = "Line {n} of {host}{path}: as plain as a line of text can be, so that it compresses as text does.\n"


def text_of(host, path, size):
    digest = hashlib.sha256((host + path).encode()).hexdigest()
    lines, length = [], 0
    while length < size:
        lines.append(LINE.format(n=digest[len(lines) % 48:][:16], host=host, path=path))
        length += len(lines[-1])
    return "".join(lines)[:size].encode()


class Connection(asyncio.Protocol):
    def __init__(self, server):
        self.server, self.data, self.transport = server, b"", None

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.data += data
        while b"\r\n\r\n" in self.data:
            head, _, self.data = self.data.partition(b"\r\n\r\n")
            answer = self.server.answer(head.decode("latin-1"))
            asyncio.get_running_loop().call_later(self.server.latency_s, self.send, answer)

    def send(self, answer):
        if not self.transport.is_closing():
            self.transport.write(answer)


class Server:
    def __init__(self, latency_s, size, index, counts):
        self.latency_s, self.size, self.index, self.counts = latency_s, size, index, counts
        self.known = {}

    def body(self, host, path):
        if path == "/index.html":
            return self.index, "text/html"
        if (host, path) not in self.known:
            self.known[host, path] = text_of(host, path, self.size)
        return self.known[host, path], "text/plain; charset=utf-8"

    def answer(self, head):
        lines = head.split("\r\n")
        method, path, _ = lines[0].split(" ", 2)
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        if path == "/robots.txt":
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        body, kind = self.body(headers.get("host", "").split(":")[0], path)
        tag = '"%s"' % hashlib.sha256(body).hexdigest()[:16]
        with self.counts.get_lock():
            self.counts[0] += 1
        if headers.get("if-none-match") == tag:
            return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
        body = b"" if method == "HEAD" else body
        with self.counts.get_lock():
            self.counts[1] += len(body)
        return (f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                f"ETag: {tag}\r\n\r\n").encode() + body


def serve(listener, server):
    async def run():
        await (await asyncio.get_running_loop().create_server(lambda: Connection(server), sock=listener,
                                                              backlog=1024)).serve_forever()
    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        pass


class LatencyServer:
    """A process of its own; with-statement; port, and what was asked and sent since the last look."""

    def __init__(self, latency_s=0.05, size=20000, index=b""):
        self.listener = socket.create_server(("0.0.0.0", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        self.counts = multiprocessing.Array("q", 2)
        self.process = multiprocessing.Process(
            target=serve, args=(self.listener, Server(latency_s, size, index, self.counts)), daemon=True)

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.join()
        self.listener.close()

    def take_counts(self):
        """(requests, body bytes) since the last call."""
        with self.counts.get_lock():
            found = tuple(self.counts)
            self.counts[0] = self.counts[1] = 0
        return found
