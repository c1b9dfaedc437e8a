#!/usr/bin/env python3
"""Runs tests and ends with one line: N passed, N failed, N skipped.

usage: tests/run.py [--build DIR]... [--fuzz DIR] [PART]...

A test is a program that prints TAP lines ("ok - name", "not ok - name", "ok - name # SKIP why"): the
cmocka binaries in DIR/tests and the scripts below tests/, which find the program in $ASSAY. With several
--build folders (plain, sanitized) everything runs once for each. --fuzz runs each fuzz target for a few
seconds over its seeds. PART selects tests by a part of their path.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMIT_S = int(os.environ.get("ASSAY_TEST_LIMIT", "300"))
FUZZ_S = int(os.environ.get("ASSAY_FUZZ_SECONDS", "5"))
SCRIPTS = ["tests/cli/*.sh", "tests/*/test_*.py", "tests/data/*.py", "tests/corpus/check_labels.py"]
TAP = re.compile(r"^(not ok|ok)\b\s*\d*\s*(?:-\s*)?(.*?)\s*(?:#\s*SKIP\b\s*(.*))?$", re.I)


def tests_of(build):
    """(title, command, environment) of every test for one build folder."""
    environment = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", BUILD=build,
                       ASSAY=os.path.abspath(f"{build}/assay"))
    for path in sorted(glob.glob(f"{build}/tests/test_*")):
        if not path.endswith(".d"):
            yield path, [path], environment
    for path in sorted({p for pattern in SCRIPTS for p in glob.glob(pattern)}):
        shell = "sh" if path.endswith(".sh") else "/usr/bin/python3"
        yield f"{path} ({build})", [shell, path], environment


def fuzzers_of(folder):
    for path in sorted(glob.glob(f"{folder}/fuzz/fuzz_*")):
        if path.endswith((".d", ".o")):
            continue
        seeds = "tests/fuzz/seeds/" + os.path.basename(path)[len("fuzz_"):]
        corpus = f"{folder}/corpus/" + os.path.basename(path)
        os.makedirs(corpus, exist_ok=True)
        command = [path, f"-max_total_time={FUZZ_S}", "-timeout=10", "-rss_limit_mb=2048",
                   f"-artifact_prefix={folder}/", corpus]
        yield path, command + ([seeds] if os.path.isdir(seeds) else []), None


def results_of(output):
    passed, failed, skipped = [], [], []
    for line in output.splitlines():
        found = TAP.match(line)
        if not found:
            continue
        result, name, why = found.groups()
        if why is not None:
            skipped.append(f"{name} {why}".strip())
        else:
            (failed if result.lower() == "not ok" else passed).append(name)
    return passed, failed, skipped


def run(test):
    title, command, environment = test
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_S, env=environment)
        output, status = done.stdout.decode("utf-8", "replace"), done.returncode
    except subprocess.TimeoutExpired as late:
        output, status = (late.stdout or b"").decode("utf-8", "replace"), f"none after {LIMIT_S} s"
    if environment is None:  # a fuzz target prints no TAP: it found nothing, or it failed
        return title, ["no crash"] * (status == 0), ["crash"] * (status != 0), [], output
    passed, failed, skipped = results_of(output)
    if status != 0 and not failed:
        failed.append(f"exit status {status}")
    if status == 0 and not (passed or failed or skipped):
        failed.append("printed no test result")
    return title, passed, failed, skipped, output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", action="append", default=[])
    parser.add_argument("--fuzz")
    parser.add_argument("part", nargs="*")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    builds = chosen.build or [os.environ.get("BUILD", "build")]
    tests = [test for build in builds for test in tests_of(build)]
    tests += list(fuzzers_of(chosen.fuzz)) if chosen.fuzz else []
    tests = [t for t in tests if not chosen.part or any(part in t[0] for part in chosen.part)]
    counts = [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("ASSAY_TEST_JOBS", "2"))) as pool:
        for title, *groups, output in pool.map(run, tests):
            print("{}: {} ok, {} not ok, {} skip".format(title, *map(len, groups)))
            for why in groups[2]:
                print(f"  skipped: {why}")
            if groups[1]:
                print("\n".join("    " + line for line in output.splitlines()[-200:]))
            counts = [total + len(group) for total, group in zip(counts, groups)]
            sys.stdout.flush()
    print("{} passed, {} failed, {} skipped".format(*counts))
    return 1 if counts[1] or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
