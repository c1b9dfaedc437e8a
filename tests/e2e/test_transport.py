"""The transport against nginx with TLS on loopback and against a server that answers wrongly on purpose."""
import hashlib
import json
import os
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
import hostile
import hostile_more  # noqa: F401 - adds its cases
from harness import Skip, check, equal, test
from nginx import Nginx
from transport import TEXT, fetch

# --- the hostile server ----------------------------------------------------------------------------

SHA256 = hashlib.sha256(TEXT).hexdigest()


def judge(name, result, seen):
    outcome, status, reason, tries = hostile.EXPECTED[name]
    wrong = [what for what, holds in (
        ("outcome", result["outcome"] == outcome),
        ("status", not status or result["status"] == status),
        ("reason", reason in result["reason"] and (result["reason"] or status == 200)),
        ("tries", tries is None or tries == result["tries"] == seen),
        ("one line", "\n" not in result["reason"]),
        ("body", status != 200 or (result["bytes"] == len(TEXT) and result["sha256"] == SHA256)),
    ) if not holds]
    return f"{name}: {', '.join(wrong)}: {result}" if wrong else ""


@test
def each_hostile_answer_has_its_own_end_and_disturbs_no_other(folder):
    """All cases at once in one session, with good answers before and behind them."""
    check(len(hostile.CASES) >= 60, f"only {len(hostile.CASES)} cases")
    print(f"# {len(hostile.CASES)} hostile servers and bodies")
    server = hostile.Server()
    try:
        names = ["plain", *hostile.CASES, "plain"]
        results = fetch([f"http://{n}.hostile.example/" for n in names], "--connect-to",
                        f":80:127.0.0.1:{server.port}", folder=folder)
    finally:
        server.close()
    equal(len(results), len(names), "results")
    wrong = [judge(n, r, server.seen[n]) for n, r in zip(names, results)]
    wrong = [text for text in wrong if text]
    check(not wrong, "\n".join(wrong))


@test
def what_is_ignored_behind_a_gzip_body_is_counted(folder):
    server = hostile.Server()
    try:
        result, = fetch(["http://data-after-gzip.hostile.example/"], "--connect-to", f":80:127.0.0.1:{server.port}",
                        folder=folder)
    finally:
        server.close()
    equal(result["trailing_bytes"], len(b"garbage"), "trailing bytes")


@test
def redirects_are_recorded_hop_by_hop(folder):
    server = hostile.Server()
    try:
        result, = fetch(["http://redirect-three-times.hostile.example/"], "--connect-to",
                        f":80:127.0.0.1:{server.port}", folder=folder)
    finally:
        server.close()
    base = "http://redirect-three-times.hostile.example"
    equal([(h["url"], h["status"]) for h in result["hops"]],
          [(f"{base}/", 301), (f"{base}/b", 308), (f"{base}/c?x=1", 303)], "hops")
    equal(result["final_url"], "http://plain.hostile.example/d", "final URL")


@test
def an_authorization_stays_with_its_host(folder):
    server = hostile.Server()
    try:
        result, = fetch(["http://redirect-three-times.hostile.example/"], "--connect-to",
                        f":80:127.0.0.1:{server.port}", "--authorization", "Bearer s3cret", folder=folder)
    finally:
        server.close()
    equal(result["status"], 200, result)
    check(all("s3cret" in h for h in server.heads["redirect-three-times"]), "not sent to its own host")
    check("s3cret" not in server.heads["plain"][0], "sent to another host")


@test
def what_cannot_be_reached_says_why(folder):
    expected = {
        "http://127.0.0.1:9/": ("refused", "127.0.0.1 is not public"),
        "http://localhost:9/": ("refused", "is not public"),
        "http://[::1]:9/": ("refused", "is not public"),
        "http://169.254.169.254/latest/": ("refused", "169.254.169.254 is not public"),
        "http://[fe80::1]/": ("refused", "is not public"),
        "http://nobody.invalid/": ("no such host", "does not resolve"),
        "http://user:hunter2@example.org/": ("bad URL", "user name"),
        "file:///etc/passwd": ("bad URL", "only http and https"),
        "gopher://example.org/": ("bad URL", "only http and https"),
        "http://": ("bad URL", "not a valid URL"),
        "http://exa mple.org/": ("bad URL", "not a valid URL"),
        "http://example.org:0/": ("bad URL", "port"),
        "http://example.org/" + "a" * 9000: ("bad URL", "too long"),
        "": ("bad URL", "empty"),
    }
    for (url, (outcome, reason)), result in zip(expected.items(), fetch(expected, folder=folder)):
        equal(result["outcome"], outcome, f"{url}: {result}")
        check(reason in result["reason"], url, result)
        check("hunter2" not in json.dumps(result), "a password is shown:", result)
    closed, = fetch(["http://127.0.0.1:9/"], "--allow-private", folder=folder)
    equal(closed["outcome"], "no connection", closed)


