"""Metadata of sources, looked up at stand-ins for the real services under their real names."""
import gzip
import os
import re
import sys
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import EXAMPLE, ROOT, assay, check, equal, load, passes, test
from registries import ATOM, Registries, dataset, preprint, work

try:
    import jsonschema
    SCHEMA = load(os.path.join(ROOT, "schemas"), "sources.schema.json")
except ImportError:  # tools/deps test installs it; the rest of the tests stands without
    SCHEMA = None

CHAPTER = os.path.join(EXAMPLE, "chapter.txt")
FAST = "connect_ms=2000,stall_ms=2000,exchange_ms=8000,request_ms=30000,tries=3,backoff_ms=20,pause_ms=1"


def brief_with(folder, references):
    """The example's brief with these lines as its references."""
    text = open(os.path.join(EXAMPLE, "brief.txt"), encoding="utf-8").read()
    head, rest = text.split("== 3. Existing references and bibliography ==\n")
    rest = rest[rest.index("== 5."):]
    path = os.path.join(folder, "brief.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + "== 3. Existing references and bibliography ==\n" + "\n".join(references) + "\n\n" + rest)
    return path


def sources_of(folder, server, references, *options, limits=FAST, env=None):
    """{id: source} of a pass over these references."""
    brief = brief_with(folder, references)
    out = os.path.join(folder, f"w{len(os.listdir(folder))}")
    status, _, err = assay("fetch", brief, "--snapshot", CHAPTER, "--out", out, *server.options, *options,
                           env=dict({"ASSAY_FETCH_LIMITS": limits, "XDG_CACHE_HOME": f"{folder}/cache"},
                                    **(env or {})))
    equal(status, 0, err)
    sources = load(passes(out)[0], "sources.json")
    if SCHEMA:
        jsonschema.validate(sources, SCHEMA)
    return {source["id"]: source for source in sources["sources"]}


def kinds(source):
    return sorted(finding["kind"] for finding in source.get("findings", []))


def registry(source, service):
    found = [one for one in source.get("registries", []) if one["service"] == service]
    equal(len(found), 1, f"{service} of {source['id']}: {source.get('registries')}")
    return found[0]


# --- DOIs: Crossref, DataCite, the resolver --------------------------------------------------------------

@test
def a_doi_is_looked_up_where_it_is_registered(folder):
    with Registries(f"{folder}/r") as server:
        server.crossref["10.1000/alpha"] = work("10.1000/Alpha", "Timers and Their Limits", [("Ada", "Byron")], 2020)
        server.datacite["10.5281/zenodo.77"] = dataset("10.5281/zenodo.77", "Clock drift, measured",
                                                       [("Jean", "Müller")], 2021)
        found = sources_of(folder, server, ["- doi:10.1000/Alpha", "- https://doi.org/10.5281/zenodo.77"])
    alpha, zenodo = found["doi:10.1000/alpha"], found["doi:10.5281/zenodo.77"]
    equal([alpha[k] for k in ("title", "authors", "venue", "year")],
          ["Timers and Their Limits", "Byron, Ada", "Journal of Tests", "2020"], "Crossref")
    check(alpha["metadata_status"].startswith("verified: crossref, 20"), alpha["metadata_status"])
    equal([zenodo[k] for k in ("title", "authors", "venue", "year", "version")],
          ["Clock drift, measured", "Müller, Jean", "Zenodo", "2021", "1.2.0"], "DataCite")
    equal((registry(zenodo, "crossref")["state"], registry(zenodo, "crossref")["found"]), ("answered", False),
          "a 404 of Crossref")
    equal((kinds(alpha), kinds(zenodo)), ([], []), "a Crossref 404 is no dead DOI")
    equal({s["service"] for s in alpha["registries"]} & {"datacite", "doi.org"}, set(), "asked without need")


@test
def only_the_resolver_makes_a_phantom(folder):
    with Registries(f"{folder}/r") as server:
        server.handles["10.1000/other-agency"] = True
        found = sources_of(folder, server, ["- doi:10.1000/nowhere", "- doi:10.1000/other-agency"])
    equal(kinds(found["doi:10.1000/nowhere"]), ["phantom identifier"], found["doi:10.1000/nowhere"])
    equal(kinds(found["doi:10.1000/other-agency"]), [], "registered elsewhere")
    equal(found["doi:10.1000/other-agency"]["title"], "UNVERIFIED", "nobody said what it is")


@test
def an_outage_makes_no_finding(folder):
    with Registries(f"{folder}/r") as server:
        server.overrides["doi.org"] = lambda *_: (503, "busy", "text/plain")
        found = sources_of(folder, server, ["- doi:10.1000/nowhere"])["doi:10.1000/nowhere"]
    equal(kinds(found), [], "503 of the resolver")
    answer = registry(found, "doi.org")
    equal((answer["state"], "503" in answer["why"]), ("unreachable", True), answer)


@test
def many_dois_are_asked_for_together(folder):
    with Registries(f"{folder}/r") as server:
        for n in range(60):
            server.crossref[f"10.1000/w{n}"] = work(f"10.1000/w{n}", f"Work number {n}", [("Ann", "Author")], 2000 + n % 20)
        server.crossref["10.1000/a,b"] = work("10.1000/a,b", "With a comma", [("Ann", "Author")], 2001)
        found = sources_of(folder, server, [f"- doi:10.1000/w{n}" for n in range(60)] + ["- doi:10.1000/a,b"])
        asked = server.asked("api.crossref.org")
    equal({s["title"] for s in found.values() if s["id"].startswith("doi:10.1000/w")},
          {f"Work number {n}" for n in range(60)}, "titles")
    equal(found["doi:10.1000/a,b"]["title"], "With a comma", "alone")
    equal(len([a for a in asked if a["query"].get("filter", "").startswith("doi:")]), 3, "lists")
    equal(len([a for a in asked if a["path"] != "/works"]), 1, "single")
    comma = registry(found["doi:10.1000/a,b"], "crossref-updates")
    equal(comma["state"], "not asked", comma)


@test
def a_batch_that_is_refused_is_asked_for_one_by_one(folder):
    with Registries(f"{folder}/r") as server:
        for n in range(8):
            server.crossref[f"10.1000/w{n}"] = work(f"10.1000/w{n}", f"Work number {n}", [("Ann", "Author")], 2001)
        server.overrides[("api.crossref.org", "/works")] = lambda *_: (400, {"status": "failed"})
        found = sources_of(folder, server, [f"- doi:10.1000/w{n}" for n in range(8)])
    equal([found[f"doi:10.1000/w{n}"]["title"] for n in range(8)], [f"Work number {n}" for n in range(8)], "titles")
    equal({registry(s, "crossref-updates")["state"] for s in found.values() if s["id"].startswith("doi:10.1000/w")},
          {"unreachable"}, "a refused filter is not clean")


# --- retractions -------------------------------------------------------------------------------------------

@test
def a_retraction_is_read_on_the_work_and_not_on_its_notice(folder):
    authors = [("Ann", "Author")]
    with Registries(f"{folder}/r") as server:
        server.crossref["10.1000/bad"] = work("10.1000/bad", "A bad work", authors, 2010, **{"updated-by": [
            {"DOI": "10.1000/notice", "type": "retraction", "updated": {"date-parts": [[2012, 5, 1]]}}]})
        server.crossref["10.1000/notice"] = work("10.1000/notice", "Retraction: A bad work", authors, 2012, **{
            "update-to": [{"DOI": "10.1000/bad", "type": "retraction"}]})
        server.crossref["10.1000/fixed"] = work("10.1000/fixed", "A corrected work", authors, 2011, **{"updated-by": [
            {"DOI": "10.1000/erratum", "type": "erratum", "updated": {"date-parts": [[2012]]}}]})
        server.crossref["10.1000/hidden"] = work("10.1000/hidden", "Said only by the filter", authors, 2013)
        server.crossref["10.1000/clean"] = work("10.1000/clean", "A clean work", authors, 2014)
        server.retractions["10.1000/hidden"] = 1
        server.retractions["10.1000/bad"] = 1
        found = sources_of(folder, server, [f"- doi:10.1000/{n}" for n in ("bad", "notice", "fixed", "hidden", "clean")])
    equal(kinds(found["doi:10.1000/bad"]), ["retracted"], found["doi:10.1000/bad"])
    message = found["doi:10.1000/bad"]["findings"][0]["message"]
    check("2012-05-01" in message and "10.1000/notice" in message and "1 retraction notice" in message, message)
    equal(kinds(found["doi:10.1000/notice"]), ["notice"], "the notice is not retracted")
    equal(kinds(found["doi:10.1000/fixed"]), ["corrected"], "corrected")
    equal(kinds(found["doi:10.1000/hidden"]), ["retracted"], "the reverse filter")
    equal(kinds(found["doi:10.1000/clean"]), [], "clean")


# --- arXiv -------------------------------------------------------------------------------------------------

AUTHORS = [("Tri", "Example"), ("Zoë", "van der Berg")]
DATES = ("2022-05-27T17:53:09Z", "2023-06-23T12:00:00Z")


@test
def arxiv_papers_come_in_one_request_with_their_latest_version(folder):
    with Registries(f"{folder}/r") as server:
        for n in range(30):
            server.arxiv[f"2205.{n:05}"] = preprint(f"2205.{n:05}", 3, f"Paper\n  number {n}", AUTHORS, *DATES)
        server.arxiv["hep-th/9901001"] = preprint("hep-th/9901001", 1, "An old one", AUTHORS, *DATES)
        found = sources_of(folder, server, [f"- arXiv:2205.{n:05}v2" for n in range(29)] +
                           ["- https://arxiv.org/abs/2205.00029v3", "- arXiv:hep-th/9901001", "- arXiv:2301.99999"])
        equal(len(server.asked("export.arxiv.org")), 1, "requests")
    first = found["arxiv:2205.00000"]
    equal([first[k] for k in ("title", "authors", "venue", "year", "version")],
          ["Paper number 0", "Example, Tri; Berg, Zoë van der", "arXiv", "2022", "v3"], "fields")
    equal(kinds(first), ["later version"], first)
    check("v2 is named" in first["findings"][0]["message"] and "2023-06-23" in first["findings"][0]["message"], first)
    equal(kinds(found["arxiv:2205.00029"]), [], "the latest is named")
    equal(found["arxiv:hep-th/9901001"]["title"], "An old one", "old id")
    equal(kinds(found["arxiv:2301.99999"]), ["phantom identifier"], "no entry, status 200")


@test
def withdrawn_and_published_papers_are_named(folder):
    with Registries(f"{folder}/r") as server:
        server.arxiv["2205.00001"] = preprint("2205.00001", 2, "Gone", AUTHORS, *DATES, more=(
            "<arxiv:comment>This paper has been withdrawn by the authors: an error in Lemma 3</arxiv:comment>"))
        server.arxiv["2205.00002"] = preprint("2205.00002", 2, "Printed", AUTHORS, *DATES, more=(
            "<arxiv:doi>10.1000/printed</arxiv:doi><arxiv:journal_ref>J. Tests 4 (2023) 1</arxiv:journal_ref>"))
        found = sources_of(folder, server, ["- arXiv:2205.00001", "- arXiv:2205.00002"])
    equal(kinds(found["arxiv:2205.00001"]), ["withdrawn"], "withdrawn")
    equal((kinds(found["arxiv:2205.00002"]), found["arxiv:2205.00002"]["venue"]),
          (["published"], "J. Tests 4 (2023) 1"), "published")


@test
def an_error_of_arxiv_with_status_200_is_no_answer(folder):
    """One bad id spoils a batch: it is asked for in halves until the others are answered."""
    def answer(path, query):
        if "2205.00003" in query["id_list"]:
            return 200, ATOM.format(total=1, entries=(
                "<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id><title>Error</title>"
                "<summary>incorrect id format for 2205.00003</summary></entry>")), "application/atom+xml"
        return server.answer_arxiv(path, query)
    with Registries(f"{folder}/r") as server:
        server.overrides["export.arxiv.org"] = answer
        for n in range(6):
            server.arxiv[f"2205.{n:05}"] = preprint(f"2205.{n:05}", 1, f"Paper {n}", AUTHORS, *DATES)
        found = sources_of(folder, server, [f"- arXiv:2205.{n:05}" for n in range(6)])
    bad = found["arxiv:2205.00003"]
    equal((registry(bad, "arxiv")["state"], kinds(bad)), ("unreachable", []), bad)
    check("incorrect id format" in registry(bad, "arxiv")["why"], bad)
    equal([found[f"arxiv:2205.{n:05}"]["title"] for n in (0, 1, 2, 4, 5)], [f"Paper {n}" for n in (0, 1, 2, 4, 5)], "")


@test
def arxiv_is_asked_once_in_three_seconds(folder):
    with Registries(f"{folder}/r") as server:
        for n in range(120):
            server.arxiv[f"2205.{n:05}"] = preprint(f"2205.{n:05}", 1, f"Paper {n}", AUTHORS, *DATES)
        found = sources_of(folder, server, [f"- arXiv:2205.{n:05}" for n in range(120)], limits="")
        times = [one["at"] for one in server.asked("export.arxiv.org")]
    equal((len(times), times[1] - times[0] >= 3), (2, True), times)
    equal(found["arxiv:2205.00119"]["title"], "Paper 119", "all are there")


# --- OpenAlex ------------------------------------------------------------------------------------------------

@test
def openalex_is_asked_only_with_a_key_that_is_never_recorded(folder):
    with Registries(f"{folder}/r") as server:
        server.crossref["10.1000/x"] = work("10.1000/x", "Doubtful", [("Ann", "Author")], 2001)
        server.openalex["10.1000/x"] = {"id": "https://openalex.org/W1", "display_name": "Doubtful",
                                        "publication_year": 2001, "type": "article", "is_retracted": True,
                                        "authorships": [{"author": {"display_name": "Ann Author"}}]}
        without = sources_of(folder, server, ["- doi:10.1000/x"])["doi:10.1000/x"]
        equal(server.asked("api.openalex.org"), [], "asked without a key")
        found = sources_of(folder, server, ["- doi:10.1000/x"], env={"ASSAY_OPENALEX_KEY": "s3cr3t"})["doi:10.1000/x"]
        equal(server.asked("api.openalex.org")[0]["query"], {"api_key": "s3cr3t"}, "the key")
    equal((registry(without, "openalex")["state"], kinds(without)), ("not asked", []), without)
    check("ASSAY_OPENALEX_KEY" in registry(without, "openalex")["why"], without)
    equal(kinds(found), ["retracted"], found)
    for base, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(base, name), "rb") as file:
                data = file.read()
            data = gzip.decompress(data) if name.endswith(".gz") else data
            check(b"s3cr3t" not in data, f"the key is in {name}")


