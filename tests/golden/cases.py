"""The passes whose reports are kept: one for every kind of pass an author can meet."""
from build import Case

CHAPTER = """The cost of a step

A step of the naive loop takes 9.491 ms, and 20 of them take 189.8 ms.
The fused loop is 1.65x faster at 5.752 ms a step.
It is always faster on every GPU.

Results

loop      step      total
naive     9.491 ms  189.8 ms
fused     5.752 ms  115.0 ms
graph     5.100 ms  103.0 ms

The card reaches 989 TFLOPS and was measured with driver 535.
"""


def chapter(**more):
    case = Case(CHAPTER, **more)
    case.heading("The cost of a step")
    case.block("prose", "A step of the naive", "every GPU.")
    case.heading("Results")
    case.block("table", "loop      step", "103.0 ms")
    case.block("prose", "The card reaches", "driver 535.")
    return case


def claims(case):
    return [case.claim("A step of the naive loop takes 9.491 ms, and 20 of them take 189.8 ms.",
                       numbers=[("9.491", 9.4905, 9.4915, "ms", "step"), ("189.8", 189.75, 189.85, "ms", "")]),
            case.claim("The fused loop is 1.65x faster at 5.752 ms a step.", "ratio",
                       numbers=[("1.65", 1.645, 1.655, "x", ""), ("5.752", 5.7515, 5.7525, "ms", "step")]),
            case.claim("It is always faster on every GPU.", "universal"),
            case.claim("graph     5.100 ms  103.0 ms", block="table",
                       numbers=[("5.100", 5.0995, 5.1005, "ms", "step"), ("103.0", 102.95, 103.05, "ms", "")]),
            case.claim("The card reaches 989 TFLOPS", "environment",
                       numbers=[("989", 988.5, 989.5, "TFLOPS", "")])]


def audited(case):
    naive, fused, always, graph, card = claims(case)
    case.finding("law", naive, "confirmed", "20 steps of 9.491 ms are 189.82 ms, as printed.",
                 expression="20 * 9.491 = 189.82")
    case.finding("relation", fused, "confirmed", "9.491 / 5.752 is 1.650, as printed.",
                 expression="9.491 / 5.752 = 1.650")
    case.finding("wording", always, "unsupported", "The sentence says every GPU; one was measured.", "medium",
                 "clarification", ["It is always faster on every GPU."],
                 replacement="It was faster on the GPU measured here.")
    case.finding("law", graph, "inconsistency", "20 steps of 5.100 ms are 102.0 ms; 103.0 ms is printed.", "high",
                 "correction", ["103.0 ms"], expression="20 * 5.100 = 102.0", replacement="102.0 ms")
    case.finding("hardware", card, "dated", "The figure is the dense peak; the newer data sheet says 990.", "low",
                 "citation", ["989 TFLOPS"], url="https://example.org/data-sheet?a=1&b=2")
    case.finding("directive", "", "note", "No text gives orders to its reader.")
    for claim in case.claims:
        case.coverage.append({"check": "law", "claim": claim["id"], "outcome": "ran", "why": ""})
    case.coverage.append({"check": "software", "claim": card, "outcome": "not run", "why": "driver has no table"})
    case.reading.append({"topic": "thesis", "quote": "The fused loop is 1.65x faster", "note": "",
                         "start": case.place("The fused loop")[0], "end": case.place("1.65x faster")[1]})
    case.reading.append({"topic": "assumption", "quote": "", "note": "no sentence says assume", "start": 0,
                         "end": 0})
    case.source("doi:10.1000/182", "doi", "full text", [fused], url="https://doi.org/10.1000/182",
                title="Fusing loops", authors="A. Writer; B. Reader", venue="Journal of Steps", year="2024",
                metadata_status="verified: registry, 2026-12-01", context="bibliography",
                accessed_at="2026-12-01T12:00:00Z", http_status=200)
    case.source("url:https://example.org/notes", "link", "lead", [always], url="https://example.org/notes",
                limitation="nobody has read it", found_in="chapter")
    return naive, fused, always, graph, card


