"""One pass, end to end: the bundled example, the real brief, and everything that can go wrong with them."""
import glob
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import ASSAY, EXAMPLE, ROOT, Skip, assay, check, equal, load, passes, shared, test

HEADINGS = ["1. Context and provenance", "2. Claim audit", "3. Source ledger", "4. Findings",
            "5. Upgrade proposal", "6. Experiment opportunities", "7. Review checklist"]
BRIEF = os.path.join(EXAMPLE, "brief.txt")
CHAPTER = os.path.join(EXAMPLE, "chapter.txt")
REAL = ("briefs", "pytorch-from-first-principles-12.txt")
EPOCH = {"SOURCE_DATE_EPOCH": "1796000000"}


def run_example(folder, *more, env=None):
    status, out, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--no-bench", "--out", folder,
                             *more, env=env)
    return status, out, err, passes(folder)[-1] if passes(folder) else None


def headings(report):
    """Level-two headings outside of code fences, and the level-one ones."""
    text = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", report, flags=re.S | re.M)
    return re.findall(r"^##[ \t]+(.*?)[ \t]*$", text, flags=re.M)


def findings_at(folder, quote_part, text=None):
    text = text if text is not None else open(os.path.join(folder, "snapshot.txt"), "rb").read()
    wanted = quote_part.encode()
    at = text.find(wanted)
    check(at >= 0, f"{quote_part!r} is not in the snapshot")
    return [f for f in load(folder, "findings.json")["findings"]
            if any(p["start"] < at + len(wanted) and p["end"] > at for p in f["evidence"]["places"])]


def one_message(status, err, expected_status, *parts):
    """A failure is one message of at most two lines: what and where, then what to do next."""
    equal(status, expected_status, f"exit status ({err.strip()})")
    lines = [line for line in err.splitlines() if line.startswith("assay: ")]
    equal(len(lines), 1, f"messages in {err!r}")
    for part in parts:
        check(part in err, f"{part!r} is not in {err!r}")


def nothing_left(workspace):
    left = [p for p in glob.glob(f"{workspace}/**/*", recursive=True) if os.path.isfile(p)]
    check(not left, "files were left behind:", left)


def no_partial_artifact(workspace):
    """Every JSON artifact parses, and no temporary file stayed."""
    for path in glob.glob(f"{workspace}/**/*", recursive=True) + glob.glob(f"{workspace}/**/.*", recursive=True):
        if not os.path.isfile(path):
            continue
        check(".tmp" not in os.path.basename(path), "temporary file left:", path)
        if path.endswith(".json"):
            json.load(open(path, encoding="utf-8"))


# --- the example -----------------------------------------------------------------------------------

@test
def the_example_gives_the_seven_sections(folder):
    status, _, err, made = run_example(folder)
    equal(status, 3, err)  # the experiments are UNRUN: not complete
    report = open(os.path.join(made, "report.md"), encoding="utf-8").read()
    equal(headings(report), HEADINGS, "sections")
    check("MATCH" in report, "no fingerprint verdict")


def mask(text):
    """The report without what is this machine's or this command line's: environment, command, pass id."""
    text = re.sub(r"<details><summary>Environment.*?</details>", "", text, flags=re.S)
    text = re.sub(r"(hardware: [^<|\n]*→ )[^<|\n]*", r"\1", text)
    return re.sub(r"^(?:Written by assay|\| Pass \|).*$", "", text, flags=re.M)


@test
def the_example_report_is_the_expected_one(folder):
    _, _, err, made = run_example(folder, env=EPOCH)
    report = open(os.path.join(made, "report.md"), encoding="utf-8").read()
    expected = open(os.path.join(EXAMPLE, "expected-report.md"), encoding="utf-8").read()
    if mask(report) != mask(expected):
        import difflib
        difference = "\n".join(list(difflib.unified_diff(mask(expected).splitlines(), mask(report).splitlines(),
                                                         "expected-report.md", "report.md", lineterm=""))[:60])
        check(False, "the report differs; read the difference, then accept it with tools/golden --write example\n" + difference)


