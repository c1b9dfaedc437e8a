"""The ledger on the command line: what is recorded checks out, is readable, and survives company."""
import concurrent.futures
import glob
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import EXAMPLE, ROOT, Skip, assay, check, equal, load, passes, test

TEXT = """A study of caches

We measured a hit rate of 0.95 on \u201cwarm\u201d caches and 12,345 misses in all
runs. The band-
width is 3.35 TB/s on one H100; the loop isn\u2019t bound by compute.

A non-linear law holds between 10\u201320 ms.
"""
SOURCE = "10.1145/3503222.3507738"


def workspace(folder):
    """A pass over the bundled example, without network and measurements."""
    status, _, err = assay("run", f"{EXAMPLE}/brief.txt", "--snapshot", f"{EXAMPLE}/chapter.txt", "--offline",
                           "--no-bench", "-q", "--out", folder)
    check(status in (0, 1, 3), status, err)
    return passes(folder)[0]


def with_text(folder, text=TEXT, *options):
    workspace(folder)
    with open(f"{folder}/paper.txt", "w", encoding="utf-8") as file:
        file.write(text)
    status, out, err = assay("source", "read", SOURCE, "--file", f"{folder}/paper.txt", "--out", folder, "--json",
                             *options)
    equal(status, 0, err)
    return json.loads(out)["source"]


def evidence(folder, quote, *options, relation="QUALIFIES", claim="C1", source=SOURCE):
    return assay("evidence", "add", "--claim", claim, "--source", source, "--relation", relation, "--quote", quote,
                 "--out", folder, "--json", *options)


def files(folder):
    return {kind: sorted(glob.glob(f"{folder}/ledger/{kind}/*.json")) for kind in ("sources", "evidence", "decisions")}