def full():
    """Everything there: every class of finding, every verdict, samples with warm-up and an outlier."""
    case = chapter()
    naive, fused, always, graph, card = audited(case)
    case.result("Is the fused loop faster?", "REPRODUCED", "The ratio is 1.6, 95 % interval 1.5 to 1.7.",
                [fused], [("naive", 12.0, 11.8, 12.2, 6), ("fused", 7.5, 7.4, 7.6, 6)], noise_floor=0.01)
    case.result("Is it always faster?", "NOT REPRODUCED", "On this machine it is slower by 4 %.", [always],
                [("naive", 12.0, 11.8, 12.2, 6), ("fused", 12.5, 12.4, 12.6, 6)])
    case.result("Step time", "NOT COMPARABLE", "The hardware is another.", [naive],
                [("naive", 12.0, 11.8, 12.2, 6)],
                drift=[{"field": "hardware", "claimed": "a GPU", "ours": "8 cores"}],
                claimed={"text": "9.491", "unit": "ms", "lo": 9.4905, "hi": 9.4915})
    case.result("Graph", "INCONCLUSIVE", "The interval holds 1.", [graph], [("graph", 5.1, 4.0, 6.2, 2)])
    case.result("Peak", "UNRUN", "The machine has no GPU.", [card])
    case.result("Driver", "FAILED", "The process ended with signal 11.", [card], log="line 1\n<b>line 2</b>\n")
    for process in range(3):
        base = [20.0, 12.0 + process / 10, 11.9, 12.1, 12.0, 12.2]
        case.run("E1", "naive", base, process)
        case.run("E1", "fused", [v * 0.625 for v in base[:-1]] + [15.0], process, outliers=(5,))
    return case


def recorded():
    """Passages that a person read and tied to claims: one for, one against."""
    case = chapter()
    naive, fused, always, _, _ = audited(case)
    case.quote("doi:10.1000/182", fused, "SUPPORTS", "the fused loop ran in 0.61 of the time of the plain one",
               "the ratio is near the printed one")
    case.quote("doi:10.1000/182", always, "CONTRADICTS", "on cards with a small cache fusing was slower")
    return case


def pictures():
    """A measurement for every picture: phases, loops, roofline, workers, first step to steady state."""
    case = Case("loop of 20: 9.491 ms/step reported, 16.093 ms/step with the queue\n"
                "loop of 400: 15.741 ms/step reported, 16.071 ms/step with the queue\n"
                "The product reaches 2.0 TFLOP/s.\n")
    case.block("output", "loop of 20", "16.071 ms/step with the queue")
    case.block("prose", "The product", "TFLOP/s.")
    short = case.claim("loop of 20: 9.491 ms/step reported, 16.093 ms/step with the queue", numbers=[
        ("9.491", 9.4905, 9.4915, "ms", "step"), ("16.093", 16.0925, 16.0935, "ms", "step")])
    long = case.claim("loop of 400: 15.741 ms/step reported, 16.071 ms/step with the queue", numbers=[
        ("15.741", 15.7405, 15.7415, "ms", "step"), ("16.071", 16.0705, 16.0715, "ms", "step")])
    rate = case.claim("The product reaches 2.0 TFLOP/s.", numbers=[("2.0", 1.95, 2.05, "TFLOP/s", "")])
    step = "loop-unsynchronized", "reported", "ms/step"
    case.result("Longer loops report more", "REPRODUCED", "It does.", [short, long],
                [("loop of 20", 1.0, 0.9, 1.1, 6), ("loop of 400", 3.0, 2.9, 3.1, 6)], measured_unit="ms/step")
    case.planned(("loop of 20", *step, {"count": "20"}), ("loop of 400", *step, {"count": "400"}))
    for name, claim, low, high, median in (("20", short, 16.0925, 16.0935, 3.2), ("400", long, 16.0705, 16.0715, 3.1)):
        case.result(f"loop of {name}", "NOT COMPARABLE", "The hardware is another.", [claim],
                    [(f"loop of {name}, real", median, median - .1, median + .1, 6)], measured_unit="ms/step",
                    claimed={"text": name, "unit": "ms/step", "lo": low, "hi": high},
                    drift=[{"field": "hardware", "claimed": "a GPU", "ours": "8 cores"}])
        case.results[-1]["kind"] = "absolute"
        case.planned((f"loop of {name}, real", "loop-unsynchronized", "real", "ms/step", {"count": name}))
    case.result("Phases", "REPRODUCED", "They add up.", [short], [
        ("forward", 1.0, 0.9, 1.1, 6), ("both", 2.5, 2.4, 2.6, 6), ("step", 4.0, 3.9, 4.1, 6)])
    case.planned(*((n, "warmed-median", "step", "ms", {"mode": m}) for n, m in (
        ("forward", "forward"), ("both", "forward-backward"), ("step", "step"))))
    case.result("First step", "REPRODUCED", "It is slower.", [short], [("first", 9.0, 8.0, 10.0, 3),
                                                                      ("steady", 4.0, 3.9, 4.1, 3)])
    case.planned(("first", "first-call", "first", "ms", {"mode": "step"}),
                 ("steady", "warmed-median", "step", "ms", {"mode": "step"}))
    identity = case.results[-1]["id"]
    case.run(identity, "first", [9.0], warmup=0)
    case.run(identity, "steady", [6.0, 5.0, 4.0, 4.25, 4.0], warmup=2)
    rates = (("gemm", "ceilings", "gemm", 800.0), ("forward", "phases", "forward.flops", 400.0),
             ("optimizer", "phases", "optimizer.flops", 5.0))
    bytes_ = (("copy", "ceilings", "copy", 20.0), ("forward b", "phases", "forward.bytes", 8.0),
              ("optimizer b", "phases", "optimizer.bytes", 18.0))
    for title, unit, rows in (("Rates", "GFLOP/s", rates), ("Bytes", "GB/s", bytes_)):
        case.result(title, "REPRODUCED", "As measured.", [rate],
                    [(n, v, v * .9, v * 1.1, 6) for n, _, _, v in rows], measured_unit=unit)
        case.planned(*((n, b, m, unit, {"mode": "step"}) for n, b, m, _ in rows))
    case.result("Workers", "REPRODUCED", "More workers, less waiting.", [short],
                [(f"{n} workers", v, v - .2, v + .2, 6) for n, v in ((1, 8.0), (2, 4.4), (4, 3.0))])
    case.planned(*((f"{n} workers", "per-iteration", "step", "ms", {"workers": str(n)}) for n in (1, 2, 4)))
    return case