@test
def planted_mistakes_are_found_and_what_holds_is_confirmed(folder):
    _, _, err, made = run_example(folder)
    planted = json.load(open(os.path.join(EXAMPLE, "planted.json"), encoding="utf-8"))
    check(len(planted["mistakes"]) == 2 and len(planted["holds"]) >= 1, "planted.json is incomplete")
    for mistake in planted["mistakes"]:
        found = [f for f in findings_at(made, mistake["quote"]) if f["class"] in mistake["classes"]]
        check(found, f"the planted mistake {mistake['quote']!r} was not found")
        check(any(mistake["expect"] in f["message"] for f in found),
              f"no message names {mistake['expect']!r}: {[f['message'] for f in found]}")
    for claim in planted["holds"]:
        found = findings_at(made, claim["quote"])
        check(any(f["class"] == "confirmed" for f in found), f"{claim['quote']!r} was not confirmed: {found}")
    for finding in load(made, "findings.json")["findings"]:
        if finding["class"] in ("contradiction", "inconsistency", "implausible"):
            text = open(os.path.join(made, "snapshot.txt"), "rb").read()
            spans = [text[p["start"]:p["end"]].decode() for p in finding["evidence"]["places"]]
            check(any(m["quote"] in s or s in m["quote"] for m in planted["mistakes"] for s in spans),
                  "a false alarm:", finding["message"], spans)


@test
def every_source_the_brief_names_is_a_lead_in_the_ledger(folder):
    _, _, err, made = run_example(folder)
    rows = {s["url"]: s for s in load(made, "sources.json")["sources"]}
    for url in ("https://www.openblas.net/", "https://doi.org/10.1145/2807591.2807644",
                "https://books.example.org/code/stopwatches/"):
        check(url in rows, f"{url} of the brief is not in the ledger: {sorted(rows)}")
        equal(rows[url]["reading"], "lead", url)
    report = open(os.path.join(made, "report.md"), encoding="utf-8").read()
    ledger = report[report.index("## 3. Source ledger"):report.index("## 4. Findings")]
    check("https://www.openblas.net/" in ledger and "UNVERIFIED" in ledger, ledger[:600])


@test
def the_real_brief_names_its_notebook_as_a_lead(folder):
    status, _, err = assay("run", shared(*REAL), "--offline", "--no-bench", "--out", folder)
    equal(status, 3, err)
    rows = load(passes(folder)[-1], "sources.json")["sources"]
    check(any(s["kind"] == "notebook" and s["reading"] == "lead" for s in rows), [s["kind"] for s in rows])


