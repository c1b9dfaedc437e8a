#!/usr/bin/env python3
"""Python blocks of a text are parsed in a child process and never run."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import TESTS, assay, check, equal, main, test

GOOD = "```python\nimport torch\nimport numpy as np\ntorch.cuda.synchronize()\ny = np.zeros(3)\n```\n"


def audit(folder, text, env=None):
    path = os.path.join(folder, "a.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Title\n\n" + text)
    status, out, err = assay("check", "--json", path, env=env)
    equal(status, 0, err)
    found = json.loads(out)
    return found, [f for f in found["findings"] if f["check"] == "code"]


@test
def a_block_that_parses_is_noted_with_its_apis(folder):
    _, code = audit(folder, GOOD)
    equal([f["class"] for f in code], ["note"], code)
    check("numpy.zeros, torch.cuda.synchronize" in code[0]["message"], code)


@test
def a_block_that_does_not_parse_is_named_with_its_line(folder):
    found, code = audit(folder, "Prose.\n\n```python\nx = 1\ndef f(:\n    pass\n```\n")
    equal([f["class"] for f in code], ["incomplete"], code)
    place = code[0]["evidence"]["places"][0]
    with open(os.path.join(folder, "a.md"), "rb") as file:
        equal(file.read()[place["start"]:place["end"]], b"def f(:", "place")


@test
def transcripts_and_indented_blocks_are_no_faults(folder):
    text = ("```python\n>>> 1 +\n```\n\n```python\n%timeit f(\n```\n\n"
            "- item\n\n  ```python\n  a = 1\n  if a:\n      print(a)\n  ```\n")
    _, code = audit(folder, text)
    equal(code, [], "findings")


@test
def nothing_of_the_text_is_run(folder):
    trace = os.path.join(folder, "trace")
    audit(folder, f"```python\nopen({trace!r}, 'w').write('ran')\n```\n")
    check(not os.path.exists(trace), "the block ran")


@test
def without_python_it_could_not_check(folder):
    found, code = audit(folder, GOOD, env={"PATH": "/nonexistent"})
    equal(code, [], "findings")
    equal(found["checks_total"] - found["checks_completed"], 1, "checks not completed")
    said = [c for c in found["coverage"] if c["check"] == "code"]
    equal([c["outcome"] for c in said], ["not run"], said)


@test
def hostile_blocks_do_not_stop_the_audit(folder):
    for block in ("(" * 50000, "x = " + "-" * 50000 + "1", "\x0c\x01", "a" * 190000):
        status = audit(folder, f"```python\n{block}\n```\n")[0]
        check(status["checks_total"] - status["checks_completed"] <= 1, block[:20])


if __name__ == "__main__":
    main(TESTS)
