#!/usr/bin/env python3
"""Checks the labels of the corpus against its documents. TAP on stdout.

    check_labels.py [CORPUS_DIR]

Every label must point at existing bytes and be well formed, the counts in README.md must be true, a broken
value must lie outside what its relation expects, and the arithmetic of small relations is worked out
again here from the printed digits, with exact fractions.
"""
import ast
import glob
import json
import os
import re
import sys
from decimal import Decimal
from fractions import Fraction

HERE = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
ROLES = {"measurement", "ratio", "spec", "config", "other"}
KINDS = {"sum", "difference", "product", "ratio", "percent-change", "share", "speedup", "throughput",
         "bandwidth", "mean", "ordering", "total-100", "a+b/n", "restatement", "prose-ratio"}
REVERIFIED = {"sum", "difference", "ratio", "percent-change", "product", "share", "speedup"}
# Unit -> (dimension, factor to its base). Units not listed only combine with themselves.
SCALE = {"ns": ("time", Decimal("1e-9")), "us": ("time", Decimal("1e-6")), "ms": ("time", Decimal("1e-3")),
         "s": ("time", Decimal(1)), "min": ("time", Decimal(60)), "h": ("time", Decimal(3600)),
         "day": ("time", Decimal(86400)), "year": ("time", Decimal(31536000)),
         "B": ("data", Decimal(1)), "kB": ("data", Decimal("1e3")), "MB": ("data", Decimal("1e6")),
         "GB": ("data", Decimal("1e9")), "TB": ("data", Decimal("1e12")), "KiB": ("data", Decimal(1024)),
         "MiB": ("data", Decimal(1024) ** 2), "GiB": ("data", Decimal(1024) ** 3),
         "TiB": ("data", Decimal(1024) ** 4), "bit": ("data", Decimal("0.125")),
         "kbit": ("data", Decimal(125)), "Mbit": ("data", Decimal("125e3")), "Gbit": ("data", Decimal("125e6")),
         "J": ("energy", Decimal(1)), "mJ": ("energy", Decimal("1e-3")), "uJ": ("energy", Decimal("1e-6")),
         "kWh": ("energy", Decimal("3.6e6")), "Wh": ("energy", Decimal(3600)), "MWh": ("energy", Decimal("3.6e9")),
         "W": ("power", Decimal(1)), "mW": ("power", Decimal("1e-3")), "uW": ("power", Decimal("1e-6")),
         "kW": ("power", Decimal(1000)), "Hz": ("frequency", Decimal(1)), "kHz": ("frequency", Decimal(1000)),
         "MHz": ("frequency", Decimal("1e6")), "GHz": ("frequency", Decimal("1e9")),
         "A": ("current", Decimal(1)), "mA": ("current", Decimal("1e-3")), "uA": ("current", Decimal("1e-6")),
         "V": ("voltage", Decimal(1)), "mV": ("voltage", Decimal("1e-3")),
         "mC": ("charge", Decimal("1e-3")), "uC": ("charge", Decimal("1e-6")), "mAh": ("charge", Decimal("3.6")),
         "USD": ("USD", Decimal(1)), "EUR": ("EUR", Decimal(1))}
# Constants of an expression that only turn units or make per cent; with another one, three members are not all.
PLAIN = {"1", "60", "100", "1000", "1000000", "1000000000", "1024", "1048576", "3600"}
DIGITS = re.compile(r"[0-9][0-9.,]*")


def occurrences(data, text):
    """Byte offsets of text in data, overlapping ones included."""
    at = data.find(text)
    while at >= 0:
        yield at
        at = data.find(text, at + 1)


class Places:
    """nth occurrence of a text -> byte offset, with the offsets of each text searched once."""

    def __init__(self, data):
        self.data, self.seen = data, {}

    def find(self, label):
        text = label["text"].encode()
        if text not in self.seen:
            self.seen[text] = list(occurrences(self.data, text)) if text else []
        n = label["nth"]
        return self.seen[text][n - 1] if 1 <= n <= len(self.seen[text]) else None


