"""Cache, archive and replay: what was fetched once is asked about, kept, and can be had again."""
import functools
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
import hostile
import hostile_more  # noqa: F401 - adds its cases
from harness import EXAMPLE, ROOT, Skip, assay, check, equal, load, passes, test
from nginx import Nginx
from transport import PATIENT, TEXT, fetch as fetch_within


HOST = "https://docs.example.org"
fetch = functools.partial(fetch_within, limits=PATIENT)


def files_below(folder, kind):
    return [p for p in glob.glob(f"{folder}/assay/{kind}/*/*") if os.path.isfile(p)]


# --- cache ---------------------------------------------------------------------------------------------

@test
def an_unchanged_answer_is_not_transferred_again(folder):
    with Nginx(f"{folder}/n") as nginx:
        nginx.put("a.txt", TEXT)
        urls = [f"{HOST}/a.txt", f"{HOST}/dated/a.txt"]
        first = fetch(urls, *nginx.options, folder=folder)
        second = fetch(urls, *nginx.options, folder=folder)
        third = fetch(urls, *nginx.options, "--refresh", folder=folder)
        asked = nginx.requests()
    equal([r["origin"] for r in first + second + third], ["network"] * 2 + ["cache"] * 2 + ["network"] * 2, "origin")
    equal([r["wire_bytes"] for r in second], [0, 0], "bytes transferred")
    equal({r["sha256"] for r in first + second + third}, {hashlib.sha256(TEXT).hexdigest()}, "body")
    equal([r["status"] for r in second], [200, 200], "status")
    equal(sorted(r["status"] for r in asked), ["200"] * 4 + ["304"] * 2, "asked")
    equal(first[0]["received_at"], second[0]["received_at"], "when the bytes arrived")


@test
def a_changed_answer_replaces_the_old_one(folder):
    with Nginx(f"{folder}/n") as nginx:
        nginx.put("a.txt", TEXT)
        fetch([f"{HOST}/a.txt"], *nginx.options, folder=folder)
        nginx.put("a.txt", TEXT + b"more\n")
        changed, = fetch([f"{HOST}/a.txt"], *nginx.options, folder=folder)
        again, = fetch([f"{HOST}/a.txt"], *nginx.options, folder=folder)
    equal((changed["origin"], changed["bytes"]), ("network", len(TEXT) + 5), changed)
    equal((again["origin"], again["bytes"]), ("cache", len(TEXT) + 5), again)


@test
def offline_answers_come_from_the_cache_alone(folder):
    with Nginx(f"{folder}/n") as nginx:
        nginx.put("chapter.txt", TEXT)
        fetch([f"{HOST}/moved", f"{HOST}/signed"], *nginx.options, folder=folder)
        options = nginx.options
    moved, signed, absent = fetch([f"{HOST}/moved", f"{HOST}/signed", f"{HOST}/never"], *options, "--offline",
                                  folder=folder)
    for result in moved, signed:
        equal((result["status"], result["origin"], len(result["hops"])), (200, "cache", 1), result)
        equal(result["sha256"], hashlib.sha256(TEXT).hexdigest(), "body")
    equal(absent["outcome"], "offline", absent)
    check("--offline" in absent["reason"], absent)


@test
def equal_bodies_are_kept_once(folder):
    with Nginx(f"{folder}/n") as nginx:
        for name in "abc":
            nginx.put(f"{name}.txt", TEXT)
        fetch([f"{HOST}/{name}.txt" for name in "abc"], *nginx.options, folder=folder)
    equal(len(files_below(folder, "entries")), 3, "entries")
    bodies = files_below(folder, "bodies")
    equal(len(bodies), 1, "bodies")
    for path in bodies:
        equal(hashlib.sha256(open(path, "rb").read()).hexdigest(), os.path.basename(path), "name")


@test
def a_damaged_cache_is_noticed_and_fetched_again(folder):
    with Nginx(f"{folder}/n") as nginx:
        nginx.put("a.txt", TEXT)
        fetch([f"{HOST}/a.txt"], *nginx.options, folder=folder)
        for kind in ("entries", "bodies"):
            path, = files_below(folder, kind)
            for damage in (lambda data: data[:-1], lambda data: b"", lambda data: bytes([data[0] ^ 1]) + data[1:],
                           lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]):
                data = open(path, "rb").read()
                open(path, "wb").write(damage(data))
                offline, = fetch([f"{HOST}/a.txt"], *nginx.options, "--offline", folder=folder)
                equal(offline["outcome"], "offline", offline)
                result, = fetch([f"{HOST}/a.txt"], *nginx.options, folder=folder)
                equal((result["origin"], result["sha256"]), ("network", hashlib.sha256(TEXT).hexdigest()), kind)
        result, = fetch([f"{HOST}/a.txt"], *nginx.options, folder=folder)
    equal(result["origin"], "cache", result)


