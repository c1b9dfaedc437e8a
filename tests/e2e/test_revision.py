"""Revisions: what changed since the last known snapshot of a chapter, and which claims that touches."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import EXAMPLE, assay, check, equal, load, passes, test

BRIEF = os.path.join(EXAMPLE, "brief.txt")
CHAPTER = os.path.join(EXAMPLE, "chapter.txt")
TEXT = open(CHAPTER, encoding="utf-8").read()


def run(folder, text, *more, status=3):
    path = os.path.join(folder, "revision.txt")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    found, _, err = assay("run", BRIEF, "--snapshot", path, "--offline", "--no-bench", "--out", folder, *more)
    equal(found, status, err)
    return passes(folder)[-1]


def edited():
    text = TEXT.replace("from 5.186 ms down to 3.185 ms", "from 5.186 ms down to 3.285 ms")
    text = text.replace("What a step is\n", "What a step is\n\nAn added line names 7 ms.\n")
    lines = [line for line in text.split("\n") if not line.startswith("The short loop measures")]
    return "\n".join(lines)


@test
def a_first_pass_knows_no_earlier_one(folder):
    snapshot = load(run(folder, TEXT), "snapshot.json")
    equal((snapshot["previous_sha256"], snapshot["previous_pass"], snapshot["changes"]), ("", "", []), "earlier")


@test
def an_unchanged_chapter_has_no_changes(folder):
    first = load(run(folder, TEXT), "snapshot.json")
    second = load(run(folder, TEXT.replace("\n", "\r\n")), "snapshot.json")
    equal(second["previous_sha256"], first["sha256"], "earlier")
    equal(second["changes"], [], "white space is no change")


@test
def changed_blocks_are_named_with_the_claims_they_touch(folder):
    first = run(folder, TEXT)
    second = run(folder, edited(), "--allow-mismatch")
    snapshot = load(second, "snapshot.json")
    equal(snapshot["previous_pass"], load(first, "pass.json")["id"], "earlier pass")
    old, new = (open(os.path.join(p, "snapshot.txt"), "rb").read() for p in (first, second))
    changes = snapshot["changes"]
    equal([c["kind"] for c in changes], ["removed", "added", "edited"], changes)
    removed, added, edit = changes
    check(old[removed["old_start"]:removed["old_end"]].startswith(b"The short loop measures"), removed)
    equal(removed["new_start"], removed["new_end"], "a removed block is nowhere in the new text")
    equal(new[added["new_start"]:added["new_end"]], b"An added line names 7 ms.", "added")
    equal(added["diff"], "{+An added line names 7 ms.+}", "added")
    check("[-3.185-]{+3.285+}" in edit["diff"], edit)
    check(old[edit["old_start"]:edit["old_end"]].startswith(b"Leaving out the optimizer"), edit)
    check(any("3.185" in c["quote"] for c in edit["claims"]), edit["claims"])
    claims = {c["id"]: c for c in load(first, "claims.json")["claims"]}
    for change in changes:
        touched = {i for i, c in claims.items() if c["start"] < change["old_end"] and c["end"] > change["old_start"]}
        equal({c["id"] for c in change["claims"]}, touched, "claims touched")
    report = open(os.path.join(second, "report.md"), encoding="utf-8").read()
    for part in ("3 changes since the last known snapshot", "[-3.185-]{+3.285+}", "Touches of the earlier pass"):
        check(part in report, part)


@test
def a_mismatch_shows_the_difference_to_the_last_known_snapshot(folder):
    run(folder, TEXT)
    second = run(folder, edited(), status=4)
    equal(len(load(second, "snapshot.json")["changes"]), 3, "changes")
    check("[-3.185-]{+3.285+}" in open(os.path.join(second, "report.md"), encoding="utf-8").read(), "report")


@test
def a_damaged_earlier_snapshot_is_passed_over(folder):
    first = run(folder, TEXT)
    second = run(folder, TEXT)
    with open(os.path.join(second, "snapshot.txt"), "ab") as file:
        file.write(b"x")
    third = load(run(folder, edited(), "--allow-mismatch"), "snapshot.json")
    equal(third["previous_pass"], load(first, "pass.json")["id"], "earlier pass")


if __name__ == "__main__":
    harness.main(harness.TESTS)