def duration_half(text, unit):
    """Half the last printed place of 1h 12m, 3m42.118s or 3:42 in the label's unit; 0 for what is no duration."""
    clock = re.fullmatch(r"\d+(:\d\d)+(\.\d+)?", text)
    named = re.fullmatch(r"(?:\d+\s*h)?\s*(?:\d+\s*m(?:in)?)?\s*(?:[\d.]+\s*s)?", text)
    if SCALE.get(unit, ("", 0))[0] != "time" or not (clock or named):
        return Fraction(0)
    last = 1 if clock else {"h": 3600, "m": 60, "n": 60, "s": 1}[text[-1]]
    decimals = re.search(r"\.(\d+)", text)
    places = len(decimals[1]) if decimals else 0
    return Fraction(last) / (2 * Fraction(10) ** places) / Fraction(SCALE[unit][1])


def interval(q):
    """What the printed digits stand for, in the label's own unit, as exact fractions."""
    value = q["value"]
    if value is None:
        return None
    if isinstance(value, list):
        lo, hi = Fraction(str(value[0])), Fraction(str(value[1]))
        return lo, hi
    v = Fraction(str(value))
    text = q["text"]
    if not re.search(r"[0-9]", text):                 # a word: twice, half, a third
        return v - abs(v) / 8, v + abs(v) / 8
    if re.fullmatch(r"\d+\^\d+|\d+/\d+|10[⁰-⁹⁻¹²³]+", text):
        return v, v
    if re.search(r"[hm:]", text):
        half = duration_half(text, q["unit"])
        return v - half, v + half
    if q["role"] in ("config", "spec") and v.denominator == 1:
        return v, v
    mantissa = re.split(r"\s*[×·*x]\s*10|[eE]", text)[0]
    number = DIGITS.search(mantissa)
    digits = re.sub(r"[^0-9.,]", "", re.sub("&nbsp;", "", mantissa))
    if not number:
        return v, v
    # The last printed digit's weight: the decimal mark that makes the digits equal the value up to 10^k.
    best = None
    for mark in (".", ","):
        plain = digits.replace("," if mark == "." else ".", "").replace(mark, ".")
        if plain.count(".") > 1 or not re.fullmatch(r"\d*\.?\d*", plain) or plain in ("", "."):
            continue
        f = Fraction(plain)
        if f == 0:
            scale = Fraction(1)
        else:
            scale = abs(v) / f
        places = len(plain.split(".")[1]) if "." in plain else 0
        k = scale
        while k >= 10 and k % 10 == 0:
            k /= 10
        while 0 < k < 1:
            k *= 10
        if k == 1 or best is None:
            half = scale / (2 * Fraction(10) ** places)
            if best is None or k == 1 and not best[1]:
                best = (half, k == 1)
    half = best[0] if best else Fraction(0)
    if q.get("hedged"):
        half = max(half, abs(v) / 10)
    return v - half, v + half


def base(q):
    """(dimension, interval in the dimension's base unit)."""
    got = interval(q)
    if got is None:
        return None
    unit, per = q["unit"], q["per"]
    if unit in SCALE:
        dim, f = SCALE[unit]
        f = Fraction(f)
        return (dim, per), (got[0] * f, got[1] * f)
    return (unit, per), got


def add(a, b): return a[0] + b[0], a[1] + b[1]
def sub(a, b): return a[0] - b[1], a[1] - b[0]
def mul(a, b):
    p = [x * y for x in a for y in b]
    return min(p), max(p)
def div(a, b): return None if b[0] <= 0 <= b[1] else mul(a, (1 / b[1], 1 / b[0]))
def times(a, k): return mul(a, (Fraction(k), Fraction(k)))
def meets(a, b): return a is not None and b is not None and a[0] <= b[1] and b[0] <= a[1]