@test
def what_must_not_be_stored_is_not(folder):
    with Nginx(f"{folder}/n") as nginx:
        nginx.put("a.txt", TEXT)
        fetch([f"{HOST}/no-store/a.txt", f"{HOST}/missing.txt"], *nginx.options, folder=folder)
        fetch([f"{HOST}/a.txt"], *nginx.options, "--authorization", "Bearer s3cret", folder=folder)
    equal(files_below(folder, "entries"), [], "entries")


# --- archive -------------------------------------------------------------------------------------------

def records_of(path):
    """Our own reading of an archive: one gzip member a record. (type, headers, block) in order."""
    import zlib
    data, found = open(path, "rb").read(), []
    while data:
        one = zlib.decompressobj(31)
        text = one.decompress(data) + one.flush()
        data = one.unused_data
        head, _, rest = text.partition(b"\r\n\r\n")
        lines = head.decode("utf-8").split("\r\n")
        equal(lines[0], "WARC/1.1", "version")
        headers = {n.lower(): v for n, v in (line.split(": ", 1) for line in lines[1:])}
        length = int(headers["content-length"])
        equal(rest[length:], b"\r\n\r\n", "end of a record")
        block = rest[:length]
        equal(headers["warc-block-digest"], "sha256:" + hashlib.sha256(block).hexdigest(), "block digest")
        found.append((headers["warc-type"], headers, block))
    return found


def warcio():
    for path in (shutil.which("warcio"), os.path.join(ROOT, ".venv", "bin", "warcio")):
        if path and os.path.exists(path):
            return path
    return None


def archived_set(folder):
    """An archive of ordinary, repeated, unchanged, redirected, chunked, compressed and failed exchanges."""
    server = hostile.Server()
    path = os.path.join(folder, "archive.warc.gz")
    with Nginx(f"{folder}/n") as nginx:
        for name in ("a.txt", "b.txt", "chapter.txt"):
            nginx.put(name, TEXT if name != "chapter.txt" else TEXT + b"other\n")
        urls = [f"{HOST}/{p}" for p in ("a.txt", "b.txt", "moved", "signed", "missing", "chapter.txt")]
        cases = ("plain", "chunked-with-trailers", "chunked-with-wrong-length", "data-after-gzip", "not-http",
                 "unavailable-twice", "folded-header", "broken-for-good", "closed-at-once", "body-longer-than-length")
        urls += [f"http://{name}.hostile.example/" for name in cases]
        options = ["--cacert", nginx.cacert, "--connect-to", f":443:127.0.0.1:{nginx.port}", "--connect-to",
                   f":80:127.0.0.1:{server.port}"]
        fetch(urls[5:6], *options, folder=folder)  # so that it is unchanged the second time
        results = fetch(urls, *options, "--archive", path, folder=folder)
    server.close()
    return path, urls, options, results


@test
def the_archive_holds_every_exchange(folder):
    path, urls, _, _ = archived_set(folder)
    records = records_of(path)
    kinds = [kind for kind, _, _ in records]
    equal(kinds[0], "warcinfo", "first record")
    check(kinds.count("revisit") >= 2, "b.txt repeats a.txt, chapter.txt is unchanged", kinds)
    profiles = {h.get("warc-profile", "").rsplit("/", 1)[-1] for _, h, _ in records}
    check({"identical-payload-digest", "server-not-modified"} <= profiles, profiles)
    ids = [h["warc-record-id"] for _, h, _ in records]
    equal(len(set(ids)), len(ids), "record ids")
    for kind, headers, block in records:
        if kind == "response":
            payload = block.partition(b"\r\n\r\n")[2]
            equal(headers["warc-payload-digest"], "sha256:" + hashlib.sha256(payload).hexdigest(), "payload digest")
        if "warc-refers-to" in headers:
            check(headers["warc-refers-to"] in ids[:ids.index(headers["warc-record-id"])], "refers to nothing before it")
        check(b"s3cret" not in block and "s3cret" not in json.dumps(headers), "a token was written")
    asked = [h["warc-target-uri"] for kind, h, _ in records if kind == "request"]
    check(set(asked) >= {u for u in urls}, "not archived:", set(urls) - set(asked))
    equal(asked.count("http://unavailable-twice.hostile.example/"), 3, "every try")


