#!/usr/bin/env python3
"""Checks the fact tables in audit/data/*.tsv. Prints TAP; exits 1 if any check fails."""
import pathlib
import re
import sys

DATA = pathlib.Path(__file__).resolve().parents[2] / "audit" / "data"

FORMATS = ["tf32", "fp16", "bf16", "fp8", "int8"]
DENSE = [f + ("_tensor_dense_tops" if f == "int8" else "_tensor_dense") for f in FORMATS]
SPARSE = [f + ("_tensor_sparse_tops" if f == "int8" else "_tensor_sparse") for f in FORMATS]

COLUMNS = {
    "gpus": """id name vendor aliases form released arch compute_capability sm_count cuda_cores
        boost_mhz memory_gb memory_mib memory_type memory_bus_bits bandwidth_gbs l2_kib tdp_w
        fp64_tflops fp32_tflops""".split() + DENSE + SPARSE
        + "fp16_acc32_tensor_dense nvlink_gbs source source_url as_of".split(),
    "cpus": """id name vendor aliases released cores threads base_mhz boost_mhz l3_mib
        memory_channels memory_type memory_mts bandwidth_gbs simd fp32_flops_per_cycle_core tdp_w
        source source_url as_of""".split(),
    "software": "product version released end_of_life superseded_by source source_url as_of".split(),
    "pairs": "product version with with_version relation note source source_url as_of".split(),
}
NUMBERS = {
    "gpus": """sm_count cuda_cores boost_mhz memory_gb memory_mib memory_bus_bits bandwidth_gbs
        l2_kib tdp_w fp64_tflops fp32_tflops fp16_acc32_tensor_dense nvlink_gbs""".split()
        + DENSE + SPARSE,
    "cpus": """cores threads base_mhz boost_mhz l3_mib memory_channels memory_mts bandwidth_gbs
        fp32_flops_per_cycle_core tdp_w""".split(),
    "software": [],
    "pairs": [],
}
DATES = {"gpus": ["released", "as_of"], "cpus": ["released", "as_of"],
         "software": ["released", "end_of_life", "as_of"], "pairs": ["as_of"]}
FORMS = {"PCIe", "SXM", "NVL", "desktop", "mobile", "module"}
RELATIONS = {"supported", "default-wheel", "unsupported", "requires-min", "requires-max"}

# Names that several SKUs share on purpose: a text that says no more has not named its hardware.
AMBIGUOUS = {re.sub(r"[\s-]", "", n.lower()) for n in """
    M40; Tesla M40; P100; Tesla P100; V100; Tesla V100; V100 PCIe; V100 SXM2; A100; A100 PCIe;
    A100 SXM; A100 SXM4; A100 40GB; A100 80GB; A800; A800 80GB; RTX A2000; A2000; H100; H100 80GB;
    H200; H800; GTX 1060; GeForce GTX 1060; GTX 1650; GeForce GTX 1650; RTX 2060;
    GeForce RTX 2060; RTX 3050; GeForce RTX 3050; RTX 3060; GeForce RTX 3060; RTX 3080;
    GeForce RTX 3080; RTX 4060 Ti; GeForce RTX 4060 Ti; RTX 5060 Ti; GeForce RTX 5060 Ti;
    RTX PRO 6000; AGX Orin; Jetson AGX Orin; Orin Nano; Jetson Orin Nano""".split(";")
    for n in [n.strip()]}

# FLOPs per lane and clock; AMD counts dual issue on these.
FLOPS_PER_LANE = {"RDNA 3": 4, "RDNA 4": 4, "CDNA 3": 4, "CDNA 4": 4}

# Gbit/s a pin that parts of a memory type have shipped with.
PIN_RATE = {"GDDR5": (5, 9), "GDDR5X": (10, 11.5), "GDDR6": (10, 20.2), "GDDR6X": (18.5, 24),
            "GDDR7": (24, 32), "HBM2": (1.3, 2.5), "HBM2e": (2.4, 3.7), "HBM3": (4.5, 6.6),
            "HBM3e": (5.7, 9.3), "LPDDR4X": (3.2, 4.3), "LPDDR5": (4.2, 6.5), "LPDDR5X": (6.4, 9.7)}

