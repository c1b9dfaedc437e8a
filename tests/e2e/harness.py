"""What the Python tests share: running the program, TAP lines, temporary folders, found artifacts."""
import atexit
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASSAY = os.environ.get("ASSAY", os.path.join(ROOT, "build", "assay"))
SHARED = os.path.join(os.path.dirname(ROOT), "shared")
EXAMPLE = os.path.join(ROOT, "examples", "step-time")

# No test reads or fills the user's own cache.
CACHE_HOME = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="assay-cache-")
atexit.register(shutil.rmtree, CACHE_HOME, ignore_errors=True)


class Skip(Exception):
    """Raised by a test that cannot run here; its text says why."""


def assay(*arguments, stdin=b"", env=None, timeout=120, cwd=None):
    """Runs the program; returns (status, stdout, stderr) with text decoded."""
    done = subprocess.run([ASSAY, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=timeout, cwd=cwd,
                          env=dict(os.environ, **(env or {})))
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def passes(workspace):
    """Pass folders below a workspace, oldest first."""
    return sorted(os.path.dirname(p) for p in glob.glob(f"{workspace}/passes/*/*/*/pass.json"))


def load(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def shared(*parts):
    path = os.path.join(SHARED, *parts)
    if not os.path.exists(path):
        raise Skip("../shared is not here")
    return path


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


def equal(found, expected, what=""):
    check(found == expected, f"{what}: expected {expected!r}, found {found!r}")


TESTS = []


def test(function):
    """Marks a test; main(TESTS) runs them in the order of the file."""
    TESTS.append(function)
    return function


def main(tests):
    """Runs functions taking a temporary folder; prints one TAP line each; exits 1 on failure."""
    failed = 0
    for number, run in enumerate(tests, 1):
        name = run.__name__.replace("_", " ")
        folder = tempfile.mkdtemp(prefix="assay-test-")
        try:
            run(folder)
            print(f"ok {number} - {name}")
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}")
        except Exception:  # a test fails with whatever it raised; the trace says where
            failed += 1
            print(f"not ok {number} - {name}")
            print("# " + traceback.format_exc().replace("\n", "\n# "))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        sys.stdout.flush()
    print(f"1..{len(tests)}")
    sys.exit(1 if failed else 0)