def nothing_to_change():
    case = chapter()
    naive, fused, *_ = claims(case)
    case.claims = case.claims[:2]
    case.finding("law", naive, "confirmed", "20 steps of 9.491 ms are 189.82 ms, as printed.")
    case.finding("relation", fused, "confirmed", "9.491 / 5.752 is 1.650, as printed.")
    return case


def nothing_found():
    case = Case("A chapter without a number in it.\n")
    case.block("prose", "A chapter", "in it.")
    return case


def excerpt_only():
    case = chapter(scope="excerpt", verdict="UNVERIFIED")
    audited(case)
    case.stages["fetch"] = ("partial", "the chapter could not be fetched: connection refused")
    case.snapshot_more = {"origin": "excerpt", "reason": "only the excerpt of the brief was read"}
    case.without = {"results.json", "measurements.jsonl"}
    case.stages["bench"] = ("not started", "")
    return case


def mismatch():
    case = chapter(verdict="MISMATCH")
    case.snapshot_more = {"expected": "0" * 64, "reason": "no profile gives the fingerprint of the brief",
                          "changes": [{"kind": "edited", "old_start": 0, "old_end": 3, "new_start": 0,
                                       "new_end": 3, "diff": "[-One-]{+The+}", "claims": [
                                           {"id": "c-00000001", "label": "C1", "quote": "One step takes 5 ms."}]}],
                          "previous_sha256": "1" * 64, "previous_pass": "steps:12:20261201T000000:0123456789ab",
                          "changes_left_out": 3}
    case.stages.update(audit=("not started", "the fingerprint does not match"), bench=("not started", ""))
    case.without = {"claims.json", "findings.json", "results.json", "measurements.jsonl", "chapter.json"}
    return case


def offline():
    case = chapter(scope="none", verdict="UNVERIFIED")
    case.stages.update(fetch=("partial", "offline: nothing was asked"), audit=("not started", ""),
                       bench=("not started", ""))
    case.without = {"claims.json", "findings.json", "results.json", "measurements.jsonl", "chapter.json"}
    return case


def bench_unrun():
    case = chapter()
    naive, fused, always, _, card = audited(case)
    for title, claim in (("Step time", naive), ("Fused against naive", fused), ("Peak", card)):
        case.result(title, "UNRUN", "assay bench was not asked to run it.", [claim])
    case.without = {"measurements.jsonl"}
    return case