# --- books, code, packages, RFCs -------------------------------------------------------------------------------

@test
def books_are_looked_up_by_isbn(folder):
    names = {"title": "Small Machines", "publish_date": "March 2019", "publishers": [{"name": "Test Press"}],
             "authors": [{"name": "Ann Author", "url": "x"}], "subtitle": "A Tour"}
    with Registries(f"{folder}/r") as server:
        server.books["9780131103627"] = {"title": "One Book", "publish_date": "1988", "publishers": ["Old House"],
                                         "authors": [{"key": "/authors/OL1A"}]}
        one = sources_of(folder, server, ["- ISBN 0-13-110362-8", "- ISBN 978-0-306-40615-7"])
        isbns = ["9780306406157", "9780131103627", "9781861972712", "9780262033848", "9780321751041"]
        for isbn in isbns:
            server.books[isbn] = names
        many = sources_of(folder, server, [f"- ISBN {isbn}" for isbn in isbns])
        lists = [a for a in server.asked("openlibrary.org") if a["path"] == "/api/books"]
    book = one["isbn:9780131103627"]
    equal([book[k] for k in ("title", "authors", "venue", "year")], ["One Book", "UNVERIFIED", "Old House", "1988"], "")
    equal(kinds(one["isbn:9780306406157"]), [], "Open Library does not have all books")
    equal(len(lists), 1, "one request for five")
    equal([many["isbn:9780262033848"][k] for k in ("title", "authors", "year")],
          ["Small Machines: A Tour", "Author, Ann", "2019"], "a list")