def valid(folder):
    """Every file of the ledger follows its schema."""
    try:
        import jsonschema
    except ImportError:
        raise Skip("python3-jsonschema is missing")
    names = {"sources": "source", "evidence": "evidence", "decisions": "decision"}
    for kind, paths in files(folder).items():
        with open(f"{ROOT}/schemas/ledger_{names[kind]}.schema.json", encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        for path in paths:
            with open(path, encoding="utf-8") as file:
                item = json.load(file)
            jsonschema.Draft202012Validator(schema).validate(item)
            equal(f"{item['id']}.json", os.path.basename(path), "name")


@test
def every_file_follows_its_schema_and_says_who_when_and_how(folder):
    with_text(folder, TEXT, "--who", "Ada")
    status, out, err = evidence(folder, "a hit rate of 0.95", "--note", "0.95 on warm caches", "--who", "helper/1.0")
    equal(status, 0, err)
    item = json.loads(out)["evidence"]
    status, _, err = assay("decide", "C1", "revise", "--reason", "say of which cache", "--replacement",
                           "loop of 5 steps, warm caches", "--evidence", item["id"], "--out", folder)
    equal(status, 0, err)
    equal({kind: len(paths) for kind, paths in files(folder).items()},
          {"sources": 1, "evidence": 1, "decisions": 1}, "files")
    valid(folder)
    for paths in files(folder).values():
        for path in paths:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            check(folder not in text, f"a machine path in {path}")
            for event in json.loads(text)["history"]:
                check(event["at"].endswith("Z") and event["command"].startswith("assay ") and event["what"], event)
    equal(item["history"][0]["who"], "helper/1.0", "who")
    equal(item["anchor"]["prefix"].endswith("We measured "), True, "prefix")
    text = open(glob.glob(f"{folder}/ledger/texts/*")[0], encoding="utf-8").read()
    equal(text.encode()[item["anchor"]["start"]:item["anchor"]["end"]].decode(), "a hit rate of 0.95", "anchor")


@test
def what_does_not_check_out_is_refused_and_nothing_is_stored(folder):
    with_text(folder)
    cases = [  # quote, options, relation, status, part of the message
        ("a hit rate of 0.9", (), "SUPPORTS", 5, 'inside "0.95"'),
        ("hit rate of 0.99", (), "SUPPORTS", 5, "does not stand"),
        ("linear law holds", (), "SUPPORTS", 5, "non-linear"),
        ("345 misses", (), "SUPPORTS", 5, "12,345"),
        ("between 10", (), "SUPPORTS", 5, "inside"),
        ("A hit rate", (), "SUPPORTS", 5, "does not stand"),
        ("", (), "SUPPORTS", 2, "value"),
        ("a hit rate", ("--note", "up 12% here"), "SUPPORTS", 5, "12"),
        ("a hit rate", ("--note", "measured on an A100"), "SUPPORTS", 5, "A100"),
        ("a hit rate", ("--class", "reproduced-locally"), "SUPPORTS", 5, "reproduces nothing"),
        ("a hit rate", ("--class", "hypothesis"), "SUPPORTS", 5, "source-reported"),
        ("a hit rate", (), "supports", 2, "SUPPORTS, EXTENDS"),
        ("a hit rate", ("--at", "3"), "SUPPORTS", 5, "byte 3"),
    ]
    for quote, options, relation, expected, part in cases:
        status, out, err = evidence(folder, quote, *options, relation=relation)
        equal(status, expected, f"{quote} {options} {relation}: {err}")
        check(part in err and err.count("\n") >= 2, f"{quote}: expected {part!r} and a next step in {err!r}")
        equal(out, "", "output")
    for claim, source in (("C999", SOURCE), ("C1", "10.1000/never"), ("C1", "s-000000000000"), ("C1", "S999")):
        equal(evidence(folder, "a hit rate", claim=claim, source=source)[0], 5, f"{claim} {source}")
    equal(files(folder)["evidence"], [], "evidence")


@test
def a_normalized_quote_shows_its_difference(folder):
    with_text(folder)
    for quote, steps in (('on "warm" caches', "quotation marks"), ("bandwidth is 3.35 TB/s", "hyphens at line ends dropped"),
                         ("12,345 misses in all runs", "white space"), ("between 10-20 ms", "dashes")):
        status, out, err = evidence(folder, quote)
        equal(status, 0, err)
        item = json.loads(out)["evidence"]
        equal((item["normalization"], item["quote_given"]), (steps, quote), "what was made equal")
        check(item["anchor"]["quote"] != quote, item)
    valid(folder)


@test
def the_same_item_twice_is_one_item(folder):
    with_text(folder)
    first, second = evidence(folder, "a hit rate"), evidence(folder, "a hit rate")
    equal([json.loads(out)["already"] for _, out, _ in (first, second)], [False, True], "already")
    equal(len(files(folder)["evidence"]), 1, "files")


@test
def an_abstract_and_a_lead_limit_what_may_be_said(folder):
    source = with_text(folder, TEXT, "--abstract")
    equal(source["reading"], "abstract only", "reading")
    for relation in ("SUPPORTS", "EXTENDS", "QUALIFIES", "CONTRADICTS", "EMPIRICAL_EVIDENCE", "LIMITATION", "SUPERSEDES"):
        status, _, err = evidence(folder, "a hit rate", relation=relation)
        check(status == 5 and "abstract" in err, relation, status, err)
    for relation in ("BACKGROUND", "METHOD", "ALTERNATIVE", "UNCERTAIN"):
        equal(evidence(folder, "a hit rate", relation=relation)[0], 0, relation)
    assay("source", "add", "https://example.org/lead", "--out", folder)
    status, _, err = evidence(folder, "a hit rate", relation="BACKGROUND", source="https://example.org/lead")
    check(status == 5 and "lead" in err, status, err)
    valid(folder)


@test
def sources_are_one_however_they_are_called(folder):
    names = (SOURCE, f"doi:{SOURCE}", f"https://doi.org/{SOURCE}", f"http://dx.doi.org/{SOURCE}?utm_source=x")
    answers = [json.loads(assay("source", "add", name, "--out", folder, "--json")[1]) for name in names]
    equal([a["already"] for a in answers], [False, True, True, True], "already")
    equal(len({a["source"]["id"] for a in answers}), 1, "ids")
    arxiv = [json.loads(assay("source", "add", name, "--out", folder, "--json")[1])["source"]["canonical"]
             for name in ("arXiv:2205.14135v2", "2205.14135", "https://arxiv.org/pdf/2205.14135", "10.48550/arXiv.2205.14135")]
    equal(set(arxiv), {"arxiv:2205.14135"}, "canonical")
    for name in ("", "hello", "isbn:9780262035614", "ftp://example.org/x", "https://user:pw@example.org/", "\udcff"):
        check(assay("source", "add", name, "--out", folder)[0] == 2, name)
    equal(len(files(folder)["sources"]), 2, "files")


@test
def labels_of_the_pass_name_its_sources(folder):
    made = workspace(folder)
    rows = load(made, "sources.json")["sources"]
    status, out, err = assay("source", "add", "S1", "--out", folder, "--json")
    equal(status, 0, err)
    equal(json.loads(out)["source"]["canonical"], rows[0]["id"], "canonical")


@test
def commands_at_once_lose_nothing(folder):
    with_text(folder)
    def one(number):
        return assay("source", "add", f"https://example.org/{number}", "--out", folder)[0]
    def two(number):
        return assay("source", "show", SOURCE, "--search", "hit rate", "--out", folder)[0]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda n: one(n) if n % 2 else two(n), range(24)))
    equal(set(results), {0}, "exit status")
    equal(len(files(folder)["sources"]), 13, "sources")
    _, out, _ = assay("ledger", "rebuild", "--out", folder, "--json")
    equal(json.loads(out)["sources"], 13, "indexed")
    equal(glob.glob(f"{folder}/ledger/*/*.tmp*"), [], "temporary files")