def reverify(kind, qs):
    """True / False / None (cannot be decided here) for two or three members, the derived one last."""
    got = [base(q) for q in qs]
    if any(g is None for g in got):
        return None
    dims, ivs = [g[0] for g in got], [g[1] for g in got]
    if kind in ("sum", "difference"):
        if len(set(dims)) != 1:
            return None
        if len(qs) == 2:
            return None                # a constant takes part that the members do not show
        a, b, c = ivs
        if kind == "sum":
            return meets(add(a, b), c)
        return meets(sub(a, b), c) or meets(sub(b, a), c)
    if len(qs) == 2:
        return None
    a, b, c = ivs
    if kind in ("percent-change", "share", "ratio", "speedup"):
        if dims[0] != dims[1]:
            return None
        tests = []
        for x, y in ((a, b), (b, a)):
            r = div(x, y)
            if r is None:
                continue
            tests.append(r)
            if kind == "percent-change":
                tests += [sub(r, (1, 1)), times(sub(r, (1, 1)), -1)]
        if qs[2]["unit"] == "%":
            tests = [times(t, 100) for t in tests]
        elif qs[2]["unit"] not in ("x", "", "%"):
            return None
        return any(meets(t, c) for t in tests)
    if kind == "product":
        if any(d[0] in ("time", "data", "power", "current", "voltage", "charge", "energy", "%") for d in dims):
            return None                # the product's unit needs more than a table of scales
        return meets(mul(a, b), c)
    return None


def rising(qs):
    """True when the values, turned to one unit, do not fall from one member to the next."""
    got = [base(q) for q in qs]
    return None not in got and len({g[0] for g in got}) == 1 and \
        all(one[1][0] <= two[1][1] for one, two in zip(got, got[1:]))


def total(qs):
    parts = [interval(q) for q in qs]
    return None if None in parts else (sum(p[0] for p in parts), sum(p[1] for p in parts))


def evaluate(expr, members):
    """The interval of an expression over m1, m2, ... by interval arithmetic."""
    ops = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: div}

    def walk(node):
        if isinstance(node, ast.BinOp) and type(node.op) in ops:
            left, right = walk(node.left), walk(node.right)
            return None if left is None or right is None else ops[type(node.op)](left, right)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return Fraction(str(node.value)), Fraction(str(node.value))
        if isinstance(node, ast.Name) and re.fullmatch(r"m[1-9]\d*", node.id):
            return interval(members[int(node.id[1:]) - 1])
        raise ValueError(f"cannot read {expr!r}")

    return walk(ast.parse(expr, mode="eval").body)


def close(x, y):
    return abs(float(x) - float(y)) <= 1e-6 * max(abs(float(x)), abs(float(y)), 1e-9)