@test
def repositories_commits_issues_and_files_are_looked_up(folder):
    base = "https://github.com/acme/clock"
    with Registries(f"{folder}/r") as server:
        server.github["/repos/acme/clock"] = (200, {
            "full_name": "Acme/chronometer", "description": "A clock", "archived": True, "owner": {"login": "Acme"},
            "pushed_at": "2021-04-05T06:07:08Z", "default_branch": "main", "html_url": base})
        server.github["/repos/acme/clock/commits/0123abc"] = (200, {
            "sha": "0123abc" + "0" * 33, "commit": {"message": "Fix the pendulum\n\nLong text", "author": {
                "name": "Ann", "date": "2020-01-02T03:04:05Z"}}, "html_url": base})
        server.github["/repos/acme/clock/issues/7"] = (200, {
            "title": "It is late", "user": {"login": "bob"}, "state": "open", "created_at": "2022-02-02T00:00:00Z",
            "html_url": base})
        server.github["/repos/acme/clock/contents/src/a.py"] = (200, {"sha": "f00", "path": "src/a.py", "type": "file",
                                                                     "encoding": "base64", "content": "", "html_url": base})
        server.github["/repos/acme/clock/commits/fffffff"] = (422, {"message": "No commit found for SHA: fffffff"})
        found = sources_of(folder, server, [f"- {base}", f"- {base}/commit/0123abc", f"- {base}/issues/7",
                                            f"- {base}/blob/v1/src/a.py", f"- {base}/commit/fffffff",
                                            "- https://github.com/acme/nothing"])
    equal(kinds(found["github:acme/clock"]), ["archived", "moved"], found["github:acme/clock"])
    equal(found["github:acme/clock"]["title"], "Acme/chronometer: A clock", "repository")
    equal(found["github:acme/clock@0123abc"]["title"], "Fix the pendulum", "commit")
    equal(found["github:acme/clock#7"]["title"], "It is late", "issue")
    equal(found["github:acme/clock@v1:src/a.py"]["title"], "src/a.py", "file")
    equal(kinds(found["github:acme/clock@fffffff"]), ["dead link"], "422")
    equal(kinds(found["github:acme/nothing"]), ["dead link"], "404")