@test
def candidates_follow_the_files(folder):
    workspace(folder)
    queue = "Nobody waits for the queue.\n\n" + "Filler words stand here. " * 80 + \
            "\n\nThe loop of 5 steps left work in the queue, as the stopwatch shows."
    with open(f"{folder}/a.txt", "w", encoding="utf-8") as file:
        file.write(queue)
    status, out, err = assay("source", "read", SOURCE, "--file", f"{folder}/a.txt", "--claim", "C1", "--out", folder, "--json")
    equal(status, 0, err)
    best = json.loads(out)["passages"][0]
    check("stopwatch shows" in best["text"], best)
    equal(queue[best["start"]:best["end"]], best["text"], "place")
    os.remove(f"{folder}/ledger/index.sqlite")
    again = json.loads(assay("source", "show", SOURCE, "--claim", "C1", "--out", folder, "--json")[1])
    equal(again["passages"][0], best, "after the index was lost")
    with open(f"{folder}/ledger/index.sqlite", "wb") as file:
        file.write(b"SQLite format 3\0" + os.urandom(5000))
    again = json.loads(assay("source", "list", "--claim", "C1", "--out", folder, "--json")[1])
    equal(again["passages"][0], best, "after the index was damaged")


@test
def hostile_files_are_named_and_harm_nothing(folder):
    with_text(folder)
    evidence(folder, "a hit rate")
    good = files(folder)["evidence"][0]
    with open(good, encoding="utf-8") as file:
        item = json.load(file)
    bad = {
        "e-000000000000": "{", "e-000000000001": "", "e-000000000002": "\x00" * 100, "e-000000000003": "[" * 5000,
        "e-000000000004": json.dumps(item),  # another item's content
        "e-000000000005": json.dumps(dict(item, id="e-000000000005", state="fine")),
        "e-000000000006": json.dumps(dict(item, id="e-000000000006", relation="PROVES")),
        "e-000000000007": json.dumps(dict(item, id="e-000000000007", history=[])),
        "e-000000000008": json.dumps(dict(item, id="e-000000000008", reading="lead")),
        "e-000000000009": json.dumps(dict(item, id="e-000000000009", anchor=dict(item["anchor"], end=10**12))),
    }
    for name, text in bad.items():
        with open(f"{folder}/ledger/evidence/{name}.json", "w", encoding="utf-8") as file:
            file.write(text)
    os.symlink("/etc/passwd", f"{folder}/ledger/evidence/e-00000000000a.json")
    os.mkdir(f"{folder}/ledger/sources/s-00000000000b.json")
    status, out, err = assay("ledger", "rebuild", "--out", folder, "--json")
    equal(status, 5, err)
    state = json.loads(out)
    equal((state["sources"], state["evidence"], len(state["problems"])), (1, 1, len(bad) + 2), state)
    for name in bad:
        check(any(name in problem for problem in state["problems"]), name, state["problems"])
    status, _, err = assay("evidence", "list", "--out", folder)
    check(status == 5 and "e-00000000000" in err, status, err)


@test
def a_text_that_was_changed_is_refused(folder):
    source = with_text(folder)
    with open(f"{folder}/ledger/texts/{source['text_sha256']}", "a", encoding="utf-8") as file:
        file.write("We proved it is 100 times faster.")
    status, _, err = evidence(folder, "We proved it is 100 times faster.")
    check(status == 5 and "SHA-256" in err, status, err)


@test
def text_from_outside_cannot_reach_the_terminal(folder):
    with_text(folder, "The words \x1b[31mred\u202e and\x07 a bell stand here, with the hit rate of 0.95 in them.\n")
    _, out, _ = assay("source", "show", SOURCE, "--out", folder)
    check("\x1b" not in out and "\u202e" not in out and "\x07" not in out, repr(out))
    status, _, err = evidence(folder, "no \x1b[2Jsuch words")
    check(status == 5 and "\x1b" not in err, status, repr(err))


