"""Passes made by hand for the report's tests: artifacts as the stages write them, from short descriptions.

Places are found in the text by what they quote, so that a case can be edited without counting bytes.
"""
import hashlib
import json
import os

TIME = "2026-12-01T12:00:00Z"


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Case:
    """One pass. Texts are str; offsets are bytes of their UTF-8."""

    def __init__(self, text, book="Steps", chapter="The cost of a step", scope="full", verdict="MATCH"):
        self.text, self.book, self.chapter, self.scope, self.verdict = text, book, chapter, scope, verdict
        self.claims, self.findings, self.coverage, self.reading, self.blocks = [], [], [], [], []
        self.headings, self.sources, self.results, self.samples = [], [], [], []
        self.plan, self.quotes = [], []
        self.checks = (3, 3)
        self.stages = dict.fromkeys(("fetch", "audit", "bench"), ("complete", ""))
        self.without = set()  # artifacts left out
        self.file_name = "chapters/12-steps.md"
        self.format, self.snapshot_more = "text", {}
        self.brief_more, self.brief_identity = {}, {}
        self.environment = {"CPU": "8 cores, made up", "kernel": "6.1"}

    def place(self, quote, nth=0):
        """(start, end) in bytes of the nth occurrence."""
        raw, sought, at = self.text.encode(), quote.encode(), -1
        for _ in range(nth + 1):
            at = raw.index(sought, at + 1)
        return at, at + len(sought)

    def heading(self, text):
        start, end = self.place(text)
        self.headings.append({"level": 1, "text": text, "id": "", "parent": None, "block": len(self.blocks)})
        self.blocks.append({"kind": "heading", "start": start, "end": end, "heading": len(self.headings) - 1})

    def block(self, kind, first, last):
        """A block from the beginning of `first` to the end of `last`."""
        self.blocks.append({"kind": kind, "start": self.place(first)[0], "end": self.place(last)[1],
                            "heading": len(self.headings) - 1 if self.headings else None})

    def claim(self, quote, kind="measurement", numbers=(), nth=0, **more):
        """numbers: (printed, lo, hi, unit, per). Returns the id."""
        start, end = self.place(quote, nth)
        number = len(self.claims) + 1
        identity = "c-" + sha(f"{kind}{quote}{nth}")[:8]
        quantities = []
        for printed, low, high, unit, per in numbers:
            at = start + quote.encode().index(printed.encode())
            quantities.append({"value": (low + high) / 2, "lo": low, "hi": high, "unit": unit, "per": per,
                               "start": at, "end": at + len(printed.encode()), "role": "measurement",
                               "printed": printed, "subject": ""})
        self.claims.append({"id": identity, "label": f"C{number}", "kind": kind, "start": start, "end": end,
                            "quote": quote, "heading": [h["text"] for h in self.headings[-1:]],
                            "block": "prose", "subject": "", "priority": "info", "response": "no change",
                            "contract": {"drifts": []}, "contract_fields": [], "quantities": quantities, **more})
        return identity

    def finding(self, check, claim, kind, message, severity="info", response="no change", places=(), **more):
        number = len(self.findings) + 1
        evidence = {"places": [dict(zip(("start", "end"), self.place(q))) for q in places],
                    "expression": more.pop("expression", ""), "expected_lo": None, "expected_hi": None,
                    "chance": None, "numbers": []}
        self.findings.append({"id": "f-" + sha(f"{check}{claim}{number}")[:8], "check": check, "claim": claim,
                              "class": kind, "severity": severity, "message": message, "evidence": evidence,
                              "response": response, "replacement": "", "url": "", "suppressed": False,
                              "suppression": "", **more})

    def source(self, identity, kind="link", reading="lead", claims=(), **more):
        self.sources.append({"id": identity, "label": f"S{len(self.sources) + 1}", "kind": kind, "url": "",
                             "title": "UNVERIFIED", "authors": "UNVERIFIED", "venue": "UNVERIFIED",
                             "year": "UNVERIFIED", "version": "UNVERIFIED", "metadata_status": "UNVERIFIED",
                             "found_in": "brief", "reading": reading, "start": 0, "end": 0,
                             "claims": list(claims), **more})

    def quote(self, source, claim, relation, passage, note="", reading="full text", kind="source-reported"):
        """A passage of the listed source with that id, tied to the claim, as the ledger has it."""
        row = next(s for s in self.sources if s["id"] == source)
        event = {"at": TIME, "who": "a person", "command": "assay evidence add", "what": "recorded"}
        named = next(c for c in self.claims if c["id"] == claim)
        anchor = {"start": 100, "end": 100 + len(passage.encode()), "sha256": "a" * 64, "quote": passage,
                  "prefix": "before ", "suffix": " behind"}
        self.quotes.append((
            {"schema": "assay.ledger-source.v1", "id": "s-" + sha(source)[:12], "canonical": source, "kind": row["kind"],
             "url": row["url"], "title": row["title"], "authors": row["authors"], "venue": row["venue"],
             "year": row["year"], "version": row["version"], "metadata_status": row["metadata_status"],
             "reading": reading, "reading_reason": "read whole", "read_at": TIME, "text_sha256": "a" * 64,
             "text_bytes": 1000, "text_form": "html", "text_from": row["url"], "original_sha256": "b" * 64,
             "archive": "", "history": [event]},
            {"schema": "assay.ledger-evidence.v1", "id": "e-" + sha(claim + source + passage)[:12],
             "source": "s-" + sha(source)[:12], "relation": relation, "class": kind, "quote_given": "",
             "normalization": "", "note": note, "state_reason": "", "reading": reading, "state": "current",
             "claim": {"book": "steps", "chapter": "cost", "pass": "steps:cost:20261201T120000:0123456789ab",
                       "id": claim, "label": named["label"],
                       "anchor": {**anchor, "quote": named["quote"], "start": named["start"], "end": named["end"]}},
             "anchor": anchor, "history": [event]}))

    def result(self, title, status, reason, claims=(), measured=(), **more):
        """measured: (variant, median, low, high, processes)."""
        unit = more.pop("measured_unit", "ms")
        rows = [{"variant": v, "n": n, "median": m, "ci95": [lo, hi], "rank95": [None, None],
                 "unit": unit,
                 "samples": n * 10, "warmup_dropped": n, "outliers": 0, "autocorrelation": None}
                for v, m, lo, hi, n in measured]
        self.results.append({"id": f"E{len(self.results) + 1}", "title": title, "kind": "order",
                             "claims": list(claims), "status": status, "reason": reason,
                             "contract": {"workload": "mlp"}, "drift": [], "scaled": {},
                             "claimed": {"text": "", "unit": "", "lo": None, "hi": None}, "measured": rows,
                             "effects": [], "conditions": [], "disturbances": [], "match": "none",
                             "relation": "A < B", "method": "Both variants in turn, in processes of their own.",
                             "success": "the interval of the ratio lies below 1",
                             "failure": "the interval lies above 1", "noise_floor": None, "log": "", **more})

    def planned(self, *variants):
        """The variants of the result that was added last: (name, boundary, metric, unit, parameters)."""
        last = self.results[-1]
        self.plan.append({"id": last["id"], "title": last["title"], "kind": last["kind"], "claims": last["claims"],
                          "relation": last["relation"], "method": last["method"], "success": last["success"],
                          "failure": last["failure"], "device": "cpu", "skip_reason": "", "tolerance": None,
                          "budget_seconds": 1, "claimed": last["claimed"], "judged": len(variants), "conditions": [],
                          "contract": last["contract"], "scaled": {},
                          "variants": [{"name": n, "workload": "mlp", "boundary": b, "metric": m, "unit": u,
                                        "parameters": p} for n, b, m, u, p in variants]})

    def run(self, experiment, variant, values, process=0, unit="ms", outliers=(), warmup=1):
        """Samples of one finished process; the first `warmup` values are warm-up."""
        for i, value in enumerate(values):
            self.samples.append({"schema": "assay.measurement.v1", "experiment": experiment,
                                 "variant": variant, "process": process, "block": 0, "iteration": i,
                                 "value": value, "unit": unit, "warmup": i < warmup,
                                 "outlier": i in outliers, "sham": False, "environment": ""})
        self.samples.append({"schema": "assay.process.v1", "experiment": experiment, "key": "k",
                             "process": process, "end": "finished", "reason": "", "log": "",
                             "wall_seconds": 1, "cpu_seconds": 1, "disturbances": [], "environment": ""})

    def artifacts(self):
        """name -> bytes of every file of the pass."""
        digest = sha(self.text) if self.scope != "none" else ""
        stage = {name: {"state": s, "started_at": TIME, "finished_at": TIME, "detail": d}
                 for name, (s, d) in self.stages.items()}
        stage["report"] = {"state": "not started", "started_at": "", "finished_at": "", "detail": ""}
        made = {
            "pass.json": {"schema": "assay.pass.v1", "id": "steps:cost:20261201T120000:0123456789ab",
                          "book": "steps", "chapter": "cost", "stable_id": "steps/cost", "created_at": TIME,
                          "tool_version": "0.1.0", "environment": "Linux x86_64",
                          "command": "assay run brief.txt", "scope": self.scope, "fingerprint": self.verdict,
                          "stages": stage, "sealed": False},
            "brief.json": dict({"schema": "assay.brief.v1", "format": "research-brief", "identity": dict(
                {"book": self.book, "chapter": self.chapter, "chapter_number": "12",
                 "stable_id": "steps/cost", "chapter_url": "https://example.org/books/steps/12/"},
                **self.brief_identity)}, **self.brief_more),
            "snapshot.json": dict({"schema": "assay.snapshot.v1", "origin": "file", "scope": self.scope,
                                   "requested_url": "", "final_url": "", "file_name": self.file_name,
                                   "received_at": TIME, "sha256": digest, "charset": "utf-8",
                                   "expected": digest, "profile": "raw" if self.verdict == "MATCH" else "",
                                   "profiles_tried": "raw", "reason": "", "previous_sha256": "",
                                   "previous_pass": "", "pack_note": "", "verdict": self.verdict, "bytes": len(self.text.encode()),
                                   "replaced": 0, "http_status": 0, "headers": [], "redirects": [],
                                   "changes": [], "changes_left_out": 0}, **self.snapshot_more),
            "chapter.json": {"schema": "assay.chapter.v1", "format": self.format,
                             "text": {"sha256": digest, "bytes": len(self.text.encode())},
                             "aligned_bytes": len(self.text.encode()), "masked": "", "metadata": [],
                             "headings": self.headings, "blocks": self.blocks, "links": []},
            "sources.json": {"schema": "assay.sources.v1", "sources": self.sources},
            "claims.json": {"schema": "assay.claims.v1", "text": {"file": "snapshot.txt", "sha256": digest},
                            "claims": self.claims},
            "findings.json": {"schema": "assay.findings.v1",
                              "checks": dict(zip(("total", "completed"), self.checks)),
                              "findings": self.findings, "coverage": self.coverage, "reading": self.reading},
            "results.json": {"schema": "assay.results.v1", "started_at": TIME, "finished_at": TIME,
                             "environment": self.environment, "experiments": self.results},
        }
        if self.plan:
            made["plan.json"] = {"schema": "assay.plan.v1", "backend": "cpu", "budget_seconds": 60,
                                 "experiments": self.plan}
        if self.quotes:
            made["evidence.json"] = {"schema": "assay.evidence.v1", "evidence": [e for _, e in self.quotes],
                                     "sources": list({s["id"]: s for s, _ in self.quotes}.values())}
        files = {name: json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
                 for name, value in made.items() if name not in self.without}
        files["measurements.jsonl"] = b"".join(json.dumps(s).encode() + b"\n" for s in self.samples)
        if self.scope != "none":
            files["snapshot.txt"] = self.text.encode()
        return {name: data for name, data in files.items() if name not in self.without}

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for name, data in self.artifacts().items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        return folder
