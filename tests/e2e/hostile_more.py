"""More of the server that answers wrongly: malformed answers, codings, redirects, refusals that pass."""
import email.utils
import gzip
import time
import zlib

from hostile import TEXT, answer, case, redirect


def raw(connection, text):
    connection.sendall(text if isinstance(text, bytes) else text.encode("latin-1"))


# --- malformed ---------------------------------------------------------------------------------------

@case("malformed")
def not_http(connection, request):
    raw(connection, "SSH-2.0-OpenSSH_9.2\r\n")


@case("malformed")
def http_0_9(connection, request):
    raw(connection, "<html>Hello from 1991</html>\r\n")


@case("malformed")
def random_bytes(connection, request):
    raw(connection, bytes(range(256)) * 8)


@case("malformed")
def bad_chunk_size(connection, request):
    raw(connection, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n")


@case("malformed")
def chunk_size_overflow(connection, request):
    raw(connection, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello\r\n")


@case("malformed")
def status_of_four_digits(connection, request):
    raw(connection, "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n")


@case("malformed")
def nul_in_header(connection, request):
    raw(connection, b"HTTP/1.1 200 OK\r\nX-Nul: a\x00b\r\nContent-Length: 2\r\n\r\nok")


@case("malformed")
def negative_length(connection, request):
    raw(connection, "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")


@case("malformed", reason="gzip")
def announced_gzip_is_plain(connection, request):
    answer(connection, TEXT, headers=["Content-Encoding: gzip"])


@case("malformed", reason="gzip")
def gzip_with_wrong_checksum(connection, request):
    body = bytearray(gzip.compress(TEXT))
    body[-6] ^= 0xff
    answer(connection, bytes(body), headers=["Content-Encoding: gzip"])


@case("malformed", reason="x-unknown")
def unknown_coding(connection, request):
    answer(connection, TEXT, headers=["Content-Encoding: x-unknown"])


@case("malformed")
def many_codings(connection, request):
    body = TEXT
    for _ in range(8):
        body = gzip.compress(body)
    answer(connection, body, headers=["Content-Encoding: " + ", ".join(["gzip"] * 8)])


@case("cut", reason="gzip")
def gzip_cut_short(connection, request):
    answer(connection, gzip.compress(TEXT)[:-20], headers=["Content-Encoding: gzip"])


# --- odd, but readable ---------------------------------------------------------------------------

@case("answered", 200)
def plain(connection, request):
    answer(connection, TEXT, headers=["Content-Type: text/plain"])


@case("answered", 200)
def no_length(connection, request):
    raw(connection, b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + TEXT)


@case("answered", 200)
def http_1_0(connection, request):
    raw(connection, b"HTTP/1.0 200 OK\r\n\r\n" + TEXT)


@case("answered", 200)
def chunked_with_trailers(connection, request):
    raw(connection, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        b"%x;name=value\r\n%s\r\n0\r\nX-Sum: 1\r\nX-Other: 2\r\n\r\n" % (len(TEXT), TEXT))


@case("answered", 200)
def chunked_with_wrong_length(connection, request):
    raw(connection, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
        b"%x\r\n%s\r\n0\r\n\r\n" % (len(TEXT), TEXT))


@case("answered", 200)
def data_after_gzip(connection, request):
    answer(connection, gzip.compress(TEXT) + b"garbage", headers=["Content-Encoding: gzip"])


@case("answered", 200)
def gzip_of_two_members(connection, request):
    half = len(TEXT) // 2
    answer(connection, gzip.compress(TEXT[:half]) + gzip.compress(TEXT[half:]), headers=["Content-Encoding: gzip"])


@case("answered", 200)
def deflate_without_header(connection, request):
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    answer(connection, squeeze.compress(TEXT) + squeeze.flush(), headers=["Content-Encoding: deflate"])


@case("answered", 200)
def early_hints(connection, request):
    raw(connection, "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
    answer(connection, TEXT)


@case("answered", 200)
def folded_header(connection, request):
    answer(connection, TEXT, headers=["X-Folded: one", "\ttwo"])


@case("answered", 200)
def bare_newlines(connection, request):
    raw(connection, b"HTTP/1.1 200 OK\nContent-Length: %d\n\n%s" % (len(TEXT), TEXT))


@case("answered", 200)
def body_longer_than_length(connection, request):
    answer(connection, TEXT + b"and more that nobody announced", length=len(TEXT))


# --- redirects ---------------------------------------------------------------------------------------

@case("redirects", reason="loop")
def redirect_to_itself(connection, request):
    redirect(connection, request.path)


@case("redirects", reason="loop")
def redirect_in_a_circle(connection, request):
    redirect(connection, {"/": "/a", "/a": "/b", "/b": "/a"}[request.path])


@case("redirects", reason="more than")
def redirect_endlessly(connection, request):
    redirect(connection, f"/{request.number}", "307 Temporary Redirect")


@case("answered", 301)
def redirect_to_nowhere(connection, request):
    answer(connection, b"", "301 Moved Permanently")


@case("answered", 200)
def redirect_three_times(connection, request):
    steps = {"/": ("b", "301 Moved Permanently"), "/b": ("/c?x=1#part", "308 Permanent Redirect"),
             "/c?x=1": ("//plain.hostile.example/d", "303 See Other")}
    redirect(connection, *steps[request.path])


def refused_redirect(name, location, reason):
    def to(connection, request):
        redirect(connection, location)
    to.__name__ = name
    case("refused", reason=reason)(to)


for label, place, why in (
        ("file", "file:///etc/passwd", "only http and https"),
        ("ftp", "ftp://ftp.example.org/pub", "only http and https"),
        ("gopher", "gopher://127.0.0.1:11211/_stats", "only http and https"),
        ("data", "data:text/plain,hello", "not fetched"),
        ("loopback", "http://127.0.0.1:9/", "127.0.0.1 is not public"),
        ("loopback_name", "http://localhost:9/", "is not public"),
        ("loopback_as_number", "http://2130706433:9/", "is not public"),
        ("loopback_as_hex", "http://0x7f.1:9/", "is not public"),
        ("loopback_of_ipv6", "http://[::1]:9/", "is not public"),
        ("mapped_address", "http://[::ffff:10.0.0.1]:9/", "is not public"),
        ("metadata", "http://169.254.169.254:9/latest/meta-data/", "169.254.169.254 is not public"),
        ("private", "http://10.0.0.1:9/", "10.0.0.1 is not public"),
        ("any_address", "http://0.0.0.0:9/", "is not public"),
        ("credentials", "http://user:hunter2@plain.hostile.example/", "user name"),
        ("bad_port", "http://plain.hostile.example:99999/", "not a valid URL")):
    refused_redirect(f"redirect_to_{label}", place, why)


# --- what may pass, and what will not --------------------------------------------------------

@case("answered", 200, tries=2)
def too_many_requests_in_seconds(connection, request):
    if request.number == 1:
        return answer(connection, b"", "429 Too Many Requests", headers=["Retry-After: 1"])
    answer(connection, TEXT)


@case("answered", 200, tries=2)
def too_many_requests_as_date(connection, request):
    if request.number == 1:
        now = time.time()
        headers = [f"Date: {email.utils.formatdate(now, usegmt=True)}",
                   f"Retry-After: {email.utils.formatdate(now + 1, usegmt=True)}"]
        return answer(connection, b"", "429 Too Many Requests", headers=headers)
    answer(connection, TEXT)


@case("answered", 429, tries=1)
def too_many_requests_for_a_day(connection, request):
    answer(connection, b"", "429 Too Many Requests", headers=["Retry-After: 86400"])


@case("answered", 200, tries=3)
def unavailable_twice(connection, request):
    if request.number < 3:
        return answer(connection, b"later", "503 Service Unavailable")
    answer(connection, TEXT)


@case("answered", 200, tries=2)
def reset_once(connection, request):
    if request.number > 1:
        answer(connection, TEXT)


@case("answered", 500, tries=3)
def broken_for_good(connection, request):
    answer(connection, b"sorry", "500 Internal Server Error")


@case("answered", 404, tries=1)
def not_found(connection, request):
    answer(connection, b"nothing here", "404 Not Found")


@case("answered", 501, tries=1)
def not_implemented(connection, request):
    answer(connection, b"", "501 Not Implemented")


@case("answered", 451, tries=1)
def refused_by_law(connection, request):
    answer(connection, b"\x1b]0;title\x07", "451 \x1b[31mUnavailable")


@case("refused", reason="redirected to what is not fetched")
def escapes_in_location(connection, request):
    redirect(connection, "http://\x1b]0;title\x07\x1b[2J.example/", "302 \x1b[31mFound")