# The roofline table of facts/bench.md: SMs, lanes, boost, FP32 TFLOPS, GB/s.
ROOFLINE = {"rtx-2060-6": (30, 1920, 1680, 6.45, 336), "rtx-2060-12": (34, 2176, 1650, 7.18, 336),
            "t4": (40, 2560, 1590, 8.14, 320), "rtx-3090": (82, 10496, 1695, 35.6, 936),
            "a100-sxm-40": (108, 6912, 1410, 19.5, 1555), "a100-sxm-80": (108, 6912, 1410, 19.5, 2039),
            "h100-sxm-80": (132, 16896, 1980, 66.9, 3350), "h200-sxm-141": (132, 16896, 1980, 66.9, 4800),
            "rtx-4090": (128, 16384, 2520, 82.6, 1008)}

checks = []


def check(name, problems):
    problems = list(problems)
    checks.append(not problems)
    print(f"{'not ok' if problems else 'ok'} - {name}")
    for p in problems[:20]:
        print(f"#   {p}")


def read(table):
    """Header columns, rows as dicts, and complaints about the shape of the file."""
    raw = (DATA / f"{table}.tsv").read_bytes()
    shape = []
    if any(b > 126 or (b < 32 and b not in (9, 10)) for b in raw):
        shape.append("not plain ASCII with LF line ends")
    if not raw.endswith(b"\n"):
        shape.append("no final newline")
    lines = raw.decode("ascii", "replace").splitlines()
    while lines and lines[0].startswith("#"):
        if not re.match(r"# \S", lines[0]):
            shape.append(f"comment not '# text': {lines[0]}")
        lines.pop(0)
    header = lines[0].split("\t") if lines else []
    rows = []
    for n, line in enumerate(lines[1:], 1):
        cells = line.split("\t")
        if len(cells) != len(header):
            shape.append(f"row {n} has {len(cells)} cells, header has {len(header)}")
        if any(c != c.strip() or '"' in c for c in cells):
            shape.append(f"row {n}: stray space or quote")
        rows.append(dict(zip(header, cells)))
    return header, rows, shape


def number(cell):
    return float(cell) if cell else None


def off(a, b):
    """Relative difference of two known values."""
    return abs(a - b) / abs(b)


def label(row):
    return row.get("id") or f"{row['product']} {row['version']}"


def names_of(row):
    out = [row["name"]] + [a for a in row["aliases"].split(";") if a]
    return {re.sub(r"[\s-]", "", n.lower()) for n in out}


def shared_names(rows):
    owners = {}
    for row in rows:
        for n in names_of(row):
            owners.setdefault(n, []).append(row["id"])
    return {n: ids for n, ids in owners.items() if len(ids) > 1}


tables = {}
for table, columns in COLUMNS.items():
    header, rows, shape = read(table)
    tables[table] = rows
    check(f"{table}: plain TSV, every row as wide as the header", shape)
    check(f"{table}: header present and complete",
          [] if header == columns else [f"missing {set(columns) - set(header)}, extra {set(header) - set(columns)}, or order"])
    check(f"{table}: numbers parse and are not negative",
          (f"{label(r)} {c}={r[c]}" for r in rows for c in NUMBERS[table]
           if r[c] and not re.fullmatch(r"\d+(\.\d+)?", r[c])))
    check(f"{table}: dates parse",
          (f"{label(r)} {c}={r[c]}" for r in rows for c in DATES[table]
           if r[c] and not re.fullmatch(r"(19|20)\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?", r[c])))
    check(f"{table}: every row has a source and an as_of",
          (label(r) for r in rows if not r["source"] or not r["as_of"]))
    check(f"{table}: source_url is empty or https",
          (f"{label(r)} {r['source_url']}" for r in rows if r["source_url"] and not r["source_url"].startswith("https://")))