@test
def a_spent_allowance_ends_the_questions(folder):
    with Registries(f"{folder}/r") as server:
        server.overrides["api.github.com"] = lambda *_: (
            403, {"message": "API rate limit exceeded"}, "application/json",
            [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "4102444800")])
        found = sources_of(folder, server, [f"- https://github.com/acme/r{n}" for n in range(20)])
        asked = len(server.asked("api.github.com"))
    check(asked <= 3, f"asked {asked} times")
    last = registry(found["github:acme/r19"], "github")
    equal((last["state"], "2100-01-01" in last["why"], kinds(found["github:acme/r19"])), ("unreachable", True, []), last)


@test
def packages_are_compared_by_their_index(folder):
    def release(yanked=False, day="2024-01-02"):
        return [{"upload_time_iso_8601": f"{day}T00:00:00Z", "yanked": yanked, "packagetype": "sdist"}]
    releases = {"2.5.0": release(), "2.6.0": release(day="2025-01-29"), "2.10.0": release(day="2026-06-01"),
                "3.0.0rc1": release(), "2.11.0": release(True), "2.4.0": release(True)}
    with Registries(f"{folder}/r") as server:
        server.packages["/pypi/torch/json"] = {"info": {"name": "torch", "version": "2.10.0", "summary": "Tensors"},
                                               "releases": releases}
        found = sources_of(folder, server, ["- torch==2.6.0", "- torch==2.10.0", "- torch==2.7.7", "- torch==2.4.0",
                                            "- nosuchpackage==1.0.0"])
        asked = [one["path"] for one in server.asked("pypi.org")]
    equal(sorted(asked), ["/pypi/nosuchpackage/json", "/pypi/torch/json"], "one request for the same package")
    old = found["pypi:torch@2.6.0"]
    equal((old["version"], kinds(old)), ("2.6.0", ["later version"]), old)
    check("2.10.0 of 2026-06-01" in old["findings"][0]["message"], old)
    equal(kinds(found["pypi:torch@2.10.0"]), [], "neither yanked nor pre-releases are later")
    equal(kinds(found["pypi:torch@2.7.7"]), ["phantom identifier"], "no such release")
    equal(kinds(found["pypi:torch@2.4.0"]), ["later version", "yanked"], "yanked")
    equal(kinds(found["pypi:nosuchpackage@1.0.0"]), ["phantom identifier"], "no such package")