@test
def a_host_is_asked_twice_at_once_at_the_most(folder):
    lock, now, most = threading.Lock(), {}, {}

    def busy(connection, request):
        with lock:
            now[request.name] = now.get(request.name, 0) + 1
            most[request.name] = max(most.get(request.name, 0), now[request.name])
        time.sleep(0.1)
        with lock:
            now[request.name] -= 1
        hostile.answer(connection, TEXT)
    server = hostile.Server()
    hostile.CASES.update(busy=busy, occupied=busy)
    try:
        urls = [f"http://{name}.hostile.example/{n}" for n in range(8) for name in ("busy", "occupied")]
        results = fetch(urls, "--connect-to", f":80:127.0.0.1:{server.port}", folder=folder, limits="pause_ms=1")
        one = fetch(urls[:4], "--connect-to", f":80:127.0.0.1:{server.port}", "--jobs", "1", "--refresh", folder=folder)
    finally:
        del hostile.CASES["busy"], hostile.CASES["occupied"]
        server.close()
    equal({r["status"] for r in results + one}, {200}, "answers")
    equal(most, {"busy": 2, "occupied": 2}, "at once")


@test
def ipv6_addresses_are_asked(folder):
    try:
        listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError as why:
        raise Skip(f"no IPv6 here: {why}")

    def serve():
        connection, _ = listener.accept()
        with connection:
            seen.append(connection.recv(65536))
            hostile.answer(connection, TEXT)
    seen, port = [], listener.getsockname()[1]
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    result, = fetch([f"http://[::1]:{port}/a"], "--allow-private", folder=folder)
    thread.join(10)
    listener.close()
    equal((result["status"], result["sha256"]), (200, SHA256), result)
    check(f"\r\nHost: [::1]:{port}\r\n".encode() in seen[0], seen)


# --- nginx, TLS, HTTP/2 -----------------------------------------------------------------------------

@test
def tls_is_checked(folder):
    with Nginx(folder) as nginx:
        nginx.put("chapter.txt", TEXT)
        hosts = ("docs", "expired", "wrong", "self", "untrusted")
        results = fetch([f"https://{h}.example.org/chapter.txt" for h in hosts], *nginx.options, folder=folder)
        plain, = fetch(["https://docs.example.org/chapter.txt"], "--connect-to",
                       f":443:127.0.0.1:{nginx.plain_port}", "--cacert", nginx.cacert, folder=folder)
    equal(results[0]["outcome"], "answered", results[0])
    for host, result, word in zip(hosts[1:], results[1:], ("expired", "wrong", "self", "")):
        equal(result["outcome"], "TLS error", result)
        equal(result["tries"], 1, "a bad certificate does not pass")
        check("certificate" in result["reason"], result)
    check("expired" in results[1]["reason"], results[1])
    check("does not match" in results[2]["reason"] or "no alternative" in results[2]["reason"], results[2])
    check("self" in results[3]["reason"], results[3])
    equal(plain["outcome"], "TLS error", plain)


@test
def connections_are_reused_and_http_2_is_spoken(folder):
    with Nginx(folder) as nginx:
        names = [f"{n}.txt" for n in range(30)]
        for name in names:
            nginx.put(name, name.encode() + TEXT)
        results = fetch([f"https://docs.example.org/{n}" for n in names], *nginx.options, folder=folder)
        asked = nginx.requests()
    check(all(r["status"] == 200 and r["bytes"] > len(TEXT) for r in results), results)
    check(all(r["wire_bytes"] < r["bytes"] for r in results), "not compressed")
    equal({r["protocol"] for r in asked}, {"HTTP/2.0"}, "protocol")
    check(len({r["connection"] for r in asked}) <= 2, "connections were not reused")


@test
def names_and_paths_are_encoded_as_browsers_do(folder):
    with Nginx(folder) as nginx:
        nginx.put("a b\u00e9.txt", TEXT)
        urls = ("https://b\u00fccher.example.org/a%20b%C3%A9.txt#part", "https://B\u00dcCHER.example.org/a b\u00e9.txt",
                "https://docs.example.org:443/x/../a%20b%c3%a9.txt")
        results = fetch(urls, *nginx.options, folder=folder)
        asked = nginx.requests()
    equal([r["status"] for r in results], [200, 200, 200], results)
    equal(sorted(r["host"] for r in asked), ["docs.example.org"] + ["xn--bcher-kva.example.org"] * 2, "hosts")
    check(all("#" not in r["path"] for r in asked), "a fragment was sent")


@test
def a_redirect_never_leaves_tls(folder):
    with Nginx(folder) as nginx:
        nginx.put("chapter.txt", TEXT)
        down, moved, signed = fetch([f"https://docs.example.org/{p}" for p in ("down", "moved", "signed")],
                                    *nginx.options, folder=folder)
        asked = nginx.requests()
    equal(down["outcome"], "refused", down)
    check("https to http" in down["reason"], down)
    equal((moved["status"], moved["final_url"]), (200, "https://other.example.org/chapter.txt"), moved)
    check("s3cret" not in json.dumps(signed) and "token=REDACTED" in signed["final_url"], signed)
    check(any("token=s3cret" in r["path"] for r in asked), "the token was not sent")


if __name__ == "__main__":
    harness.main(harness.TESTS)