gpus, cpus, software, pairs = (tables[t] for t in ("gpus", "cpus", "software", "pairs"))

for table in ("gpus", "cpus"):
    rows = tables[table]
    ids = [r["id"] for r in rows]
    check(f"{table}: ids unique and slugs",
          [i for i in ids if ids.count(i) > 1 or not re.fullmatch(r"[a-z0-9][a-z0-9-]*", i)])
    allowed = AMBIGUOUS if table == "gpus" else set()
    check(f"{table}: names and aliases unique unless deliberately ambiguous",
          (f"{n}: {ids}" for n, ids in shared_names(rows).items() if n not in allowed))
    check(f"{table}: name and vendor present", (r["id"] for r in rows if not r["name"] or not r["vendor"]))
check("gpus: every deliberately ambiguous name is shared by two rows", AMBIGUOUS - set(shared_names(gpus)))
check("gpus: at least 60", [] if len(gpus) >= 60 else [len(gpus)])
check("cpus: at least 20", [] if len(cpus) >= 20 else [len(cpus)])
check("gpus: form is one of the known", (f"{r['id']} {r['form']}" for r in gpus if r["form"] not in FORMS))


def fp32_problems():
    for r in gpus:
        cores, boost, tf = (number(r[c]) for c in ("cuda_cores", "boost_mhz", "fp32_tflops"))
        if cores and boost and tf:
            want = FLOPS_PER_LANE.get(r["arch"], 2) * cores * boost / 1e6
            if off(tf, want) > 0.03:
                yield f"{r['id']}: {tf} printed, {want:.2f} from cores and boost"


def sparse_problems():
    for r in gpus:
        for d, s in zip(DENSE, SPARSE):
            dense, sparse = number(r[d]), number(r[s])
            if dense and sparse and off(sparse, 2 * dense) > 0.02:
                yield f"{r['id']}: {s}={sparse} is not 2 x {d}={dense}"
            if sparse and not dense:
                yield f"{r['id']}: {s} without {d}"


def pin_problems():
    for r in gpus:
        bw, bus = number(r["bandwidth_gbs"]), number(r["memory_bus_bits"])
        if bw and bus:
            rate, (lo, hi) = bw * 8 / bus, PIN_RATE[r["memory_type"]]
            if not lo <= rate <= hi:
                yield f"{r['id']}: {rate:.2f} Gbit/s a pin is not {r['memory_type']}"


def lane_problems():
    per_sm = {"6.0": 64, "7.0": 64, "7.5": 64, "8.0": 64, "3.7": 192}
    for r in gpus:
        sm, cores = number(r["sm_count"]), number(r["cuda_cores"])
        if r["vendor"] == "NVIDIA" and sm and cores and cores != sm * per_sm.get(r["compute_capability"], 128):
            yield f"{r['id']}: {cores:g} lanes on {sm:g} SMs of compute capability {r['compute_capability']}"


def memory_problems():
    for r in gpus:
        gb, mib = number(r["memory_gb"]), number(r["memory_mib"])
        if gb and mib and not 0.88 * gb * 1024 <= mib <= gb * 1024:
            yield f"{r['id']}: {mib:g} MiB against {gb:g} GB"


def roofline_problems():
    by_id = {r["id"]: r for r in gpus}
    for gpu, want in ROOFLINE.items():
        row = by_id.get(gpu)
        got = row and [number(row[c]) for c in ("sm_count", "cuda_cores", "boost_mhz", "fp32_tflops", "bandwidth_gbs")]
        if not got or any(off(g, w) > 0.002 for g, w in zip(got, want)):
            yield f"{gpu}: {got} against {want}"


def acc32_problems():
    for r in gpus:
        fast, acc32 = number(r["fp16_tensor_dense"]), number(r["fp16_acc32_tensor_dense"])
        if fast and acc32 and acc32 > fast * 1.001:
            yield f"{r['id']}: FP32 accumulate {acc32} above FP16 rate {fast}"