@test
def rfcs_say_what_made_them_obsolete(folder):
    with Registries(f"{folder}/r") as server:
        server.pages[("www.rfc-editor.org", "/rfc/rfc2616.json")] = (200, {
            "doc_id": "RFC2616", "title": "Hypertext Transfer Protocol -- HTTP/1.1", "authors": ["R. Fielding"],
            "pub_date": "June 1999", "status": "DRAFT STANDARD", "obsoleted_by": ["RFC7230", "RFC7231"],
            "updated_by": []}, "application/json")
        found = sources_of(folder, server, ["- RFC 2616", "- RFC 99999"])
    equal((kinds(found["rfc:2616"]), found["rfc:2616"]["year"]), (["superseded"], "1999"), found["rfc:2616"])
    check("RFC7230, RFC7231" in found["rfc:2616"]["findings"][0]["message"], found["rfc:2616"])
    equal(kinds(found["rfc:99999"]), ["phantom identifier"], "unknown")


# --- pages ---------------------------------------------------------------------------------------------------

def inventory(version, *lines):
    head = f"# Sphinx inventory version 2\n# Project: Clocks\n# Version: {version}\n"
    head += "# The remainder of this file is compressed using zlib.\n"
    return head.encode() + zlib.compress("".join(line + "\n" for line in lines).encode())


PAGES = {
    "/citation": """<html><head><title>Site | Paper</title><meta name="citation_title" content="A &lt;Paper&gt; &amp; more">
        <meta name="citation_author" content="Byron, Ada"><meta name="citation_author" content="Jean Müller">
        <meta name="citation_publication_date" content="2019/07/01"><meta name="citation_doi" content="10.1000/p">
        <meta property="og:title" content="Other"></head><body>x</body></html>""",
    "/json-ld": """<html><head><title>t</title><script type="application/ld+json">{"@context":"https://schema.org",
        "@graph":[{"@type":"WebPage","name":"no"},{"@type":"TechArticle","headline":"Measured twice",
        "author":[{"@type":"Person","name":"Ann Author"}],"datePublished":"2023-05-06T07:08:09Z",
        "dateModified":"2024-01-01","publisher":{"name":"Testers"}}]}</script></head></html>""",
    "/graph": """<html><head><meta property="og:title" content="Shared title"><meta property="og:site_name" content="S">
        <meta property="article:published_time" content="2022-02-03"><title>t</title></head></html>""",
    "/title": "<html><head><title>  Only\n a title </title></head><body><svg><title>no</title></svg></body></html>",
    "/broken": "<html><head><title>Bad</title><script type='application/ld+json'>{\"@type\":</script><meta name=",
}


@test
def pages_say_what_they_are(folder):
    with Registries(f"{folder}/r") as server:
        for path, text in PAGES.items():
            server.pages[("pages.example.org", path)] = (200, text, "text/html; charset=utf-8")
        server.pages[("pages.example.org", "/old")] = (301, "", "text/html", [("Location", "/title")])
        server.pages[("pages.example.org", "/busy")] = (403, "no robots", "text/html")
        server.pages[("pages.example.org", "/file.pdf")] = (200, b"%PDF-1.4\0\1", "application/pdf")
        names = [*PAGES, "/old", "/busy", "/gone", "/file.pdf"]
        found = sources_of(folder, server, [f"- https://pages.example.org{path}" for path in names])
    rows = {path: found[f"url:https://pages.example.org{path}"] for path in names}

    def fields(path):
        return [rows[path][k] for k in ("title", "authors", "venue", "year", "version")]
    none = "UNVERIFIED"
    equal(fields("/citation"), ["A <Paper> & more", "Byron, Ada; Müller, Jean", none, "2019", none], "citation")
    equal(fields("/json-ld"), ["Measured twice", "Author, Ann", "Testers", "2023", "modified 2024-01-01"], "JSON-LD")
    equal(fields("/graph"), ["Shared title", none, "S", "2022", none], "Open Graph")
    equal(fields("/title"), ["Only a title", none, none, none, none], "title")
    equal(fields("/broken")[0], "Bad", "broken JSON-LD")
    equal((kinds(rows["/old"]), rows["/old"]["title"]), (["moved"], "Only a title"), "moved")
    equal((kinds(rows["/busy"]), registry(rows["/busy"], "page")["state"]), ([], "unreachable"), "403 is unknown")
    equal((kinds(rows["/gone"]), rows["/gone"]["http_status"]), (["dead link"], 404), "404")
    equal((kinds(rows["/file.pdf"]), rows["/file.pdf"]["http_status"]), ([], 200), "a PDF")
    equal(rows["/title"]["reading"], "lead", "looking up is not reading")


