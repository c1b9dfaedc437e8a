"""Leads of a pass, searched at stand-ins for the real services."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness
from harness import EXAMPLE, ROOT, assay, check, equal, load, passes, test
from registries import ATOM, Registries, preprint, work

BRIEF, CHAPTER = os.path.join(EXAMPLE, "brief.txt"), os.path.join(EXAMPLE, "chapter.txt")
LIMITS = {"ASSAY_FETCH_LIMITS": "connect_ms=2000,stall_ms=2000,exchange_ms=8000,tries=2,backoff_ms=20,pause_ms=1"}
AUTHORS = [("Ann", "Author")]
DATES = ("2022-05-27T17:53:09Z", "2023-06-23T12:00:00Z")
TITLE = "How Long Does a Training Step Take"


def example_pass(folder):
    status, _, err = assay("run", BRIEF, "--snapshot", CHAPTER, "--offline", "--no-bench", "-q", "--out", folder)
    equal(status, 3, err)
    return passes(folder)[0]


def fill(server):
    """One paper at three services, a story about it, a story about a page, a text post, a repository."""
    server.searches.update({
        "export.arxiv.org": lambda path, query: (200, ATOM.format(total=1, entries=preprint(
            "2205.00001", 2, TITLE, AUTHORS, *DATES)), "application/atom+xml"),
        "api.crossref.org": lambda path, query: (200, {"message": {"items": [
            work("10.1000/same", TITLE.lower() + ".", AUTHORS, 2023), work("10.1000/other", "Another", AUTHORS, 2020)]}}),
        "hn.algolia.com": lambda path, query: (200, {"hits": [
            {"objectID": "11", "title": "Training steps, timed", "url": "http://arxiv.org/abs/2205.00001v1?utm_source=hn",
             "points": 3, "num_comments": 2, "created_at": "2022-06-01T00:00:00Z"},
            {"objectID": "12", "title": "Clocks", "url": "https://pages.example.org/clocks", "created_at": "2022-06-01"},
            {"objectID": "13", "title": "Ask HN: which clock?", "url": None, "created_at": "2021-06-01T00:00:00Z"}]}),
        "huggingface.co": lambda path, query: (200, [{"paper": {"id": "2205.00001", "title": TITLE, "authors": [
            {"name": "Ann Author"}], "publishedAt": "2022-05-27T00:00:00Z"}}]),
        "api.github.com": lambda path, query: (200, {"items": [
            {"html_url": "https://github.com/acme/clock", "full_name": "acme/clock", "description": "A clock",
             "owner": {"login": "acme"}, "pushed_at": "2024-01-01T00:00:00Z"}]}),
    })


def leads_of(folder, server, *options, expected=0):
    status, out, err = assay("leads", folder, *server.options, *options, "--cache", f"{folder}.cache", env=LIMITS)
    equal(status, expected, err)
    return out


@test
def one_document_is_one_lead_wherever_it_was_found(folder):
    made = example_pass(f"{folder}/w")
    before = {n: os.stat(os.path.join(made, n)).st_mtime_ns for n in os.listdir(made)}
    with Registries(f"{folder}/r") as server:
        fill(server)
        found = json.loads(leads_of(made, server, "--json"))
        seen = list(server.seen)
    equal({n: os.stat(os.path.join(made, n)).st_mtime_ns for n in os.listdir(made)}, before, "the pass is not changed")
    try:
        import jsonschema
        jsonschema.validate(found, load(os.path.join(ROOT, "schemas"), "leads.schema.json"))
    except ImportError:
        pass
    leads = {lead["id"]: lead for lead in found["leads"]}
    equal(sorted(leads), ["arxiv:2205.00001", "doi:10.1000/other", "github:acme/clock",
                          "url:https://news.ycombinator.com/item?id=13", "url:https://pages.example.org/clocks"], "leads")
    paper = found["leads"][0]
    equal((paper["id"], paper["title"], paper["authors"], paper["year"], paper["reading"]),
          ("arxiv:2205.00001", TITLE, "Author, Ann", "2022", "lead"), "the best")
    equal(sorted(paper["services"].split(", ")), ["arxiv", "crossref", "hackernews", "huggingface"], "services")
    equal(paper["discussion"], "https://news.ycombinator.com/item?id=11", "the thread leads to the paper")
    check("known" not in paper, paper)
    # by hand: every service puts it first, asked with min(queries, most) queries each
    queries = len(found["queries"])
    lists = sum(min(queries, most) for most in (5, 8, 8, 6))
    check(abs(paper["score"] - lists / 61) < 1e-9, paper["score"], lists)
    equal([(s["service"], s["state"]) for s in found["services"]],
          [("arxiv", "answered"), ("crossref", "answered"), ("openalex", "not asked"), ("hackernews", "answered"),
           ("huggingface", "answered"), ("github", "answered")], "services")
    equal({one["host"] for one in seen} & {"api.openalex.org"}, set(), "asked without a key")


@test
def queries_come_from_the_claims_and_are_shown(folder):
    made = example_pass(f"{folder}/w")
    with Registries(f"{folder}/r") as server:
        fill(server)
        found = json.loads(leads_of(made, server, "--json"))
        text = leads_of(made, server)
        asked = [one["query"]["query"] for one in server.asked("hn.algolia.com")]
    with open(os.path.join(made, "claims.json"), encoding="utf-8") as file:
        claims = {c["label"]: c for c in json.load(file)["claims"]}
    equal((found["queries"][0]["from"], len(found["queries"])), ("topic", 8), found["queries"])
    for query in found["queries"]:
        check(not any(word in ("the", "and", "ms", "step") or word[0].isdigit() for word in query["words"]), query)
        if query["from"] == "claim":  # its first word is the claim's own
            check(query["words"][0] in claims[query["claim"]]["quote"].lower(), query)
        check(" ".join(query["words"]) in text, query)
        check(" ".join(query["words"][:3]) in asked, asked)
    check("[lead]" in text and "none is evidence" in text and "discussed at" in text, text)


@test
def a_service_that_is_silent_is_named(folder):
    made = example_pass(f"{folder}/w")
    with Registries(f"{folder}/r") as server:
        fill(server)
        server.overrides["hn.algolia.com"] = lambda *_: (503, "busy", "text/plain")
        server.overrides["huggingface.co"] = lambda *_: (200, "<html>log in</html>", "text/html")
        server.overrides["api.github.com"] = lambda *_: (200, {"items": "none"})
        found = json.loads(leads_of(made, server, "--json", expected=3))
    states = {s["service"]: s for s in found["services"]}
    equal([states[n]["state"] for n in ("hackernews", "huggingface", "github", "crossref")],
          ["unreachable"] * 3 + ["answered"], states)
    check("503" in states["hackernews"]["why"] and "JSON" in states["huggingface"]["why"], states)
    equal(sorted(lead["id"] for lead in found["leads"]), ["arxiv:2205.00001", "doi:10.1000/other"], "the others' leads")


@test
def hostile_titles_do_not_reach_the_terminal(folder):
    made = example_pass(f"{folder}/w")
    with Registries(f"{folder}/r") as server:
        fill(server)
        server.searches["api.github.com"] = lambda path, query: (200, {"items": [
            {"html_url": "https://github.com/acme/clock", "full_name": "acme/clock", "description": "\x1b[2Jgone\x07"},
            {"html_url": "javascript:alert(1)", "full_name": "x"}]})
        text = leads_of(made, server)
    check("\x1b" not in text and "\x07" not in text and "gone" in text, text)
    check("javascript" not in text, text)


@test
def a_pass_without_claims_is_refused(folder):
    status, _, err = assay("fetch", BRIEF, "--snapshot", CHAPTER, "--offline", "--out", f"{folder}/w")
    equal(status, 0, err)
    status, _, err = assay("leads", passes(f"{folder}/w")[0])
    equal((status, "claims.json" in err), (5, True), err)


if __name__ == "__main__":
    harness.main(harness.TESTS)