check("gpus: fp32 = lanes x clock x FLOPs a lane within 3 %", fp32_problems())
check("gpus: sparse = 2 x dense within 2 %, and never alone", sparse_problems())
check("gpus: bandwidth / bus width is a pin rate of its memory type", pin_problems())
check("gpus: lanes = SMs x lanes an SM of the compute capability", lane_problems())
check("gpus: memory_mib is at most memory_gb in binary units and not far below", memory_problems())
check("gpus: FP16 with FP32 accumulate is not above FP16", acc32_problems())
check("gpus: the roofline table of facts/bench.md is honoured", roofline_problems())

check("cpus: bandwidth = channels x 8 bytes x MT/s within 3 %",
      (f"{r['id']}: {r['bandwidth_gbs']}" for r in cpus
       if r["memory_channels"] and r["memory_mts"] and r["bandwidth_gbs"]
       and off(number(r["bandwidth_gbs"]), number(r["memory_channels"]) * 8 * number(r["memory_mts"]) / 1000) > 0.03))
check("cpus: threads >= cores and boost >= base",
      (r["id"] for r in cpus
       if number(r["threads"]) < number(r["cores"])
       or (r["base_mhz"] and r["boost_mhz"] and number(r["boost_mhz"]) < number(r["base_mhz"]))))
check("cpus: FLOPs a cycle fit the vector unit",
      (f"{r['id']}: {r['simd']} {r['fp32_flops_per_cycle_core']}" for r in cpus
       if r["fp32_flops_per_cycle_core"] not in {"avx2": {"32"}, "avx512": {"32", "64"}, "neon": {"16", "32"},
                                                 "sve": {"32"}, "sve2": {"32"}}[r["simd"]]))

releases = {(r["product"], r["version"]): r for r in software}


def successor_problems():
    for r in software:
        if not r["superseded_by"]:
            continue
        later = releases.get((r["product"], r["superseded_by"]))
        if not later:
            yield f"{label(r)}: no row for {r['superseded_by']}"
        elif later["released"] and later["released"][:7] < r["released"][:7]:
            yield f"{label(r)}: {r['superseded_by']} was released before it"


check("software: product and version unique", [] if len(releases) == len(software) else ["duplicate rows"])
check("software: superseded_by names a row of the table that is not older", successor_problems())
check("software: end_of_life is not before the release",
      (label(r) for r in software if r["released"] and r["end_of_life"] and r["end_of_life"] < r["released"]))
for product, versions in {"python": ["3.7", "3.14"], "pytorch": ["1.8.0", "2.6.0", "2.9.0"], "cuda": ["10.2", "13.0"],
                          "cudnn": ["8.9.7", "9.1.0"], "numpy": ["1.20", "2.3"]}.items():
    check(f"software: {product} covers {versions[0]} to {versions[-1]}", [v for v in versions if (product, v) not in releases])

keys = [tuple(r[c] for c in ("product", "version", "with", "with_version", "relation")) for r in pairs]
check("pairs: rows unique", {k for k in keys if keys.count(k) > 1})
check("pairs: relation is one of the known", (f"{label(r)} {r['relation']}" for r in pairs if r["relation"] not in RELATIONS))
check("pairs: every cell but note is filled",
      (label(r) for r in pairs if not all(r[c] for c in ("product", "version", "with", "with_version", "relation"))))
check("pairs: pytorch 2.6.0 offers cu118, cu124, cu126 and pins triton 3.2.0",
      [k for k in [("pytorch", "2.6.0", "cuda", c, "supported") for c in ("11.8", "12.4", "12.6")]
       + [("pytorch", "2.6.0", "triton", "3.2.0", "default-wheel")] if k not in keys])
check("pairs: nothing is both supported and unsupported",
      (k for k in keys if k[4] == "supported" and k[:4] + ("unsupported",) in keys))

print(f"1..{len(checks)}")
sys.exit(0 if all(checks) else 1)
