"""assay diff: two hand-made passes that differ in one thing of every kind."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden"))
from harness import TESTS, assay, check, equal, main, test  # noqa: E402
from build import Case  # noqa: E402
from cases import CASES  # noqa: E402


def one(text, figure, verdict, median, reading, message):
    case = Case(text)
    case.block("prose", text.split("\n", maxsplit=1)[0], "End.")
    step = case.claim(f"A step takes {figure} ms.", numbers=[(figure, 1, 2, "ms", "")])
    kept = case.claim("It runs on 8 cores.", "environment")
    case.finding("law", kept, "confirmed" if verdict == "REPRODUCED" else "unsupported", message, "low",
                 "citation")
    case.result("Step", verdict, "why", [step], [("loop", median, median - 0.1, median + 0.1, 6),
                                                 ("other", 3.0, 2.0, 4.0, 6)], kind="absolute")
    case.source("url:https://example.org/a", reading=reading)
    return case


def two(folder):
    old = one("A step takes 9.1 ms. It runs on 8 cores. It was so before. End.", "9.1", "REPRODUCED", 5.0,
              "full text", "Eight cores are in the table.")
    old.claim("It was so before.", "universal")
    new = one("A new first line that moves all bytes.\nA step takes 12.25 ms. It runs on 8 cores. It is new. End.",
              "12.25", "NOT REPRODUCED", 5.5, "not accessible", "No table has eight cores.")
    new.claim("It is new.", "universal")
    new.source("url:https://example.org/b")
    return old.write(os.path.join(folder, "old")), new.write(os.path.join(folder, "new"))


def changes(folder, *passes):
    status, out, err = assay("diff", "--json", *passes)
    equal((status, err), (0, ""))
    return json.loads(out)


@test
def a_pass_does_not_differ_from_itself(folder):
    for name in CASES:
        path = CASES[name]().write(os.path.join(folder, name))
        found = changes(folder, path, path)
        for part, value in found.items():
            if isinstance(value, dict):
                equal(value["changes"], [], f"{name}: {part}")


@test
def every_kind_of_change_is_named_once(folder):
    found = changes(folder, *two(folder))
    rows = {part: [(c["change"], c["name"], c["before"], c["after"]) for c in value["changes"]]
            for part, value in found.items() if isinstance(value, dict)}
    equal(rows["claims"], [("changed", "C1", "A step takes 9.1 ms.", "A step takes 12.25 ms."),
                           ("added", "C3", "", ""), ("removed", "C3", "", "")])
    equal(rows["states of claims"], [("moved", "C1", "holds", "contradicted"),
                                     ("moved", "C2", "holds", "concern")])
    # The old pass only confirmed, so nothing is gone.
    equal(rows["findings"], [("new", "C2", "", "")])
    equal(rows["verdicts"], [("moved", "E1", "REPRODUCED", "NOT REPRODUCED")])
    # 4.9..5.1 and 5.4..5.6 do not meet; 2..4 stays.
    equal(rows["measurements"], [("shifted", "E1", "5 ms (4.9 to 5.1)", "5.5 ms (5.4 to 5.6)")])
    equal(found["measurements"]["same"], 1)
    equal(rows["sources"], [("died", "S1", "full text", "not accessible"), ("added", "S2", "", "")])


@test
def the_other_way_round_is_the_mirror(folder):
    old, new = two(folder)
    rows = [c["change"] for c in changes(folder, new, old)["sources"]["changes"]]
    equal(rows, ["moved", "removed"])
    equal([c["change"] for c in changes(folder, new, old)["findings"]["changes"]], ["gone"])


@test
def text_and_pages_hold_what_is_hostile(folder):
    hostile = CASES["hostile"]().write(os.path.join(folder, "hostile"))
    full = CASES["full"]().write(os.path.join(folder, "full"))
    for form in ("--markdown", "--html", "--json", "--color=never"):
        status, out, err = assay("diff", form, full, hostile)
        equal((status, err), (0, ""), form)
        check("\x1b" not in out and "\u202e" not in out or form == "--json", f"{form}: control characters")
        check("<script" not in out or form in ("--json", "--color=never"), f"{form}: an element from outside")


@test
def wrong_use_is_one_message(folder):
    for arguments, expected in ((("diff", folder), 2), (("diff", "--json", "--html", folder, folder), 2),
                                (("diff", folder, folder), 5)):
        status, out, err = assay(*arguments)
        equal((status, out), (expected, ""), arguments)
        check(err, "no message")


main(TESTS)
