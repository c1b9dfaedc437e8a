#!/usr/bin/env python3
"""Clean documents give no finding; each injected defect is caught by its check (README.md here)."""
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from harness import assay, check, equal, main

QUIET = ("confirmed", "note")


def findings_of(path):
    status, out, err = assay("check", "--json", path)
    equal(status, 0, err)
    return [f for f in json.loads(out)["findings"] if f["class"] not in QUIET]


def said(findings):
    return [f"{f['check']} {f['class']}: {f['message']}" for f in findings]


def clean_test(path):
    def run(folder):
        found = findings_of(path)
        check(not found, said(found))
    run.__name__ = f"{os.path.basename(path)} gives no finding"
    return run


def touches(finding, start, end):
    return any(p["start"] < end and p["end"] > start for p in finding["evidence"]["places"])


def mutation_test(path, mutation):
    def run(folder):
        text = open(path, encoding="utf-8").read()
        equal(text.count(mutation["old"]), 1, f"{mutation['old']!r} in {path}")
        changed = os.path.join(folder, os.path.basename(path))
        with open(changed, "w", encoding="utf-8") as file:
            file.write(text.replace(mutation["old"], mutation["new"]))
        start = len(text[:text.index(mutation["old"])].encode())
        end = start + max(1, len(mutation["new"].encode()))
        found = findings_of(changed)
        caught = [f for f in found if f["check"] == mutation["check"] and f["class"] in mutation["class"]]
        check(caught, "not caught; found:", said(found))
        anywhere = mutation.get("anywhere")
        check(anywhere or any(touches(f, start, end) for f in caught), "elsewhere:", said(caught))
    run.__name__ = f"{os.path.basename(path)} {mutation['rule']}"
    return run


def tests():
    for listing in sorted(glob.glob(f"{HERE}/*.json")):
        path = next(p for p in sorted(glob.glob(listing[:-5] + ".*")) if not p.endswith(".json"))
        yield clean_test(path)
        with open(listing, encoding="utf-8") as file:
            for mutation in json.load(file):
                yield mutation_test(path, mutation)


if __name__ == "__main__":
    main(list(tests()))
