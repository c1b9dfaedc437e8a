#!/usr/bin/env python3
"""Scores the audit engine against the labelled corpus.

    score_audit.py [-v] [--only PART] [--json FILE] PROGRAM [CORPUS_DIR]

Runs `PROGRAM check --json FILE` on every document of the corpus (tests/corpus by default), compares the
claims and findings with the labels and prints precision and recall. With -v it also lists what was missed, what is
spurious and what has the wrong value, unit, role or subject, each with file:offset and text. --only takes the documents
whose name contains PART; --json also writes the figures to FILE.

Exit status: 0, or 1 when a run of the program failed, 2 on wrong usage.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROLES = ("measurement", "ratio", "spec", "config", "other")
ALARM = ("contradiction", "inconsistency")
SCALE = {"ns": ("t", 1e-9), "us": ("t", 1e-6), "ms": ("t", 1e-3), "s": ("t", 1.0), "min": ("t", 60.0), "h": ("t", 3600.0),
         "day": ("t", 86400.0), "B": ("d", 1.0), "kB": ("d", 1e3), "MB": ("d", 1e6), "GB": ("d", 1e9), "TB": ("d", 1e12),
         "KiB": ("d", 1024.0), "MiB": ("d", 1024.0**2), "GiB": ("d", 1024.0**3), "TiB": ("d", 1024.0**4),
         "Hz": ("f", 1.0), "kHz": ("f", 1e3), "MHz": ("f", 1e6), "GHz": ("f", 1e9), "W": ("w", 1.0), "kW": ("w", 1e3),
         "mW": ("w", 1e-3), "uW": ("w", 1e-6), "J": ("j", 1.0), "mJ": ("j", 1e-3), "kWh": ("j", 3.6e6), "Wh": ("j", 3600.0),
         "x": ("1", 1.0), "": ("1", 1.0), "%": ("1", 0.01)}
SIGNS = "+-\u2212\u2013~\u2248<>=\u00b1 "


def spans_of(data, label, cache):
    text = label["text"].encode()
    if text not in cache:
        hits, at = [], data.find(text)
        while at >= 0:
            hits.append(at)
            at = data.find(text, at + 1)
        cache[text] = hits
    at = cache[text][label["nth"] - 1]
    return at, at + len(text)


def digits_of(data, span):
    """The span without a leading sign: what a match must cover."""
    text = data[span[0]:span[1]].decode("utf-8", "replace")
    cut = len(text) - len(text.lstrip(SIGNS))
    return span[0] + len(text[:cut].encode()), span[1]


def overlaps(a, b):
    return a[0] < b[1] and b[0] < a[1]


def covers(a, b):
    return a[0] <= b[0] and b[1] <= a[1]


def numbers(value):
    return [float(v) for v in value] if isinstance(value, list) else [float(value)]


def same_value(label, got):
    """True when the values agree, also where both are in convertible units."""
    if label["value"] is None:
        return True
    try:
        a, b = numbers(label["value"]), numbers(got.get("value"))
    except (TypeError, ValueError):
        return False
    if len(a) != len(b):
        return False
    ua, ub = SCALE.get(label["unit"]), SCALE.get(got.get("unit") or "")
    fa, fb = (ua[1], ub[1]) if ua and ub and ua[0] == ub[0] else (1.0, 1.0)
    return all(abs(x * fa - y * fb) <= 1e-6 * max(abs(x * fa), abs(y * fb), 1e-30) for x, y in zip(a, b))


def plain_unit(unit):
    """Nouns in the singular, also above a line: the plural of "requests/s" is spelling."""
    parts = (unit or "").strip().split("/")
    return "/".join(p[:-1] if len(p) > 3 and p.endswith("s") else p for p in parts)


def same_unit(label, got):
    return plain_unit(label["unit"]) == plain_unit(got.get("unit")) and \
        plain_unit(label["per"]) == plain_unit(got.get("per"))


def words(text):
    out = set()
    for w in re.findall(r"[^\W_]+", (text or "").lower()):
        out.add(w[:-1] if len(w) > 3 and w.endswith("s") else w)
    return out


def same_subject(label, subject):
    """Half of the label's words are in the subject, which is not so long that it could hardly miss."""
    want, have = words(label["subject"]), words(subject)
    if not want:
        return True
    return len(want & have) >= 0.5 * len(want) and len(have) <= 3 * len(want) + 6