HOSTILE = ("<script>alert(1)</script> | pipe `tick` ``two`` ]]> --> &amp; \" ' \\ $x$ @name #12 :smile: "
           "[link](javascript:alert(1)) ![i](x) http://a.example www.b.example "
           "\x1b[31mred\x1b[0m \u202eltr\u202c \u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd "
           "{{< s >}} {% raw %} %s%n ${X} !!python/object:os.system 'x' - [ ] # h | --- | </td></table> "
           "\u2028 \ufeff \u200b \U0001f600 a\nb\r\n| c | d |\n```\n~~~\n</details>\n*e* __f__ ~g~ yes: no")


def hostile():
    """The same text, made to break out of every format, in every field."""
    text = f"Start\n{HOSTILE}\nIt takes 5 ms. End\n"
    case = Case(text, book=HOSTILE, chapter=HOSTILE)
    case.file_name = "../../etc/passwd"
    case.block("prose", "Start", "End")
    identity = case.claim("It takes 5 ms.", numbers=[("5", 4.5, 5.5, "m<s>|`", "a\"b")], subject=HOSTILE,
                          contract_fields=[{"name": HOSTILE, "value": HOSTILE, "start": 0, "end": 0}])
    quoted = case.claim(HOSTILE, "mechanism")
    for claim in case.claims:
        claim["heading"] = [HOSTILE, "]]>"]
    for kind in ("contradiction", "unsupported", "confirmed", "note"):
        case.finding(HOSTILE, identity, kind, HOSTILE, "high", "correction", ["5 ms"], expression=HOSTILE,
                     replacement=HOSTILE, url=HOSTILE)
    case.finding("x", quoted, "dated", HOSTILE, suppressed=True, suppression=HOSTILE)
    case.finding("y", "c-nowhere", "implausible", HOSTILE, "medium", "new section", url="javascript:alert(1)")
    case.coverage.append({"check": HOSTILE, "claim": identity, "outcome": "not run", "why": HOSTILE})
    case.reading.append({"topic": HOSTILE, "quote": HOSTILE, "note": HOSTILE, "start": 0, "end": 3})
    case.source(HOSTILE, "link", "abstract only", [identity, HOSTILE], url="https://example.org/a|b`<c>(d)",
                title=HOSTILE, authors=HOSTILE, venue=HOSTILE, year=HOSTILE, version=HOSTILE, context=HOSTILE,
                limitation=HOSTILE, accessed_at=HOSTILE, metadata_status=HOSTILE)
    case.quote(HOSTILE, identity, "QUALIFIES", HOSTILE, HOSTILE)
    case.source("url:javascript:alert(1)", url="javascript:alert(1)")
    case.result(HOSTILE, "FAILED", HOSTILE, [identity, HOSTILE], [(HOSTILE, 5, 4, 6, 6)], log=HOSTILE,
                method=HOSTILE, success=HOSTILE, failure=HOSTILE, contract={HOSTILE: HOSTILE},
                drift=[{"field": HOSTILE, "claimed": HOSTILE, "ours": HOSTILE}], relation=HOSTILE,
                claimed={"text": HOSTILE, "unit": HOSTILE, "lo": 1, "hi": 2})
    case.run("E1", HOSTILE, [9.0, 5.0, 5.5], unit="<ms>")
    case.environment = {HOSTILE: HOSTILE}
    case.stages["audit"] = ("partial", HOSTILE)
    case.snapshot_more = {"reason": HOSTILE, "pack_note": HOSTILE, "final_url": "javascript:alert(1)",
                          "changes": [{"kind": "edited", "old_start": 0, "old_end": 1, "new_start": 0,
                                       "new_end": 1, "diff": HOSTILE, "claims": [
                                           {"id": HOSTILE, "label": HOSTILE, "quote": HOSTILE}]}],
                          "previous_sha256": "1" * 64, "previous_pass": HOSTILE}
    case.brief_identity = {"chapter_number": HOSTILE, "research_pack_url": HOSTILE}
    case.brief_more = {"materials": {"items": [{"label": HOSTILE, "text": HOSTILE, "url": HOSTILE}]}}
    return case


CASES = {make.__name__.replace("_", "-"): make for make in (
    full, recorded, pictures, nothing_to_change, nothing_found, excerpt_only, mismatch, offline, bench_unrun, hostile)}
