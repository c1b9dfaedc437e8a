#!/usr/bin/env python3
"""Runs every test and ends with one line: N passed, N failed, N skipped.

A test is a program that prints TAP lines ("ok - name", "not ok - name", "ok - name # SKIP why"):
cmocka binaries of tests/unit (built into $BUILD/tests), tests/cli/*.sh, tests/e2e/*.py,
tests/data/*.py and tests/corpus/check_labels.py. Arguments select by part of the name.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", "build")
LIMIT_S = int(os.environ.get("ASSAY_TEST_LIMIT", "300"))
LINE = re.compile(r"^(not ok|ok)\b\s*\d*\s*-?\s*(.*?)\s*(?:#\s*SKIP\s*(.*))?$", re.I)


def programs():
    patterns = [f"{BUILD}/tests/test_*", "tests/cli/*.sh", "tests/e2e/test_*.py", "tests/data/*.py",
                "tests/corpus/check_labels.py", "tests/report/test_*.py", "tests/bench/test_*.py"]
    for pattern in patterns:
        for path in sorted(glob.glob(pattern)):
            if not path.endswith(".d"):
                yield path


def command(path):
    if path.endswith(".sh"):
        return ["sh", path]
    if path.endswith(".py"):
        return ["/usr/bin/python3", path]
    return [path]


def run(path):
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", ASSAY=os.path.abspath(f"{BUILD}/assay"))
    try:
        done = subprocess.run(command(path), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_S, env=env)
        output, status = done.stdout.decode("utf-8", "replace"), done.returncode
    except subprocess.TimeoutExpired as late:
        output, status = (late.stdout or b"").decode("utf-8", "replace"), f"no end after {LIMIT_S} s"
    passed, failed, skipped = [], [], []
    for line in output.splitlines():
        found = LINE.match(line)
        if not found:
            continue
        result, name, why = found.groups()
        if result == "not ok":
            failed.append(name)
        elif why is not None:
            skipped.append(f"{name}: {why}")
        else:
            passed.append(name)
    if status != 0 and not failed:
        failed.append(f"ended with status {status}")
    if status == 0 and not (passed or failed or skipped):
        failed.append("printed no test result")
    return path, passed, failed, skipped, output


def main():
    os.chdir(ROOT)
    chosen = [p for p in programs() if not sys.argv[1:] or any(a in p for a in sys.argv[1:])]
    counts = [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("ASSAY_TEST_JOBS", "2"))) as pool:
        for path, passed, failed, skipped, output in pool.map(run, chosen):
            print(f"{path}: {len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped.")
            for why in skipped:
                print(f"  skipped {why}")
            if failed:
                print("\n".join("    " + line for line in output.splitlines()[-200:]))
            for number, group in enumerate((passed, failed, skipped)):
                counts[number] += len(group)
            sys.stdout.flush()
    print("{} passed, {} failed, {} skipped".format(*counts))
    return 1 if counts[1] or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