def run_program(program, path):
    try:
        p = subprocess.run([program, "check", "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as e:
        return None, str(e)
    if p.returncode not in (0, 1, 3):
        return None, f"exit status {p.returncode}: {p.stderr.decode('utf-8', 'replace')[-300:].strip()}"
    try:
        out = json.loads(p.stdout)
        return {"claims": out["claims"], "findings": out["findings"]}, None
    except (ValueError, KeyError, TypeError) as e:
        return None, f"not the expected JSON: {e}"


class Score:
    def __init__(self):
        self.n = collections.Counter()
        self.lines = collections.defaultdict(list)      # category -> listing
        self.role_confusion = collections.Counter()
        self.unit_confusion = collections.Counter()
        self.by_kind = collections.defaultdict(collections.Counter)
        self.by_doc = []
        self.failures = []

    def note(self, category, name, offset, text):
        self.lines[category].append(f"{name}:{offset}: {text}")


def score_document(score, path, out):
    name = os.path.basename(path)
    data = open(path, "rb").read()
    with open(os.path.splitext(path)[0] + ".labels.json", encoding="utf-8") as f:
        labels = json.load(f)
    cache, n = {}, score.n
    n["documents"] += 1

    def context(span):
        a, b = max(0, span[0] - 25), min(len(data), span[1] + 25)
        return re.sub(r"\s+", " ", data[a:span[0]].decode("utf-8", "replace") + "\u27e6"
                      + data[span[0]:span[1]].decode("utf-8", "replace") + "\u27e7"
                      + data[span[1]:b].decode("utf-8", "replace"))

    # quantities
    got, seen = [], set()
    for claim in out["claims"]:
        for q in claim.get("quantities") or []:
            span = (int(q["start"]), int(q["end"]))
            if span in seen:
                continue
            seen.add(span)
            got.append((span, q, q.get("subject") or claim.get("subject") or ""))
    got.sort(key=lambda g: (g[0][0], g[0][1]))
    wanted = [(spans_of(data, q, cache), q) for q in labels["quantities"]]
    wanted.sort(key=lambda w: w[0][0])
    ignored = [spans_of(data, q, cache) for q in labels.get("ignore", [])]
    pairs, used, j = {}, set(), 0
    for i, (span, _) in enumerate(wanted):
        need = digits_of(data, span)
        while j < len(got) and got[j][0][1] <= need[0] and got[j][0][0] + 400 < need[0]:
            j += 1
        best = None
        for k in range(j, len(got)):
            if got[k][0][0] > need[0]:
                break
            if k not in used and covers(got[k][0], need):
                if best is None or got[k][0][1] - got[k][0][0] < got[best][0][1] - got[best][0][0]:
                    best = k
        if best is not None:
            pairs[i] = best
            used.add(best)
    missed = 0
    for i, (span, q) in enumerate(wanted):
        n["labelled"] += 1
        n["labelled " + q["role"]] += 1
        if i not in pairs:
            missed += 1
            n["missed"] += 1
            score.note("missed", name, span[0], f"{q['role']} {q['unit'] or '-'}  {context(span)}")
            continue
        gspan, g, subject = got[pairs[i]]
        n["matched"] += 1
        n["matched " + q["role"]] += 1
        core = q["role"] != "other"
        n["matched core"] += core
        if same_value(q, g):
            n["value ok"] += 1
        else:
            score.note("wrong value", name, span[0], f"want {q['value']} {q['unit']}, got {g.get('value')} {g.get('unit')}  {context(span)}")
        if same_unit(q, g):
            n["unit ok"] += 1
            n["unit ok core"] += core
        else:
            want = q["unit"] + (" per " + q["per"] if q["per"] else "")
            have = (g.get("unit") or "") + (" per " + g["per"] if g.get("per") else "")
            score.unit_confusion[want, have] += 1
            score.note("wrong unit", name, span[0], f"want '{want}', got '{have}'  {context(span)}")
        score.role_confusion[q["role"], g.get("role")] += 1
        if q["role"] == g.get("role"):
            n["role ok"] += 1
            n["role ok core"] += core
        else:
            score.note("wrong role", name, span[0], f"want {q['role']}, got {g.get('role')}  {context(span)}")
        if same_subject(q, subject):
            n["subject ok"] += 1
            n["subject ok core"] += core
        elif core:
            score.note("wrong subject", name, span[0], f"want '{q['subject']}', got '{subject}'  {context(span)}")
    spurious = 0
    for k, (span, g, _) in enumerate(got):
        if k in used:
            continue
        if any(overlaps(span, s) for s in ignored):
            n["ignored"] += 1
            continue
        spurious += 1
        n["spurious"] += 1
        n["spurious core"] += g.get("role") != "other"
        score.note("spurious", name, span[0], f"{g.get('role')} {g.get('value')} {g.get('unit') or '-'}  {context(span)}")

    # relations
    findings = []
    claims = {c.get("id"): c for c in out["claims"]}
    for f in out["findings"]:
        evidence = f.get("evidence") or {}
        places = [(int(p["start"]), int(p["end"])) for p in evidence.get("places") or []]
        if not places and f.get("claim") in claims:
            c = claims[f["claim"]]
            places = [(int(c["start"]), int(c["end"]))]
        findings.append((f.get("class"), places, f))
    alarms = [f for f in findings if f[0] in ALARM]
    confirmed = [f for f in findings if f[0] == "confirmed"]
    broken_spans = []
    found = broken = 0
    for r in labels["relations"]:
        members = [spans_of(data, m, cache) for m in r["members"]]
        kind = score.by_kind[r["kind"]]
        if r["holds"]:
            n["true"] += 1
            kind["true"] += 1
            derived = members[-1]
            hit = any(sum(any(overlaps(m, p) for p in places) for m in members) >= 2 or
                      any(overlaps(derived, p) for p in places) for _, places, _ in confirmed)
            if hit:
                n["confirmed"] += 1
                kind["confirmed"] += 1
            else:
                score.note("true relation not confirmed", name, derived[0], f"{r['kind']}: {r.get('note', '')}")
            continue
        broken += 1
        n["broken"] += 1
        kind["broken"] += 1
        target = spans_of(data, r["broken"], cache)
        broken_spans += members + [target]
        if any(overlaps(s, p) for _, places, _ in alarms for p in places for s in members + [target]):
            found += 1
            n["found"] += 1
            kind["found"] += 1
            if any(overlaps(target, p) for _, places, _ in alarms for p in places):
                n["found at the value"] += 1
        else:
            score.note("broken relation not found", name, target[0],
                       f"{r['kind']}: {r.get('note', '')}, expected {r['expect'][0]:g}..{r['expect'][1]:g}")
    false = 0
    for cls, places, f in alarms:
        if not any(overlaps(p, s) for p in places for s in broken_spans):
            false += 1
            at = places[0][0] if places else 0
            score.note("false alarm", name, at, f"{cls} {f.get('severity')} {f.get('check', '')}: {f.get('message', '')}"[:300])
    n["alarms"] += len(alarms)
    n["false alarms"] += false
    n["documents with a false alarm"] += false > 0
    score.by_doc.append((name, len(wanted), missed, spurious, broken, found, false))


def ratio(a, b):
    return a / b if b else float("nan")


def figures(n):
    core = sum(n["labelled " + r] for r in ROLES[:4])
    got = n["matched"] + n["spurious"]
    f = collections.OrderedDict()
    f["quantity precision"] = (n["matched"], got)
    f["quantity recall"] = (n["matched"], n["labelled"])
    f["quantity precision without other"] = (n["matched core"], n["matched core"] + n["spurious core"])
    f["quantity recall without other"] = (n["matched core"], core)
    for r in ROLES:
        f["recall of " + r] = (n["matched " + r], n["labelled " + r])
    f["value accuracy"] = (n["value ok"], n["matched"])
    f["unit accuracy"] = (n["unit ok"], n["matched"])
    f["role accuracy"] = (n["role ok"], n["matched"])
    f["subject accuracy"] = (n["subject ok"], n["matched"])
    f["subject accuracy without other"] = (n["subject ok core"], n["matched core"])
    f["broken relations found"] = (n["found"], n["broken"])
    f["broken relations found at the value itself"] = (n["found at the value"], n["broken"])
    f["true relations confirmed"] = (n["confirmed"], n["true"])
    f["alarms that are right"] = (n["alarms"] - n["false alarms"], n["alarms"])
    return f


def main():
    ap = argparse.ArgumentParser(description="Scores the audit engine against the labelled corpus.")
    ap.add_argument("program")
    ap.add_argument("corpus", nargs="?", default=os.path.join(HERE, "corpus"))
    ap.add_argument("-v", action="store_true", dest="verbose", help="list every difference")
    ap.add_argument("--only", default="", metavar="PART", help="documents whose name contains PART")
    ap.add_argument("--json", metavar="FILE", help="also write the figures to FILE")
    args = ap.parse_args()
    program = os.path.abspath(args.program) if os.path.exists(args.program) else args.program
    docs = sorted(p for p in glob.glob(os.path.join(args.corpus, "[0-9]*"))
                  if not p.endswith(".labels.json") and args.only in os.path.basename(p))
    if not docs:
        ap.error(f"no documents in {args.corpus}")
    score = Score()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(lambda p: run_program(program, p), docs))
    for path, (out, why) in zip(docs, results):
        if out is not None:
            try:
                trial = Score()                          # so that a malformed answer counts nowhere by half
                score_document(trial, path, out)
                score_document(score, path, out)
                continue
            except (KeyError, TypeError, ValueError, AttributeError) as e:
                why = f"claims or findings of another shape: {type(e).__name__} {e}"
        score.failures.append(f"{os.path.basename(path)}: {why}")

    if args.verbose:
        for category in ("missed", "spurious", "wrong value", "wrong unit", "wrong role", "wrong subject",
                         "broken relation not found", "false alarm", "true relation not confirmed"):
            lines = score.lines.get(category, [])
            print(f"== {category}: {len(lines)}")
            for line in lines:
                print("  " + line)
            print()
        print("== roles, labelled -> given")
        for (want, have), k in score.role_confusion.most_common():
            if want != have:
                print(f"  {want:12} -> {have!s:12} {k:5}")
        print("== units, labelled -> given")
        for (want, have), k in score.unit_confusion.most_common(40):
            print(f"  {want!r:24} -> {have!r:24} {k:5}")
        print("== relations by kind: true confirmed/true, broken found/broken")
        for kind, k in sorted(score.by_kind.items()):
            print(f"  {kind:16} {k['confirmed']:4}/{k['true']:<4} {k['found']:4}/{k['broken']:<4}")
        print("== documents: labelled, missed, spurious, broken, found, false alarms")
        for name, *row in score.by_doc:
            print("  " + name.ljust(44) + " ".join(f"{x:5}" for x in row))
        print()

    n = score.n
    table = figures(n)
    print(f"{n['documents']} documents, {n['labelled']} quantities, {n['true'] + n['broken']} relations, {n['broken']} broken")
    for key, (a, b) in table.items():
        print(f"{key:44} {ratio(a, b):6.3f}   {a} of {b}")
    per20 = 20 * ratio(n["false alarms"], n["documents"])
    print(f"{'false alarms per 20 documents':44} {per20:6.2f}   {n['false alarms']} in {n['documents with a false alarm']} documents")
    for line in score.failures:
        print(f"FAILED {line}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump({"documents": n["documents"], "failed": len(score.failures), "false alarms per 20 documents": per20,
                       "figures": {k: {"value": a / b if b else None, "of": [a, b]} for k, (a, b) in table.items()}}, f, indent=1)
            f.write("\n")
    return 1 if score.failures else 0


if __name__ == "__main__":
    sys.exit(main())