@test
def documentation_tells_its_release(folder):
    new = '<html data-content_root="../"><head><title>tick - Clocks</title></head></html>'
    old = ('<html><head><title>tock</title><script id="documentation_options" data-url_root="./" '
           'src="_static/documentation_options.js"></script></head></html>')
    with Registries(f"{folder}/r") as server:
        server.pages[("docs.example.org", "/en/stable/api/tick.html")] = (200, new, "text/html")
        server.pages[("docs.example.org", "/en/stable/tock.html")] = (200, old, "text/html")
        server.pages[("docs.example.org", "/en/v9/api/tick.html")] = (200, new, "text/html")
        server.pages[("docs.example.org", "/en/stable/objects.inv")] = (
            200, inventory("4.2", "clocks.tick py:function 1 api/tick.html#$ -"), "application/octet-stream")
        server.pages[("docs.example.org", "/en/v9/objects.inv")] = (
            200, inventory("4.2")[:-3] + b"xyz", "application/octet-stream")
        paths = ["/en/stable/api/tick.html", "/en/stable/tock.html", "/en/v9/api/tick.html"]
        found = sources_of(folder, server, [f"- https://docs.example.org{path}" for path in paths])
        asked = [one["path"] for one in server.asked("docs.example.org") if one["path"].endswith(".inv")]
    rows = [found[f"url:https://docs.example.org{path}"] for path in paths]
    equal([row["version"] for row in rows], ["4.2", "4.2", "UNVERIFIED"], "versions")
    equal([row["venue"] for row in rows[:2]], ["Clocks", "Clocks"], "project")
    equal(sorted(asked), ["/en/stable/objects.inv", "/en/v9/objects.inv"], "each inventory once")
    equal(registry(rows[2], "sphinx")["state"], "unreachable", "a damaged one")


# --- what a bibliography says against what is registered -------------------------------------------------------

def result_of(source, field, service="crossref"):
    found = [one["result"] for one in source.get("comparisons", [])
             if one["field"] == field and one["service"] == service]
    return found[0] if found else None


BIB = r"""
@string{jot = "Journal of Tests"}
@article{right, title={{T}imers and their limits}, author={Byron, A. and M{\"u}ller, Jean}, journal=jot,
         year=2020, doi={10.1000/right}}
@article{stolen, title={Entirely different content}, author={Nobody, Nora}, year=2020, doi={10.1000/stolen}}
@article{late, title={Timers and their limits}, author={Byron, Ada and others}, year=2015, doi={10.1000/late}}
@article{near, title={Timers and their limits}, author={Byron, Ada}, year=2019, doi={10.1000/near}}
@misc{pre, title={A preprint on clocks}, author={Example, Tri}, year=2022, eprint={2205.00001}, archiveprefix={arXiv}}
@inproceedings{unknown, title={How to lose time}, author={Writer, Wanda}, year=2018, booktitle={Proc. Tests}}
@inproceedings{nowhere, title={A work that nobody has}, author={Writer, Wanda}, year=2018}
@article{broken, title={never closed
"""


def fill_bibliography(server):
    authors = [("Ada", "Byron"), ("Jean", "Mueller")]
    for name in ("right", "late", "near"):
        server.crossref[f"10.1000/{name}"] = work(f"10.1000/{name}", "Timers and Their Limits", authors, 2020,
                                                  subtitle=["A study"])
    server.crossref["10.1000/stolen"] = work("10.1000/stolen", "Protein folding in yeast", authors, 2020)
    server.arxiv["2205.00001"] = preprint("2205.00001", 1, "A preprint on clocks", AUTHORS, *DATES)
    server.dblp.append({"title": "How to Lose Time.", "authors": {"author": {"text": "Wanda Writer 0002"}},
                        "venue": "TESTS", "year": "2018", "type": "Conference and Workshop Papers",
                        "ee": "https://doi.org/10.1000/lose", "doi": "10.1000/lose"})
    server.searches["api.crossref.org"] = lambda path, query: (200, {"message": {"items": [
        dict(work("10.1000/other", "How to lose weight", [("Wanda", "Writer")], 2018), score=99.0)]}})


@test
def bibtex_entries_are_compared_field_by_field(folder):
    with open(f"{folder}/refs.bib", "w", encoding="utf-8") as file:
        file.write(BIB)
    with Registries(f"{folder}/r") as server:
        fill_bibliography(server)
        found = sources_of(folder, server, ["- none here"], "--bibliography", f"{folder}/refs.bib")
    right = found["doi:10.1000/right"]
    equal([right["claimed"][k] for k in ("origin", "key", "authors", "venue", "year", "identifier")],
          ["bibtex", "right", "Byron, A.; Müller, Jean", "Journal of Tests", "2020", "10.1000/right"], "claimed")
    equal([result_of(right, f) for f in ("title", "authors", "year", "venue", "identifier")], ["match"] * 5, right)
    equal(kinds(right), [], "right")
    equal(kinds(found["doi:10.1000/stolen"]), ["other work"], found["doi:10.1000/stolen"])
    equal(kinds(found["doi:10.1000/late"]), ["wrong year"], found["doi:10.1000/late"])
    equal((kinds(found["doi:10.1000/near"]), result_of(found["doi:10.1000/near"], "year")), ([], "close"), "one apart")
    equal((kinds(found["arxiv:2205.00001"]), result_of(found["arxiv:2205.00001"], "title", "arxiv")), ([], "match"), "")
    lose = found["mention:how-to-lose-time"]
    equal((kinds(lose), lose["venue"], registry(lose, "crossref-search")["found"]), (["identified"], "TESTS", False), lose)
    check("10.1000/lose" in lose["findings"][0]["message"], lose)
    nowhere = found["mention:a-work-that-nobody-has"]
    equal((kinds(nowhere), nowhere["title"]), ([], "UNVERIFIED"), "not found is no finding")