@test
def the_example_is_quick_and_small(folder):
    """No timed assertion: only that memory stays below what the issue allows (64 MB), plain build only."""
    if "sanitize" in ASSAY:
        raise Skip("a sanitized program uses several times the memory")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    process = subprocess.Popen([ASSAY, "run", BRIEF, "--snapshot", CHAPTER, "--offline", "--no-bench", "-q", "--out",
                                folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    equal(process.returncode, 3, "exit status")
    check(usage.ru_maxrss < 64 * 1024, f"{usage.ru_maxrss} KiB at the most (before: {before})")


@test
def every_artifact_fits_its_schema(folder):
    try:
        import jsonschema
    except ImportError:
        raise Skip("python3-jsonschema is missing")
    _, _, err, made = run_example(folder)
    seen = 0
    for path in sorted(glob.glob(f"{made}/*.json")):
        document = json.load(open(path, encoding="utf-8"))
        if "schema" not in document:
            continue
        kind = document["schema"].split(".")[1]
        schema = json.load(open(os.path.join(ROOT, "schemas", f"{kind}.schema.json"), encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        errors = [f"{list(e.path)}: {e.message}" for e in jsonschema.Draft202012Validator(schema).iter_errors(document)]
        check(not errors, path, errors[:5])
        seen += 1
    check(seen >= 9, f"only {seen} artifacts name a schema")


@test
def two_passes_over_the_same_bytes_are_the_same(folder):
    reports = []
    for name, env in (("a", {}), ("b", {"LC_ALL": "C", "TZ": "Pacific/Auckland", "COLUMNS": "40"})):
        _, _, err, made = run_example(os.path.join(folder, name, "w"), env=dict(EPOCH, **env))
        reports.append({os.path.basename(p): hashlib.sha256(open(p, "rb").read()).hexdigest()
                        for p in glob.glob(f"{made}/*") if os.path.isfile(p)})
    different = [n for n in reports[0] if reports[0][n] != reports[1].get(n)]
    # pass.json keeps the command line (--out differs), the archive and manifest follow from it
    check(set(different) <= {"pass.json", "manifest.json"}, "artifacts differ:", different)


@test
def stages_run_alone_give_the_same_as_run(folder):
    _, _, err, whole = run_example(os.path.join(folder, "a"), env=EPOCH)
    status, out, err = assay("fetch", BRIEF, "--snapshot", CHAPTER, "--offline", "--out",
                             os.path.join(folder, "b"), env=EPOCH)
    equal(status, 0, err)
    alone = out.strip().splitlines()[-1]
    for stage, more in (("audit", []), ("bench", ["--no-bench"]), ("report", [])):
        status, out, err = assay(stage, alone, *more, env=EPOCH)
        check(status in (0, 3), stage, err)
    for name in ("claims.json", "findings.json", "chapter.json", "plan.json", "report.md"):
        same = open(os.path.join(whole, name), "rb").read() == open(os.path.join(alone, name), "rb").read()
        check(same or name == "report.md", name, "differs")
    status, out, err = assay("verify", alone)
    equal(status, 0, "the last stage did not seal the pass: " + err)


@test
def verify_names_a_changed_byte(folder):
    _, _, err, made = run_example(folder)
    status, out, _ = assay("verify", made)
    equal(status, 0, out)
    path = os.path.join(made, "claims.json")
    data = bytearray(open(path, "rb").read())
    data[len(data) // 2] ^= 1
    open(path, "wb").write(data)
    os.remove(os.path.join(made, "structure.json"))
    open(os.path.join(made, "extra.txt"), "w").write("x")
    status, out, err = assay("verify", made)
    equal(status, 5, err)
    for name in ("claims.json", "structure.json", "extra.txt"):
        check(name in out, f"{name} is not named: {out}")


@test
def verify_names_a_changed_byte_of_the_manifest(folder):
    _, _, err, made = run_example(folder)
    path = os.path.join(made, "manifest.json")
    sealed = open(path, "rb").read()
    at = sealed.index(b'"pass"') + 12
    for place, byte in ((len(sealed) - 1, b" "), (0, b"["), (at, bytes([sealed[at] ^ 1])), (sealed.index(b"\n"), b" ")):
        open(path, "wb").write(sealed[:place] + byte + sealed[place + 1:])
        status, out, err = assay("verify", made)
        equal(status, 5, f"byte {place}: {out}{err}")
        check("manifest.json" in out + err, out, err)
    open(path, "wb").write(sealed)
    equal(assay("verify", made)[0], 0, "the manifest as it was")


@test
def json_summary_is_one_document(folder):
    status, out, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--no-bench", "--json", "--out", folder)
    summary = json.loads(out)
    equal(summary["exit_status"], status, "exit status")
    equal(summary["fingerprint"], "MATCH", "fingerprint")
    equal([s["stage"] for s in summary["stages"]], ["fetch", "audit", "bench", "report"], "stages")


@test
def fail_on_decides_the_exit_status_of_check(folder):
    status, out, err = assay("check", CHAPTER, "--fail-on", "high")
    equal(status, 1, err)
    status, out, err = assay("check", CHAPTER)
    equal(status, 0, err)
    check("checks completed" in out, out)


# --- snapshots ---------------------------------------------------------------------------------------

@test
def a_snapshot_that_matches_under_one_profile_names_it(folder):
    spaced = os.path.join(folder, "spaced.txt")
    text = open(CHAPTER, "rb").read()
    open(spaced, "wb").write(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    status, _, err = assay("run", BRIEF, "--snapshot", spaced, "--offline", "--no-bench", "--out", folder)
    equal(status, 3, err)
    snapshot = load(passes(folder)[-1], "snapshot.json")
    equal(snapshot["verdict"], "MATCH", "verdict")
    check(snapshot["profile"], "no profile is named")


@test
def a_snapshot_that_matches_under_none_is_a_mismatch(folder):
    other = os.path.join(folder, "other.txt")
    open(other, "wb").write(open(CHAPTER, "rb").read().replace(b"the", b"teh", 1))
    status, _, err = assay("run", BRIEF, "--snapshot", other, "--offline", "--no-bench", "--out", folder)
    one_message(status, err, 4, "MISMATCH", "--allow-mismatch")
    made = passes(folder)[-1]
    check(os.path.exists(os.path.join(made, "report.md")), "no report was written")
    check(not os.path.exists(os.path.join(made, "claims.json")), "a mismatch was audited")
    status, _, err = assay("run", BRIEF, "--snapshot", other, "--offline", "--no-bench", "--allow-mismatch", "--out",
                           os.path.join(folder, "b"))
    equal(status, 3, err)
    report = open(os.path.join(passes(os.path.join(folder, "b"))[-1], "report.md"), encoding="utf-8").read()
    check("MISMATCH" in report[:1500], "the head of the report does not say MISMATCH")


@test
def a_snapshot_of_200_mb_is_refused(folder):
    big = os.path.join(folder, "big.txt")
    with open(big, "wb") as file:
        file.truncate(200 << 20)
    status, _, err = assay("run", BRIEF, "--snapshot", big, "--offline", "--no-bench", "--out", f"{folder}/w")
    one_message(status, err, 5, "big.txt")
    nothing_left(f"{folder}/w")


@test
def an_empty_snapshot_is_refused(folder):
    empty = os.path.join(folder, "empty.txt")
    open(empty, "w").close()
    status, _, err = assay("run", BRIEF, "--snapshot", empty, "--offline", "--no-bench", "--out", f"{folder}/w")
    one_message(status, err, 5, "empty.txt")
    nothing_left(f"{folder}/w")


@test
def a_snapshot_that_is_not_utf8_is_converted_and_said_to_be(folder):
    latin = os.path.join(folder, "latin.txt")
    open(latin, "wb").write("Der Lauf dauert 4,2 ms, also ungef\u00e4hr ein F\u00fcnftel.\n".encode("latin-1") * 3)
    status, _, err = assay("run", BRIEF, "--snapshot", latin, "--offline", "--no-bench", "--allow-mismatch", "--out",
                           folder)
    equal(status, 3, err)
    made = passes(folder)[-1]
    check("windows-1252" in load(made, "snapshot.json")["charset"], "charset")
    check("\u00e4" in open(os.path.join(made, "snapshot.txt"), encoding="utf-8").read(), "text was not converted")


@test
def a_missing_snapshot_is_one_message(folder):
    status, _, err = assay("run", BRIEF, "--snapshot", f"{folder}/none.txt", "--offline", "--out", f"{folder}/w")
    one_message(status, err, 5, "none.txt")
    nothing_left(f"{folder}/w")


SOCKETS = r"""
#include <unistd.h>
static int refuse(void) { static const char said[] = "SOCKET OPENED\n"; return write(2, said, sizeof said - 1), -1; }
int socket(int a, int b, int c) { (void)a, (void)b, (void)c; return refuse(); }
int socketpair(int a, int b, int c, int *d) { (void)a, (void)b, (void)c, (void)d; return refuse(); }
int connect(int a, const void *b, unsigned c) { (void)a, (void)b, (void)c; return refuse(); }
"""


@test
def offline_opens_no_socket(folder):
    if "sanitize" in ASSAY or "valgrind" in ASSAY:
        raise Skip("a library before the sanitizer's own is refused")
    library = os.path.join(folder, "sockets.so")
    open(f"{folder}/sockets.c", "w").write(SOCKETS)
    subprocess.run(["cc", "-shared", "-fPIC", "-fno-builtin", "-o", library, f"{folder}/sockets.c"], check=True)
    status, _, err = assay("fetch", BRIEF, "--out", f"{folder}/w", env={"LD_PRELOAD": library})
    check("SOCKET OPENED" in err, "the library that watches does not work:", err)
    status, _, err = assay("run", BRIEF, "--offline", "--no-bench", "--out", f"{folder}/w",
                           env={"LD_PRELOAD": library})
    equal(status, 3, err)
    check("SOCKET OPENED" not in err, err)


# --- briefs ------------------------------------------------------------------------------------------

@test
def bad_briefs_are_one_message(folder):
    zero = os.path.join(folder, "zero.txt")
    open(zero, "w").close()
    malformed = os.path.join(folder, "malformed.txt")
    text = open(BRIEF, encoding="utf-8").read()
    found = re.search(r"\b[0-9a-f]{64}\b", text)
    open(malformed, "w", encoding="utf-8").write(text.replace(found[0], found[0][:40] + "zz"))
    line = text[:found.start()].count("\n") + 1
    for brief, part in ((zero, "zero.txt"), (folder, folder), (malformed, f"malformed.txt:{line}"),
                        (f"{folder}/none", "none")):
        status, _, err = assay("run", brief, "--offline", "--out", f"{folder}/w")
        one_message(status, err, 5, part)
        nothing_left(f"{folder}/w")


@test
def parts_of_the_brief_that_no_rule_knows_are_reported(folder):
    text = open(BRIEF, encoding="utf-8").read().replace("Stable id:", "Reveiwer: J. Doe\nStable id:", 1)
    brief = os.path.join(folder, "brief.txt")
    open(brief, "w", encoding="utf-8").write(text + "\n== 12. Colours ==\nred | blue\n")
    status, _, err = assay("run", brief, "--snapshot", CHAPTER, "--offline", "--no-bench", "--out", folder)
    equal(status, 3, err)
    check("2 parts that no rule knows" in err and "Reveiwer" in err, err)
    made = passes(folder)[-1]
    first = open(os.path.join(made, "report.md"), encoding="utf-8").read().split("## 2.")[0]
    for part in ("Reveiwer", "J. Doe", "12. Colours", "red &#124; blue"):
        check(part in first, f"{part} is not in section 1")
    equal([i["label"] for i in load(made, "brief.json")["unknown"]["items"]], ["Reveiwer", "12. Colours"], "kept")


@test
def usage_errors_are_exit_2(folder):
    for arguments in (["run"], ["run", "a", "b"], ["run", "--no-such"], ["run", BRIEF, "--budget", "-1"], ["nothing"],
                      ["run", BRIEF, "--fail-on", "perhaps"], ["run", BRIEF, "--profile", "no-such"],
                      ["run", "-", "--snapshot", "-"]):
        status, _, err = assay(*arguments)
        one_message(status, err, 2)


@test
def a_folder_that_is_no_pass_is_refused(folder):
    for command in ("audit", "bench", "report", "verify"):
        status, _, err = assay(command, folder)
        one_message(status, err, 5, folder)


# --- the system --------------------------------------------------------------------------------------

def mounted(folder, options):
    if os.geteuid() != 0:
        raise Skip("mounting a small file system needs root")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True)
    if done.returncode != 0:
        raise Skip("cannot mount a tmpfs here: " + done.stderr.decode().strip())


@test
def an_output_folder_that_cannot_be_written_is_exit_6(folder):
    status, _, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--out", "/proc/assay-cannot-write")
    one_message(status, err, 6, "/proc/assay-cannot-write")


@test
def a_read_only_output_folder_is_exit_6(folder):
    target = os.path.join(folder, "ro")
    os.mkdir(target)
    mounted(target, "size=1m,ro")
    try:
        status, _, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--out", target)
        one_message(status, err, 6, target)
    finally:
        subprocess.run(["umount", target], check=True)


@test
def a_full_disk_is_exit_6_and_leaves_no_half_file(folder):
    target = os.path.join(folder, "small")
    os.mkdir(target)
    for size in ("16k", "48k", "128k"):
        mounted(target, f"size={size}")
        try:
            status, _, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--no-bench", "--out", target)
            one_message(status, err, 6, target)
            no_partial_artifact(target)
        finally:
            subprocess.run(["umount", target], check=True)


@test
def a_disk_that_fills_while_measuring_keeps_whole_lines(folder):
    target = os.path.join(folder, "small")
    os.mkdir(target)
    cut = 0
    for size in ("240k", "256k", "272k", "288k"):
        mounted(target, f"size={size}")
        try:
            status, _, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--budget", "1", "--out", target)
            one_message(status, err, 6, target)
            no_partial_artifact(target)
            for path in glob.glob(f"{target}/passes/*/*/*/measurements.jsonl"):
                lines = open(path, "rb").read()
                check(not lines or lines.endswith(b"\n"), path, "ends within a line")
                cut += len(lines) > 0
        finally:
            subprocess.run(["umount", target], check=True)
    check(cut, "no run got as far as its first measurement")


@test
def a_closed_pipe_is_not_success(folder):
    if not os.path.exists("/dev/full"):
        raise Skip("/dev/full is missing")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([ASSAY, "check", "--json", CHAPTER], stdout=full, stderr=subprocess.PIPE)
    equal(done.returncode, 6, done.stderr.decode())


def interrupted(arguments, folder, wait_for):
    """Sends SIGINT once wait_for(folder) is true; returns status and stderr."""
    process = subprocess.Popen([ASSAY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 200
    while process.poll() is None and not wait_for(folder):
        check(time.monotonic() < deadline, "the stage never began")
        time.sleep(0.001)
    ended = process.poll() is not None
    if not ended:
        process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err.decode("utf-8", "replace"), ended


@test
def ctrl_c_while_measuring_keeps_what_was_finished(folder):
    arguments = ["run", BRIEF, "--snapshot", CHAPTER, "--offline", "--budget", "30", "--out", folder]
    has_sample = lambda f: any(os.path.getsize(p) > 0 for p in glob.glob(f"{f}/passes/*/*/*/measurements.jsonl"))
    status, err, ended = interrupted(arguments, folder, has_sample)
    check(not ended, "the pass ended before it was interrupted:", err)
    one_message(status, err, 130)
    no_partial_artifact(folder)
    made = passes(folder)[-1]
    for line in open(os.path.join(made, "measurements.jsonl"), encoding="utf-8"):
        json.loads(line)
    status, _, err = assay("report", made)
    check(status in (0, 3), "a report of the interrupted pass:", err)


@test
def ctrl_c_while_auditing_leaves_no_half_artifact(folder):
    long_text = os.path.join(folder, "long.txt")
    paragraph = open(CHAPTER, encoding="utf-8").read()
    open(long_text, "w", encoding="utf-8").write("\n\n".join([paragraph] * ((6 << 20) // len(paragraph))))
    arguments = ["run", BRIEF, "--snapshot", long_text, "--offline", "--no-bench", "--allow-mismatch", "--out",
                 f"{folder}/w"]
    reading = lambda f: any(glob.glob(f"{f}/passes/*/*/*/structure.json"))
    status, err, ended = interrupted(arguments, f"{folder}/w", reading)
    if ended:
        raise Skip("the audit was over before the signal came")
    check(status in (130, -signal.SIGINT), status, err)
    no_partial_artifact(f"{folder}/w")


@test
def ctrl_c_while_fetching_ends_at_once(folder):
    """The brief comes from a pipe that never ends; then from a server that never answers."""
    import socket
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
    brief = os.path.join(folder, "brief.txt")
    text = open(BRIEF, encoding="utf-8").read()
    open(brief, "w", encoding="utf-8").write(re.sub(r"https://\S+", f"http://127.0.0.1:{port}/chapter.txt", text))
    process = subprocess.Popen([ASSAY, "run", brief, "--allow-private", "--no-bench", "--out", f"{folder}/w"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        server.settimeout(30)
        connection, _ = server.accept()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
        connection.close()
    finally:
        process.kill()
        server.close()
    one_message(process.returncode, err.decode(), 130, "the same command again")
    no_partial_artifact(f"{folder}/w")


# --- the real brief -----------------------------------------------------------------------------------

def real_pass(folder):
    status, out, err = assay("run", shared(*REAL), "--offline", "--no-bench", "--out", folder)
    return status, err, passes(folder)[-1]


@test
def the_real_brief_offline_is_an_honest_partial_pass(folder):
    status, err, made = real_pass(folder)
    equal(status, 3, err)
    report = open(os.path.join(made, "report.md"), encoding="utf-8").read()
    equal(headings(report), HEADINGS, "sections")
    snapshot = load(made, "snapshot.json")
    equal((snapshot["verdict"], snapshot["scope"]), ("UNVERIFIED", "excerpt"), "snapshot")
    first = report.split("## 2.")[0]
    check("excerpt" in first and "--snapshot" in first, "section 1 does not ask for the chapter")


@test
def the_three_loop_lines_of_the_real_brief_are_confirmed(folder):
    _, err, made = real_pass(folder)
    for quote, interval in (("16.093 ms/step", "16.088"), ("16.080 ms/step", "16.07"), ("16.071 ms/step", "16.07")):
        confirmed = [f for f in findings_at(made, quote) if f["class"] == "confirmed" and f["check"] != "restatement"]
        check(confirmed, f"{quote} was not confirmed")
        check(any(interval in f["message"] for f in confirmed), quote, [f["message"] for f in confirmed])


@test
def every_range_of_the_real_brief_reproduces_its_quote(folder):
    _, err, made = real_pass(folder)
    text = open(os.path.join(made, "snapshot.txt"), "rb").read()
    claims = load(made, "claims.json")
    equal(claims["text"]["sha256"], hashlib.sha256(text).hexdigest(), "sha256")
    check(len(claims["claims"]) > 20, "few claims:", len(claims["claims"]))
    for claim in claims["claims"]:
        equal(text[claim["start"]:claim["end"]].decode(), claim["quote"], claim["label"])
        for quantity in claim["quantities"]:
            check(claim["start"] <= quantity["start"] < quantity["end"] <= claim["end"], claim["label"], quantity)


@test
def the_real_brief_names_no_contradiction(folder):
    _, err, made = real_pass(folder)
    wrong = [f["message"] for f in load(made, "findings.json")["findings"]
             if f["class"] in ("contradiction", "inconsistency", "implausible")]
    check(not wrong, "the excerpt's numbers hold, yet:", wrong)


@test
def the_real_brief_has_every_number_the_issue_names(folder):
    _, err, made = real_pass(folder)
    claims = load(made, "claims.json")["claims"]
    values = [(q["value"], q["unit"]) for c in claims for q in c["quantities"]]
    for value in (9.491, 132.0, 16.093, 14.692, 138.8, 16.080, 15.741, 132.1, 16.071, 16.430, 4.866, 20.890,
                  2.968, 2.967, 8.094, 16.450):
        check((value, "ms") in values, value, "ms is missing")
    for value in (14.7, 15.7, 4.9, 16.4):
        check(any(v == value for v, _ in values), value, "is missing")
    for value, unit in ((12288, "MiB"), (1536, ""), (7.5, ""), (24, ""), (34, "")):
        check(any(v == value or (isinstance(v, list) and value in v) for v, _ in values), value, unit, "is missing")


@test
def no_sentence_of_the_real_brief_is_in_the_project(folder):
    text = " ".join(open(shared(*REAL), encoding="utf-8").read().split("== 2.")[1].split("== 3.")[0].split())
    sentences = [s.strip() for s in re.split(r"(?<=[.!?]) ", text) if len(s) > 60]
    check(len(sentences) > 20, "the brief was not read")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        raise Skip("not a git checkout")
    for name in listed.stdout.splitlines():
        content = " ".join(open(os.path.join(ROOT, name), encoding="utf-8", errors="replace").read().split())
        for sentence in sentences:
            check(sentence not in content, name, "holds a sentence of the brief:", sentence)


if __name__ == "__main__":
    harness.main(harness.TESTS)
