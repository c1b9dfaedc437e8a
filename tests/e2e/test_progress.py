"""Progress: one live line a stage on a terminal, plain lines elsewhere, and nothing of it with --quiet."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import ASSAY, EXAMPLE, ROOT, assay, check, equal, test

sys.path.insert(0, os.path.join(ROOT, "tools", "bench"))
from latency_server import LatencyServer  # noqa: E402

COLUMNS = 70
# Nothing listens at port 9, where https goes: that costs one refusal.
os.environ["ASSAY_FETCH_LIMITS"] = "tries=1"
ERASE = "\r\x1b[K"


def on_terminal(arguments):
    """Status and what the terminal got, with stderr (not stdout) on a terminal of COLUMNS columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    child = subprocess.Popen([ASSAY, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=theirs, env=dict(os.environ, TERM="xterm"))
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    return child.wait(), seen.decode("utf-8").replace("\r\n", "\n")


def slow_brief(folder, count=24):
    """The example's brief with so many materials that asking for them takes over a second."""
    text = open(os.path.join(EXAMPLE, "brief.txt"), encoding="utf-8").read()
    links = "\n".join(f"- File {n}: http://h{n % 2}.example.net/{n}.txt" for n in range(count))
    path = os.path.join(folder, "brief.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r"- Source code of the measured workload: \S+", links, text))
    return path


def arguments(folder, server, *more):
    return ["run", slow_brief(folder), "--snapshot", os.path.join(EXAMPLE, "chapter.txt"), "--no-bench", "--connect-to",
            f":80:127.0.0.1:{server.port}", "--connect-to", ":443:127.0.0.1:9", "--out", f"{folder}/w",
            "--cache", f"{folder}/cache", *more]


@test
def a_terminal_has_one_live_line_a_stage(folder):
    with LatencyServer(0.25, 100000) as server:
        status, seen = on_terminal(arguments(folder, server))
    equal(status, 3, seen)
    live = [part.split(ERASE)[0] for part in re.split("(?<=\n)|" + re.escape(ERASE), seen) if part]
    live = [part for part in live if part and not part.endswith("\n")]
    stages = [part.split(":")[0] for part in live]
    order = [s for i, s in enumerate(stages) if i == 0 or stages[i - 1] != s]
    equal(order[:2], ["fetch", "audit"], "stages in order, each with one line that changes")
    equal(len(order), len(set(order)), order)
    check(all(len(part) < COLUMNS for part in live), "a line is wider than the terminal:", max(live, key=len))
    check(re.match(r"fetch: \d+/\d+", live[0]), live[0])
    check(any(re.match(r"fetch: \d+/\d+  \d+\.\d MB  \d+\.\d MB/s  \d+ s left  ", part) for part in live),
          "no line with count, bytes, rate and time left:", live[:40])
    kept = re.sub(r"[^\n]*" + re.escape(ERASE), "", seen)
    check(all(re.match(r"(fetch|audit|bench|report): ", line) for line in kept.splitlines()), kept)
    check("\x1b" not in kept, "the terminal is left with an escape sequence")
    check(seen.endswith("\n") or seen.endswith(ERASE), "a live line is left:", repr(seen[-100:]))


@test
def elsewhere_lines_are_plain(folder):
    with LatencyServer(0.01, 100) as server:
        status, _, err = assay(*arguments(folder, server))
        equal(status, 3, err)
        check("\x1b" not in err and "\r" not in err, repr(err))
        equal({line.split(":")[0] for line in err.splitlines()} >= {"fetch", "audit"}, True, err)
        check(len(re.findall("^fetch: ", err, flags=re.M)) <= 3, "a line an address is too much:", err)
        status, _, err = assay(*arguments(folder, server, "--verbose"))
        check(len(re.findall(r"^fetch: \d+/\d+", err, flags=re.M)) >= 24, err)
        check("\x1b" not in err and "\r" not in err, repr(err))
        status, _, err = assay(*arguments(folder, server, "--quiet"))
        equal(err, "", "quiet")


@test
def names_from_outside_cannot_steer_the_terminal(folder):
    """A server's URL, type and redirect with escape sequences: live line, notes and messages stay clean."""
    import hostile
    import hostile_more  # noqa: F401 - adds its cases
    server = hostile.Server()
    try:
        brief = os.path.join(folder, "brief.txt")
        text = open(os.path.join(EXAMPLE, "brief.txt"), encoding="utf-8").read()
        text = re.sub(r"(downloadable at |Research pack: +)\S+", r"\g<1>http://escapes-in-location.hostile.example/", text)
        text = text.replace("Chapter:         How", "Chapter:         \x1b]0;owned\x07\u202eHow")
        open(brief, "w", encoding="utf-8").write(text)
        status, seen = on_terminal(["run", brief, "--no-bench", "--connect-to", f":80:127.0.0.1:{server.port}", "--connect-to",
                                    ":443:127.0.0.1:9", "--out", f"{folder}/w", "--cache", f"{folder}/cache"])
    finally:
        server.close()
    check(status in (3, 5), status, seen)
    rest = seen.replace(ERASE, "")
    check(not re.search("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202e]", rest), repr(rest))


if __name__ == "__main__":
    harness.main(harness.TESTS)