@test
def lines_of_a_reference_section_are_compared(folder):
    lines = ["- A. Byron, J. Müller: Timers and their limits. J. Tests, 2020. doi:10.1000/right",
             "- N. Nobody, \"Entirely different content\", J. Tests 2020, doi:10.1000/stolen",
             "- A. Byron et al., Timers and their limits, 2015, https://doi.org/10.1000/late",
             "- an aside about things one could read one day: doi:10.1000/near"]
    with Registries(f"{folder}/r") as server:
        fill_bibliography(server)
        found = sources_of(folder, server, lines)
    equal(found["doi:10.1000/right"]["claimed"]["text"], lines[0], "claimed")
    equal([kinds(found[f"doi:10.1000/{name}"]) for name in ("right", "stolen", "late", "near")],
          [[], ["other work"], ["wrong year"], []], found)


@test
def a_linked_bib_file_is_read(folder):
    with Registries(f"{folder}/r") as server:
        fill_bibliography(server)
        server.pages[("pages.example.org", "/refs.bib")] = (200, BIB, "application/x-bibtex")
        found = sources_of(folder, server, ["- https://pages.example.org/refs.bib"])
    equal((found["doi:10.1000/stolen"]["found_in"], kinds(found["doi:10.1000/stolen"])), ("brief", ["other work"]), "")


# --- the rest of the pass ----------------------------------------------------------------------------------------

@test
def what_registries_said_reaches_the_findings_and_the_report(folder):
    with Registries(f"{folder}/r") as server:
        server.crossref["10.1000/bad"] = work("10.1000/bad", "A bad <i>work</i>", [("Ann", "Author")], 2010, **{
            "updated-by": [{"DOI": "10.1000/notice", "type": "retraction", "updated": {"date-parts": [[2012, 5, 1]]}}]})
        server.overrides["api.datacite.org"] = lambda *_: (503, "", "text/plain")
        server.overrides["doi.org"] = lambda *_: (503, "", "text/plain")
        brief = brief_with(folder, ["- doi:10.1000/bad", "- doi:10.1000/silent"])
        status, out, err = assay("run", brief, "--snapshot", CHAPTER, "--no-bench", "--out", f"{folder}/w",
                                 *server.options, env={"ASSAY_FETCH_LIMITS": FAST, "XDG_CACHE_HOME": f"{folder}/c"})
    equal(status, 3, err)  # for the experiments that did not run; an outage is said and is no fault of the chapter
    completed = re.search(r"(\d+) of (\d+) checks completed", err)
    equal(completed[1], completed[2], err)
    folder, = passes(f"{folder}/w")
    findings = [f for f in load(folder, "findings.json")["findings"] if f["check"] == "source"]
    equal([(f["class"], f["severity"]) for f in findings], [("unsupported", "high")], findings)
    check("10.1000/notice" in findings[0]["message"], findings)
    coverage = [c for c in load(folder, "findings.json")["coverage"] if c["check"] == "source"]
    equal((coverage[0]["outcome"], "1 of " in coverage[0]["why"]), ("ran", True), coverage)
    with open(os.path.join(folder, "report.md"), encoding="utf-8") as file:
        report = file.read()
    check("crossref: answered, has it" in report, "registries of the source")
    check("Crossref has it as retracted on 2012-05-01" in report, "the finding")
    check("doi.org: answered 0 (0 with a record), unreachable 1" in report, "the tally")
    check("A bad &lt;i&gt;work" in report or "A bad \\<i\\>work" in report or "A bad \\<i>work" in report, "escaped")


# --- broken and hostile answers ------------------------------------------------------------------------------

BROKEN = {
    "HTML with status 200": lambda *_: (200, "<html><body>Please log in</body></html>", "text/html"),
    "JSON of another shape": lambda *_: (200, {"status": "ok", "message": ["10.1000/x"]}),
    "cut JSON": lambda *_: (200, '{"status":"ok","message":{"DOI":"10.1'),
    "an empty body": lambda *_: (200, b""),
    "a body of 50 MB": lambda *_: (200, b'{"message":"' + b"x" * (50 << 20) + b'"}'),
    "deep nesting": lambda *_: (200, "[" * 100000),
    "bytes that are not UTF-8": lambda *_: (200, b'{"message":{"DOI":"10.1000/x","title":["\xff\xfe"]}}'),
    "403": lambda *_: (403, "blocked", "text/plain"),
    "429": lambda *_: (429, "slow down", "text/plain", [("Retry-After", "0")]),
    "a redirect to another scheme": lambda *_: (302, "", "text/plain", [("Location", "file:///etc/passwd")]),
}


@test
def what_cannot_be_read_is_unreachable_and_nothing_else(folder):
    for name, answer in BROKEN.items():
        with Registries(f"{folder}/r {name}") as server:
            server.overrides["api.crossref.org"] = answer
            server.datacite["10.1000/x"] = dataset("10.1000/x", "Found elsewhere", [("Ann", "Author")], 2001)
            found = sources_of(folder, server, ["- doi:10.1000/x"], "--cache", f"{folder}/{name}")["doi:10.1000/x"]
        answer = registry(found, "crossref")
        equal(answer["state"], "unreachable", f"{name}: {answer}")
        check(answer["why"] and "\n" not in answer["why"], name, answer)
        equal((found["title"], kinds(found)), ("Found elsewhere", []), name)