def check_document(path):
    """The problems of one document and how many of its relations could be worked out again."""
    bad, redone = [], 0
    data = open(path, "rb").read()
    stem = os.path.splitext(path)[0]
    with open(stem + ".labels.json", encoding="utf-8") as f:
        labels = json.load(f)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as e:
        bad.append(f"not UTF-8: {e}")
    places = Places(data)
    spans, index = [], {}
    for q in labels["quantities"]:
        where = f"{q.get('text')!r} #{q.get('nth')}"
        at = places.find(q)
        if at is None:
            bad.append(f"{where}: no such occurrence")
            continue
        if set(q) - {"hedged"} != {"text", "nth", "value", "unit", "per", "role", "subject"}:
            bad.append(f"{where}: keys {sorted(q)}")
            continue
        if q["role"] not in ROLES:
            bad.append(f"{where}: role {q['role']!r}")
        if not q["subject"]:
            bad.append(f"{where}: no subject")
        if q["value"] is None and q["role"] != "other":
            bad.append(f"{where}: no value")
        if (q["text"], q["nth"]) in index:
            bad.append(f"{where}: labelled twice")
        index[q["text"], q["nth"]] = q
        spans.append((at, at + len(q["text"].encode()), where))
    for q in labels.get("ignore", []):
        at = places.find(q)
        if at is None:
            bad.append(f"ignore {q['text']!r} #{q['nth']}: no such occurrence")
        else:
            spans.append((at, at + len(q["text"].encode()), f"ignore {q['text']!r} #{q['nth']}"))
    spans.sort()
    for one, two in zip(spans, spans[1:]):
        if two[0] < one[1]:
            bad.append(f"{one[2]} and {two[2]} overlap")
    for r in labels["relations"]:
        name = f"{r['kind']} {r.get('note', '')!r}"
        if r["kind"] not in KINDS:
            bad.append(f"{name}: kind")
        if len(r["members"]) < 2:
            bad.append(f"{name}: fewer than two members")
        members = [index.get((m["text"], m["nth"])) for m in r["members"]]
        if None in members:
            bad.append(f"{name}: a member is not a labelled quantity")
            continue
        if r["holds"] is False:
            key = (r["broken"]["text"], r["broken"]["nth"])
            if key not in [(m["text"], m["nth"]) for m in r["members"]]:
                bad.append(f"{name}: the broken value is not a member")
                continue
            q, lo, hi = index[key], r["expect"][0], r["expect"][1]
            v = q["value"] if isinstance(q["value"], list) else [q["value"], q["value"]]
            if v[1] >= lo and v[0] <= hi:
                bad.append(f"{name}: the broken value {q['value']} lies inside {r['expect']}")
        elif "broken" in r:
            bad.append(f"{name}: holds, yet names a broken value")
        constants = set(re.findall(r"(?<![m\d.])\d+(?:\.\d+)?", r.get("expr", "")))
        if "expr" in r:
            got, last = evaluate(r["expr"], members), interval(members[-1])
            if got is None or last is None:
                bad.append(f"{name}: {r['expr']} has no value")
            else:
                redone += 1
                if meets(got, last) != r["holds"]:
                    bad.append(f"{name}: {r['expr']} gives {float(got[0]):g}..{float(got[1]):g}")
                if not (close(got[0], r["expect"][0]) and close(got[1], r["expect"][1])):
                    bad.append(f"{name}: expect is {r['expect']}, worked out {float(got[0])!r}..{float(got[1])!r}")
        if r["kind"] == "ordering" and r["holds"] and not rising(members):
            bad.append(f"{name}: not in rising order")
        if r["kind"] == "total-100" and r["holds"] and not meets(total(members), (Fraction(100), Fraction(100))):
            bad.append(f"{name}: does not add up to 100")
        if r["kind"] in REVERIFIED and constants <= PLAIN and len(members) in (2, 3) and r["holds"]:
            verdict = reverify(r["kind"], members)
            if verdict is False:
                bad.append(f"{name}: does not hold when worked out again")
    return bad, redone, labels


def main():
    n, failed = 0, 0

    def say(ok, name, why=()):
        nonlocal n, failed
        n += 1
        failed += not ok
        print(f"{'ok' if ok else 'not ok'} {n} - {name}")
        for line in why:
            print(f"# {line}")

    docs = sorted(p for p in glob.glob(os.path.join(HERE, "[0-9]*")) if not p.endswith(".labels.json"))
    counts = dict.fromkeys(("documents", "quantities", "relations", "broken relations", "clean documents",
                            "HTML documents", "arithmetic worked out again"), 0)
    for path in docs:
        name = "corpus/" + os.path.basename(path)
        try:
            bad, redone, labels = check_document(path)
        except (OSError, ValueError, KeyError, TypeError) as e:
            say(False, name, [f"{type(e).__name__}: {e}"])
            continue
        broken = sum(not r["holds"] for r in labels["relations"])
        counts["documents"] += 1
        counts["quantities"] += len(labels["quantities"])
        counts["relations"] += len(labels["relations"])
        counts["broken relations"] += broken
        counts["clean documents"] += len(labels["relations"]) > 0 and not broken
        counts["HTML documents"] += path.endswith(".html")
        counts["arithmetic worked out again"] += redone
        say(not bad, name, bad)
    orphans = [p for p in glob.glob(os.path.join(HERE, "*.labels.json"))
               if not any(os.path.splitext(d)[0] + ".labels.json" == p for d in docs)]
    say(not orphans, "corpus: every label file has its document", orphans)
    claimed = {}
    try:
        with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
            for line in f:
                m = re.match(r"\|\s*([A-Za-z ]+?)\s*\|\s*([0-9,]+)\s*\|", line)
                if m:
                    claimed[m[1]] = int(m[2].replace(",", ""))
    except OSError as e:
        say(False, "corpus: README.md", [str(e)])
    wrong = [f"{k}: README says {claimed.get(k)}, counted {v}" for k, v in counts.items() if claimed.get(k) != v]
    say(not wrong, "corpus: the counts in README.md are true", wrong)
    print(f"1..{n}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
