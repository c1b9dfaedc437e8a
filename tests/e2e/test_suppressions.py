#!/usr/bin/env python3
"""Suppressions: bound to a text, with reason, date and expiry; marked and counted, never dropped."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import TESTS, assay, check, equal, main, test

TEXT = "Parsing got faster: the time fell from 40.0 ms to 10.0 ms, a drop of 55%.\n"
DECEMBER = {"SOURCE_DATE_EPOCH": "1796083200"}  # 2026-12-01


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))
    return path


def audit(folder, text, *entries):
    path = write(folder, "a.txt", text)
    arguments = ["check", "--json", path]
    if entries:
        listing = {"schema": "assay.suppressions.v1", "suppressions": list(entries)}
        arguments += ["--suppressions", write(folder, "s.json", listing)]
    status, out, err = assay(*arguments, env=DECEMBER)
    equal(status, 0, err)
    return json.loads(out)


def broken(found):
    return [f for f in found["findings"] if f["class"] == "contradiction"]


def notes(found):
    return [f["message"] for f in found["findings"] if f["check"] == "suppression"]


def entry(found, **changes):
    return dict({"finding": broken(found)[0]["id"], "text_sha256": found["text"]["sha256"],
                 "reason": "rounded on purpose", "date": "2026-11-01", "expires": "2027-05-01"}, **changes)


@test
def a_suppressed_finding_is_marked_and_stays(folder):
    found = audit(folder, TEXT)
    equal(len(broken(found)), 1, "findings before")
    after = audit(folder, TEXT, entry(found))
    equal([f["suppressed"] for f in broken(after)], [True], "suppressed")
    check("rounded on purpose" in broken(after)[0]["suppression"], broken(after))
    equal([c["priority"] for c in after["claims"]], ["info"], "priority of the claim")
    equal(notes(after), [], "notes")


@test
def fail_on_does_not_count_what_is_suppressed(folder):
    found = audit(folder, TEXT)
    listing = {"schema": "assay.suppressions.v1", "suppressions": [entry(found)]}
    path = write(folder, "s.json", listing)
    document = os.path.join(folder, "a.txt")
    equal(assay("check", "--fail-on", "high", document, env=DECEMBER)[0], 1, "without")
    status, out, err = assay("check", "--fail-on", "high", "--suppressions", path, document, env=DECEMBER)
    equal(status, 0, err)
    check("1 suppressed" in out, out)


@test
def an_expired_one_does_nothing_and_says_so(folder):
    found = audit(folder, TEXT)
    after = audit(folder, TEXT, entry(found, date="2026-01-01", expires="2026-12-01"))
    equal([f["suppressed"] for f in broken(after)], [False], "suppressed")
    check("has expired" in notes(after)[0], notes(after))


@test
def another_text_is_not_suppressed(folder):
    found = audit(folder, TEXT)
    after = audit(folder, TEXT + "One more line.\n", entry(found))
    equal([f["suppressed"] for f in broken(after)], [False], "suppressed")
    check("another text" in notes(after)[0], notes(after))


@test
def one_that_fits_nothing_is_named(folder):
    found = audit(folder, TEXT)
    after = audit(folder, TEXT, entry(found, finding="f-00000000"))
    check("suppresses nothing" in notes(after)[0], notes(after))
    other = audit(folder, TEXT, entry(found, finding="f-00000000", text_sha256="0" * 64))
    equal(notes(other), [], "an entry of another document")


@test
def a_faulty_file_is_refused_with_its_entry(folder):
    found = audit(folder, TEXT)
    document = os.path.join(folder, "a.txt")
    for change in ({"reason": " "}, {"date": "1.11.2026"}, {"expires": "2026-10-01"}, {"expires": ""},
                   {"finding": "C1"}, {"text_sha256": "abc"}):
        listing = {"schema": "assay.suppressions.v1", "suppressions": [entry(found), entry(found, **change)]}
        status, out, err = assay("check", "--suppressions", write(folder, "s.json", listing), document)
        equal(status, 5, f"{change}: {err}")
        check("entry 2" in err, err)
    for text in ("", "[]", "{}", '{"schema": "assay.claims.v1"}', '{"schema": "assay.suppressions.v1"}'):
        status, out, err = assay("check", "--suppressions", write(folder, "s.json", text), document)
        equal(status, 5, f"{text}: {err}")
    equal(assay("check", "--suppressions", os.path.join(folder, "none.json"), document)[0], 5, "no file")


if __name__ == "__main__":
    main(TESTS)