@test
def an_independent_reader_accepts_the_archive(folder):
    program = warcio()
    if not program:
        raise Skip("warcio is missing (tools/deps test installs it)")
    path, _, _, _ = archived_set(folder)
    done = subprocess.run([program, "check", "-v", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    equal(done.returncode, 0, done.stdout.decode())
    check(b"digest pass" in done.stdout and b"digest failed" not in done.stdout, done.stdout.decode())
    done = subprocess.run([program, "index", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    equal(done.returncode, 0, done.stdout.decode())
    equal(len(done.stdout.decode().splitlines()), len(records_of(path)), "records in the index")


@test
def a_replay_gives_the_same_results_without_the_network(folder):
    path, urls, _, first = archived_set(folder)
    again = fetch([*urls, f"{HOST}/never"], "--replay", path, folder=f"{folder}/empty")
    dates = {one["received_at"] for one in first}
    for one, two in zip(first, again):
        if one["outcome"] not in ("answered",):
            equal(two["origin"], "archive", two)
        for key in ("outcome", "reason", "status", "final_url", "hops", "content_type", "bytes", "sha256",
                    "trailing_bytes"):
            equal(two[key], one[key], f"{key} of {one['url']}")
        # Redirects may lead to one address twice, a second apart.
        check(two["received_at"] in dates or not two["received_at"], f"{two['received_at']} of {one['url']} was never archived")
    equal(again[-1]["outcome"], "not archived", again[-1])


@test
def a_damaged_archive_is_refused(folder):
    path, urls, _, _ = archived_set(folder)
    data = open(path, "rb").read()
    plain = gzip.decompress(data)
    for name, content, word in (
            ("cut", data[:-40], "decompress"), ("flipped", data[:300] + bytes([data[300] ^ 1]) + data[301:], ""),
            ("other", b"hello\n", "WARC/1."), ("empty", b"", "empty"),
            ("forged", gzip.compress(plain.replace(b"plain text", b"plain tXxt", 1)), "digest"),
            ("long", gzip.compress(plain.replace(b"Content-Length: ", b"Content-Length: 99999", 1)), "longer")):
        damaged = os.path.join(folder, name + ".warc.gz")
        open(damaged, "wb").write(content)
        status, _, err = assay("run", os.path.join(EXAMPLE, "brief.txt"), "--replay", damaged, "--no-bench", "--out",
                               f"{folder}/w")
        equal(status, 5, f"{name}: {err}")
        check(name in err and word in err, name, err)


# --- whole passes --------------------------------------------------------------------------------------

def example_brief(folder):
    """The example's brief with its chapter on our host."""
    text = open(os.path.join(EXAMPLE, "brief.txt"), encoding="utf-8").read()
    text = re.sub(r"(snapshot of this exact revision is downloadable at |Chapter URL: +)\S+", rf"\g<1>{HOST}/chapter.txt",
                  text)
    path = os.path.join(folder, "brief.txt")
    open(path, "w", encoding="utf-8").write(text)
    return path


def run(brief, out, *options, env=None):
    """The newest pass of the workspace after a whole run without measurements."""
    status, _, err = assay("run", brief, "--no-bench", "--out", out, *options, env=env)
    equal(status, 3, err)  # the experiments are UNRUN
    return passes(out)[-1]


@test
def a_pass_is_repeated_from_its_archive_byte_for_byte(folder):
    brief = example_brief(folder)
    with Nginx(f"{folder}/n") as nginx:
        shutil.copy(os.path.join(EXAMPLE, "chapter.txt"), nginx.www)
        first = run(brief, f"{folder}/a", *nginx.options)
    equal(load(first, "snapshot.json")["verdict"], "MATCH", "verdict")
    archive = os.path.join(first, "archive.warc.gz")
    check(os.path.exists(archive), "no archive in the pass")
    second = run(brief, f"{folder}/b", "--replay", archive, env={"XDG_CACHE_HOME": f"{folder}/empty"})
    equal(load(second, "snapshot.json")["origin"], "archive", "origin")
    for name in ("snapshot.txt", "structure.json", "chapter.json", "claims.json", "findings.json"):
        equal(open(os.path.join(second, name), "rb").read() == open(os.path.join(first, name), "rb").read(), True, name)


@test
def the_second_pass_transfers_nothing_and_the_third_needs_no_network(folder):
    brief = example_brief(folder)
    cache = ["--cache", f"{folder}/cache"]
    with Nginx(f"{folder}/n") as nginx:
        shutil.copy(os.path.join(EXAMPLE, "chapter.txt"), nginx.www)
        for name in "ab":
            run(brief, f"{folder}/{name}", *nginx.options, *cache)
        asked = [r["status"] for r in nginx.requests() if r["path"] == "/chapter.txt"]
    equal(asked, ["200", "304"], "answers")
    run(brief, f"{folder}/c", "--offline", *cache)
    origins = [load(passes(f"{folder}/{n}")[-1], "snapshot.json")["origin"] for n in "abc"]
    equal(origins, ["url", "cache", "cache"], "origins")
    kept = passes(f"{folder}/b")[-1]
    run(brief, f"{folder}/d", "--replay", f"{kept}/archive.warc.gz",
        env={"XDG_CACHE_HOME": f"{folder}/empty"})
    equal(load(passes(f"{folder}/d")[-1], "snapshot.json")["verdict"], "MATCH", "the archive is not enough by itself")


if __name__ == "__main__":
    harness.main(harness.TESTS)