@test
def a_retry_after_is_waited_for_in_both_forms(folder):
    for form in ("seconds", "date"):
        with Registries(f"{folder}/{form}") as server:
            server.crossref["10.1000/x"] = work("10.1000/x", "Patience", [("Ann", "Author")], 2001)

            def busy(path, query, server=server, form=form):
                if len(server.asked("api.crossref.org")) > 1:
                    return server.answer_crossref(path, query)
                later = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 1))
                return 429, "slow down", "text/plain", [("Retry-After", "1" if form == "seconds" else later)]
            server.overrides["api.crossref.org"] = busy
            found = sources_of(folder, server, ["- doi:10.1000/x"], "--cache", f"{folder}/c-{form}")["doi:10.1000/x"]
        equal(found["title"], "Patience", form)


@test
def a_long_retry_after_leaves_the_service_alone(folder):
    with Registries(f"{folder}/r") as server:
        server.overrides["api.crossref.org"] = lambda *_: (429, "", "text/plain", [("Retry-After", "3600")])
        for name in "abc":
            server.datacite[f"10.1000/{name}"] = dataset(f"10.1000/{name}", "Found elsewhere", [("A", "B")], 2001)
        found = sources_of(folder, server, [f"- doi:10.1000/{name}" for name in "abc"])
        asked = len(server.asked("api.crossref.org"))
    check(asked <= 3, f"asked {asked} times")  # those in flight when the first answer came
    equal({registry(found[f"doi:10.1000/{n}"], "crossref")["state"] for n in "abc"}, {"unreachable"}, "state")


# --- what is asked, and how ----------------------------------------------------------------------------------

@test
def base_urls_are_settings_and_the_contact_is_sent(folder):
    with Registries(f"{folder}/r") as server:
        server.overrides["mirror.example.org"] = lambda path, query: server.answer_crossref(path[len("/crossref"):], query)
        server.crossref["10.1000/x"] = work("10.1000/x", "Mirrored", [("Ann", "Author")], 2001)
        found = sources_of(folder, server, ["- doi:10.1000/x"], "--service",
                           "crossref=https://mirror.example.org/crossref/", "--contact", "ann@example.org")
        agents = {one["agent"] for one in server.seen}
        equal(server.asked("api.crossref.org"), [], "the default base")
    equal(found["doi:10.1000/x"]["title"], "Mirrored", "title")
    check(all("mailto:ann@example.org" in agent for agent in agents), agents)
    status, _, err = assay("fetch", "x", "--service", "crossref")
    equal((status, "NAME=URL" in err), (2, True), err)


@test
def the_contact_of_the_environment_is_sent(folder):
    with Registries(f"{folder}/r") as server:
        sources_of(folder, server, ["- doi:10.1000/x"], env={"ASSAY_CONTACT": "env@example.org"})
        check(all("mailto:env@example.org" in one["agent"] for one in server.seen), server.seen)


@test
def offline_asks_nobody_and_says_so(folder):
    with Registries(f"{folder}/r") as server:
        found = sources_of(folder, server, ["- doi:10.1000/x"], "--offline")["doi:10.1000/x"]
        equal(server.seen, [], "asked")
    answer = registry(found, "crossref")
    equal((answer["state"], "--offline" in answer["why"]), ("not asked", True), answer)
    equal((found["title"], found["metadata_status"], kinds(found)), ("UNVERIFIED", "UNVERIFIED", []), "metadata")


@test
def limits_that_a_service_states_are_kept(folder):
    """x-rate-limit-limit 5 in 1s: no sixth request within a second."""
    with Registries(f"{folder}/r") as server:
        def with_headers(path, query):
            status, body, *kind = server.answer_crossref(path, query)
            return status, body, (kind or ["application/json"])[0], [("x-rate-limit-limit", "5"),
                                                                      ("x-rate-limit-interval", "1s"),
                                                                      ("x-concurrency-limit", "1")]
        server.overrides["api.crossref.org"] = with_headers
        server.overrides[("api.crossref.org", "/works")] = with_headers
        for n in range(4):
            server.crossref[f"10.1000/w{n}"] = work(f"10.1000/w{n}", f"Work number {n}", [("Ann", "Author")], 2001)
        sources_of(folder, server, [f"- doi:10.1000/w{n}" for n in range(4)])
        times = sorted(one["at"] for one in server.asked("api.crossref.org"))
    check(len(times) >= 5, times)
    # the first answer brings the limits; one more may be on its way already
    for first, sixth in zip(times[2:], times[7:]):
        check(sixth - first >= 0.8, f"six requests within {sixth - first:.2f} s")


@test
def what_was_asked_is_in_the_archive(folder):
    with Registries(f"{folder}/r") as server:
        server.crossref["10.1000/x"] = work("10.1000/x", "Kept", [("Ann", "Author")], 2001)
        sources_of(folder, server, ["- doi:10.1000/x"])
        archive = [os.path.join(p, "archive.warc.gz") for w in os.listdir(folder) for p in passes(f"{folder}/{w}")][0]
        seen = len(server.seen)
        found = sources_of(folder, server, ["- doi:10.1000/x"], "--replay", archive)["doi:10.1000/x"]
        equal(len(server.seen), seen, "asked again")
    equal(found["title"], "Kept", "from the archive")


if __name__ == "__main__":
    harness.main(harness.TESTS)