@test
def a_decision_needs_a_reason_and_keeps_the_earlier_one(folder):
    workspace(folder)
    equal(assay("decide", "C1", "accept", "--out", folder)[0], 2, "without a reason")
    equal(assay("decide", "C1", "maybe", "--reason", "x", "--out", folder)[0], 2, "another word")
    equal(assay("decide", "C1", "reject", "--reason", "x", "--replacement", "y", "--out", folder)[0], 2, "replacement")
    equal(assay("decide", "C1", "accept", "--reason", "x", "--evidence", "e-000000000000", "--out", folder)[0], 5, "evidence")
    equal(files(folder)["decisions"], [], "nothing stored")
    assay("decide", "C1", "accept", "--reason", "it holds", "--out", folder)
    status, out, _ = assay("decide", "C1", "defer", "--reason", "ask the author", "--out", folder, "--json")
    decision = json.loads(out)["decision"]
    equal((status, decision["decision"], len(decision["history"])), (0, "defer", 2), decision)
    check("it holds" in decision["history"][1]["what"], decision["history"])
    equal(len(files(folder)["decisions"]), 1, "files")
    valid(folder)


@test
def the_report_shows_what_was_recorded_and_stays_true_without_the_ledger(folder):
    with_text(folder)
    made = passes(folder)[0]
    before = open(f"{made}/manifest.json", encoding="utf-8").read()
    evidence(folder, "a hit rate of 0.95", "--note", "warm ones", relation="CONTRADICTS", claim="C5")
    evidence(folder, "A non-linear law", relation="BACKGROUND", claim="C5")
    claim = next(c for c in load(made, "claims.json")["claims"] if c["label"] == "C5")
    words = claim["quote"] + ", on warm caches"
    assay("decide", "C5", "revise", "--reason", "say where", "--replacement", words, "--out", folder)
    equal(open(f"{made}/manifest.json", encoding="utf-8").read(), before, "recording changed a sealed pass")
    equal(assay("verify", made)[0], 0, "the pass before its report is written again")
    for again in range(2):
        status, _, err = assay("report", made, "-q")
        check(status in (0, 3), status, err)
        equal(assay("verify", made)[0], 0, "the pass after")
        report = open(f"{made}/report.md", encoding="utf-8").read()
        for part in ("CONTRADICTS: \u201ca hit rate of 0.95\u201d", "</a>Background", "Decided by", "full text"):
            check(part in report, part)
        row = next(line for line in report.splitlines() if line.startswith(f'| <a name="{claim["id"]}">'))
        check("medium" in row, row)
        patch = open(f"{made}/proposal.patch", encoding="utf-8").read()
        check(f"+{words}" in patch, patch)
        dossier = open(f"{made}/dossier.yaml", encoding="utf-8").read()
        check("FULL_TEXT_EVIDENCE" in dossier and "tier: 'ABSTRACT_EVIDENCE'" not in dossier, "dossier")
        if not again:  # the second time without it
            os.rename(f"{folder}/ledger", f"{folder}/ledger.away")
    for name in ("evidence", "decisions"):
        try:
            import jsonschema
        except ImportError:
            raise Skip("python3-jsonschema is missing")
        with open(f"{ROOT}/schemas/{name}.schema.json", encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(load(made, f"{name}.json"))


@test
def several_chapters_need_the_pass_to_be_named(folder):
    made = with_text(folder) and passes(folder)[0]
    other = os.path.join(os.path.dirname(os.path.dirname(made)), "4-chapter")
    shutil.copytree(os.path.dirname(made), other)
    status, _, err = evidence(folder, "a hit rate")
    check(status == 5 and "--pass" in err and "4-chapter" in err, status, err)
    status, out, err = evidence(folder, "a hit rate", "--pass", made)
    equal(status, 0, err)
    check(folder not in out, "a machine path in the history")
    status, _, err = assay("decide", "C1", "accept", "--reason", "x", "--out", f"{folder}/nowhere")
    check(status == 5 and "--out" in err, status, err)


@test
def every_command_explains_itself(folder):
    for command in ("source", "evidence", "decide", "ledger"):
        status, out, _ = assay(command, "--help")
        check(status == 0 and "Usage: assay" in out, command)
        equal(assay(command, "nonsense", "--out", folder)[0], 2, command)
    check(not os.path.exists(f"{folder}/ledger"), "a wrong command made a ledger")


if __name__ == "__main__":
    harness.main(harness.TESTS)
